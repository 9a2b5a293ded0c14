"""Molecules as graphs: atoms are vertices and bonds are edges. RDKit reads them."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from mpgk_core.errors import shortened
from mpgk_core.formats.columns import column_of_cells
from mpgk_core.formats.graph_collector import GraphCollector
from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.source import Source

#: A column or property of this name, in any case, holds the classes of the molecules.
CLASS_NAMES = ("class", "activity")


class MoleculeCollector:
    """Takes molecules one by one.

    The columns are the "element" of an atom, its "charge", whether it is "aromatic" (0 or 1),
    and its number of "hydrogens", which are no vertices of their own.

    Parameters
    ----------
    source : Source
        The file.
    title : str
        Name of its format.
    """

    def __init__(self, source: Source, title: str) -> None:
        self.source, self.line = source, 1
        self.graphs = GraphCollector(source, title, place=lambda: self.line)
        self._classes: list[str] = []
        try:
            self._chemistry: Any = importlib.import_module("rdkit.Chem")
            self._logs: Any = importlib.import_module("rdkit.rdBase")
        except ImportError:
            raise source.error(
                "Molecules are read with RDKit, which is not installed.",
                "Install it with 'pip install rdkit', and start again.",
            ) from None

    def take_smiles(self, smiles: str, line: int, name: str = "", class_name: str = "") -> None:
        """Add a molecule from its SMILES."""
        self._take("MolFromSmiles", smiles, shortened(smiles), line, name, class_name)

    def take_mol_block(self, block: str, line: int, name: str = "", class_name: str = "") -> None:
        """Add a molecule from the lines of a MOL file."""
        called = f"The molecule {shortened(name)!r}" if name else "This molecule"
        self._take("MolFromMolBlock", block, called, line, name, class_name)

    def tables(self) -> GraphTables:
        """Return all molecules; they have classes if each was given one."""
        tables = self.graphs.tables()
        if not all(self._classes):
            return tables
        return replace(tables, classes=column_of_cells(self._classes))

    def _take(
        self, parser: str, text: str, called: str, line: int, name: str, class_name: str
    ) -> None:
        self.line = line
        with self._silent():
            molecule = getattr(self._chemistry, parser)(text)
        if molecule is None:
            raise self.graphs.error(
                f"{called} is not a molecule that RDKit understands.", "Correct or remove it."
            )
        self.graphs.start_graph(name)
        self._classes.append(class_name)
        vertices = [self._take_atom(atom) for atom in molecule.GetAtoms()]
        bonds = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in molecule.GetBonds()]
        self.graphs.numbered_edges(
            [vertices[first] for first, _ in bonds], [vertices[second] for _, second in bonds]
        )

    def _take_atom(self, atom: Any) -> int:
        vertex = self.graphs.vertex(str(atom.GetIdx()))
        self.graphs.value(vertex, "element", atom.GetSymbol())
        self.graphs.value(vertex, "charge", atom.GetFormalCharge())
        self.graphs.value(vertex, "aromatic", atom.GetIsAromatic())
        self.graphs.value(vertex, "hydrogens", atom.GetTotalNumHs())
        return vertex

    @contextmanager
    def _silent(self) -> Iterator[None]:
        with self._logs.BlockLogs():
            yield
