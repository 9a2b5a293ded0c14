"""A hostile file, and what must happen to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mpgk_core.formats import GraphTables
from tests.formats.promises import outcome

Expectation = Callable[[GraphTables | str], None]


@dataclass(frozen=True)
class HostileFile:
    """A file that means ill.

    ``content`` may be a function, so that large files exist only while they are read. Files that
    are ``large`` take a second or more.
    """

    kind: str
    name: str
    content: bytes | Callable[[], bytes]
    expected: Expectation
    large: bool = False

    @property
    def bytes(self) -> bytes:
        return self.content if isinstance(self.content, bytes) else self.content()

    def check(self) -> None:
        """Read the file, and assert that what must happen happens."""
        self.expected(outcome(self.name, self.bytes))

    def __str__(self) -> str:
        return f"{self.kind}-{self.name}"


def refused(pattern: str = "") -> Expectation:
    """The file is refused with a message in which the pattern is found."""

    def check(result: GraphTables | str) -> None:
        assert isinstance(result, str), result
        assert re.search(pattern, result), result

    return check


def either(result: GraphTables | str) -> None:
    """The file is read or refused: what it means is a matter of taste."""


def is_read(**facts: Any) -> Expectation:
    """The file is read, with these ``vertices``, ``edges``, ``graphs``, ``names`` or columns.

    Edges count once, and self-loops do not, as in the graphs that come out. A column is named by
    its key.
    """

    def check(result: GraphTables | str) -> None:
        assert isinstance(result, GraphTables), result
        low, high = np.sort(result.edges, axis=1).T
        found: dict[str, Any] = {
            "vertices": result.n_vertices,
            "edges": len(np.unique((low * result.n_vertices + high)[low < high])),
            "graphs": len(result),
            "names": None if result.names is None else list(result.names),
        }
        for key, fact in facts.items():
            value = found[key] if key in found else result.columns[key].tolist()
            assert value == fact, (key, value)

    return check


def like(name: str, content: bytes) -> Expectation:
    """The file is read, or refused, just as another one is."""

    def check(result: GraphTables | str) -> None:
        other = outcome(name, content)
        assert type(result) is type(other), (result, other)
        if isinstance(result, GraphTables) and isinstance(other, GraphTables):
            assert result.offsets.tolist() == other.offsets.tolist()
            assert result.edges.tolist() == other.edges.tolist()
            assert result.names == other.names
            assert {k: str(c.tolist()) for k, c in result.columns.items()} == {
                k: str(c.tolist()) for k, c in other.columns.items()
            }

    return check
