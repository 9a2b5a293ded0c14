"""Check that a built site loads nothing from other servers: ``python -m scripts.check_site``.

Links that a reader follows by a click may lead anywhere. What a browser loads by itself, such as
scripts, styles, fonts and pictures, must lie in the site.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

__all__ = ["loaded_by_page", "loaded_by_style", "outside_resources"]

_LOADING = {"src", "srcset", "poster", "data", "background"}
_LOADING_LINKS = {"stylesheet", "icon", "preload", "modulepreload", "preconnect", "dns-prefetch"}
_OUTSIDE = re.compile(r"(?:https?:|wss?:)?//", re.IGNORECASE)
_IN_STYLE = re.compile(r"""(?:url\(\s*|@import\s+)["']?([^"')\s;]+)""", re.IGNORECASE)
_IN_SCRIPT = re.compile(r"""["'`](?:https?:|wss?:)?//[\w.-]+\.[a-z]{2,}[^"'`\s]*["'`]""")

#: Addresses in the scripts of the theme that are reached in no page of ours, and why.
_NEVER_REACHED = {
    "unpkg.com/mermaid": "diagrams: no page has one",
    "unpkg.com/resize-observer-polyfill": "for browsers of before 2020",
    "api.github.com": "facts about a repository: none is named",
}


class _Resources(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._inside = tag if tag in ("script", "style") else None
        self.found += [given[name] for name in _LOADING if name in given]
        self.found += loaded_by_style(given.get("style", ""))
        if tag == "link" and _LOADING_LINKS & set(given.get("rel", "").split()):
            self.found.append(given.get("href", ""))

    def handle_data(self, data: str) -> None:
        if self._inside == "style":
            self.found += loaded_by_style(data)
        elif self._inside == "script":
            self.found += _loaded_by_script(data)

    def handle_endtag(self, tag: str) -> None:
        self._inside = None


def loaded_by_page(html: str) -> list[str]:
    """Return the addresses on other servers from which a page loads something by itself.

    Parameters
    ----------
    html : str

    Returns
    -------
    list of str

    Examples
    --------
    >>> loaded_by_page('<a href="https://example.org">a link</a> <img src="picture.png">')
    []
    >>> loaded_by_page('<img src="//example.org/x.png"><style>@import "https://a.org/b";</style>')
    ['//example.org/x.png', 'https://a.org/b']
    >>> loaded_by_page('<link rel="preconnect" href="https://fonts.example.org">')
    ['https://fonts.example.org']
    """
    resources = _Resources()
    resources.feed(html)
    return [address for address in resources.found if _OUTSIDE.match(address.strip())]


def loaded_by_style(css: str) -> list[str]:
    """Return the addresses on other servers from which a style sheet loads something.

    Parameters
    ----------
    css : str

    Returns
    -------
    list of str

    Examples
    --------
    >>> loaded_by_style("a { background: url(x.svg) } b { src: url('https://a.org/font') }")
    ['https://a.org/font']
    """
    return [address for address in _IN_STYLE.findall(css) if _OUTSIDE.match(address)]


def outside_resources(folder: Path) -> Iterator[tuple[Path, str]]:
    """Find what the files of a site would load from other servers.

    Parameters
    ----------
    folder : Path
        The built site.

    Yields
    ------
    file : Path
    address : str
    """
    readers = {".html": loaded_by_page, ".css": loaded_by_style, ".js": _loaded_by_script}
    readers |= {".svg": loaded_by_page}
    for path in sorted(folder.rglob("*")):
        if path.suffix in readers:
            yield from ((path, found) for found in readers[path.suffix](path.read_text("utf-8")))


def _loaded_by_script(code: str) -> list[str]:
    found = [text.strip("\"'`") for text in _IN_SCRIPT.findall(code)]
    return [address for address in found if not any(known in address for known in _NEVER_REACHED)]


def _main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "site")
    if not (folder / "index.html").is_file():
        sys.exit(f"There is no site in {folder}. Run `make docs` first.")
    found = list(outside_resources(folder))
    for path, address in found:
        sys.stderr.write(f"{path}: loads {address}\n")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    _main()
