"""JSON from strangers."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats.safe_json import load_json
from mpgk_core.formats.source import Source

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


def load(text: str):
    return load_json(Source("a.json", text.encode()))


def refusal(text: str) -> str:
    with pytest.raises(UnreadableFileError) as caught:
        load(text)
    return str(caught.value)


@given(VALUES, st.booleans())
def test_loads_what_json_dumps(value, ensure_ascii):
    assert load(json.dumps(value, ensure_ascii=ensure_ascii)) == value


@given(st.text(alphabet='[]{}"\\,x', max_size=30))
def test_brackets_in_texts_do_not_count_as_nesting(text):
    assert load(json.dumps([text, "[" * 100, '\\"' + "{" * 100])) == [
        text,
        "[" * 100,
        '\\"' + "{" * 100,
    ]


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
def test_nesting_is_bounded_without_the_stack_of_python(opening):
    assert "nested more than 60 deep" in refusal(opening * 100_000)
    assert "nested more than 60 deep" in refusal(" " * 3_000_000 + "[" * 61 + "]" * 61)
    assert load("[" * 60 + "]" * 60)


def test_small_files_cannot_fill_the_memory(monkeypatch):
    monkeypatch.setenv("MPGK_MAX_UNPACKED_BYTES", "100000")
    assert "of memory" in refusal("[" + "[]," * 1000 + "[]]")
    assert "of memory" in refusal("[" + "0," * 4000 + "0]")
    assert load("[" + "[]," * 500 + "[]]") == [[]] * 501


def test_constants_that_are_no_numbers_are_read():
    assert math.isnan(load("NaN"))
    assert load("[Infinity, -Infinity]") == [math.inf, -math.inf]
    assert load("1e999") == math.inf


def test_large_whole_numbers_are_exact_and_absurd_ones_are_refused():
    assert load("1" * 300) == int("1" * 300)
    assert "thousands of digits" in refusal("[" + "1" * 5000 + "]")


def test_of_repeated_keys_the_last_one_holds():
    assert load('{"a": 1, "a": 2}') == {"a": 2}


def test_half_characters_are_replaced_and_whole_ones_are_not():
    assert load(r'"\ud83d\ude00 \ud83d \ude00 \\ud83d \uD83D\u0041"') == (
        "😀 \ufffd \ufffd \\ud83d \ufffdA"
    )


@pytest.mark.parametrize("text", ["", "{", "[1,]", "{'a': 1}", "nul", '"a', "[1] 2", '{"a" 1}'])
def test_errors_name_the_line(text):
    assert refusal("\n" + text).startswith("a.json, line 2: This is not complete, correct JSON")
