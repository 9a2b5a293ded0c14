"""Files of the user and samples, read once and remembered with what went wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from mpgk_core import MPGKError
from mpgk_core.content_key import content_key
from mpgk_core.datasets import Sample
from mpgk_core.formats import GraphTables, bounds, read_many
from mpgk_core.formats.source import Bounds
from ui.state.cache import cached

Files = list[tuple[str, bytes]]


@dataclass(frozen=True, eq=False)
class ReadFile:
    """What one or several files hold, or why they could not be read.

    Attributes
    ----------
    digest : str
        Of the names and contents of the files.
    title : str
        Names of the files.
    tables : GraphTables or None
    problem : str
        Empty where all went well.
    key : str
        Made of all of these: equal keys mean equal contents.
    """

    digest: str
    title: str
    tables: GraphTables | None
    problem: str = ""
    key: str = field(init=False)

    def __post_init__(self) -> None:
        key = content_key(self.digest, self.title, self.tables, self.problem)
        object.__setattr__(self, "key", key)

    def content(self) -> tuple[str]:
        """Return what stands for this in keys."""
        return (self.key,)


def read_once(upload: str, files: Callable[[], Files], reading: str | None = None) -> ReadFile:
    """Read files as one set of graphs, unless they were read before.

    Parameters
    ----------
    upload : str
        What stands for the files: ids of uploads, or a path and when it has changed.
    files : callable
        Returns names and contents.
    reading : str, optional
        How to understand rows of cells: a key of ``READINGS``. Default: the likeliest.

    Returns
    -------
    ReadFile
    """
    return _read(upload, reading, bounds(), files)


def read_before(upload: str, reading: str | None = None) -> ReadFile | None:
    """Return what was read of files, or None where that was long ago and the memory was needed."""
    return _read.kept(upload, reading, bounds(), list)


@cached(
    spinner="Reading …",
    apart_from={
        "files": "The upload stands for them: an id is given once, and its bytes never change; "
        "hashing 200 MB again at every move of a slider would take longer than the move."
    },
    lasts=True,
)
def _read(upload: str, reading: str | None, limits: Bounds, files: Callable[[], Files]) -> ReadFile:
    given = files()
    digest = hashlib.sha256()
    for name, content in given:
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    title = ", ".join(name for name, _ in given[:3]) + (" …" if len(given) > 3 else "")
    try:
        (tables,) = read_many(given, join="set", reading=reading)
    except MPGKError as problem:
        return ReadFile(digest.hexdigest(), title, None, str(problem))
    return ReadFile(digest.hexdigest(), title, tables)


def sample_file(sample: Sample) -> ReadFile:
    """Read a sample that comes along."""
    path = sample.path
    state = path.stat()
    return read_once(
        f"sample {path} {state.st_mtime_ns} {state.st_size}",
        lambda: [(path.name, path.read_bytes())],
    )
