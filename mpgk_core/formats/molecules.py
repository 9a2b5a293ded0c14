"""Molecules as graphs: atoms are vertices and bonds are edges. RDKit parses SMILES and SDF."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

from mpgk_core.errors import shortened
from mpgk_core.formats import adjacency_matrix
from mpgk_core.formats.columns import column_of_cells
from mpgk_core.formats.format import Format, GraphTables
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import first_rows, text_rows

_SMILES_EXTENSIONS = (".smi", ".smiles", ".ism", ".can")
_SMILES_HEADINGS = ("smiles", "smi", "canonical_smiles", "isomeric_smiles", "smile")
_NAME_HEADINGS = ("name", "id", "title", "mol_id", "compound")
_CLASS_HEADINGS = ("class", "activity")
_PROPERTY = re.compile(r">[^<\n]*<([^>\n]+)>[^\n]*\n([^\n]*)")
_END = re.compile(r"^\$\$\$\$[^\n]*\n?", re.MULTILINE)
_MAX_SMILES = 5_000
_MAX_RECORD = 500_000


def read_smiles(source: Source) -> GraphTables:
    """Read molecules in SMILES, each a graph.

    Either every line is a SMILES, which a blank and a name may follow; or the first line names
    the columns of a table, and one of these is called "smiles". Then a column "name" or "id"
    names the molecules, and a column "class" or "activity" holds their classes.

    The columns of the vertices are the "element" of an atom, its "charge", whether it is
    "aromatic" (0 or 1), and its number of "hydrogens", which are not vertices themselves. The
    column "bond" of the edges is "single", "double", "triple", "aromatic" or a rarer type.

    Parameters
    ----------
    source : Source

    Returns
    -------
    GraphTables
    """
    molecules = _Molecules(source, "SMILES")
    headings = _headings(source)
    in_table = _column(headings, _SMILES_HEADINGS) is not None
    for line, smiles, name, class_name in _table(source, headings) if in_table else _lines(source):
        if not smiles:
            raise source.error("There is no SMILES.", "Fill it in, or remove the line.", line)
        if len(smiles) > _MAX_SMILES:
            raise source.error(
                f"A SMILES has {len(smiles):,} characters, and at most {_MAX_SMILES:,} are read.",
                "Remove that molecule.",
                line,
            )
        molecules.add("MolFromSmiles", smiles, line, shortened(smiles), name, class_name)
    return molecules.tables()


def read_sdf(source: Source) -> GraphTables:
    """Read molecules from a MOL file, or from SDF, which is many of these; each is a graph.

    The first line of a molecule is its name. A property "class" or "activity", if all molecules
    have it, holds their classes; other properties and the positions of the atoms are left out.
    The columns of vertices and edges are those of :func:`read_smiles`.

    Parameters
    ----------
    source : Source

    Returns
    -------
    GraphTables
    """
    molecules = _Molecules(source, "SDF")
    for line, record in _records(source.text):
        name = record.split("\n", 1)[0].strip()
        if len(record) > _MAX_RECORD:
            raise source.error(
                f"The molecule {shortened(name)!r} has more than {_MAX_RECORD:,} characters.",
                "Remove it.",
                line,
            )
        block, end, rest = record.partition("M  END")
        found = {key.strip().lower(): value.strip() for key, value in _PROPERTY.findall(rest)}
        class_name = next((found[key] for key in _CLASS_HEADINGS if key in found), "")
        called = f"The molecule {shortened(name)!r}" if name else "This molecule"
        molecules.add("MolFromMolBlock", block + end, line, called, name, class_name)
    return molecules.tables()


class _Molecules:
    """Collects molecules one by one."""

    def __init__(self, source: Source, title: str) -> None:
        self.line = 1
        self.graphs = GraphCollector(source, title, place=lambda: self.line)
        self.classes: list[str] = []
        try:
            self.chemistry: Any = importlib.import_module("rdkit.Chem")
            self.logs: Any = importlib.import_module("rdkit.rdBase")
        except ImportError:
            raise source.error(
                "Molecules are read with RDKit, which is not installed.",
                "Install it with 'pip install rdkit', and start again.",
            ) from None

    def add(
        self,
        parser: Literal["MolFromSmiles", "MolFromMolBlock"],
        text: str,
        line: int,
        called: str,
        name: str,
        class_name: str,
    ) -> None:
        self.line, graphs = line, self.graphs
        with self.logs.BlockLogs():
            molecule = getattr(self.chemistry, parser)(text)
        if molecule is None:
            raise graphs.error(
                f"{called} is not a molecule that RDKit understands.", "Correct or remove it."
            )
        graphs.start_graph(name)
        self.classes.append(class_name)
        first = len(graphs.ids)
        for atom in molecule.GetAtoms():
            vertex = graphs.vertex(str(atom.GetIdx()))
            graphs.value(vertex, "element", atom.GetSymbol())
            graphs.value(vertex, "charge", atom.GetFormalCharge())
            graphs.value(vertex, "aromatic", atom.GetIsAromatic())
            graphs.value(vertex, "hydrogens", atom.GetTotalNumHs())
        bonds = list(molecule.GetBonds())
        n_before = graphs.n_edges
        graphs.numbered_edges(
            [first + bond.GetBeginAtomIdx() for bond in bonds],
            [first + bond.GetEndAtomIdx() for bond in bonds],
        )
        for edge, bond in enumerate(bonds, start=n_before):
            graphs.edge_value(edge, "bond", bond.GetBondType().name.lower())

    def tables(self) -> GraphTables:
        """Return all molecules; they have classes if each was given one."""
        tables = self.graphs.tables()
        if not all(self.classes):
            return tables
        return replace(tables, classes=column_of_cells(self.classes))


def _headings(source: Source) -> list[str]:
    rows = first_rows(source)
    return [cell.strip().lower() for cell in rows[0]] if rows else []


def _column(headings: list[str], names: tuple[str, ...]) -> int | None:
    return next((headings.index(name) for name in names if name in headings), None)


def _lines(source: Source) -> Iterator[tuple[int, str, str, str]]:
    """Yield the number of each line that is no comment, its SMILES, and what follows as a name."""
    for number, line in enumerate(source.text.split("\n"), start=1):
        smiles, name = (*line.split(None, 1), "", "")[:2]
        if smiles and not smiles.startswith("#"):
            yield number, smiles, name.strip(), ""


def _table(source: Source, headings: list[str]) -> Iterator[tuple[int, str, str, str]]:
    """Yield the number of each row, its SMILES, its name and its class; empty where missing."""
    rows = text_rows(source, comments_anywhere=False)
    next(rows)
    columns = [
        _column(headings, names) for names in (_SMILES_HEADINGS, _NAME_HEADINGS, _CLASS_HEADINGS)
    ]
    for line, cells in rows:
        smiles, name, class_name = (
            cells[column].strip() if column is not None and column < len(cells) else ""
            for column in columns
        )
        yield line, smiles, name, class_name


def _records(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line where each molecule of an SDF file starts, and its text."""
    line = start = 0
    ends = [end.span() for end in _END.finditer(text)]
    for stop, following in [*ends, (len(text), len(text))]:
        record = text[start:stop]
        if record.strip():
            yield line + 1, record
        line += text.count("\n", start, following)
        start = following


def _recognises_smiles(source: Source) -> bool:
    if source.extension in _SMILES_EXTENSIONS:
        return b"\0" not in source.head
    if _column(_headings(source), _SMILES_HEADINGS) is None:
        return False
    return not adjacency_matrix.FORMAT.recognises(source)  # a vertex may be called "smiles"


def _recognises_sdf(source: Source) -> bool:
    return re.search(rb"\n[^\n]* V[23]000\s*\n", source.head) is not None


SMILES = Format("SMILES", _SMILES_EXTENSIONS, _recognises_smiles, read_smiles)
SDF = Format("SDF", (".sdf", ".mol", ".sd"), _recognises_sdf, read_sdf)
