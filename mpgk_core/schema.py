"""Check the content of a data file against a model, and name every mistake with its place.

A model is a :class:`Table` with annotated fields. What a type cannot express is checked in its
``__post_init__``, which raises :class:`FieldError`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from mpgk_core.errors import UnreadableFileError, shortened

_T = TypeVar("_T")
_PLACE = re.compile(r"(.*) - at `\$(.*)`", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_NAMED = re.compile(r"Object (?:missing required|contains unknown) field `(.*)`")
_NOUNS: dict[type, str] = {
    inspect.BoolType: "true or false",
    inspect.IntType: "a whole number",
    inspect.FloatType: "a number",
    inspect.StrType: "a text",
    inspect.LiteralType: "one of",
    inspect.VarTupleType: "a list",
    inspect.DictType: "a table",
    inspect.StructType: "a table",
}


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True):
    """A table of a file: fields in any order, and no others."""

    def content(self) -> tuple[Any, ...]:
        """Return all that makes two tables the same to a cache."""
        return msgspec.structs.astuple(self)


class FieldError(ValueError):
    """A field that is wrong: its place in a table, what is wrong, and what to do."""

    def __init__(self, field: str | Sequence[str | int], problem: str, remedy: str) -> None:
        super().__init__(problem)
        self.path = field.split(".") if isinstance(field, str) else list(field)
        self.problem, self.remedy = problem, remedy


def require(is_fine: object, field: str | Sequence[str | int], problem: str, remedy: str) -> None:
    """Raise :class:`FieldError` unless something holds."""
    if not is_fine:
        raise FieldError(field, problem, remedy)


def checked(model: type[_T], content: Any, file: str, part: str) -> _T:
    """Return the content of a file as a model, or raise an error that names the place.

    Parameters
    ----------
    model : type
        A :class:`Table`, or a tuple of these.
    content : object
        As it was loaded.
    file : str
        Name of the file.
    part : str
        What messages call an item of the outermost list: "step".

    Returns
    -------
    object
        Of the type ``model``.

    Raises
    ------
    UnreadableFileError
        Naming the file, the part and the field.

    Examples
    --------
    >>> class Pet(Table, frozen=True):
    ...     name: str
    ...     legs: int = 4
    >>> checked(tuple[Pet, ...], [{"name": "Rex"}], "pets.json", "pet")[0].legs
    4
    >>> checked(tuple[Pet, ...], [{"name": "Rex", "legs": "4"}], "pets.json", "pet")
    Traceback (most recent call last):
        ...
    mpgk_core.errors.UnreadableFileError: pets.json: Pet 1, field 'legs': This is '4'. It must be
    a whole number.
    """
    try:
        return converted(model, content)
    except FieldError as error:
        path = [step + 1 if isinstance(step, int) else step for step in error.path]
        number = next((place for place, step in enumerate(path) if isinstance(step, int)), -1)
        where = []
        if number in (0, 1):
            where, path = [f"{part} {path[number]}"], path[number + 1 :]
        if path:
            where.append(f"field {shortened('.'.join(map(str, path)))!r}")
        place = ", ".join(where)
        place = f"{place[:1].upper()}{place[1:]}: " if place else ""
        raise UnreadableFileError(file, place + error.problem, error.remedy) from None


def converted(model: type[_T], content: Any, prefix: Sequence[str | int] = ()) -> _T:
    """Return a part of the content of a file as a model, or raise :class:`FieldError`.

    Parameters
    ----------
    model : type
    content : object
    prefix : sequence of str and int
        The place of this part.

    Returns
    -------
    object
        Of the type ``model``.
    """
    try:
        return msgspec.convert(content, model)
    except msgspec.ValidationError as error:
        match = _PLACE.fullmatch(str(error))
        message, place = (match[1], match[2]) if match else (str(error), "")
        steps = place.partition("[...]")[0]
        path = [int(number) if number else name for name, number in _STEP.findall(steps)]
        kind, value = inspect.type_info(model), content
        for step in path:
            kind, value = _inner(kind, step), value[step]
        kind_of_items = getattr(_plain(kind), "value_type", None)
        if "[...]" in place and isinstance(kind_of_items, inspect.StructType):
            for key, item in value.items():  # the path of msgspec lacks the key
                converted(kind_of_items.cls, item, [*prefix, *path, key])
        cause = error.__cause__
        if isinstance(cause, FieldError):
            raise FieldError([*prefix, *path, *cause.path], cause.problem, cause.remedy) from None
        named = _NAMED.fullmatch(message)
        if named is None:
            problem, remedy = f"This is {shortened(repr(value))}.", f"It must be {_demand(kind)}."
        elif "missing" in message:
            problem, remedy = "This field is missing.", "Add it."
        else:
            fields = getattr(_plain(kind), "fields", ())
            known = ", ".join(field.encode_name for field in fields)
            problem, remedy = "This field is unknown.", f"The fields here are {known}."
        path += [named[1]] if named else []
        raise FieldError([*prefix, *path], problem, remedy) from None


def _inner(kind: Any, step: str | int) -> Any:
    kind = _plain(kind)
    if isinstance(step, int):
        return kind.item_type
    return next(field.type for field in kind.fields if field.encode_name == step)


def _plain(kind: Any) -> Any:
    """Return a type without its description, and without None where it is optional."""
    if isinstance(kind, inspect.Metadata):
        return _plain(kind.type)
    if isinstance(kind, inspect.UnionType):
        return _plain(kind.types[0])
    return kind


def _demand(kind: Any) -> str:
    """Return what a value must be, in words."""
    if isinstance(kind, inspect.Metadata) and kind.extra_json_schema:
        return str(kind.extra_json_schema["description"])
    if isinstance(kind, inspect.UnionType):
        return _demand(kind.types[0])
    kind = _plain(kind)
    noun = _NOUNS.get(type(kind), "another value")
    if isinstance(kind, inspect.LiteralType):
        return f"{noun} {', '.join(map(str, kind.values))}"
    if isinstance(kind, (inspect.IntType, inspect.FloatType)):
        low, high, unit = kind.ge, kind.le, ""
    else:
        low, high = getattr(kind, "min_length", None), getattr(kind, "max_length", None)
        unit = " character" if isinstance(kind, inspect.StrType) else " item"
        unit += "s" if (low if high is None else high) != 1 else ""
    if high is None:
        return noun if low is None else f"{noun} of at least {low:,.12g}{unit}"
    if low is None:
        return f"{noun} of at most {high:,.12g}{unit}"
    return f"{noun} {'of' if unit else 'from'} {low:,.12g} to {high:,.12g}{unit}"
