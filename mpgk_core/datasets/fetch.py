"""Get a data set of the TU collection: from a folder, from the cache, or from the web."""

from __future__ import annotations

import os
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path

from mpgk_core.datasets.catalogue import catalogue
from mpgk_core.datasets.data_set import DataSet, data_set_from_bytes, data_set_from_file
from mpgk_core.datasets.download import Progress, download
from mpgk_core.datasets.folders import archive_name, cache_folder, data_folder
from mpgk_core.datasets.web import checked_address
from mpgk_core.errors import DownloadError, InvalidGraphError, UnreadableFileError

_DEFAULT_ADDRESS = "https://www.chrsmrrs.com/graphkerneldatasets"


def tu_address() -> str:
    """Return the folder on the web that holds the archives; ``MPGK_TU_ADDRESS`` sets it."""
    return os.environ.get("MPGK_TU_ADDRESS") or _DEFAULT_ADDRESS


def fetch_tu(
    name: str,
    *,
    folder: Path | None = None,
    base_address: str | None = None,
    progress: Progress | None = None,
    timeout: float = 30.0,
) -> DataSet:
    """Return a data set of the TU collection, downloading it where it is not at hand.

    The folder that ``MPGK_DATA`` names comes first, then the cache, then the web. A download
    that was interrupted goes on where it stopped, and a damaged copy in the cache is replaced.

    Parameters
    ----------
    name : str
        As in the collection: "MUTAG". See :func:`~mpgk_core.datasets.catalogue`.
    folder : Path, optional
        The cache. Default: :func:`~mpgk_core.datasets.cache_folder`.
    base_address : str, optional
        The folder on the web. Default: ``MPGK_TU_ADDRESS``, or the home of the collection.
    progress : callable, optional
        Called with the number of bytes that are there, and the number of all, or None.
    timeout : float
        How many seconds the server may stay silent.

    Returns
    -------
    DataSet

    Raises
    ------
    DownloadError
        If there is no connection, no such data set, or a server in trouble.
    UnreadableFileError
        If what was found is no TU archive.
    """
    file = archive_name(name)
    address = f"{checked_address(base_address or tu_address())}/{file}"
    own = data_folder()
    if own is not None and (own / file).is_file():
        return data_set_from_file(own / file)
    kept = (folder or cache_folder()) / file
    notes: tuple[str, ...] = ()
    if kept.is_file():
        try:
            return data_set_from_file(kept)
        except (UnreadableFileError, InvalidGraphError) as error:
            notes = (f"The copy in the cache was damaged and has been replaced ({error})",)
    accept = partial(data_set_from_bytes, name)
    try:
        found = download(address, kept, accept, progress=progress, timeout=timeout)
    except DownloadError as error:
        raise _explained(name, address, error) from error
    return replace(found, notes=(*notes, *found.notes))


def _explained(name: str, address: str, error: DownloadError) -> DownloadError:
    if error.status == 404:
        similar = get_close_matches(name, catalogue(), n=3, cutoff=0.4)
        hint = f"Did you mean {' or '.join(similar)}?" if similar else "Check the name."
        return DownloadError(f"There is no data set {name} at {address}. {hint}", error.status)
    return DownloadError(
        f"{name} could not be downloaded from {address}. {error.problem} Once there is a way, try "
        f"again. Or get {name}.zip elsewhere, and upload it, or put it into the folder that "
        "MPGK_DATA names.",
        error.status,
    )
