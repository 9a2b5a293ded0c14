"""The fields of a TOML table, taken one by one, so that every mistake is named with its place."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.lessons.texts import problem_with

_MOST_BYTES = 200_000
_LONGEST_TEXT = 4_000
_LONGEST_TITLE = 80
_MISSING = object()


def fields_of_file(path: Path) -> Fields:
    """Read a TOML file of bounded size.

    Parameters
    ----------
    path : Path

    Returns
    -------
    Fields

    Raises
    ------
    UnreadableFileError
        If it is too large, not UTF-8, or not TOML.
    """
    if path.stat().st_size > _MOST_BYTES:
        raise UnreadableFileError(
            path.name, f"It has more than {_MOST_BYTES:,} bytes.", "Make it smaller."
        )
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except UnicodeDecodeError:
        raise UnreadableFileError(
            path.name, "This is not UTF-8 text.", "Save it as UTF-8."
        ) from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UnreadableFileError(
            path.name, f"This is not TOML ({shortened(str(error), 120)}).", "Correct it."
        ) from None
    return Fields(table, path.name)


class Fields:
    """One table of a file. Take what is expected, then call :meth:`finish`.

    Parameters
    ----------
    table : dict
    file : str
        Name of the file, for messages.
    where : str
        Which part of the file, such as "step 2"; empty for its head.
    prefix : str
        Names of the tables around this one.
    """

    def __init__(self, table: dict[str, Any], file: str, where: str = "", prefix: str = "") -> None:
        self._table, self._file, self._where, self._prefix = dict(table), file, where, prefix

    def __contains__(self, name: str) -> bool:
        return name in self._table

    def fail(self, name: str, problem: str, remedy: str) -> NoReturn:
        """Raise an error that names file, part and field."""
        place = f"{self._where}, " if self._where else ""
        where = f"{place}field {shortened(self._prefix + name)!r}: "
        raise UnreadableFileError(self._file, where[0].upper() + where[1:] + problem, remedy)

    def finish(self, known: Sequence[str]) -> None:
        """Raise if there are fields that nobody has taken."""
        for name in self._table:
            self.fail(name, "This field is unknown.", f"The fields here are {', '.join(known)}.")

    def take(self, name: str, default: Any = _MISSING) -> Any:
        """Take a field as it is."""
        value = self._table.pop(name, default)
        if value is _MISSING:
            self.fail(name, "This field is missing.", "Add it.")
        return value

    def text(self, name: str, placeholders: Iterable[str] = (), default: Any = _MISSING) -> str:
        """Take a text."""
        return self._text(name, placeholders, default, _LONGEST_TEXT)

    def title(self, name: str) -> str:
        """Take a short text on one line."""
        found = self._text(name, (), _MISSING, _LONGEST_TITLE)
        if "\n" in found:
            self.fail(name, "This has more than one line.", "Write one line.")
        return found

    def _text(self, name: str, placeholders: Iterable[str], default: Any, longest: int) -> str:
        value = self.take(name, default)
        if not isinstance(value, str) or not value.strip():
            self.fail(name, "This is not a text, or it is empty.", "Write at least a word.")
        if len(value) > longest:
            self.fail(name, f"This has {len(value):,} characters.", f"Use at most {longest:,}.")
        wrong = problem_with(value, placeholders)
        if wrong is not None:
            self.fail(name, *wrong)
        return value.strip()

    def choice(self, name: str, choices: Sequence[str], default: Any = _MISSING) -> str:
        """Take one of some words."""
        value = self.take(name, default)
        if value not in choices:
            got = f"This is {shortened(repr(value))}."
            self.fail(name, got, f"It must be one of {', '.join(choices)}.")
        return str(value)

    def choices(self, name: str, choices: Sequence[str]) -> tuple[str, ...]:
        """Take a list of different words."""
        values = self.take(name, [])
        if (
            not isinstance(values, list)
            or any(value not in choices for value in values)
            or len(set(values)) < len(values)
        ):
            got = f"This is {shortened(repr(values))}."
            self.fail(name, got, f"Give a list of different words among {', '.join(choices)}.")
        return tuple(values)

    def whole(self, name: str, low: int, high: int, default: Any = _MISSING) -> int:
        """Take a whole number."""
        value = self.take(name, default)
        if type(value) is not int or not low <= value <= high:
            got = f"This is {shortened(repr(value))}."
            self.fail(name, got, f"It must be a whole number from {low} to {high}.")
        return int(value)

    def number(self, name: str, low: float, high: float, default: Any = _MISSING) -> float:
        """Take a number."""
        value = self.take(name, default)
        if type(value) not in (int, float) or not low <= value <= high:
            got = f"This is {shortened(repr(value))}."
            self.fail(name, got, f"It must be a number from {low:g} to {high:g}.")
        return float(value)

    def truth(self, name: str, default: bool) -> bool:
        """Take true or false."""
        value = self.take(name, default)
        if not isinstance(value, bool):
            self.fail(name, f"This is {shortened(repr(value))}.", "It must be true or false.")
        return value

    def plain_table(self, name: str) -> dict[str, Any]:
        """Take a table, which may be left out, of texts, numbers and truths."""
        value = self.take(name, {})
        if not isinstance(value, dict) or any(
            not isinstance(item, (str, int, float)) for item in value.values()
        ):
            self.fail(name, "This is not a table of words and numbers.", 'Write {vertex = "a"}.')
        return dict(value)

    def table(self, name: str) -> Fields:
        """Take a table."""
        return self._inner(self.take(name), name, self._where)

    def named_tables(self, name: str) -> dict[str, Fields]:
        """Take a table of tables, which may be left out."""
        value = self.take(name, {})
        if not isinstance(value, dict):
            self.fail(name, "This is not a table.", f"Begin it with a line [steps.{name}.…].")
        return {
            key: self._inner(inner, f"{name}.{key}", self._where) for key, inner in value.items()
        }

    def tables(self, name: str, part: str, low: int, high: int) -> list[Fields]:
        """Take a list of tables; ``part`` is what messages call one of them."""
        value = self.take(name)
        if not isinstance(value, list) or not low <= len(value) <= high:
            self.fail(
                name, "This is not a list of the right length.", f"Give {low} to {high} of them."
            )
        if part:
            return [
                Fields(self._checked(table, name), self._file, f"{part} {i}")
                for i, table in enumerate(value, start=1)
            ]
        return [self._inner(table, f"{name}.{i}", self._where) for i, table in enumerate(value, 1)]

    def _inner(self, table: Any, name: str, where: str) -> Fields:
        return Fields(self._checked(table, name), self._file, where, f"{self._prefix}{name}.")

    def _checked(self, table: Any, name: str) -> dict[str, Any]:
        if not isinstance(table, dict):
            self.fail(name, "This is not a table.", "Write it as a table of fields.")
        return table
