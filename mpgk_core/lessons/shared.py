"""The state of a step as it travels in a link: what is set and selected, and an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, Any

import msgspec
from msgspec import Meta, field, structs

from mpgk_core.lessons.lesson import MAX_ROUNDS, Edge, Embedding, Method, Picture, Settings, Step
from mpgk_core.lessons.scene import DataSource
from mpgk_core.schema import FieldError

_MAX_CHARACTERS = 4_000
_FIELDS = {"kernel": "neighbourhood", "T": "n_iterations", "C": "cost", "embedding": "beside"}
Answer = float | str | tuple[str, ...]
Name = Annotated[str, Meta(max_length=200)]


class _State(Settings, frozen=True):
    t: Annotated[int, Meta(ge=0, le=MAX_ROUNDS)] | None = None
    selected: Annotated[tuple[Name, ...], Meta(max_length=400)] = ()
    remove: Edge | None = None
    beside: Embedding | None = field(default=None, name="embedding")
    methods: tuple[Method, ...] | None = None
    answer: float | Name | Annotated[tuple[Name, ...], Meta(max_length=400)] | None = None


@dataclass(frozen=True)
class SharedStep:
    """A step as somebody has left it.

    Attributes
    ----------
    picture : Picture
        With the values of its controls, and the round that is shown.
    answer : float, str, tuple of str or None
        What was given as an answer, right or wrong.
    selected : tuple of str
        The vertices that are selected; of one round by hand, the first and the second one.
    """

    picture: Picture
    answer: Answer | None = None
    selected: tuple[str, ...] = ()


def with_values(picture: Picture, values: Mapping[str, Any]) -> Picture:
    """Return a picture whose controls are set to these values.

    Parameters
    ----------
    picture : Picture
    values : mapping of str to value
        By the names of the controls. What the picture has no control for is left out, and so is
        what it cannot show.

    Returns
    -------
    Picture

    Examples
    --------
    >>> picture = Picture(graph="path", controls=("T",))
    >>> with_values(picture, {"T": 2, "alpha": 0.1}).kernel == with_values(picture, {"T": 2}).kernel
    True
    >>> with_values(picture, {"T": 99}) == picture
    True
    """
    known = {
        _FIELDS.get(name, name): value
        for name, value in values.items()
        if name in picture.controls and value is not None
    }
    try:
        plain = structs.asdict(structs.replace(picture, **known))
        written = {_encoded(name): value for name, value in plain.items() if value is not None}
        return msgspec.convert(msgspec.to_builtins(written), Picture)
    except (msgspec.ValidationError, FieldError, TypeError):
        return picture


def _encoded(name: str) -> str:
    """Return the name of a field of a picture in a file."""
    return next(f.encode_name for f in structs.fields(Picture) if f.name == name)


def shared_text(
    step: Step, values: Mapping[str, Any], answer: Answer | None, selected: tuple[str, ...] = ()
) -> str:
    """Return the state of a step as a text for a link; empty if nothing was changed.

    Parameters
    ----------
    step : Step
    values : mapping of str to value
        Of its controls, by their names.
    answer : float, str, tuple of str or None
    selected : tuple of str
        Names of vertices.

    Returns
    -------
    str
        JSON.
    """
    picture, start = with_values(step.picture, values), step.picture
    moved = {
        name: getattr(picture, _FIELDS.get(name, name))
        for name in start.controls
        if getattr(picture, _FIELDS.get(name, name)) != getattr(start, _FIELDS.get(name, name))
    }
    state = moved | ({} if answer is None else {"answer": answer})
    state |= {"selected": selected} if selected else {}
    return msgspec.json.encode(state).decode() if state else ""


def read_shared(text: str, step: Step) -> SharedStep:
    """Return a step as a link describes it; of any other text, the step as it begins.

    Parameters
    ----------
    text : str
        Not trusted.
    step : Step

    Returns
    -------
    SharedStep

    Examples
    --------
    >>> from mpgk_core.lessons import lessons
    >>> step = next(step for one in lessons() for step in one.steps if "T" in step.picture.controls)
    >>> found = read_shared(shared_text(step, {"T": 4}, 2.0), step)
    >>> found.picture.kernel.n_iterations, found.answer
    (4, 2.0)
    >>> read_shared("nonsense", step) == SharedStep(step.picture)
    True
    """
    if len(text) > _MAX_CHARACTERS:
        return SharedStep(step.picture)
    try:
        state = msgspec.json.decode(text.encode("utf-8", "replace"), type=_State)
    except (msgspec.MsgspecError, FieldError, RecursionError):
        return SharedStep(step.picture)
    values: dict[str, Any] = {
        name: getattr(state, _FIELDS.get(name, name), None) for name in step.picture.controls
    }
    picture = with_values(step.picture, values)
    if picture.view == "linked" and state.t is not None:
        picture = structs.replace(picture, t=min(state.t, picture.kernel.n_iterations))
    is_pair = picture.view == "messages"
    fits = len(state.selected) == 2 if is_pair else _all_differ(state.selected)
    is_known = fits and _are_vertices(state.selected, step)
    return SharedStep(picture, _checked(state.answer, step), state.selected if is_known else ())


def _are_vertices(names: tuple[str, ...], step: Step) -> bool:
    """Return whether all of these are vertices of the graph of a step."""
    source = step.picture.source
    if isinstance(source, DataSource):
        return False
    return {str(name) for name in source.build().names}.issuperset(names)


def _all_differ(names: tuple[str, ...]) -> bool:
    return len(set(names)) == len(names)


def _checked(answer: Any, step: Step) -> Answer | None:
    """Return an answer if it could be one to the question of this step."""
    question = step.question
    if question.kind == "number" and isinstance(answer, float) and isfinite(answer):
        return answer
    if question.kind == "choice" and answer in [option.text for option in question.options]:
        return str(answer)
    if question.kind == "vertices" and isinstance(answer, tuple):
        return answer if _all_differ(answer) and _are_vertices(answer, step) else None
    return None
