"""Damaged files: whatever happened to them, a reader keeps its promises."""

from random import Random

import pytest

from tests.formats.mutations import MUTATIONS, mutated
from tests.formats.promises import check_message, check_tables, outcome
from tests.formats.valid_files import valid_files

FILES = valid_files()
RUNS = 7


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.title}-{file.name}")
def test_a_damaged_file_is_read_consistently_or_refused_with_a_reason(file):
    for run in range(RUNS):
        name, content = mutated(Random(f"{file.name} {file.title} {run}"), file, FILES)
        outcome(name, content)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.title}-{file.name}")
def test_no_piece_cut_out_of_a_file_does_harm(file):
    chance = Random(file.name)
    for _ in range(RUNS):
        start, stop = sorted(chance.choices(range(len(file.content) + 1), k=2))
        outcome(file.name, file.content[:start] + file.content[stop:])


def test_the_same_seed_makes_the_same_damage():
    first, second = (
        [mutated(Random(f"{i}"), FILES[i % len(FILES)], FILES) for i in range(100)]
        for _ in range(2)
    )
    assert first == second
    assert len({content for _, content in first}) > 90


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_every_kind_of_damage_changes_something(mutation):
    changed = 0
    for i in range(20):
        content = bytearray(FILES[0].content)
        mutation(Random(i), content)
        changed += content != FILES[0].content
    assert changed >= 10


@pytest.mark.parametrize(
    "message",
    [
        "Something is wrong.",
        "a.csv: It is wrong",
        "a.csv: It is wrong. See formats/dot.py.",
        "a.csv: It is wrong.\nCorrect it.",
    ],
)
def test_messages_that_do_not_help_are_noticed(message):
    with pytest.raises(AssertionError):
        check_message("a.csv", message)


def test_tables_that_contradict_themselves_are_noticed():
    tables = outcome("a.txt", b"1 2\n2 3\n")
    check_tables(tables)
    tables.edges[0, 0] = 7
    with pytest.raises(AssertionError):
        check_tables(tables)
