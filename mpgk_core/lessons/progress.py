"""What a reader has tried and answered: counted, scored, and kept by the browser as a text.

The text is never trusted. It has a version, and every entry names the question that was answered:
when a lesson changes, answers to its old questions are dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from mpgk_core.content_key import content_key
from mpgk_core.lessons.lesson import Lesson, Step

MAX_TRIES = 999
"""Further tries are not counted."""

_MAX_CHARACTERS, _KEY_LENGTH = 100_000, 8


@dataclass(frozen=True)
class Tries:
    """How often a question was tried.

    Attributes
    ----------
    n : int
        Number of tries, up to the first right one.
    is_right : bool
        Whether the last of them was right.
    """

    n: int
    is_right: bool

    @property
    def is_first(self) -> bool:
        """Whether the first try was right."""
        return self.is_right and self.n == 1


@dataclass(frozen=True)
class Score:
    """What came of the questions of a lesson.

    Attributes
    ----------
    n_questions, n_right, n_first : int
        All questions, those answered, and those answered at the first try.
    n_tries : int
    """

    n_questions: int
    n_right: int
    n_first: int
    n_tries: int


@dataclass(frozen=True)
class Progress:
    """What one reader has tried.

    Parameters
    ----------
    tries : mapping of (str, int) to Tries
        By the key of a lesson and the number of a step, from 1.

    Examples
    --------
    >>> one = Progress().after("how-far", 1, False).after("how-far", 1, True)
    >>> one.of("how-far")
    {1: Tries(n=2, is_right=True)}
    >>> one.after("how-far", 1, False) == one
    True
    """

    tries: Mapping[tuple[str, int], Tries] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tries", MappingProxyType(dict(self.tries)))

    def of(self, lesson: str) -> dict[int, Tries]:
        """Return the tries of a lesson by the numbers of its steps."""
        return {number: tries for (key, number), tries in self.tries.items() if key == lesson}

    def answered(self, lesson: str) -> set[int]:
        """Return the steps of a lesson whose questions were answered."""
        return {number for number, tries in self.of(lesson).items() if tries.is_right}

    def after(self, lesson: str, number: int, is_right: bool) -> Progress:
        """Return the progress after one more try; a question that is answered stays as it is."""
        before = self.tries.get((lesson, number), Tries(0, False))
        if before.is_right:
            return self
        now = Tries(min(before.n + 1, MAX_TRIES), is_right)
        return Progress({**self.tries, (lesson, number): now})

    def without(self, lesson: str) -> Progress:
        """Return the progress in all other lessons."""
        return Progress({key: tries for key, tries in self.tries.items() if key[0] != lesson})

    def joined(self, other: Progress) -> Progress:
        """Return what two windows of one reader have recorded, each question as far as it came."""
        both = dict(self.tries)
        for key, new in other.tries.items():
            both[key] = max(both.get(key, new), new, key=lambda tries: (tries.is_right, tries.n))
        return Progress(both)

    def score(self, lesson: Lesson) -> Score:
        """Return what came of the questions of a lesson."""
        numbers = range(1, len(lesson.steps) + 1)
        tries = [one for number, one in self.of(lesson.key).items() if number in numbers]
        return Score(
            len(lesson.steps),
            sum(one.is_right for one in tries),
            sum(one.is_first for one in tries),
            sum(one.n for one in tries),
        )


def question_key(step: Step) -> str:
    """Return a short key that another question does not share; texts around it do not count.

    Examples
    --------
    >>> from mpgk_core.lessons import lessons
    >>> first, second, *_ = lessons()[0].steps
    >>> len(question_key(first)), question_key(first) == question_key(second)
    (8, False)
    """
    asked = step.question
    options = [option.text for option in asked.options]
    parts = (asked.kind, asked.ask, asked.quantity, asked.arguments, options)
    return content_key(parts)[:_KEY_LENGTH]


class TriedQuestion(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One entry of a kept text."""

    lesson: Annotated[str, Meta(max_length=60)]
    step: Annotated[int, Meta(ge=1, le=99)]
    question: Annotated[str, Meta(max_length=_KEY_LENGTH)]
    tries: Annotated[int, Meta(ge=1, le=MAX_TRIES)]
    is_right: bool


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: Literal[1]
    answers: Annotated[tuple[TriedQuestion, ...], Meta(max_length=2_000)]


def kept_text(progress: Progress, lessons: Iterable[Lesson]) -> str:
    """Return progress as the text that a browser keeps.

    Parameters
    ----------
    progress : Progress
    lessons : iterable of Lesson
        Tries of other lessons are left out.

    Returns
    -------
    str
        JSON; empty if there is nothing to keep.
    """
    entries = tuple(tried_questions(progress, lessons))
    return msgspec.json.encode(_Kept(1, entries)).decode() if entries else ""


def read_kept(text: object, lessons: Iterable[Lesson]) -> Progress:
    """Return the progress of a text that a browser has kept; of any other text, none.

    Parameters
    ----------
    text : object
        Not trusted.
    lessons : iterable of Lesson
        Answers to other questions than theirs are dropped.

    Returns
    -------
    Progress

    Examples
    --------
    >>> from mpgk_core.lessons import lessons
    >>> some = Progress().after("how-far", 2, True)
    >>> read_kept(kept_text(some, lessons()), lessons()) == some
    True
    >>> read_kept('{"version": 7}', lessons())
    Progress(tries=mappingproxy({}))
    """
    if not isinstance(text, str) or len(text) > _MAX_CHARACTERS:
        return Progress()
    try:
        kept = msgspec.json.decode(text.encode("utf-8", "replace"), type=_Kept)
    except (msgspec.MsgspecError, RecursionError):
        return Progress()
    known = {
        (lesson.key, number): question_key(step)
        for lesson in lessons
        for number, step in enumerate(lesson.steps, start=1)
    }
    return Progress(
        {
            (one.lesson, one.step): Tries(one.tries, one.is_right)
            for one in kept.answers
            if known.get((one.lesson, one.step)) == one.question
        }
    )


def tried_questions(progress: Progress, lessons: Iterable[Lesson]) -> Iterator[TriedQuestion]:
    """Yield an entry for every question that was tried, in the order of the lessons."""
    for lesson in lessons:
        for number, step in enumerate(lesson.steps, start=1):
            tries = progress.tries.get((lesson.key, number))
            if tries is not None:
                key = question_key(step)
                yield TriedQuestion(lesson.key, number, key, tries.n, tries.is_right)
