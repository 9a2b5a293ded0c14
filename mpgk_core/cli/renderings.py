"""Results as CSV, JSON or NPZ, piece by piece, so that a large one is never there twice."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core import __version__
from mpgk_core.cli.result import Column, Result
from mpgk_core.limits import check_memory
from mpgk_core.writers.csv_cells import cell_text, csv_table, encoded, quoted, safe_text

__all__ = ["RENDERINGS", "as_csv", "as_json", "as_npz"]


def as_csv(result: Result) -> Iterator[bytes]:
    """Write the table, with all digits of every number and no formula for a spreadsheet."""
    yield csv_table([result.header])
    for row in zip(*map(_cells, result.columns), strict=True):
        yield encoded(",".join(row) + "\n")


def as_json(result: Result) -> Iterator[bytes]:
    """Write one object, in which every field and every row of a matrix has a line."""
    yield b"{"
    separator = "\n"
    for key, value in (_description(result) | dict(result.values)).items():
        yield encoded(f"{separator}  {_json(key)}: ")
        separator = ",\n"
        if isinstance(value, np.ndarray) and value.ndim == 2 and len(value):
            for i, row in enumerate(value):
                yield encoded(f"{',' if i else '['}\n    {_json(row)}")
            yield b"\n  ]"
        else:
            yield encoded(_json(value))
    yield b"\n}\n"


def as_npz(result: Result) -> Iterator[bytes]:
    """Write arrays; those of text are cells as in CSV, and ``description`` is a JSON text."""
    arrays = {key: _array(value) for key, value in result.values.items()}
    arrays["description"] = np.array(_json(_description(result)))
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **arrays)
    yield file.getvalue()


RENDERINGS: dict[str, Callable[[Result], Iterator[bytes]]] = {
    "csv": as_csv,
    "json": as_json,
    "npz": as_npz,
}
"""How a result can be written, by name."""


def _description(result: Result) -> dict[str, Any]:
    return {
        "command": result.command,
        "version": __version__,
        "source": result.source,
        "parameters": result.parameters,
    }


def _cells(column: Column) -> Iterator[str]:
    if not isinstance(column, np.ndarray):
        return (quoted(safe_text(cell_text(value))) for value in column)
    if column.ndim == 1:
        return map(repr, column.tolist())
    return (",".join(map(repr, row.tolist())) for row in column)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else str(value)


def _array(value: Any) -> NDArray[Any]:
    """Return an array of numbers or of text, never of objects, which would need a pickle."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        return value
    if not isinstance(value, (Sequence, np.ndarray)) or isinstance(value, str):
        return np.array(value)
    texts = [cell_text(item) for item in value]
    check_memory(
        4 * len(texts) * max(map(len, texts), default=0),
        f"An array of {len(texts):,} texts",
        "Choose --format json, where a text takes no more room than it needs.",
    )
    return np.array(texts, dtype=np.str_)
