"""How the scripts that draw the pictures reach a browser.

Libraries are large, and our own scripts are many. Streamlit serves them without a lifetime, and a
page asks for them only after all else has been drawn. Here browsers may keep them, and fetch them
beside the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["LastingLibraries"]

FOLDERS = "/component/ui.shared.charts."
"""How all their addresses begin. They name a version, or the content."""

SCRIPTS, RARE = f"{FOLDERS}scripts_", f"{FOLDERS}plotly_library"
"""Our own scripts are modules. The whole of Plotly is seldom needed, and fetched then."""

PAGES = ("/", "/lessons")
"""Where they are needed at once."""

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
        self._early: dict[str, bytes] = {}

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
                kind = "modulepreload" if address.startswith(SCRIPTS) else "preload; as=script"
                self._early[address] = f"<{address[1:]}>; rel={kind}".encode()
            return [*(one for one in headers if one[0] != LASTING[0]), LASTING]
        if path.endswith(PAGES):
            return [*headers, *((b"link", self._early[one]) for one in sorted(self._early))]
        return headers
