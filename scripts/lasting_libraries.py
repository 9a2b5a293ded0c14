"""How the libraries that draw the pictures reach a browser.

They are large. Streamlit serves them without a lifetime, and a page asks for them only after all
else has been drawn. Here browsers may keep them, and fetch them beside the page.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["LastingLibraries"]

FOLDER = "component/ui.shared.charts.plotly_cartesian"
NEEDED = sorted((Path(__file__).parents[1] / "ui" / "assets" / "vendor").glob("*.min.js"))
PAGES = ("/", "/lessons")
"""Where these libraries are needed at once."""

LASTING = (b"cache-control", b"public, immutable, max-age=31536000")
EARLY = [(b"link", f"<{FOLDER}/{file.name}>; rel=preload; as=script".encode()) for file in NEEDED]


class LastingLibraries:
    """Lets browsers keep libraries, whose addresses name their versions, and fetch them early.

    Parameters
    ----------
    app : ASGI application
        What answers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._are_served = False  # not before app.py has run for the first visitor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] in (200, 304):
                message["headers"] = self._headers(scope["path"], list(message["headers"]))
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _headers(self, path: str, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        if path.endswith(".min.js") and "/component/" in path:
            self._are_served |= FOLDER in path
            return [*(one for one in headers if one[0] != LASTING[0]), LASTING]
        return [*headers, *EARLY] if self._are_served and path.endswith(PAGES) else headers
