"""What a reader has tried: counted once, joined in any order, read back only if it is sound."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.lessons import Progress, Tries, kept_text, lessons, read_kept
from mpgk_core.lessons.progress import MAX_TRIES, question_key

LESSONS = lessons()
PLACES = [
    (lesson.key, number) for lesson in LESSONS for number, _ in enumerate(lesson.steps, start=1)
]
TRIES = st.builds(Tries, st.integers(1, MAX_TRIES), st.booleans())
PROGRESS = st.dictionaries(st.sampled_from(PLACES), TRIES, max_size=8).map(Progress)


@given(st.lists(st.booleans(), max_size=12))
def test_tries_are_counted_up_to_the_first_right_one(answers):
    progress = Progress()
    for is_right in answers:
        progress = progress.after("how-far", 1, is_right)
    wanted = answers.index(True) + 1 if True in answers else len(answers)
    tries = progress.of("how-far").get(1, Tries(0, False))
    assert tries == Tries(wanted, True in answers)
    assert tries.is_first == (answers[:1] == [True])


@given(PROGRESS, PROGRESS, PROGRESS)
def test_windows_are_joined_in_any_order(one, two, three):
    assert one.joined(two) == two.joined(one)
    assert one.joined(two).joined(three) == one.joined(two.joined(three))
    assert one.joined(one) == one
    for lesson in LESSONS:
        answered = one.answered(lesson.key) | two.answered(lesson.key)
        assert one.joined(two).answered(lesson.key) == answered


@given(PROGRESS)
def test_what_a_browser_keeps_is_read_back(progress):
    assert read_kept(kept_text(progress, LESSONS), LESSONS) == progress


@given(PROGRESS, st.sampled_from(LESSONS))
def test_a_score_counts_every_question_of_its_lesson(progress, lesson):
    score, own = progress.score(lesson), progress.of(lesson.key)
    assert score.n_questions == len(lesson.steps)
    assert score.n_right == len(progress.answered(lesson.key))
    assert score.n_first <= score.n_right <= score.n_questions
    assert score.n_tries == sum(tries.n for tries in own.values())
    assert progress.without(lesson.key).of(lesson.key) == {}


ENTRY = ["how-far", 1, question_key(next(x for x in LESSONS if x.key == "how-far").steps[0])]


@pytest.mark.parametrize(
    "text",
    [
        None,
        7,
        "",
        "nonsense",
        "\ud800",
        "[" * 90_000,
        " " * 200_000,
        '{"version": 2, "answers": []}',
        '{"version": 1}',
        json.dumps({"version": 1, "answers": [[*ENTRY, 0, True]]}),
        json.dumps({"version": 1, "answers": [[*ENTRY, 10**9, True]]}),
        json.dumps({"version": 1, "answers": [[*ENTRY, 1, "yes"]]}),
        json.dumps({"version": 1, "answers": [[*ENTRY, 1, True, "more"]]}),
        json.dumps({"version": 1, "answers": [["nowhere", *ENTRY[1:], 1, True]]}),
        json.dumps({"version": 1, "answers": [[ENTRY[0], 9, ENTRY[2], 1, True]]}),
        json.dumps({"version": 1, "answers": [[*ENTRY[:2], "00000000", 1, True]]}),
        json.dumps({"version": 1, "answers": [[*ENTRY, 1, True]], "name": "x"}),
    ],
)
def test_a_text_that_is_not_ours_counts_nothing(text):
    assert read_kept(text, LESSONS) == Progress()


def test_the_entry_of_these_tests_is_sound():
    text = json.dumps({"version": 1, "answers": [[*ENTRY, 2, True]]})
    assert read_kept(text, LESSONS).of("how-far") == {1: Tries(2, True)}
