"""Damage to the file of results: how it is noticed, and which rows can still be read."""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

PATIENCE = 60.0
"""Seconds to wait for another process that is writing."""

_LONGEST_FILE = 1 << 40
_DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB")

Row = tuple[str, str, str, int]
"""The key of a run, a place in it, the value as JSON, and a checksum of the three."""


class _DamagedRowError(sqlite3.DatabaseError):
    sqlite_errorname = "SQLITE_CORRUPT"


def checksum(*parts: str) -> int:
    """Return a number that changes with the parts."""
    return zlib.crc32("\0".join(parts).encode("utf-8", "surrogatepass"))


def checked_rows(rows: Iterable[Row]) -> Iterator[Row]:
    """Pass rows on, or raise as SQLite does where one is not as it was written."""
    for row in rows:
        if checksum(*row[:3]) != row[3]:
            raise _DamagedRowError("a row is not as it was written")
        yield row


def error_name(error: sqlite3.DatabaseError) -> str:
    """Return SQLite's name of an error, or nothing."""
    return str(getattr(error, "sqlite_errorname", ""))


def is_damage(error: sqlite3.DatabaseError) -> bool:
    """Return whether an error means that the file is damaged."""
    return error_name(error).startswith(_DAMAGE)


def is_sound(path: Path) -> bool:
    """Return whether a file can be read as a whole, or is not there."""
    if not path.exists():
        return True
    try:
        with closing(sqlite3.connect(path, timeout=PATIENCE)) as connection:
            if connection.execute("PRAGMA quick_check").fetchone() != ("ok",):
                return False
            for _ in checked_rows(connection.execute("SELECT * FROM results")):
                pass
    except sqlite3.DatabaseError as error:
        return not is_damage(error)
    return True


def moved_aside(path: Path) -> Path:
    """Give a damaged file, and those that belong to it, another name, and return that."""
    number = 1
    while (aside := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        number += 1
    for suffix in ("-wal", "-shm", ""):
        part = Path(f"{path}{suffix}")
        if part.exists():
            part.replace(f"{aside}{suffix}")
    return aside


def readable_rows(path: Path) -> list[Row]:
    """Return the rows of a damaged file that can be read, from both ends and run by run."""
    _lengthen(path)
    found: dict[tuple[str, str], Row] = {}
    runs = [key for (key,) in _as_far_as_possible(path, "SELECT key FROM runs")]
    for order in ("ASC", "DESC"):
        query = f"SELECT * FROM results %s ORDER BY key {order}, place {order}"
        for where, values in [("", ()), *(("WHERE key = ?", (key,)) for key in runs)]:
            for row in _as_far_as_possible(path, query % where, values):
                if isinstance(row[2], str) and checksum(*row[:3]) == row[3]:
                    found[row[:2]] = row
    return list(found.values())


def _as_far_as_possible(path: Path, query: str, values: tuple[Any, ...] = ()) -> Iterator[Any]:
    """Yield the rows of a query up to the first that cannot be read."""
    with closing(sqlite3.connect(path)) as connection:
        try:
            yield from connection.execute(query, values)
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            return


def _lengthen(path: Path) -> None:
    """Restore the length of a file that was cut off: SQLite reads no shorter one at all."""
    with path.open("rb") as file:
        header = file.read(32)
    page_size, n_pages = int.from_bytes(header[16:18]), int.from_bytes(header[28:32])
    size = (65_536 if page_size == 1 else page_size) * n_pages
    if header.startswith(b"SQLite format 3\0") and path.stat().st_size < size < _LONGEST_FILE:
        os.truncate(path, size)
