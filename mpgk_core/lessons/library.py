"""All lessons of some folders, tried out: what can be used, and what is wrong with the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mpgk_core.errors import UnreadableFileError
from mpgk_core.lessons.checking import faults_of_lesson
from mpgk_core.lessons.glossary import Term, read_glossary
from mpgk_core.lessons.lesson import Lesson
from mpgk_core.lessons.reading import GLOSSARY_FILE, lesson_files, read_lesson


@dataclass(frozen=True)
class Library:
    """What some folders hold.

    Attributes
    ----------
    lessons : mapping of str to Lesson
        Those without a fault, by the name of their file, in their order.
    terms : tuple of Term
        Of all glossaries that can be read.
    faults : tuple of UnreadableFileError
        Each names file, step and field, and says what to do.
    """

    lessons: dict[str, Lesson]
    terms: tuple[Term, ...]
    faults: tuple[UnreadableFileError, ...]


def checked_library(
    folders: Sequence[Path], known: Sequence[Path] = (), tried: Sequence[Path] = ()
) -> Library:
    """Read and try out every lesson of some folders.

    Parameters
    ----------
    folders : sequence of Path
        A lesson or term of a later folder replaces one with the same key.
    known : sequence of Path
        Further folders, whose glossaries may be linked to.
    tried : sequence of Path
        Those of the folders whose lessons have been tried out before: they are only read.

    Returns
    -------
    Library

    Examples
    --------
    >>> from mpgk_core.lessons import lesson_folders
    >>> library = checked_library(lesson_folders()[:1])
    >>> len(library.lessons), library.faults
    (9, ())
    """
    terms: dict[str, Term] = {}
    faults: list[UnreadableFileError] = []
    for file in (folder / GLOSSARY_FILE for folder in (*known, *folders)):
        if file.is_file():
            try:
                terms |= {term.key: term for term in read_glossary(file)}
            except UnreadableFileError as fault:
                faults.append(fault)
    lessons: dict[str, tuple[str, Lesson]] = {}
    for folder in folders:
        own: dict[str, str] = {}
        for path in lesson_files(folder):
            try:
                lesson = read_lesson(path)
            except UnreadableFileError as fault:
                faults.append(fault)
                continue
            found = [] if folder in tried else faults_of_lesson(lesson, path.name, terms)
            if own.setdefault(lesson.key, path.name) != path.name:
                found.append(_same_link(path.name, own[lesson.key]))
            faults += found
            if not found:
                lessons[lesson.key] = path.name, lesson
    return Library(dict(lessons.values()), tuple(terms.values()), tuple(faults))


def _same_link(file: str, other: str) -> UnreadableFileError:
    return UnreadableFileError(
        file, f"The lesson in {other} has the same link.", "Rename one of the two files."
    )
