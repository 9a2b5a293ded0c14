"""A report: one HTML page that opens anywhere, without a network."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from numbers import Real
from pathlib import Path
from string import Template
from typing import Any, Protocol

from plotly.offline import get_plotlyjs

from mpgk_core import __version__

_ASSETS = Path(__file__).parent
_JSON_MARKS = str.maketrans(
    {
        c: f"\\u{ord(c):04x}"
        for c in ("<", ">", "&", "\N{LINE SEPARATOR}", "\N{PARAGRAPH SEPARATOR}")
    }
)


class Drawable(Protocol):
    """A plotly figure, or a :class:`~mpgk_core.plotting.Drawing`."""

    def to_json(self) -> str:
        """Return data, layout and frames as plotly.js takes them."""


@dataclass(frozen=True, eq=False)
class ReportFigure:
    """A figure of a report.

    Attributes
    ----------
    figure : plotly figure or Drawing
    caption : str
        What to see in it.
    alternative : str
        What it shows, for those who cannot see it.
    """

    figure: Drawable
    caption: str
    alternative: str


@dataclass(frozen=True, eq=False)
class ReportTable:
    """A table of a report.

    Attributes
    ----------
    caption : str
    header : sequence of str
    rows : sequence of sequences
        Text and numbers; None is an empty cell.
    """

    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]

    @classmethod
    def of(cls, caption: str, rows: Sequence[Mapping[str, Any]]) -> ReportTable:
        """Return a table of rows that are mappings with the same keys, which become the header."""
        header = list(rows[0]) if rows else []
        return cls(caption, header, [list(row.values()) for row in rows])


def report(
    title: str,
    figures: Sequence[ReportFigure],
    parameters: Mapping[str, Any],
    tables: Sequence[ReportTable] = (),
    notes: Sequence[str] = (),
) -> str:
    """Return a page that holds everything: figures, numbers, parameters, plotly.js itself.

    The page forbids itself all requests, and runs no script but its own two. All text is escaped.

    Parameters
    ----------
    title : str
    figures : sequence of ReportFigure
    parameters : mapping of str to value
        Everything that is needed to compute the result again.
    tables : sequence of ReportTable
    notes : sequence of str
        Paragraphs at the top.

    Returns
    -------
    str
        HTML.

    Examples
    --------
    >>> page = report("<b>", [], {"alpha": 0.8})
    >>> "<h1>&lt;b&gt;</h1>" in page, "<td>alpha</td>" in page
    (True, True)
    """
    page, style, draw = (
        (_ASSETS / f"report.{kind}").read_text("utf-8") for kind in ("html", "css", "js")
    )
    scripts = [get_plotlyjs(), draw] if figures else []
    settings = ReportTable("", ("parameter", "value"), list(parameters.items()))
    numbers = ["<h2>Numbers</h2>", *map(_table, tables)] if tables else []
    return Template(page).substitute(
        allowed=" ".join(map(_hash, scripts)) or "'none'",
        title=_text(title),
        style=style,
        notes="\n".join(f"<p>{_text(note)}</p>" for note in notes),
        figures="\n".join(_figure(number, one) for number, one in enumerate(figures, start=1)),
        numbers="\n".join(numbers),
        parameters=_table(settings),
        version=__version__,
        scripts="\n".join(f"<script>{script}</script>" for script in scripts),
    )


def _figure(number: int, shown: ReportFigure) -> str:
    data = shown.figure.to_json().translate(_JSON_MARKS)
    return (
        f'<figure><div class="plot" role="img" aria-label="{_text(shown.alternative)}"></div>'
        f'<script type="application/json">{data}</script>'
        f"<noscript><p>{_text(shown.alternative)}</p></noscript>"
        f"<figcaption>Figure {number}. {_text(shown.caption)}</figcaption></figure>"
    )


def _table(table: ReportTable) -> str:
    caption = f"<caption>{_text(table.caption)}</caption>" if table.caption else ""
    head = "".join(f'<th scope="col">{_text(name)}</th>' for name in table.header)
    rows = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.rows)
    return (
        f'<div class="wide"><table>{caption}<thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _cell(value: Any) -> str:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    start = '<td class="number">' if is_number else "<td>"
    return f"{start}{_text(value)}</td>"


def _text(value: Any) -> str:
    """Return any value as text of a page; characters that no file can hold are replaced."""
    plain = "" if value is None else str(value)
    return escape(plain.encode("utf-8", "replace").decode("utf-8"))


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
