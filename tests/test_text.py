"""Cells of CSV files: texts that spreadsheets do not run, and that come back as they were."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.text import cell_text, csv_table, quoted, safe_text, unescaped


@given(st.text() | st.from_regex(r"\A'*[=+\-@\t\r].*"))
def test_no_text_starts_like_a_formula_and_all_come_back(text):
    safe = safe_text(text)
    assert unescaped(safe) == text or safe == text
    assert not safe.startswith(("=", "@", "\t", "\r"))
    if safe.startswith(("+", "-")):
        assert float(safe) == float(text)
    else:
        assert unescaped(safe) == text


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers())
def test_numbers_stay_numbers(number):
    text = safe_text(cell_text(number))
    assert type(number)(text) == number


@pytest.mark.parametrize(
    ("value", "text"),
    [("C", "C"), (True, "1"), (0.1, "0.1"), (("C", 2), '["C", 2]'), (None, ""), (b"x", "b'x'")],
)
def test_every_kind_of_value_has_a_text(value, text):
    assert cell_text(value) == text.replace("b'x'", cell_text(b"x"))


def test_rows_become_lines():
    table = csv_table([("id", "label"), ("a,b", "=HYPERLINK()"), (-1.5, 'say "x"\n')])
    assert table == b'id,label\n"a,b",\'=HYPERLINK()\n-1.5,"say ""x""\n"\n'
    assert quoted("plain") == "plain"
