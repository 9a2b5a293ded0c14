"""Compute answers, judge those of the reader, and put computed numbers into texts."""

from __future__ import annotations

from typing import Any

from mpgk_core.errors import InvalidParameterError
from mpgk_core.lessons.lesson import Measure, Picture, Question, Step
from mpgk_core.lessons.quantities import QUANTITIES, Value, checked_arguments
from mpgk_core.lessons.texts import filled

_ALMOST = 1e-9


def measured(measure: Measure, picture: Picture) -> Value:
    """Compute a measure on the graph of a picture.

    Parameters
    ----------
    measure : Measure
    picture : Picture

    Returns
    -------
    bool, int, float, str or frozenset of str
    """
    scene = measure.scene(picture)
    arguments = checked_arguments(measure.quantity, measure.arguments, scene)
    return QUANTITIES[measure.quantity].compute(scene, **arguments)


def answer_of(question: Question, picture: Picture) -> Value:
    """Compute the right answer: a number, names of vertices, or the text of an option.

    Parameters
    ----------
    question : Question
    picture : Picture
        Of the same step.

    Returns
    -------
    int, float, frozenset of str, or str

    Raises
    ------
    InvalidParameterError
        If not exactly one option is right, or the quantity is of another kind.
    """
    if question.pick is not None:
        values = [_number(measured(one, picture)) for one in question.measures.values()]
        best = max(values) if question.pick == "largest" else min(values)
        nearly = _ALMOST * max(1.0, abs(best))
        right = [abs(value - best) <= nearly for value in values]
        return _only(right, question, best)
    found = measured(question, picture)
    if question.kind == "choice":
        return _only([_agrees(option.value, found) for option in question.options], question, found)
    wanted = frozenset if question.kind == "vertices" else (int, float)
    if not isinstance(found, wanted) or isinstance(found, bool):
        raise InvalidParameterError(
            f"The quantity {question.quantity!r} gives {shown_value(found)!r}, which is no answer "
            f"to a question of the kind {question.kind!r}. Ask for another quantity."
        )
    return found


def is_right(question: Question, picture: Picture, given: Any) -> bool:
    """Return whether an answer is right.

    Parameters
    ----------
    question : Question
    picture : Picture
    given : number, str, or collection of str
        The answer of the reader; None is wrong.

    Returns
    -------
    bool
    """
    if given is None:
        return False
    answer = answer_of(question, picture)
    if isinstance(answer, frozenset):
        return frozenset(given) == answer
    if question.kind == "choice":
        return bool(given == answer)
    return abs(float(given) - float(answer)) <= question.tolerance + _ALMOST


def numbers_of(step: Step) -> dict[str, str]:
    """Compute the numbers that the texts of a step name, as words.

    Parameters
    ----------
    step : Step

    Returns
    -------
    dict of str to str
    """
    return {
        name: shown_value(measured(measure, step.picture)) for name, measure in step.numbers.items()
    }


def explained(step: Step) -> str:
    """Return the explanation of the right answer, with the computed numbers in it.

    Parameters
    ----------
    step : Step

    Returns
    -------
    str
    """
    answer = answer_of(step.question, step.picture)
    return filled(step.question.explanation, numbers_of(step) | {"answer": shown_value(answer)})


def shown_value(value: Value) -> str:
    """Return a value as words.

    Examples
    --------
    >>> shown_value(True), shown_value(2 / 3), shown_value(frozenset(["10", "9"]))
    ('yes', '0.6667', '9, 10')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, frozenset):
        return ", ".join(sorted(value, key=lambda name: (len(name), name)))
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _number(value: Value) -> float:
    if isinstance(value, frozenset):
        return float(len(value))
    if isinstance(value, str):
        raise InvalidParameterError(f"{value!r} is no number. Compare options by numbers.")
    return float(value)


def _agrees(expected: Any, found: Value) -> bool:
    if isinstance(found, frozenset):
        return frozenset([str(expected)]) == found
    if isinstance(found, bool) or isinstance(expected, bool):
        return found is expected
    if isinstance(found, str) or isinstance(expected, str):
        return str(found) == str(expected)
    return abs(float(found) - float(expected)) <= _ALMOST


def _only(is_right: list[bool], question: Question, found: Value) -> str:
    """Return the text of the option that is right, or raise unless it is exactly one."""
    texts = [option.text for option, right in zip(question.options, is_right, strict=True) if right]
    if len(texts) != 1:
        raise InvalidParameterError(
            f"The answer is {shown_value(found)!r}, and {len(texts)} options are right. "
            "Give options of which exactly one is right."
        )
    return texts[0]
