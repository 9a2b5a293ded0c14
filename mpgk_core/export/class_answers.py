"""Answers of a class: a file that every student saves, and the tables that a teacher reads.

A digest shows damage. It is no signature: who knows the format can write any file.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Meta

from mpgk_core import __version__
from mpgk_core.export.session import digest_of
from mpgk_core.formats.safe_json import load_json
from mpgk_core.formats.source import Source
from mpgk_core.lessons import Lesson, Progress
from mpgk_core.lessons.progress import MAX_TRIES, Tries, question_key, tried_questions
from mpgk_core.schema import Table, checked
from mpgk_core.text import csv_table

MAX_NAME = 60
"""Characters of the name of a student."""

_MARK, _VERSION, _MAX_BYTES = "mpgk_answers", 1, 200_000
_REMEDY = "Let the student save the answers again."


class _Entry(Table, frozen=True):
    lesson: Annotated[str, Meta(max_length=60)]
    step: Annotated[int, Meta(ge=1, le=99)]
    question: Annotated[str, Meta(max_length=8)]
    tries: Annotated[int, Meta(ge=1, le=MAX_TRIES)]
    right: bool


class _Content(Table, frozen=True):
    engine: Annotated[str, Meta(max_length=40)]
    name: Annotated[str, Meta(max_length=MAX_NAME)]
    answers: Annotated[tuple[_Entry, ...], Meta(max_length=2_000)]


@dataclass(frozen=True)
class Answers:
    """The answers of one student.

    Attributes
    ----------
    name : str
        As the student wrote it; it may be empty.
    entries : tuple of (lesson, step, key of the question, Tries)
    digest : str
        Of the file; the same file has the same digest.
    """

    name: str
    entries: tuple[tuple[str, int, str, Tries], ...]
    digest: str


def save_answers(name: str, progress: Progress, lessons: Iterable[Lesson]) -> bytes:
    """Return the answers of a student as a file.

    Parameters
    ----------
    name : str
    progress : Progress
    lessons : iterable of Lesson
        Those whose answers are saved.

    Returns
    -------
    bytes
        JSON; the same answers give the same bytes.

    Examples
    --------
    >>> from mpgk_core.lessons import lessons
    >>> saved = save_answers("Ada", Progress().after("how-far", 1, True), lessons())
    >>> load_answers(saved).name
    'Ada'
    """
    plain = "".join(letter for letter in name if letter.isprintable()).strip()[:MAX_NAME]
    entries = [
        {
            "lesson": one.lesson,
            "step": one.step,
            "question": one.question,
            "tries": one.tries,
            "right": one.is_right,
        }
        for one in tried_questions(progress, lessons)
    ]
    content = {_MARK: _VERSION, "engine": __version__, "name": plain, "answers": entries}
    return (json.dumps({**content, "digest": digest_of(content)}, indent=1) + "\n").encode()


def load_answers(content: bytes, name: str = "answers.json") -> Answers:
    """Return the answers of a file, checked, or raise.

    Parameters
    ----------
    content : bytes
        Not trusted.
    name : str
        Name of the file, for errors.

    Returns
    -------
    Answers

    Raises
    ------
    UnreadableFileError
        Naming the file, the field that is wrong and what to do.
    """
    source = Source(name, content)
    if len(content) > _MAX_BYTES:
        raise source.error(f"It has more than {_MAX_BYTES:,} bytes.", _REMEDY)
    saved = load_json(source)
    if not isinstance(saved, dict) or _MARK not in saved:
        raise source.error("This is no file with the answers of a student.", "Choose another one.")
    if type(saved[_MARK]) is not int or saved[_MARK] != _VERSION:
        raise source.error(
            f"This program reads answers of version {_VERSION} only.",
            "Read them with the program that saved them.",
        )
    if saved.get("digest") != digest_of(saved):
        raise source.error("The file is damaged, or was changed after it was saved.", _REMEDY)
    fields = {key: value for key, value in saved.items() if key not in (_MARK, "digest")}
    found = checked(_Content, fields, name, "answer")
    entries = tuple(
        (one.lesson, one.step, one.question, Tries(one.tries, one.right)) for one in found.answers
    )
    return Answers(found.name, entries, str(saved["digest"]))


@dataclass(frozen=True)
class ClassTables:
    """What a class has answered.

    Attributes
    ----------
    students : list of dict
        One row for every student: name, questions tried, answered, right at the first try, tries,
        and answers that belong to another version of a lesson, which are not counted.
    questions : list of dict
        One row for every question that somebody has tried.
    """

    students: list[dict[str, Any]]
    questions: list[dict[str, Any]]
    _cells: list[tuple[Hashable, ...]]

    def csv(self) -> bytes:
        """Return a row for every student and question, for spreadsheets."""
        header = ("student", "lesson", "step", "question", "tries", "right", "right at first try")
        return csv_table([header, *self._cells])


def class_tables(answers: Sequence[Answers], lessons: Sequence[Lesson]) -> ClassTables:
    """Return what a class has answered, by student and by question.

    Parameters
    ----------
    answers : sequence of Answers
        One for every student; a file that is given twice counts once.
    lessons : sequence of Lesson

    Returns
    -------
    ClassTables

    Examples
    --------
    >>> from mpgk_core.lessons import lessons
    >>> done = Progress().after("how-far", 1, False).after("how-far", 1, True)
    >>> files = [save_answers(name, done, lessons()) for name in ("Ada", "Emmy")]
    >>> tables = class_tables([load_answers(file) for file in files], lessons())
    >>> [(row["student"], row["answered"], row["tries"]) for row in tables.students]
    [('Ada', 1, 2), ('Emmy', 1, 2)]
    >>> tables.questions[0]["right at first try"], tables.questions[0]["mean tries"]
    (0, 2.0)
    """
    known = {
        (lesson.key, number, question_key(step)): (lesson, number, step)
        for lesson in lessons
        for number, step in enumerate(lesson.steps, start=1)
    }
    students: list[dict[str, Any]] = []
    cells: list[tuple[Hashable, ...]] = []
    tried: dict[tuple[str, int, str], list[Tries]] = {}
    for one in {given.digest: given for given in answers}.values():
        own = {entry[:3]: entry[3] for entry in one.entries if entry[:3] in known}
        name = one.name or "no name"
        students.append(
            {
                "student": name,
                "tried": len(own),
                "answered": sum(tries.is_right for tries in own.values()),
                "right at first try": sum(tries.is_first for tries in own.values()),
                "tries": sum(tries.n for tries in own.values()),
                "of other versions": len(one.entries) - len(own),
            }
        )
        for key, (lesson, number, step) in known.items():
            if key in own:
                tries = own[key]
                tried.setdefault(key, []).append(tries)
                result = ("yes" if tries.is_right else "no", "yes" if tries.is_first else "no")
                cells.append((name, lesson.title, number, step.title, tries.n, *result))
    questions = [
        {
            "lesson": lesson.title,
            "step": number,
            "question": step.title,
            "tried by": len(tried[key]),
            "answered by": sum(tries.is_right for tries in tried[key]),
            "right at first try": sum(tries.is_first for tries in tried[key]),
            "mean tries": sum(tries.n for tries in tried[key]) / len(tried[key]),
        }
        for key, (lesson, number, step) in known.items()
        if key in tried
    ]
    return ClassTables(students, questions, cells)
