"""Get a data set of the TU collection: from a folder, from the cache, or from the web."""

from __future__ import annotations

import http.client
import os
import secrets
from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import IO, Any
from urllib import error, request
from urllib.parse import urlsplit

from mpgk_core.datasets.catalogue import catalogue
from mpgk_core.datasets.local import (
    DataSet,
    archive_name,
    cache_folder,
    data_folder,
    data_set_from_bytes,
    data_set_from_file,
)
from mpgk_core.errors import (
    DownloadError,
    InvalidGraphError,
    InvalidParameterError,
    UnreadableFileError,
    shortened,
)
from mpgk_core.formats import bounds

#: Called with the number of bytes that have arrived, and of all bytes if the server states it.
Progress = Callable[[int, int | None], None]

_DEFAULT_ADDRESS = "https://www.chrsmrrs.com/graphkerneldatasets"
_SCHEMES = ("http", "https")
_HEADERS = {"Accept-Encoding": "identity", "User-Agent": "mpgk"}
_BLOCK = 1 << 16
_ATTEMPTS = 3


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
    """Return a data set of the TU collection; download it if it is not on this machine.

    The folder that ``MPGK_DATA`` names comes first, then the cache, then the web. A damaged copy
    in the cache is replaced. A download is bounded in size, and kept only if it can be read.

    Parameters
    ----------
    name : str
        As in the collection: "MUTAG". See :func:`~mpgk_core.datasets.catalogue`.
    folder : Path, optional
        The cache. Default: :func:`~mpgk_core.datasets.cache_folder`.
    base_address : str, optional
        The folder on the web. Default: ``MPGK_TU_ADDRESS``, or the home of the collection.
    progress : callable, optional
        Called with the number of bytes that have arrived, and the number of all, or None. Whatever
        it raises ends the download.
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
    try:
        found = _downloaded(address, kept, progress, timeout)
    except DownloadError as error:
        raise _explained(name, address, error) from error
    return replace(found, notes=(*notes, *found.notes))


def _explained(name: str, address: str, error: DownloadError) -> DownloadError:
    if error.status == 404:
        similar = get_close_matches(name, catalogue(), n=3, cutoff=0.4)
        hint = f"Did you mean {' or '.join(similar)}?" if similar else "Check the name."
        return DownloadError(f"There is no data set {name} at {address}. {hint}", error.status)
    return DownloadError(
        f"{name} could not be downloaded from {address}. {error.problem} Try again later. "
        f"Or get {name}.zip elsewhere, and upload it, or put it into the folder that "
        "MPGK_DATA names.",
        error.status,
    )


def _downloaded(address: str, target: Path, progress: Progress | None, timeout: float) -> DataSet:
    """Download an archive, read it, and only then let it appear under its name.

    Others may download to the same place at the same time: each of them writes a file of its own,
    and the last one to finish replaces the others.
    """
    own = target.with_name(f"{target.name}.{os.getpid()}-{secrets.token_hex(8)}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        content = _received(address, progress, timeout)
        found = data_set_from_bytes(target.stem, content)
        try:
            own.write_bytes(content)
            own.replace(target)
        finally:
            own.unlink(missing_ok=True)
    except DownloadError:
        raise
    except OSError as failure:
        reason = failure.strerror or failure
        raise DownloadError(
            f"The folder {str(target.parent)!r} cannot be written to ({reason}). "
            "Make room there, or set MPGK_CACHE to another folder."
        ) from failure
    return found


def _received(
    address: str, progress: Progress | None, timeout: float, attempts: int = _ATTEMPTS
) -> bytes:
    """Return the content of a file; if the connection breaks, begin again."""
    content, limit, name = bytearray(), bounds(), address.rpartition("/")[2]
    with open_address(address, timeout) as answer:
        total = answer.length
        limit.check_bytes(name, total or 0)
        while True:
            if progress is not None:
                progress(len(content), total)
            reason = ""
            try:
                block = answer.read(_BLOCK)
            except (OSError, http.client.HTTPException) as failure:
                block, reason = b"", f" ({failure})"
            if not block:
                break
            content += block
            limit.check_bytes(name, len(content))
    if reason or len(content) < (total or 0):
        if attempts > 1:
            return _received(address, progress, timeout, attempts - 1)
        of_all = "" if total is None else f" of {total:,}"
        raise DownloadError(f"The connection broke after {len(content):,}{of_all} bytes{reason}.")
    return bytes(content)


def checked_address(address: str) -> str:
    """Return the address of a folder on the web without a final slash, or raise.

    Examples
    --------
    >>> checked_address("https://example.org/data/")
    'https://example.org/data'
    """
    try:
        parts = urlsplit(address)
        suits = bool(parts.scheme in _SCHEMES and parts.hostname and parts.port != 0)
    except ValueError:
        suits = False
    if not suits or parts.query or parts.fragment or not (address.isascii() and _is_one(address)):
        raise InvalidParameterError(
            "The address of the data sets must look like 'https://example.org/folder'. "
            f"Got {shortened(address)!r} instead."
        )
    return address.rstrip("/")


def open_address(address: str, timeout: float) -> http.client.HTTPResponse:
    """Return the answer of a server, ready to be read.

    Parameters
    ----------
    address : str
        Begins with ``http://`` or ``https://``.
    timeout : float
        How many seconds the server may stay silent.

    Returns
    -------
    http.client.HTTPResponse

    Raises
    ------
    DownloadError
        If there is no connection, or if the server refuses.
    """
    if urlsplit(address).scheme not in _SCHEMES:
        raise DownloadError("Only addresses of the web are opened.")
    try:
        answer: http.client.HTTPResponse = request.build_opener(_Redirects()).open(
            request.Request(address, headers=_HEADERS), timeout=timeout
        )
    except error.HTTPError as refusal:
        refusal.close()
        if 300 <= refusal.code < 400:
            problem = "The server points to an address that is not followed, for safety."
        else:
            problem = f"The server answered {refusal.code} ({shortened(str(refusal.reason))})."
        raise DownloadError(problem, refusal.code) from refusal
    except (OSError, http.client.HTTPException, ValueError) as failure:
        reason = shortened(str(getattr(failure, "reason", failure)) or type(failure).__name__)
        raise DownloadError(f"There is no connection ({reason}).") from failure
    return answer


class _Redirects(request.HTTPRedirectHandler):
    """Follows only to the web, and never from an encrypted address to an open one."""

    def redirect_request(
        self, req: request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> request.Request | None:
        scheme = urlsplit(newurl).scheme
        if scheme not in _SCHEMES or (req.type == "https" and scheme != "https"):
            raise error.HTTPError(req.full_url, code, msg, headers, fp)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _is_one(address: str) -> bool:
    return address.isprintable() and " " not in address
