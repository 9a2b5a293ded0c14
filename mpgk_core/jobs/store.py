"""One store for results: a row for every finished unit of work, keyed by content.

The store is one SQLite file in WAL mode. Many processes write to it, others read meanwhile, and a
transaction is there as a whole or not at all, whatever happens to the process or the disk. Values
are JSON: nothing in the file can ever be run.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from mpgk_core.checks import whole_setting
from mpgk_core.datasets.local import cache_folder
from mpgk_core.errors import MPGKError
from mpgk_core.jobs.damage import (
    PATIENCE,
    checked_rows,
    checksum,
    error_name,
    is_damage,
    is_sound,
    moved_aside,
    readable_rows,
)

SCHEMA = 1
"""Raised whenever the tables change; kept as the file's ``user_version``."""

_TABLES = """
CREATE TABLE results (
    key TEXT NOT NULL, place TEXT NOT NULL, value TEXT NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (key, place)
) WITHOUT ROWID;
CREATE TABLE runs (
    key TEXT PRIMARY KEY, kind TEXT NOT NULL, bytes INTEGER NOT NULL, used REAL NOT NULL,
    in_use_until REAL NOT NULL
) WITHOUT ROWID;
"""
_PAUSE = 0.01
_ROW_BYTES = 64
_DAY = 86_400.0
_LEFTOVERS = ("runs/*/*/data.pickle", "sweeps/*/*/task.pickle")
"""Data that version 0.1 left beside the store; they are not read any more."""

_REASONS = {
    "SQLITE_FULL": "There is no space left on the disk. Free some space, then start again.",
    "SQLITE_READONLY": "It cannot be written. Give this user the right to write to its folder, or "
    "set MPGK_CACHE to another folder.",
    "SQLITE_CANTOPEN": "It cannot be opened. Give this user the right to write to its folder, or "
    "set MPGK_CACHE to another folder.",
    "SQLITE_BUSY": "Another program has locked it for a minute. Close that program, then start "
    "again.",
    "SQLITE_IOERR": "The disk did not read or write. Check that there is space on it and that it "
    "is in order, then start again.",
}

_Found = TypeVar("_Found")


class StoreError(MPGKError, OSError):
    """The store of results cannot be read or written."""


def default_store_path() -> Path:
    """Return where results are kept: ``results.sqlite`` in the cache folder."""
    return cache_folder() / "results.sqlite"


