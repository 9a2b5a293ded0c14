"""The sample graphs that come with the project, described by data."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from mpgk_core.datasets.catalogue import read_entries
from mpgk_core.datasets.folders import shipped_folder
from mpgk_core.errors import UnreadableFileError

_FIELDS = {"file": str, "title": str, "teaches": str, "source": str}
_LIST = "samples.json"


@dataclass(frozen=True)
class Sample:
    """A small file to try.

    Attributes
    ----------
    path : Path
        Where it lies.
    title : str
        The name to show.
    teaches : str
        One sentence on what there is to see.
    source : str
        Where the graph comes from, or whom to cite.
    """

    path: Path
    title: str
    teaches: str
    source: str


def sample_folder() -> Path:
    """Return where the samples lie: ``MPGK_SAMPLES``, or where the package has brought them."""
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
    entries = read_entries(_LIST, text, _FIELDS)
    present = {path.name: path for path in folder.iterdir() if path.is_file()}
    for entry in entries:
        if entry["file"] not in present:
            problem = f"The file {entry['file']!r} is not in the folder."
            raise UnreadableFileError(_LIST, problem, "Add it there, or remove it from the list.")
    return tuple(Sample(present[entry.pop("file")], **entry) for entry in entries)
