"""The data sets on this machine, and the folders that contain them."""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

import mpgk_core
from mpgk_core.datasets.catalogue import Text, citation_of, read_entries
from mpgk_core.errors import InvalidParameterError, UnreadableFileError, shortened
from mpgk_core.formats import bounds
from mpgk_core.formats.source import Source
from mpgk_core.formats.tu_archive import FORMAT
from mpgk_core.graphs import GraphSet
from mpgk_core.schema import Table

_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")
_LIST = "samples.json"


class _Entry(Table, frozen=True):
    """An entry of the list of samples."""

    file: Text
    title: Text
    teaches: Text
    source: Text


@dataclass(frozen=True)
class DataSet:
    """Graphs, each with a class.

    Attributes
    ----------
    name : str
        As in the collection that it comes from: "MUTAG".
    graphs : GraphSet
        With the labels and attributes that the data set has.
    classes : ndarray of shape (N,)
        The class of each graph.
    citation : str
        The publications to name when results are published.
    notes : tuple of str
        What reading it has shown that a user should know.
    """

    name: str
    graphs: GraphSet
    classes: NDArray[Any]
    citation: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sample:
    """A small file to try.

    Attributes
    ----------
    path : Path
        Of the file.
    title : str
        The name to show.
    teaches : str
        One sentence on what there is to see.
    source : str
        The origin of the graph, or its citation.
    """

    path: Path
    title: str
    teaches: str
    source: str


@dataclass(frozen=True)
class LocalDataSet:
    """A TU archive on this machine.

    Attributes
    ----------
    path : Path
        Of the file.
    citation : str
        The publications to cite.
    """

    path: Path
    citation: str


def shipped_folder(name: str) -> Path:
    """Return a folder that comes with the package: inside a wheel, beside it in the repository.

    Parameters
    ----------
    name : {"lessons", "sample_graphs"}

    Returns
    -------
    Path

    Examples
    --------
    >>> (shipped_folder("sample_graphs") / "MUTAG.zip").is_file()
    True
    """
    package = Path(mpgk_core.__file__).parent
    inside = package / "_data" / name
    return inside if inside.is_dir() else package.parent / name


def data_folder() -> Path | None:
    """Return the user's own folder of TU archives, or None where ``MPGK_DATA`` is not set."""
    setting = os.environ.get("MPGK_DATA")
    return Path(setting) if setting else None


def cache_folder() -> Path:
    """Return the folder for downloads: ``MPGK_CACHE``, or where the system keeps such files."""
    setting = os.environ.get("MPGK_CACHE")
    if setting:
        return Path(setting)
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        base = os.environ.get(variable)
        if base and Path(base).is_absolute():
            return Path(base) / "mpgk"
    return Path.home() / ".cache" / "mpgk"


def archive_name(name: str) -> str:
    """Return the file name of a data set, after making sure that it is no path.

    Examples
    --------
    >>> archive_name("IMDB-BINARY")
    'IMDB-BINARY.zip'
    """
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        raise InvalidParameterError(
            "The name of a data set has only letters, digits, '_' and '-', at most 100. "
            f"Got {shortened(str(name))!r} instead."
        )
    return f"{name}.zip"


def sample_folder() -> Path:
    """Return the folder of the samples: ``MPGK_SAMPLES``, or that of the package."""
    setting = os.environ.get("MPGK_SAMPLES")
    return Path(setting) if setting else shipped_folder("sample_graphs")


def samples(folder: Path | None = None) -> tuple[Sample, ...]:
    """Return the samples of a folder, in the order of its ``samples.json``.

    Parameters
    ----------
    folder : Path, optional
        Default: :func:`sample_folder`.

    Returns
    -------
    tuple of Sample

    Raises
    ------
    UnreadableFileError
        If the list is damaged, or names a file that is not there.
    """
    folder = folder or sample_folder()
    if not (folder / _LIST).is_file():
        raise UnreadableFileError(
            _LIST, f"There is none in {str(folder)!r}.", "Give a folder with samples."
        )
    try:
        text = (folder / _LIST).read_text("utf-8")
    except UnicodeDecodeError:
        raise UnreadableFileError(_LIST, "This is not UTF-8 text.", "Save it as UTF-8.") from None
    entries = read_entries(_LIST, text, _Entry)
    present = {path.name: path for path in folder.iterdir() if path.is_file()}
    for file in entries:
        if file not in present:
            problem = f"The file {file!r} is not in the folder."
            raise UnreadableFileError(_LIST, problem, "Add it there, or remove it from the list.")
    return tuple(
        Sample(present[entry.file], entry.title, entry.teaches, entry.source)
        for entry in entries.values()
    )


def available() -> Mapping[str, LocalDataSet]:
    """Return the data sets on this machine by name, in the order of their names.

    Where several folders have one of the same name, that of ``MPGK_DATA`` counts before the
    cache, and this before the samples.
    """
    found = {
        sample.path.stem: LocalDataSet(sample.path, sample.source)
        for sample in samples()
        if _is_data_set(sample.path)
    }
    for folder in (cache_folder(), data_folder()):
        if folder is not None and folder.is_dir():
            found |= {
                path.stem: LocalDataSet(path, citation_of(path.stem))
                for path in folder.iterdir()
                if _is_data_set(path)
            }
    return dict(sorted(found.items()))


def load(name: str, *, self_loops: str = "drop") -> DataSet:
    """Read a data set that is on this machine.

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


def data_set_from_file(path: Path, self_loops: str = "drop") -> DataSet:
    """Read a TU archive from disk; the name of the file names the data set."""
    bounds().check_bytes(path.name, path.stat().st_size)
    return data_set_from_bytes(path.stem, path.read_bytes(), self_loops)


def data_set_from_bytes(name: str, content: bytes, self_loops: str = "drop") -> DataSet:
    """Read a TU archive.

    Parameters
    ----------
    name : str
        Name of the data set.
    content : bytes
        The archive.
    self_loops : {"drop", "keep"}
        What to do with an edge from a vertex to itself.

    Returns
    -------
    DataSet
    """
    source = Source(f"{name}.zip", content)
    source.bounds.check_bytes(source.name, len(content))
    tables = FORMAT.read(source)
    if tables.classes is None:
        raise UnreadableFileError(
            source.name,
            "The graphs have no classes: there is no graph_labels file.",
            "Add one, or open the file as graphs without classes.",
        )
    graphs = tables.graph_set(self_loops=self_loops)
    notes = tables.losses(self_loops)
    return DataSet(name, graphs, tables.classes, citation_of(name), notes)
