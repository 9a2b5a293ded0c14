"""Lessons as data: texts, live pictures, and questions whose answers are computed.

Examples
--------
>>> from mpgk_core.lessons import answer_of, lessons
>>> first = lessons()[0].steps[0]
>>> answer_of(first.question, first.picture) is not None
True
"""

from mpgk_core.lessons.answers import answer_of, explained, is_right, measured, numbers_of
from mpgk_core.lessons.glossary import Term, matching
from mpgk_core.lessons.lesson import Lesson, Measure, Option, Picture, Question, Step
from mpgk_core.lessons.library import (
    Library,
    checked_library,
    glossary,
    lesson_files,
    lesson_folders,
    lessons,
    read_glossary,
    read_lesson,
)
from mpgk_core.lessons.progress import Progress, Score, Tries, kept_text, read_kept
from mpgk_core.lessons.quantities import QUANTITIES
from mpgk_core.lessons.scene import OneRound, Scene, one_round
from mpgk_core.lessons.texts import as_shown, filled, glossary_terms

__all__ = [
    "QUANTITIES",
    "Lesson",
    "Library",
    "Measure",
    "OneRound",
    "Option",
    "Picture",
    "Progress",
    "Question",
    "Scene",
    "Score",
    "Step",
    "Term",
    "Tries",
    "answer_of",
    "as_shown",
    "checked_library",
    "explained",
    "filled",
    "glossary",
    "glossary_terms",
    "is_right",
    "kept_text",
    "lesson_files",
    "lesson_folders",
    "lessons",
    "matching",
    "measured",
    "numbers_of",
    "one_round",
    "read_glossary",
    "read_kept",
    "read_lesson",
]
