"""Tables of measurements, as Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Table"]


@dataclass
class Table:
    """A titled table that knows how to print numbers."""

    title: str
    note: str
    columns: list[str]
    rows: list[list[str]] = field(default_factory=list)

    def add(self, *values: object) -> None:
        """Append a row."""
        self.rows.append([_shown(value) for value in values])

    def markdown(self) -> str:
        """Return the table as a section of a Markdown file."""
        if not self.rows:
            return f"## {self.title}\n\nNot measured: data or peer not at hand.\n"
        lines = [self.columns, ["---"] * len(self.columns), *self.rows]
        body = "\n".join("| " + " | ".join(line) + " |" for line in lines)
        return f"## {self.title}\n\n{self.note}\n\n{body}\n"


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
