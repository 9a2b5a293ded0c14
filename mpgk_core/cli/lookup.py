"""Find what the user has named: a file, a data set at hand, a sample, or one on the web."""

from __future__ import annotations

from pathlib import Path

from mpgk_core.cli.console import Console
from mpgk_core.datasets import available, cache_folder, data_folder, fetch_tu, samples
from mpgk_core.datasets.folders import archive_name
from mpgk_core.errors import UnreadableFileError, shortened

__all__ = ["fetched", "located"]


def located(text: str, fetch: bool, console: Console) -> Path:
    """Return the file that a text names.

    Parameters
    ----------
    text : str
        A path; or else the name of a data set in ``MPGK_DATA``, in the cache or among the
        samples; or else of a sample, with or without its extension.
    fetch : bool
        Whether to download a data set that is not at hand.
    console : Console
        Where progress is told.

    Returns
    -------
    Path

    Raises
    ------
    UnreadableFileError
        If there is nothing of this name.
    """
    path = Path(text)
    if path.exists() and not path.is_dir():
        return path
    at_hand = available()
    if text in at_hand:
        return at_hand[text].path
    for sample in samples():
        if text in (sample.path.name, sample.path.stem):
            return sample.path
    if fetch:
        return fetched(text, console)
    if path.is_dir():
        raise UnreadableFileError(text, "This is a folder.", "Give the files in it, or a zip.")
    raise UnreadableFileError(
        text,
        f"There is no such file. Data set {shortened(text)!r} not found.",
        f"Available: {', '.join(at_hand) or 'none'}. Check the name, or add --fetch to download "
        "it.",
    )


def fetched(name: str, console: Console) -> Path:
    """Return the file of a data set of the TU collection, after downloading it if need be."""
    for note in fetch_tu(name, progress=console.progress(name)).notes:
        console.note(note)
    own = data_folder()
    kept = [folder / archive_name(name) for folder in (own, cache_folder()) if folder is not None]
    return next(path for path in kept if path.is_file())