class Store:
    """Results of long work on disk.

    A row has the key of a run (a content key of all that its results depend on), a place in the
    run, and a value. Writing a place again leaves the first value: equal keys mean equal values.

    Parameters
    ----------
    path : path, optional
        The file; it is made, with its folder, when it is first needed. Default:
        :func:`default_store_path`.
    clock : callable, optional
        Returns the time of day in seconds.

    Attributes
    ----------
    path : Path
    notice : str
        A message for the user, or nothing: the file was damaged, and what was saved.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, Store(Path(folder) / "results.sqlite") as store:
    ...     store.write("classification", "a key", {"0/1": {"accuracy": 0.9}})
    ...     store.read("a key"), store.read("another key")
    ({'0/1': {'accuracy': 0.9}}, {})
    """

    def __init__(
        self, path: str | os.PathLike[str] | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self.path = default_store_path() if path is None else Path(path)
        self.notice = ""
        self._clock = clock
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, kind: str, key: str, values: Mapping[str, Any]) -> None:
        """Write results of one run; they are on the disk when this returns.

        Parameters
        ----------
        kind : str
            What the run is, for statistics.
        key : str
            Of the run.
        values : mapping from str to JSON values
            Results by their place.
        """
        rows = [
            (key, place, text, checksum(key, place, text))
            for place, value in values.items()
            for text in [json.dumps(value)]
        ]

        def work(connection: sqlite3.Connection) -> None:
            added = 0
            for row in rows:
                done = connection.execute("INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?)", row)
                added += done.rowcount * (_ROW_BYTES + len(row[1]) + len(row[2]))
            connection.execute(
                "INSERT INTO runs VALUES (?, ?, ?, ?, 0) ON CONFLICT (key) DO UPDATE "
                "SET bytes = bytes + excluded.bytes, used = max(used, excluded.used)",
                (key, kind, added, self._clock()),
            )

        self._transact(work)

    def read(self, key: str) -> dict[str, Any]:
        """Return all results of a run by their place; none if there are none.

        Parameters
        ----------
        key : str

        Returns
        -------
        dict
        """

        def work(connection: sqlite3.Connection) -> dict[str, Any]:
            rows = connection.execute(
                "SELECT key, place, value, checksum FROM results WHERE key = ?", (key,)
            )
            return {place: json.loads(text) for _, place, text, _ in checked_rows(rows)}

        return self._transact(work, writes=False) if self.path.exists() else {}

    def hold(self, keys: Iterable[str], seconds: float) -> None:
        """Mark the results of these runs as in use, so that they are not removed.

        Parameters
        ----------
        keys : iterable of str
        seconds : float
            For how long; a process that ends unexpectedly holds nothing for longer.
        """
        now = self._clock()
        rows = [(key, "", 0, now, now + seconds) for key in keys]
        if rows:
            self._transact(
                lambda connection: connection.executemany(
                    "INSERT INTO runs VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET "
                    "used = max(used, excluded.used), in_use_until = excluded.in_use_until",
                    rows,
                )
            )

    def prune(self, max_bytes: int | None = None, max_days: int | None = None) -> int:
        """Remove what is old, and then what was used longest ago until the rest is small enough.

        What is in use stays; see :meth:`hold`. Pickles that version 0.1 left behind go too.

        Parameters
        ----------
        max_bytes : int, optional
            Default: ``MPGK_STORE_BYTES``, or 2 GB.
        max_days : int, optional
            Days after the last use. Default: ``MPGK_STORE_DAYS``, or 180.

        Returns
        -------
        int
            Number of runs whose results were removed.
        """
        if max_bytes is None:
            max_bytes = whole_setting("MPGK_STORE_BYTES", 2_000_000_000, "bytes")
        if max_days is None:
            max_days = whole_setting("MPGK_STORE_DAYS", 180, "days")
        now, limit = self._clock(), max_bytes
        oldest = now - max_days * _DAY
        for pattern in _LEFTOVERS:
            for file in self.path.parent.glob(pattern):
                file.unlink(missing_ok=True)
        if not self.path.exists():
            return 0

        def work(connection: sqlite3.Connection) -> int:
            total = connection.execute("SELECT coalesce(sum(bytes), 0) FROM runs").fetchone()[0]
            free = connection.execute(
                "SELECT key, bytes, used FROM runs WHERE in_use_until <= ? ORDER BY used, key",
                (now,),
            ).fetchall()
            gone = []
            for key, n_bytes, used in free:
                if used >= oldest and total <= limit:
                    break
                gone.append((key,))
                total -= n_bytes
            connection.executemany("DELETE FROM results WHERE key = ?", gone)
            connection.executemany("DELETE FROM runs WHERE key = ?", gone)
            return len(gone)

        n_gone = self._transact(work)
        if n_gone:
            with self._lock:
                self._opened().executescript("PRAGMA incremental_vacuum")
        return n_gone

    def close(self) -> None:
        """Close the file; whatever comes next opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def _transact(
        self, work: Callable[[sqlite3.Connection], _Found], writes: bool = True
    ) -> _Found:
        """Do some work as a whole or not at all; a damaged file is replaced by what is left."""
        with self._lock:
            try:
                return self._once(work, writes)
            except sqlite3.DatabaseError as error:
                if not is_damage(error):
                    raise self._explained(error) from error
            self._salvage()
            try:
                return self._once(work, writes)
            except sqlite3.DatabaseError as error:
                raise self._explained(error) from error

    def _once(self, work: Callable[[sqlite3.Connection], _Found], writes: bool) -> _Found:
        connection = self._opened()
        connection.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
        try:
            found = work(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return found

    def _opened(self) -> sqlite3.Connection:
        """Return the connection; a new one if the file was moved away or made anew."""
        if self._connection is not None and self._file != self._identity():
            self.close()
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(
                self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection, self._file = connection, self._identity()
        return self._connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = FULL")
        if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
            connection.execute("BEGIN IMMEDIATE")
            if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
                for statement in _TABLES.strip().split(";")[:-1]:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {SCHEMA}")
            connection.execute("COMMIT")
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version != SCHEMA:
            raise StoreError(
                f"The store of results {self.path} was written by another version of this program "
                f"(its tables have version {version}, not {SCHEMA}). Use that version, or move "
                "the file away."
            )

    def _identity(self) -> tuple[int, int] | None:
        try:
            facts = self.path.stat()
        except FileNotFoundError:
            return None
        return facts.st_dev, facts.st_ino

    def _salvage(self) -> None:
        """Move a damaged file aside, and copy all rows that can still be read."""
        self.close()
        if is_sound(self.path):
            return  # another process was faster
        aside = moved_aside(self.path)
        rows = readable_rows(aside)

        def work(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT OR IGNORE INTO results VALUES (?, ?, ?, ?)", rows)
            connection.execute(
                "INSERT OR IGNORE INTO runs SELECT key, '', sum(length(value)), ?, 0 "
                "FROM results GROUP BY key",
                (self._clock(),),
            )

        if rows:
            self._once(work, writes=True)
        self.notice = (
            f"The store of results was damaged. {len(rows):,} results could still be read and are "
            f"kept; others are computed again when they are needed. The damaged file is {aside}; "
            "remove it when you no longer need it."
        )

    def _explained(self, error: sqlite3.DatabaseError) -> StoreError:
        name = error_name(error)
        reason = next((text for code, text in _REASONS.items() if name.startswith(code)), "")
        return StoreError(
            f"The store of results {self.path} could not be used ({error}). "
            f"{reason or 'Move the file away, then start again.'} Finished results are kept."
        )


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL; SQLite itself does not wait for others who do so in the same moment."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not error_name(error).startswith("SQLITE_BUSY") or time.monotonic() > end:
                raise
            time.sleep(_PAUSE)
