"""All lessons of some folders, checked: what can be used, and what is wrong with the rest."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mpgk_core.edits import compare, without_edge
from mpgk_core.errors import MPGKError, UnreadableFileError
from mpgk_core.lessons.answers import answer_of, measured
from mpgk_core.lessons.glossary import Term, read_glossary
from mpgk_core.lessons.lesson import Lesson, Measure, Picture, Step
from mpgk_core.lessons.reading import GLOSSARY_FILE, lesson_files, read_lesson
from mpgk_core.lessons.scene import MAP_KERNEL, DataSource, Scene, one_round, quick_evaluation
from mpgk_core.lessons.texts import glossary_terms


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
                problem = f"The lesson in {own[lesson.key]} has the same link."
                remedy = "Rename one of the two files."
                found.append(UnreadableFileError(path.name, problem, remedy))
            faults += found
            if not found:
                lessons[lesson.key] = path.name, lesson
    return Library(dict(lessons.values()), tuple(terms.values()), tuple(faults))


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
    >>> faults_of_lesson(first, "01-what-is-similar.toml", {"orbit", "degree", "kernel", "cosine"})
    []
    >>> print(faults_of_lesson(first, "a.toml", {"orbit", "kernel", "cosine"})[0])
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
    if isinstance(source, DataSource):
        quick_evaluation(source, MAP_KERNEL, kernel.n_iterations)
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
