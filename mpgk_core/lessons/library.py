"""The files of lessons: read, checked, and every mistake named with its file, step and field."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import structs

from mpgk_core.datasets.local import shipped_folder
from mpgk_core.edits import compare, without_edge
from mpgk_core.errors import InvalidParameterError, MPGKError, UnreadableFileError, shortened
from mpgk_core.lessons.answers import answer_of, measured
from mpgk_core.lessons.glossary import GlossaryFile, Term
from mpgk_core.lessons.lesson import Lesson, LessonFile, Measure, Picture, Step
from mpgk_core.lessons.route import Route, RouteFile, planned
from mpgk_core.lessons.scene import (
    DEFAULT_COST,
    MAP_KERNEL,
    DataSource,
    MeasuredSource,
    Scene,
    one_round,
    quick_errors,
    quick_evaluation,
)
from mpgk_core.lessons.texts import glossary_terms
from mpgk_core.schema import checked

GLOSSARY_FILE, ROUTE_FILE = "glossary.toml", "routes.toml"
"""The files of a folder that are no lessons."""

_FILE_NAME = re.compile(r"(?:[0-9]{1,3}-)?([a-z][a-z0-9-]{0,40})\.toml")
_MAX_BYTES = 200_000


def lesson_folders() -> list[Path]:
    """Return the folders of lessons: that of the package, and ``MPGK_LESSONS``."""
    folders = [shipped_folder("lessons")]
    setting = os.environ.get("MPGK_LESSONS")
    if setting:
        if not Path(setting).is_dir():
            raise InvalidParameterError(
                f"MPGK_LESSONS must be a folder. Got {setting!r} instead: correct it, or unset it."
            )
        folders.append(Path(setting))
    return folders


def lesson_files(folder: Path) -> list[Path]:
    """Return the lesson files of a folder, in the order of their names."""
    others = (GLOSSARY_FILE, ROUTE_FILE)
    return sorted(path for path in folder.glob("*.toml") if path.name not in others)


def lessons() -> tuple[Lesson, ...]:
    """Read all lessons of all lesson folders; a later folder may replace lessons of another.

    Returns
    -------
    tuple of Lesson

    Raises
    ------
    UnreadableFileError
        Naming file, step and field.
    """
    found = [read_lesson(path) for folder in lesson_folders() for path in lesson_files(folder)]
    return tuple({lesson.key: lesson for lesson in found}.values())


def read_lesson(path: Path) -> Lesson:
    """Read one lesson and check all that can be checked without an answer.

    Parameters
    ----------
    path : Path
        Such as ``03-how-far.toml``; the number orders the lessons, the rest is the key.

    Returns
    -------
    Lesson

    Raises
    ------
    UnreadableFileError
        Naming file, step and field.
    """
    name = _FILE_NAME.fullmatch(path.name)
    if name is None:
        raise UnreadableFileError(
            path.name,
            "This is no name for a lesson.",
            "Use small letters, digits and hyphens, such as 10-my-lesson.toml.",
        )
    found = checked(LessonFile, _content_of(path), path.name, "step")
    return Lesson(key=name[1], **structs.asdict(found))


def glossary() -> tuple[Term, ...]:
    """Read the glossaries of all lesson folders; a later folder may replace terms of another."""
    files = [folder / GLOSSARY_FILE for folder in lesson_folders()]
    terms = [term for file in files if file.is_file() for term in read_glossary(file)]
    return tuple({term.key: term for term in terms}.values())


def read_glossary(path: Path) -> tuple[Term, ...]:
    """Read one glossary.

    Parameters
    ----------
    path : Path
        A TOML file with a list ``terms``.

    Returns
    -------
    tuple of Term
        In the order of the file.

    Raises
    ------
    UnreadableFileError
        Naming file, term and field.
    """
    return checked(GlossaryFile, _content_of(path), path.name, "term").terms


def read_routes(path: Path) -> tuple[Route, ...]:
    """Read the routes through the lessons of one folder.

    Parameters
    ----------
    path : Path
        A TOML file with a list ``routes``.

    Returns
    -------
    tuple of Route

    Raises
    ------
    UnreadableFileError
        Naming file, route and field.
    """
    return checked(RouteFile, _content_of(path), path.name, "route").routes


def _content_of(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file of bounded size, without blanks around its texts."""
    if path.stat().st_size > _MAX_BYTES:
        problem = f"It has more than {_MAX_BYTES:,} bytes."
        raise UnreadableFileError(path.name, problem, "Make it smaller.")
    try:
        return {key: _stripped(x) for key, x in tomllib.loads(path.read_text("utf-8")).items()}
    except UnicodeDecodeError:
        problem, remedy = "This is not UTF-8 text.", "Save it as UTF-8."
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        problem, remedy = f"This is not TOML ({shortened(str(error), 120)}).", "Correct it."
    raise UnreadableFileError(path.name, problem, remedy)


