"""A report: one HTML page that opens anywhere, without a network."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from numbers import Real
from typing import Any, Protocol

from plotly.offline import get_plotlyjs

from mpgk_core import __version__

STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1c2733; --quiet: #5b6875;
  --line: #d4dae0; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #10151b; --ink: #e8edf2; --quiet: #9aa7b4; --line: #33404d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 62rem; background: var(--ground);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { font-size: 1.2rem; margin-top: 2rem; }
figure { margin: 1.5rem 0; break-inside: avoid; }
figcaption, footer { color: var(--quiet); font-size: 0.9rem; }
.plot { width: 100%; height: min(75vh, 32rem); min-height: 20rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: 0.5rem 0; }
caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0;
  border-bottom: 1px solid var(--line); }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
@media print {
  :root { --ground: #fff; --ink: #000; --quiet: #333; --line: #999; }
  body { max-width: none; padding: 0; }
  .wide { overflow: visible; }
  .plot { height: 11cm; } }
"""
"""Light or dark as the reader prefers, for a phone, a desk and paper."""

DRAW = """
(() => {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const plots = [...document.querySelectorAll(".plot")];
  const ink = () => (dark.matches ? "#e8edf2" : "#1c2733");
  const recolour = (colour) =>
    plots.forEach((plot) => Plotly.relayout(plot, { "font.color": colour }));
  const config = { responsive: true, displaylogo: false };
  const drawn = plots.map((plot) => {
    const { data, layout, frames } = JSON.parse(plot.nextElementSibling.textContent);
    layout.font = { ...layout.font, color: ink() };
    layout.autosize = true;
    layout.updatemenus = (layout.updatemenus || []).map((menu) => (
      { ...menu, bgcolor: "rgba(127,127,127,0.2)", showactive: false }));
    delete layout.width;
    delete layout.height;
    return Plotly.newPlot(plot, { data, layout, frames: frames || [], config });
  });
  Promise.all(drawn).then(() => document.body.setAttribute("data-drawn", plots.length));
  dark.addEventListener("change", () => recolour(ink()));
  window.addEventListener("beforeprint", () => recolour("#000"));
  window.addEventListener("afterprint", () => recolour(ink()));
})();
"""
"""Every figure stands as data behind the place where it is drawn."""


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
    scripts = [get_plotlyjs(), DRAW] if figures else []
    allowed = " ".join(map(_hash, scripts)) or "'none'"
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data: blob:; "
        f"style-src 'unsafe-inline'; script-src {allowed}"
    )
    settings = ReportTable("", ("parameter", "value"), list(parameters.items()))
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{_text(title)}</title><style>{STYLE}</style></head><body>",
        f"<main><h1>{_text(title)}</h1>",
        *(f"<p>{_text(note)}</p>" for note in notes),
        *(_figure(number, figure) for number, figure in enumerate(figures, start=1)),
        *(["<h2>Numbers</h2>", *map(_table, tables)] if tables else []),
        f"<h2>Parameters</h2>{_table(settings)}</main>",
        f"<footer>mpgk-core {__version__}</footer>",
        *(f"<script>{script}</script>" for script in scripts),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


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
