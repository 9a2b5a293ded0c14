"""A table of a paper with our figures beside the published ones: Markdown, CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from operator import add
from typing import Any

from mpgk_core.evaluation.methods import MAJORITY
from mpgk_core.evaluation.published import PUBLISHED, PublishedFigure
from mpgk_core.evaluation.results import Evaluation, with_majority
from mpgk_core.evaluation.tables import as_csv

_LATEX = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "±": r"$\pm$",
    "×": r"$\times$",
    "–": "--",
}


@dataclass(frozen=True)
class MeanAndSpread:
    """A figure in a cell.

    Attributes
    ----------
    mean, std : float
        The deviation is NaN where there is none.
    note : str
        What has to be known beside the numbers: a source, or how it was measured.
    """

    mean: float
    std: float
    note: str = ""

    def text(self, digits: int) -> str:
        """Return the mean with its deviation, if there is one."""
        spread = f" ± {self.std:.{digits}f}" if isfinite(self.std) else ""
        return f"{self.mean:.{digits}f}{spread}"


@dataclass(frozen=True)
class PaperCell:
    """What is known of one method on one data set.

    Attributes
    ----------
    column, row : str
        The data set, or what is predicted; and the method.
    ours, published : MeanAndSpread or None
    """

    column: str
    row: str
    ours: MeanAndSpread | None
    published: MeanAndSpread | None

    @property
    def difference(self) -> float | None:
        """Ours minus published, where both are known."""
        if self.ours is None or self.published is None:
            return None
        return self.ours.mean - self.published.mean


@dataclass(frozen=True)
class PaperTable:
    """A table of a paper: methods in rows, data sets in columns, ours above what is published.

    Attributes
    ----------
    caption : str
        What the numbers are.
    cells : tuple of PaperCell
        Their order is that of rows and columns.
    remarks : tuple of str
        What holds for all of the table, one sentence each: where it was published, and how far
        both can be compared.
    column_name : str
        What a column is.
    digits : int
        Decimal places.

    Examples
    --------
    >>> ours, published = MeanAndSpread(88.1, 1.2), MeanAndSpread(85.26, 1.16, "Source")
    >>> table = PaperTable("Accuracy", (PaperCell("MUTAG", "RR", ours, published),), ("Remark.",))
    >>> print(table.markdown())
    Accuracy
    <BLANKLINE>
    | method | MUTAG |
    |---|---|
    | RR | 88.10 ± 1.20 |
    | RR, published | 85.26 ± 1.16 [1] |
    <BLANKLINE>
    [1] Source. Remark.
    <BLANKLINE>
    """

    caption: str
    cells: tuple[PaperCell, ...]
    remarks: tuple[str, ...]
    column_name: str = "data set"
    digits: int = 2

    def markdown(self) -> str:
        """Return the table as Markdown, with notes below it."""
        columns, lines, notes = self._layout()
        shown = [f"| method | {' | '.join(columns)} |", f"|{'---|' * (1 + len(columns))}"]
        for title, figures in lines:
            cells = [one.text(self.digits) if one else "" for one in figures]
            marks = [f" [{notes[one.note]}]" if one and one.note else "" for one in figures]
            shown.append(f"| {' | '.join([title, *map(add, cells, marks)])} |")
        explained = [f"[{number}] {text}." for text, number in notes.items()]
        below = " ".join([*explained, *self.remarks])
        return "\n".join([self.caption, "", *shown, "", below, ""])

    def csv(self) -> str:
        """Return one row for every cell, as comma-separated values."""
        return as_csv([self._row(cell) for cell in self.cells])

    def latex(self) -> str:
        """Return the table as LaTeX, with rules of the package booktabs and notes below it."""
        columns, lines, notes = self._layout()
        rows = [["method", *columns]]
        rows += [
            [title, *(one.text(self.digits) if one else "" for one in figures)]
            for title, figures in lines
        ]
        marks = [
            [
                "" if not (one and one.note) else f"$^{{{notes[one.note]}}}$"
                for one in (None, *figures)
            ]
            for _, figures in lines
        ]
        shown = [[_latex(cell) for cell in row] for row in rows]
        head, *body = shown
        marked = [list(map(add, row, own)) for row, own in zip(body, marks, strict=True)]
        text = [
            r"\begin{table}",
            rf"\caption{{{_latex(self.caption)}}}",
            rf"\begin{{tabular}}{{l{'r' * len(columns)}}}",
            r"\toprule",
            f"{' & '.join(head)} \\\\",
            r"\midrule",
            *(f"{' & '.join(row)} \\\\" for row in marked),
            r"\bottomrule",
            r"\end{tabular}",
            r"\par\footnotesize",
            *(f"$^{{{number}}}$ {_latex(note)}." for note, number in notes.items()),
            *map(_latex, self.remarks),
            r"\end{table}",
        ]
        return "\n".join([*text, ""])

    def _layout(
        self,
    ) -> tuple[list[str], list[tuple[str, list[MeanAndSpread | None]]], dict[str, int]]:
        """Return the columns, a line of ours and one of published figures, and numbered notes."""
        columns = list(dict.fromkeys(cell.column for cell in self.cells))
        cells = {(cell.row, cell.column): cell for cell in self.cells}
        lines = []
        for row in dict.fromkeys(cell.row for cell in self.cells):
            own = [cells.get((row, column)) for column in columns]
            lines.append((row, [cell.ours if cell else None for cell in own]))
            lines.append((f"{row}, published", [cell.published if cell else None for cell in own]))
        lines = [line for line in lines if any(line[1])]
        noted = dict.fromkeys(one.note for _, line in lines for one in line if one and one.note)
        return columns, lines, {note: number for number, note in enumerate(noted, start=1)}

    def _row(self, cell: PaperCell) -> dict[str, Any]:
        def rounded(number: float | None) -> float | None:
            return None if number is None or not isfinite(number) else round(number, self.digits)

        row: dict[str, Any] = {self.column_name: cell.column, "method": cell.row}
        kinds = (("ours", cell.ours, "measured"), ("published", cell.published, "source"))
        for name, figure, note in kinds:
            row[name] = rounded(figure.mean if figure else None)
            row[f"{name} std"] = rounded(figure.std if figure else None)
            row[note] = figure.note if figure else ""
        row["difference"] = rounded(cell.difference)
        return row


def accuracy_table(found: Mapping[str, Sequence[Evaluation]]) -> PaperTable:
    """Return the paper's Table 1 for some data sets, with our accuracies beside it.

    Parameters
    ----------
    found : mapping
        From the name of a data set to its evaluations. The majority class is added.

    Returns
    -------
    PaperTable
        Has all methods of the paper on these sets, also those that are not evaluated here, and
        below them what is evaluated here alone.

    Examples
    --------
    >>> table = accuracy_table({"MUTAG": []})
    >>> [(cell.row, cell.published.mean, cell.ours) for cell in table.cells][2]
    ('PSCN (k=10)', 88.95, None)
    """
    ours = {
        (name, one.spec.method): one
        for name, several in found.items()
        for one in with_majority(several)
        if one.records
    }
    published = {name: PUBLISHED.figures(name) for name in found}
    in_paper = {figure.title: figure.method for known in published.values() for figure in known}
    titles = {title: in_paper.get(title) for title in _in_order(in_paper)}
    only_here = dict.fromkeys(method for _, method in ours if method not in titles.values())
    titles |= {"majority class" if method == MAJORITY else method: method for method in only_here}
    cells = []
    for title, method in titles.items():
        for name in found:
            figure = next((one for one in published[name] if one.title == title), None)
            own = ours.get((name, method or ""))
            if figure is not None or own is not None:
                cells.append(
                    PaperCell(
                        name, title, None if own is None else _measured(own), _reported(figure)
                    )
                )
    return PaperTable(
        "Accuracy in per cent, mean ± standard deviation.",
        tuple(cells),
        (f"Published: {PUBLISHED.source}.", PUBLISHED.caveat),
    )


def _in_order(titles: Mapping[str, Any]) -> list[str]:
    """Return titles with those of the paper's own methods last, as in the paper."""
    return sorted(titles, key=lambda title: title.startswith("MPGK "))


def _measured(one: Evaluation) -> MeanAndSpread:
    rules = one.protocol
    planned = rules.n_folds * rules.n_repeats
    parts = [f"{rules.n_repeats} × {rules.n_folds} folds, deviation over {one.spread_over}"]
    if len(one.records) < planned:
        parts.append(f"{len(one.records)} of {planned} folds done")
    return MeanAndSpread(100 * one.mean, 100 * one.spread, "; ".join(parts))


def _reported(figure: PublishedFigure | None) -> MeanAndSpread | None:
    if figure is None:
        return None
    note = f"As reported by {figure.source}" if figure.source else ""
    return MeanAndSpread(figure.mean, figure.std, note)


def _latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)