def _stripped(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _stripped(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_stripped(inner) for inner in value]
    return value.strip() if isinstance(value, str) else value


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
    routes : tuple of Route
        Of all folders; those of teachers come first.
    """

    lessons: dict[str, Lesson]
    terms: tuple[Term, ...]
    faults: tuple[UnreadableFileError, ...]
    routes: tuple[Route, ...] = ()


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
    (12, ())
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
                problem = f"The lesson in {own[lesson.key]} has the same link."
                remedy = "Rename one of the two files."
                found.append(UnreadableFileError(path.name, problem, remedy))
            faults += found
            if not found:
                lessons[lesson.key] = path.name, lesson
    own_lessons = {key: lesson for key, (_, lesson) in lessons.items()}
    routes: list[Route] = []
    for file in (folder / ROUTE_FILE for folder in reversed(folders)):
        if file.is_file():
            try:
                found_routes = read_routes(file)
            except UnreadableFileError as fault:
                faults.append(fault)
                continue
            for number, route in enumerate(found_routes, start=1):
                lesson_of = partial(_lesson_of, own_lessons, known)
                plan, wrong = planned(route, number, file.name, lesson_of)
                faults += wrong
                routes += [] if wrong else [plan]
    return Library(dict(lessons.values()), tuple(terms.values()), tuple(faults), tuple(routes))


def _lesson_of(found: Mapping[str, Lesson], known: Sequence[Path], key: str) -> Lesson | None:
    """Return the lesson of a key, also one in a further folder."""
    if key in found:
        return found[key]
    for path in (path for folder in known for path in lesson_files(folder)):
        name = _FILE_NAME.fullmatch(path.name)
        if name is not None and name[1] == key:
            return read_lesson(path)
    return None


def faults_of_lesson(
    lesson: Lesson, file: str, terms: Collection[str]
) -> list[UnreadableFileError]:
    """Go through all steps of a lesson as a reader would.

    Parameters
    ----------
    lesson : Lesson
    file : str
        Name of its file, for messages.
    terms : collection of str
        Keys of the glossary, to which texts may link.

    Returns
    -------
    list of UnreadableFileError
        Each names file, step and field, and says what to do.

    Examples
    --------
    >>> from mpgk_core.lessons import lessons
    >>> first = lessons()[0]
    >>> terms = {term.key for term in glossary()}
    >>> faults_of_lesson(first, "01-what-is-similar.toml", terms)
    []
    >>> print(faults_of_lesson(first, "a.toml", terms - {"degree"})[0])
    a.toml: Step 2, field 'text': The glossary has no term 'degree'. Link to a key of the glossary.
    """
    return [
        UnreadableFileError(file, f"Step {number}, field {field!r}: {problem}", remedy)
        for number, step in enumerate(lesson.steps, start=1)
        for field, problem, remedy in _faults(step, terms)
    ]


def _faults(step: Step, terms: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Yield a field, what is wrong with it, and what to do, for every fault of a step."""
    for field, text in step.texts.items():
        for term in glossary_terms(text):
            if term not in terms:
                yield field, f"The glossary has no term {term!r}.", "Link to a key of the glossary."
    try:
        _draw(step.picture)
    except MPGKError as error:
        yield "picture", str(error), "Change the picture."
        return
    for name, measure in step.numbers.items():
        problem = _problem(measure, step.picture)
        if problem:
            yield f"numbers.{name}.arguments", problem, "Ask for something that can be computed."
    try:
        answer_of(step.question, step.picture)
    except MPGKError as error:
        asked = step.question.measures.items()
        failed = (f"{place}.arguments" for place, one in asked if _problem(one, step.picture))
        other = "options" if step.question.kind == "choice" else "quantity"
        yield next(failed, f"question.{other}"), str(error), "Change the question."


def _draw(picture: Picture) -> None:
    """Compute what the picture of a step needs."""
    source, kernel = picture.source, picture.kernel
    if isinstance(source, MeasuredSource):
        for model in picture.models:
            quick_errors(source, model, kernel.n_iterations)
        return
    if isinstance(source, DataSource):
        methods = picture.methods if picture.view == "accuracies" else (MAP_KERNEL,)
        for method in methods:
            quick_evaluation(source, method, kernel.n_iterations, picture.cost or DEFAULT_COST)
        return
    scene = Scene(source, kernel)
    if picture.view == "messages":
        one_round(scene)
        return
    scene.points(kernel.n_iterations)
    if picture.removed is not None:
        names = [scene.graph.names[scene.number(end)] for end in picture.removed]
        compare(scene.graph, without_edge(scene.graph, *names), scene.estimator)


def _problem(measure: Measure, picture: Picture) -> str:
    try:
        measured(measure, picture)
    except MPGKError as error:
        return str(error)
    return ""
