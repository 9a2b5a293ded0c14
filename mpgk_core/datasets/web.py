"""Ask a web server for a file: http and https only, wherever it sends us."""

from __future__ import annotations

import http.client
from collections.abc import Mapping
from typing import IO, Any
from urllib import error, request
from urllib.parse import urlsplit

from mpgk_core.errors import DownloadError, InvalidParameterError, shortened

_SCHEMES = ("http", "https")


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


def open_address(
    address: str, headers: Mapping[str, str], timeout: float
) -> http.client.HTTPResponse:
    """Return the answer of a server, ready to be read.

    Parameters
    ----------
    address : str
        Begins with ``http://`` or ``https://``.
    headers : mapping
        What to send along.
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
    try:
        answer: http.client.HTTPResponse = _opener().open(
            request.Request(address, headers=dict(headers)), timeout=timeout
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


def _opener() -> request.OpenerDirector:
    """Return an opener that knows the web and nothing else: no files, no ftp, no data."""
    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler(),
        request.UnknownHandler(),
        request.HTTPHandler(),
        request.HTTPSHandler(),
        request.HTTPDefaultErrorHandler(),
        request.HTTPErrorProcessor(),
        _Redirects(),
    ):
        opener.add_handler(handler)
    return opener


def _is_one(address: str) -> bool:
    return address.isprintable() and " " not in address
