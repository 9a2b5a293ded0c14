"""Routes through the lessons: those of the package, a teacher's own, and what is refused."""

import pytest

from mpgk_core.lessons import checked_library, lesson_folders, read_lesson
from tests.lessons.lesson_files import LESSON, write_lesson

OURS = lesson_folders()[0]
ROUTE = """
[[routes]]
title = "Short"
summary = "Two parts."

[[routes.stops]]
minutes = 5
note = "Talk."

[[routes.stops]]
minutes = 7
lesson = "how-far"
steps = [1, 3]
note = "Look."
"""


def library_with(folder, text, known=(OURS,)):
    (folder / "routes.toml").write_text(text, "utf-8")
    return checked_library([folder], known=known)


def test_the_routes_of_the_package_take_45_minutes():
    library = checked_library([OURS], tried=[OURS])
    assert library.faults == ()
    assert [route.minutes for route in library.routes] == [45] * len(library.routes) != []


def test_a_teacher_adds_routes_through_all_lessons(tmp_path):
    library = library_with(tmp_path, ROUTE)
    assert library.faults == ()
    assert library.routes[0].minutes == 12
    write_lesson(tmp_path, LESSON, "20-mine.toml")
    library = library_with(tmp_path, ROUTE.replace("how-far", "mine"))
    assert [route.stops[1].lesson for route in library.routes] == ["mine"]
    both = checked_library([OURS, tmp_path], tried=[OURS, tmp_path]).routes
    assert both[0].title == "Short", "those of the teacher come first"


def test_minutes_follow_the_words_and_the_questions(tmp_path):
    text = "one [two](glossary:orbit) $three + 3$ four " * 25
    path = write_lesson(tmp_path, LESSON.replace("Look at $k$ and at {{size}} vertices.", text))
    lesson = read_lesson(path)
    assert [round(step.minutes, 2) for step in lesson.steps] == [4.04] * 3, "4 words besides"
    assert [lesson.minutes_for(), lesson.minutes_for([1]), lesson.minutes_for([1, 3])] == [13, 5, 9]
    write_lesson(tmp_path, f"minutes = 7\n{LESSON}")
    assert read_lesson(path).minutes_for() == 7, "what its author says"
    stops = ROUTE.replace('minutes = 7\nlesson = "how-far"\nsteps = [1, 3]', 'lesson = "mine"')
    assert library_with(tmp_path, stops).routes[0].minutes == 5 + 7


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("minutes = 5", "minutes = 0", "Route 1, field 'stops.1.minutes': This is 0."),
        ("minutes = 5\n", "", "Route 1, field 'stops.1.minutes': This field is missing."),
        ('"Talk."', '"<b>"', "Route 1, field 'stops.1.note': The text has HTML."),
        ('"how-far"', '"nowhere"', "Route 1, field 'stops.2.lesson': There is no lesson"),
        ("[1, 3]", "[4]", "Route 1, field 'stops.2.steps': The lesson 'how-far' has 3 steps."),
        ('lesson = "how-far"\n', "", "Route 1, field 'stops.2.steps': This field belongs"),
        ('title = "Short"', 'tilte = "Short"', "Route 1, field 'tilte': This field is unknown."),
        ("[[routes]]", "[[roads]]", "Field 'roads': This field is unknown."),
        ('"Talk."', '"Talk.', "This is not TOML"),
    ],
)
def test_a_fault_is_named_with_its_place(tmp_path, old, new, words):
    library = library_with(tmp_path, ROUTE.replace(old, new))
    assert library.routes == ()
    (fault,) = library.faults
    assert f"routes.toml: {words}" in str(fault)
