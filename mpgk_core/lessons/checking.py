"""Try lessons out before a reader does: draw every picture, compute every number and answer."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from mpgk_core.edits import compare, without_edge
from mpgk_core.errors import MPGKError, UnreadableFileError
from mpgk_core.lessons.answers import answer_of, measured
from mpgk_core.lessons.data_quantities import MAP_KERNEL, quick_evaluation
from mpgk_core.lessons.lesson import Lesson, Measure, Picture, Question, Step
from mpgk_core.lessons.one_round import one_round
from mpgk_core.lessons.scene import Scene
from mpgk_core.lessons.sources import DataSource
from mpgk_core.lessons.texts import glossary_terms


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
    question = step.question
    texts = {
        "text": step.text,
        "todo": step.todo,
        "question.ask": question.ask,
        "question.hint": question.hint,
        "question.explanation": question.explanation,
    }
    for field, text in texts.items():
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
        answer_of(question, step.picture)
    except MPGKError as error:
        yield _culprit(question, step.picture), str(error), "Change the question."


def _draw(picture: Picture) -> None:
    """Compute what the picture of a step needs."""
    source, kernel = picture.source, picture.kernel
    if isinstance(source, DataSource):
        quick_evaluation(source, MAP_KERNEL, kernel.T)
        return
    scene = Scene(source, kernel)
    if picture.view == "messages":
        one_round(scene)
        return
    scene.points(kernel.T)
    if picture.removed is not None:
        names = [scene.graph.names[scene.number(end)] for end in picture.removed]
        compare(scene.graph, without_edge(scene.graph, *names), kernel.unfitted())


def _culprit(question: Question, picture: Picture) -> str:
    """Return the field that an answer fails at."""
    if question.measure is not None:
        if _problem(question.measure, picture):
            return "question.arguments"
        return "question.options" if question.kind == "choice" else "question.quantity"
    for number, option in enumerate(question.options, start=1):
        if option.measure is not None and _problem(option.measure, picture):
            return f"question.options.{number}.arguments"
    return "question.options"


def _problem(measure: Measure, picture: Picture) -> str:
    try:
        measured(measure, picture)
    except MPGKError as error:
        return str(error)
    return ""
