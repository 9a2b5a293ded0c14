"""The data sets that are at hand without a network."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from mpgk_core.datasets.catalogue import citation_of
from mpgk_core.datasets.data_set import DataSet, data_set_from_file
from mpgk_core.datasets.folders import archive_name, cache_folder, data_folder
from mpgk_core.datasets.samples import sample_folder, samples
from mpgk_core.errors import InvalidParameterError

Place = Literal["data folder", "cache", "samples"]


@dataclass(frozen=True)
class LocalDataSet:
    """A TU archive on this machine.

    Attributes
    ----------
    name : str
        The name that :func:`load` takes.
    path : Path
        Where it lies.
    place : {"data folder", "cache", "samples"}
        In which of the folders.
    citation : str
        Whom to name when results are published.
    """

    name: str
    path: Path
    place: Place
    citation: str


def available() -> Mapping[str, LocalDataSet]:
    """Return the data sets at hand by name, in the order of their names.

    Where several folders have one of the same name, that of ``MPGK_DATA`` counts before the
    cache, and this before the samples.
    """
    found = [
        LocalDataSet(sample.path.stem, sample.path, "samples", sample.source)
        for sample in samples()
        if _is_data_set(sample.path)
    ]
    folders: list[tuple[Place, Path | None]] = [
        ("cache", cache_folder()),
        ("data folder", data_folder()),
    ]
    found += [
        LocalDataSet(path.stem, path, place, citation_of(path.stem))
        for place, folder in folders
        if folder is not None and folder.is_dir()
        for path in folder.iterdir()
        if _is_data_set(path)
    ]
    return dict(sorted({data_set.name: data_set for data_set in found}.items()))


def load(name: str, *, self_loops: str = "drop") -> DataSet:
    """Read a data set that is at hand.

    Parameters
    ----------
    name : str
        One of :func:`available`.
    self_loops : {"drop", "keep"}
        What to do with an edge from a vertex to itself.

    Returns
    -------
    DataSet
    """
    archive_name(name)
    at_hand = available()
    if name not in at_hand:
        listed = ", ".join(at_hand) or "none"
        raise InvalidParameterError(
            f"Data set {name!r} not found. Available: {listed}. "
            f"fetch_tu({name!r}) downloads it if the TU collection has it."
        )
    found = data_set_from_file(at_hand[name].path, self_loops)
    return replace(found, citation=at_hand[name].citation)


def version_of(name: str) -> tuple[tuple[str, int, int], ...]:
    """Return what is another thing as soon as :func:`load` may find other graphs.

    Parameters
    ----------
    name : str

    Returns
    -------
    tuple
        Path, time of the last change and size of every file that may be meant; no file is opened.
    """
    folders = (data_folder(), cache_folder(), sample_folder())
    paths = [folder / archive_name(name) for folder in folders if folder is not None]
    states = [(str(path), path.stat()) for path in paths if path.is_file()]
    return tuple((path, state.st_mtime_ns, state.st_size) for path, state in states)


def _is_data_set(path: Path) -> bool:
    """Return whether a file calls itself a TU archive, in its name and its table of contents."""
    try:
        if archive_name(path.stem) != path.name:
            return False
        with zipfile.ZipFile(path) as archive:
            return any(member.endswith("_A.txt") for member in archive.namelist())
    except (InvalidParameterError, zipfile.BadZipFile, OSError, ValueError):
        return False
