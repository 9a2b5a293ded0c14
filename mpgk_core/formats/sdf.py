"""Read molecules from MOL files and from SDF, which is many of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mpgk_core.errors import shortened
from mpgk_core.formats.format import Format
from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.molecules import CLASS_NAMES, MoleculeCollector
from mpgk_core.formats.source import Source

_TITLE = "SDF"
_PROPERTY = re.compile(r">[^<\n]*<([^>\n]+)>[^\n]*\n([^\n]*)")
_END = re.compile(r"^\$\$\$\$[^\n]*\n?", re.MULTILINE)
_LONGEST = 500_000


def read(source: Source) -> GraphTables:
    """Read molecules, each a graph, named by the first of its lines.

    A property "class" or "activity", if all molecules have it, holds their classes; other
    properties, and where the atoms are, are left out.

    Parameters
    ----------
    source : Source

    Returns
    -------
    GraphTables
    """
    molecules = MoleculeCollector(source, _TITLE)
    for line, record in _records(source.text):
        name = record.split("\n", 1)[0].strip()
        if len(record) > _LONGEST:
            raise source.error(
                f"The molecule {shortened(name)!r} has more than {_LONGEST:,} characters.",
                "Remove it.",
                line,
            )
        block, end, rest = record.partition("M  END")
        molecules.take_mol_block(block + end, line, name, _class(rest))
    return molecules.tables()


def _records(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line where each molecule starts, and its text."""
    line = start = 0
    ends = [(end.start(), end.end()) for end in _END.finditer(text)]
    for stop, following in [*ends, (len(text), len(text))]:
        record = text[start:stop]
        if record.strip():
            yield line + 1, record
        line += text.count("\n", start, following)
        start = following


def _class(properties: str) -> str:
    values = {key.strip().lower(): value.strip() for key, value in _PROPERTY.findall(properties)}
    return next((values[name] for name in CLASS_NAMES if name in values), "")


def _recognises(source: Source) -> bool:
    return re.search(rb"\n[^\n]* V[23]000\s*\n", source.head) is not None


FORMAT = Format(_TITLE, (".sdf", ".mol", ".sd"), _recognises, read)
