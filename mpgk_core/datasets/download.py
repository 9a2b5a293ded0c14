"""Download one file: go on where it was interrupted, and keep it only if it proves sound."""

from __future__ import annotations

import http.client
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from mpgk_core.datasets.partial_file import PartialFile
from mpgk_core.datasets.web import open_address
from mpgk_core.errors import DownloadError, InvalidGraphError, UnreadableFileError
from mpgk_core.formats import bounds

#: Called with the number of bytes that are there, and of all bytes where the server tells.
Progress = Callable[[int, int | None], None]

_T = TypeVar("_T")
_BLOCK = 1 << 16
_ATTEMPTS = 3
_RANGE = re.compile(r"bytes (\d{1,18})-\d+/(?:\d+|\*)")


class _InterruptedError(DownloadError):
    """The connection broke; what has arrived is there to go on with."""


def download(
    address: str,
    target: Path,
    accept: Callable[[bytes], _T],
    *,
    progress: Progress | None = None,
    timeout: float = 30.0,
) -> _T:
    """Download a file, check it, and only then let it appear under its name.

    Parameters
    ----------
    address : str
        Where the file is.
    target : Path
        Where it shall lie. Others may download to the same place meanwhile: each of them
        works on a file of its own, and the last one to finish wins.
    accept : callable
        Takes the content and returns what it stands for, or raises if it is no good.
    progress : callable, optional
        See :data:`Progress`. Whatever it raises ends the download, which can go on later.
    timeout : float
        How many seconds the server may stay silent.

    Returns
    -------
    object
        What ``accept`` has returned.
    """
    part = PartialFile(target)
    try:
        is_resumed = part.size > 0
        try:
            accepted = _received(address, part, accept, progress, timeout)
        except (UnreadableFileError, InvalidGraphError):
            if not is_resumed:
                raise
            accepted = _received(address, part, accept, progress, timeout)
        part.publish()
    except BaseException:
        part.leave()
        raise
    return accepted


def _received(
    address: str,
    part: PartialFile,
    accept: Callable[[bytes], _T],
    progress: Progress | None,
    timeout: float,
) -> _T:
    """Return the accepted content; if it is no good, none of its bytes stays."""
    try:
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                _receive(address, part, progress, timeout)
                break
            except _InterruptedError:
                if attempt == _ATTEMPTS:
                    raise
        return accept(part.content())
    except (UnreadableFileError, InvalidGraphError):
        part.restart()
        raise


def _receive(address: str, part: PartialFile, progress: Progress | None, timeout: float) -> None:
    with _answer(address, part, timeout) as answer:
        if answer.status != http.HTTPStatus.PARTIAL_CONTENT:
            part.restart(_version(answer))
        total = None if answer.length is None else part.size + answer.length
        limit, name = bounds(), address.rpartition("/")[2]
        limit.check_bytes(name, total or 0)
        while True:
            if progress is not None:
                progress(part.size, total)
            block = _read(answer, part, total)
            if not block:
                return
            part.append(block)
            limit.check_bytes(name, part.size)


def _answer(address: str, part: PartialFile, timeout: float) -> http.client.HTTPResponse:
    """Ask for the bytes that are missing, or for all where the server does not give just these."""
    headers = {"Accept-Encoding": "identity", "User-Agent": "mpgk"}
    if part.size and part.version:
        wanted = {"Range": f"bytes={part.size}-", "If-Range": part.version}
        try:
            answer = open_address(address, headers | wanted, timeout)
        except DownloadError as error:
            if error.status != http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                raise
        else:
            if answer.status != http.HTTPStatus.PARTIAL_CONTENT or _continues(answer, part):
                return answer
            answer.close()
    return open_address(address, headers, timeout)


def _continues(answer: http.client.HTTPResponse, part: PartialFile) -> bool:
    begins = _RANGE.fullmatch(answer.headers.get("Content-Range", ""))
    is_same = _version(answer) in (None, part.version)
    return begins is not None and int(begins[1]) == part.size and is_same


def _version(answer: http.client.HTTPResponse) -> str | None:
    """Return the mark by which the server will know this content again; weak marks do not count."""
    tag: str | None = answer.headers.get("ETag")
    return tag if tag and tag.startswith('"') else answer.headers.get("Last-Modified")


def _read(answer: http.client.HTTPResponse, part: PartialFile, total: int | None) -> bytes:
    broken = ""
    try:
        block = answer.read(_BLOCK)
        if block or total is None or part.size == total:
            return block
    except (OSError, http.client.HTTPException) as error:
        broken = f" ({error})" if str(error) else ""
    of_all = "" if total is None else f" of {total:,}"
    raise _InterruptedError(
        f"The connection broke after {part.size:,}{of_all} bytes{broken}. Try again: what has "
        "arrived is kept where the server allows to go on."
    )
