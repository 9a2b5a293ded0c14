"""The journal survives a crash at any byte, and never loses a line in silence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core.errors import UnreadableFileError
from mpgk_core.evaluation.journal import Journal
from mpgk_core.evaluation.nested_cv import FoldRecord


def record(fold, T=2, levels="sum"):
    return FoldRecord(0, fold, 10.0, T, levels, 0, 0.75, 0.5, (1, 2), (0, 1), 0, 0.1, 0.2)


def test_reading_gives_back_what_was_written(tmp_path):
    journal = Journal(tmp_path / "journal.jsonl")
    journal.append("a", record(0))
    journal.append("b", record(0, None, None))
    journal.append("a", record(1))
    assert journal.records("a") == {(0, 0): record(0), (0, 1): record(1)}
    assert journal.records("b") == {(0, 0): record(0, None, None)}
    assert journal.records("c") == {}


@settings(max_examples=30)
@given(data=st.data())
def test_crash_at_any_byte_loses_at_most_the_line_being_written(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("crash") / "journal.jsonl"
    journal = Journal(path)
    for fold in range(3):
        journal.append("a", record(fold))
    content = path.read_bytes()
    cut = data.draw(st.integers(0, len(content)))
    path.write_bytes(content[:cut])
    complete = content[:cut].count(b"\n")
    assert list(journal.records("a")) == [(0, fold) for fold in range(complete)]
    journal.append("a", record(7))
    assert list(journal.records("a")) == [*((0, fold) for fold in range(complete)), (0, 7)]
    assert path.read_bytes().count(b"\n") == complete + 1


def test_long_cut_line_is_removed_whole(tmp_path):
    path = tmp_path / "journal.jsonl"
    journal = Journal(path)
    journal.append("a", record(0))
    with path.open("ab") as file:
        file.write(b"x" * 200_000)
    journal.append("a", record(1))
    assert list(journal.records("a")) == [(0, 0), (0, 1)]


@pytest.mark.parametrize(
    "damage", [b"no json\n", b"{}\n", b"[]\n", b'{"key": "a", "record": {}}\n']
)
def test_damage_in_the_middle_is_an_error_that_names_the_line(tmp_path, damage):
    path = tmp_path / "journal.jsonl"
    journal = Journal(path)
    journal.append("a", record(0))
    with path.open("ab") as file:
        file.write(damage)
    with pytest.raises(UnreadableFileError, match=r"journal\.jsonl, line 2"):
        journal.records("a")
