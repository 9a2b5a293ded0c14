"""How the scripts that draw the pictures reach a browser.

Libraries are large, and our own scripts are many. Streamlit serves them without a lifetime, and a
page asks for them, and for the scripts of Streamlit's elements, only when they are to be used. Here
browsers may keep them, and fetch and compile all of them beside the page.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["LastingLibraries", "scripts_of_elements"]

FOLDERS = "/component/ui.shared.charts."
"""How all their addresses begin. They name a version, or the content."""

RARE = f"{FOLDERS}plotly_library"
"""The whole of Plotly is seldom needed, and fetched then."""

PAGES = ("/", "/lessons")
"""Where they are needed at once."""

ELEMENTS = ("Html", "BidiComponent")
"""What Streamlit draws the pictures with: it fetches the scripts of an element at its first use."""

LASTING = (b"cache-control", b"public, immutable, max-age=31536000")


class LastingLibraries:
    """Lets browsers keep scripts whose addresses name their versions, and fetch them early.

    What has been served once is what pages need: the next ones are told of it in their headers.

    Parameters
    ----------
    app : ASGI application
        What answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._early = {one: _link(one) for one in scripts_of_elements()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] in (200, 304):
                message["headers"] = self._headers(scope["path"], list(message["headers"]))
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _headers(self, path: str, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        address = path[max(path.find(FOLDERS), 0) :]
        if address.startswith(FOLDERS) and address.endswith(".js"):
            if not address.startswith(RARE):
                self._early[address] = _link(address)
            return [*(one for one in headers if one[0] != LASTING[0]), LASTING]
        if path.endswith(PAGES):
            return [*headers, *((b"link", self._early[one]) for one in sorted(self._early))]
        return headers


def scripts_of_elements() -> list[str]:
    """Return the addresses of Streamlit's scripts for our elements, but for those of every page.

    They are few on purpose: a proxy may refuse longer headers.
    """
    index = Path(streamlit.__file__).parent / "static" / "manifest.json"
    known = json.loads(index.read_text(encoding="utf-8")) if index.exists() else {}
    early: set[str] = set()
    _add_imports(known, "index.html", early)
    found = set(early)
    for key, entry in known.items():
        if entry.get("name") in ELEMENTS:
            _add_imports(known, key, found)
    return sorted(f"/{known[key]['file']}" for key in found - early)


def _add_imports(known: dict[str, Any], key: str, found: set[str]) -> None:
    if key in known and key not in found:
        found.add(key)
        for other in known[key].get("imports", []):
            _add_imports(known, other, found)


def _link(address: str) -> bytes:
    """Return the header that lets a browser fetch and compile a module early."""
    return f"<{address[1:]}>; rel=modulepreload".encode()
