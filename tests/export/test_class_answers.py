"""Files of students: read back whole, refused when damaged, and counted as by hand."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.errors import UnreadableFileError
from mpgk_core.export.class_answers import MAX_NAME, class_tables, load_answers, save_answers
from mpgk_core.export.session import digest_of
from mpgk_core.lessons import Progress, lessons
from tests.lessons.test_progress import PROGRESS

LESSONS = lessons()
ADA = Progress().after("how-far", 1, True).after("how-far", 2, False)


def signed(**changes):
    """Return a file of Ada with other content and a digest that fits."""
    content = json.loads(save_answers("Ada", ADA, LESSONS)) | changes
    return json.dumps(content | {"digest": digest_of(content)}).encode()


@given(st.text(max_size=2 * MAX_NAME), PROGRESS)
def test_a_file_is_read_back(name, progress):
    content = save_answers(name, progress, LESSONS)
    found = load_answers(content)
    assert {(key, step): tries for key, step, _, tries in found.entries} == progress.tries
    assert len(found.name) <= MAX_NAME
    assert found.name.isprintable()
    assert content == save_answers(found.name, progress, LESSONS)


@given(st.integers(0, 10**6), st.integers(0, 127))
def test_a_changed_file_is_refused_or_says_the_same(place, byte):
    whole = save_answers("Ada", ADA, LESSONS)
    changed = bytearray(whole)
    changed[place % len(whole)] = byte
    try:
        found = load_answers(bytes(changed))
    except UnreadableFileError:
        return
    assert found == load_answers(whole), "only blanks between the fields"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not complete"),
        (b"\x00\xff\xfe", ""),
        (b"[1, 2]", "no file with the answers"),
        (b'{"mpgk_session": 2}', "no file with the answers"),
        (b"[" * 100_000, "nested"),
        (b" " * 300_000, "more than 200,000 bytes"),
        (b'{"mpgk_answers": true}', "version 1 only"),
        (b'{"mpgk_answers": 2}', "version 1 only"),
        (b'{"mpgk_answers": 1}', "damaged"),
        (signed(name=7), "Field 'name'"),
        (signed(name="x" * 500), "Field 'name'"),
        (signed(answers=[{"lesson": "how-far"}]), "Answer 1"),
        (signed(answers=[1] * 5_000), "answers"),
        (signed(more=1), "Field 'more'"),
    ],
)
def test_a_hostile_file_is_refused_with_its_name(content, words):
    with pytest.raises(UnreadableFileError, match=r"ada\.json") as refused:
        load_answers(content, "ada.json")
    assert words in str(refused.value)


@given(st.lists(PROGRESS, max_size=4))
def test_the_tables_count_what_the_files_say(students):
    files = [save_answers(f"{i}", one, LESSONS) for i, one in enumerate(students)]
    tables = class_tables([load_answers(file) for file in files], LESSONS)
    assert [row["tries"] for row in tables.students] == [
        sum(tries.n for tries in one.tries.values()) for one in students
    ]
    titles = {lesson.key: lesson.title for lesson in LESSONS}
    for key, step in {place for one in students for place in one.tries}:
        tries = [one.tries[key, step] for one in students if (key, step) in one.tries]
        (row,) = (
            row for row in tables.questions if (row["lesson"], row["step"]) == (titles[key], step)
        )
        assert row["tried by"] == len(tries)
        assert row["answered by"] == sum(one.is_right for one in tries)
        assert row["right at first try"] == sum(one.is_right and one.n == 1 for one in tries)
        assert row["mean tries"] * len(tries) == pytest.approx(sum(one.n for one in tries))
    assert len(tables.csv().splitlines()) == 1 + sum(len(one.tries) for one in students)


def test_a_file_given_twice_counts_once_and_namesakes_stay_apart():
    ada, other = save_answers("Ada", ADA, LESSONS), save_answers("Ada", Progress(), LESSONS)
    tables = class_tables([load_answers(one) for one in (ada, ada, other)], LESSONS)
    assert [row["tried"] for row in tables.students] == [2, 0]


def test_answers_to_another_version_of_a_lesson_are_not_counted():
    entry = json.loads(save_answers("Ada", ADA, LESSONS))["answers"][0]
    old = signed(answers=[entry | {"question": "00000000"}])
    (row,) = class_tables([load_answers(old)], LESSONS).students
    assert (row["tried"], row["of other versions"]) == (0, 1)


def test_a_name_is_no_formula_in_a_spreadsheet():
    table = class_tables([load_answers(save_answers("=1+1", ADA, LESSONS))], LESSONS).csv()
    assert b"\n'=1+1," in table
