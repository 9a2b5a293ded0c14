"""Molecules as graphs: atoms are vertices and bonds are edges. RDKit parses SMILES and SDF."""

from __future__ import annotations

import importlib
import math
import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mpgk_core.arrays import IntArray
from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.formats import adjacency_matrix
from mpgk_core.formats.columns import column_of_cells
from mpgk_core.formats.format import Format, GraphTables, unused
from mpgk_core.formats.molecule_parts import NO_RING, parts_of
from mpgk_core.formats.source import Source
from mpgk_core.formats.text_rows import first_rows, text_rows
from mpgk_core.text import counted

_SMILES_EXTENSIONS = (".smi", ".smiles", ".ism", ".can")
_SMILES_HEADINGS = ("smiles", "smi", "canonical_smiles", "isomeric_smiles", "smile")
_NAME_HEADINGS = ("name", "id", "title", "mol_id", "compound")
_CLASS_HEADINGS = ("class", "activity")
_PROPERTY = re.compile(r">[^<\n]*<([^>\n]+)>[^\n]*\n([^\n]*)")
_END = re.compile(r"^\$\$\$\$[^\n]*\n?", re.MULTILINE)
_MAX_SMILES = 5_000
_MAX_RECORD = 500_000
_MAX_NAMED = 3
_GAPS = ("", "nan", "na", "n/a", "null", "none", "-")
_ATOM_COLUMNS = ("element", "charge", "aromatic", "hydrogens", "hybridisation", "rings")


def read_smiles(source: Source) -> GraphTables:
    """Read molecules in SMILES, each a graph.

    Either every line is a SMILES, which a blank and a name may follow; or the first line names
    the columns of a table, and one of these is called "smiles". Then a column "name" or "id"
    names the molecules, a column "class" or "activity" holds their classes, and every column of
    numbers is a target, with NaN where a cell is empty or no number.

    A line that RDKit cannot read is left out, with its number and the reason. Hydrogens are no
    vertices; :func:`~mpgk_core.formats.molecule_parts.with_hydrogens` adds them.

    The columns of the vertices are the "element" of an atom, its "charge", whether it is
    "aromatic" (0 or 1), its number of "hydrogens", its "hybridisation", and the sizes of its
    "rings" ("none", "6", "5+6"). The column "bond" of the edges is "single", "double", "triple",
    "aromatic" or a rarer type.

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
    for record in _table(source, headings) if in_table else _lines(source):
        reason = ""
        if not record.text:
            reason = "there is no SMILES"
        elif len(record.text) > _MAX_SMILES:
            reason = f"it has {len(record.text):,} characters, and at most {_MAX_SMILES:,} are read"
        molecules.add("MolFromSmiles", record, reason)
    return molecules.tables()


def read_sdf(source: Source) -> GraphTables:
    """Read molecules from a MOL file, or from SDF, which is many of these; each is a graph.

    The first line of a molecule is its name. A property "class" or "activity", if all molecules
    have it, holds their classes; properties that are numbers are targets; the positions of the
    atoms are left out. The columns of vertices and edges, and what becomes of molecules that
    cannot be read, are those of :func:`read_smiles`.

    Parameters
    ----------
    source : Source

    Returns
    -------
    GraphTables
    """
    molecules = _Molecules(source, "SDF")
    for line, text in _records(source.text):
        name = text.split("\n", 1)[0].strip()
        called = repr(shortened(name)) if name else "without a name"
        block, end, rest = text.partition("M  END")
        found = {key.strip(): value.strip() for key, value in _PROPERTY.findall(rest)}
        small = {key.lower(): value for key, value in found.items()}
        class_name = next((small[key] for key in _CLASS_HEADINGS if key in small), "")
        is_long = len(text) > _MAX_RECORD
        reason = f"it has more than {_MAX_RECORD:,} characters" if is_long else ""
        record = _Record(line, block + end, called, name, class_name, found)
        molecules.add("MolFromMolBlock", record, reason)
    return molecules.tables()


class _Record(NamedTuple):
    """One molecule of a file: its line, its text, what it is called, and its cells."""

    line: int
    text: str
    called: str
    name: str
    class_name: str
    cells: Mapping[str, str]


class _Target:
    """Numbers of the molecules, and what is wrong with the other cells."""

    def __init__(self, n_before: int) -> None:
        self.values = array("d", [np.nan]) * n_before
        self.n_numbers = self.n_text = 0
        self.first_text = (0, "")

    def add(self, line: int, cell: str) -> None:
        """Add the cell of a molecule."""
        value = _number(cell)
        self.values.append(value)
        if math.isfinite(value):
            self.n_numbers += 1
        elif cell.lower() not in _GAPS:
            self.n_text += 1
            self.first_text = self.first_text if self.n_text > 1 else (line, cell)

    @property
    def is_numeric(self) -> bool:
        """Whether the column has numbers, and at least as many as other texts."""
        return self.n_numbers >= max(self.n_text, 1)

    def notes(self, key: str) -> list[str]:
        """Say how many molecules have no number, if there are any."""
        n_empty = len(self.values) - self.n_numbers - self.n_text
        parts = [f"empty for {n_empty:,}"] if n_empty else []
        if self.n_text:
            line, cell = self.first_text
            parts.append(f"no number for {self.n_text:,} (line {line}: {shortened(cell, 20)!r})")
        if not parts:
            return []
        n = counted(len(self.values), "molecule")
        return [f"Target {shortened(key, 30)!r} is {' and '.join(parts)} of {n}."]


def _number(cell: str) -> float:
    """Return a cell as a finite number, else NaN."""
    try:
        value = float(cell) if cell and "_" not in cell else np.nan
    except ValueError:
        return np.nan
    return value if math.isfinite(value) else np.nan


class _Molecules:
    """Collects molecules one by one, their atoms and bonds as numbers."""

    def __init__(self, source: Source, title: str) -> None:
        self.source, self.title = source, title
        try:
            self.chemistry: Any = importlib.import_module("rdkit.Chem")
            self.logs: Any = importlib.import_module("rdkit.rdBase")
        except ImportError:
            raise source.error(
                "Molecules are read with RDKit, which is not installed.",
                "Install it with 'pip install rdkit', and start again.",
            ) from None
        self.sizes = array("q")
        self.atoms = {key: array("q") for key in _ATOM_COLUMNS}
        self.rings: dict[tuple[int, ...], int] = {(): 0}
        self.ends, self.bonds = array("q"), array("q")
        self.names: list[str] = []
        self.classes: list[str] = []
        self.targets: dict[str, _Target] = {}
        self.left_out: list[tuple[int, str]] = []

    def add(
        self, parser: Literal["MolFromSmiles", "MolFromMolBlock"], record: _Record, reason: str
    ) -> None:
        """Add a molecule, or note why it is left out: the reason given, or what RDKit finds."""
        molecule = None
        if not reason:
            with self.logs.BlockLogs():
                molecule = getattr(self.chemistry, parser)(record.text)
                if molecule is None:
                    reason = self._reason(parser, record.text)
        if molecule is None:
            called = f"{record.called}: " if record.called else ""
            self.left_out.append((record.line, f"{called}{reason}"))
            return
        self.source.check("graphs", len(self.sizes) + 1, record.line)
        self.source.check("text_length", len(record.name), record.line)
        self._add_atoms(molecule, record.line)
        self.names.append(record.name)
        self.classes.append(record.class_name)
        for key in record.cells:
            if key not in self.targets:
                self.source.check("columns", len(self.targets) + 1, record.line)
                self.source.check("text_length", len(key), record.line)
                self.targets[key] = _Target(len(self.sizes) - 1)
        for key, target in self.targets.items():
            target.add(record.line, record.cells.get(key, "").strip())

    def _add_atoms(self, molecule: Any, line: int) -> None:
        columns = self.atoms
        first = len(columns["element"])
        atoms = molecule.GetAtoms()
        columns["element"].extend([atom.GetAtomicNum() for atom in atoms])
        columns["charge"].extend([atom.GetFormalCharge() for atom in atoms])
        columns["aromatic"].extend([atom.GetIsAromatic() for atom in atoms])
        columns["hydrogens"].extend([atom.GetTotalNumHs(True) for atom in atoms])
        columns["hybridisation"].extend([atom.GetHybridization() for atom in atoms])
        n = len(columns["element"]) - first
        columns["rings"].extend(self._rings_of(molecule, n))
        self.sizes.append(n)
        ends, bonds = self.ends, self.bonds
        for bond in molecule.GetBonds():
            ends.append(first + bond.GetBeginAtomIdx())
            ends.append(first + bond.GetEndAtomIdx())
            bonds.append(bond.GetBondType())
        self.source.check("vertices", first + n, line)
        self.source.check("edges", len(bonds), line)

    def _rings_of(self, molecule: Any, n: int) -> list[int]:
        """Return a number for the sizes of the rings of every atom."""
        found: list[tuple[int, ...]] = [()] * n
        for ring in molecule.GetRingInfo().AtomRings():
            for atom in ring:
                found[atom] = (*found[atom], len(ring))
        return [self.rings.setdefault(tuple(sorted(sizes)), len(self.rings)) for sizes in found]

    def _reason(self, parser: str, text: str) -> str:
        """Return why RDKit does not accept a text."""
        molecule = getattr(self.chemistry, parser)(text, sanitize=False)
        if molecule is None:
            return "this is not valid SMILES" if parser == "MolFromSmiles" else "not a MOL block"
        problems = self.chemistry.DetectChemistryProblems(molecule)
        return str(problems[0].Message()).strip() if problems else "RDKit refuses it"

    def tables(self) -> GraphTables:
        """Return all molecules; they have classes if each was given one."""
        if not self.sizes:
            raise self._nothing()
        n = len(self.atoms["element"])
        edges = np.frombuffer(self.ends, dtype=np.int64).reshape(-1, 2).copy()
        offsets = np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)
        targets = {key: one for key, one in self.targets.items() if one.is_numeric}
        others = [shortened(key, 30) for key in self.targets if key not in targets]
        notes = [*self._left_out_notes(), *_fragment_notes(edges, offsets)]
        notes += [note for key, one in targets.items() for note in one.notes(key)]
        notes += unused("Column", others)
        return GraphTables(
            self.source.name,
            self.title,
            offsets,
            edges,
            columns=self._columns() if n else {},
            classes=column_of_cells(self.classes) if all(self.classes) else None,
            graph_names=self.names if any(self.names) else None,
            notes=tuple(notes),
            edge_columns={"bond": self._bond_names()} if len(edges) else {},
            targets={key: np.array(one.values) for key, one in targets.items()},
            left_out=tuple(self.left_out),
        )

    def _columns(self) -> dict[str, NDArray[Any]]:
        table = self.chemistry.GetPeriodicTable()
        numbers = {key: np.frombuffer(values, np.int64) for key, values in self.atoms.items()}
        kinds = self.chemistry.HybridizationType.values
        is_hydrogen = numbers["element"] == 1
        hybridisations = _words_of(
            numbers["hybridisation"], lambda kind: str(kinds[kind].name).lower()
        )
        hybridisations[is_hydrogen] = "s"
        rings = ["+".join(map(str, sizes)) or NO_RING for sizes in self.rings]
        return {
            "element": _words_of(
                numbers["element"], lambda number: table.GetElementSymbol(number) if number else "*"
            ),
            "charge": numbers["charge"].copy(),
            "aromatic": numbers["aromatic"].copy(),
            "hydrogens": numbers["hydrogens"].copy(),
            "hybridisation": hybridisations,
            "rings": np.array(rings, dtype=object)[numbers["rings"]],
        }

    def _bond_names(self) -> NDArray[Any]:
        kinds = self.chemistry.BondType.values
        return _words_of(
            np.frombuffer(self.bonds, np.int64), lambda kind: str(kinds[kind].name).lower()
        )

    def _left_out_notes(self) -> list[str]:
        if not self.left_out:
            return []
        n, n_all = len(self.left_out), len(self.left_out) + len(self.sizes)
        are = "is" if n == 1 else "are"
        first = "; ".join(f"line {line}: {reason}" for line, reason in self.left_out[:_MAX_NAMED])
        more = f"; and {n - _MAX_NAMED:,} more" if n > _MAX_NAMED else ""
        return [f"{n:,} of {counted(n_all, 'molecule')} {are} left out ({first}{more})."]

    def _nothing(self) -> UnreadableFileError:
        """Return the error of a file without any molecule that could be read."""
        if not self.left_out:
            return self.source.error(
                "There is no graph in it.", "Give a file that holds at least one."
            )
        line, reason = self.left_out[0]
        more = len(self.left_out) - 1
        others = f" {counted(more, 'other molecule')} cannot be read either." if more else ""
        return self.source.error(
            f"This molecule cannot be read ({reason}).{others}", "Correct it.", line
        )


def _words_of(numbers: IntArray, word: Callable[[int], str]) -> NDArray[Any]:
    """Return a word for every number; equal words are one object."""
    kinds, codes = np.unique(numbers, return_inverse=True)
    found: NDArray[Any] = np.array([word(kind) for kind in kinds.tolist()], dtype=object)[codes]
    return found


def _fragment_notes(edges: IntArray, offsets: IntArray) -> list[str]:
    n_parts = np.bincount(parts_of(edges, offsets)[1], minlength=len(offsets) - 1)
    n = int((n_parts > 1).sum())
    if not n:
        return []
    are = "consists" if n == 1 else "consist"
    return [f"{counted(n, 'molecule')} {are} of several fragments, as salts do; each is one graph."]


def _headings(source: Source) -> list[str]:
    rows = first_rows(source)
    return [cell.strip() for cell in rows[0]] if rows else []


def _column(headings: Sequence[str], names: tuple[str, ...]) -> int | None:
    small = [heading.lower() for heading in headings]
    return next((small.index(name) for name in names if name in small), None)


def _lines(source: Source) -> Iterator[_Record]:
    """Yield every line that is no comment: its SMILES, and what follows as a name."""
    for number, line in enumerate(source.text.split("\n"), start=1):
        smiles, name = (*line.split(None, 1), "", "")[:2]
        if smiles and not smiles.startswith("#"):
            yield _Record(number, smiles, shortened(smiles), name.strip(), "", {})


def _table(source: Source, headings: list[str]) -> Iterator[_Record]:
    """Yield every row: its SMILES, name and class, empty where missing, and its other cells."""
    rows = text_rows(source, comments_anywhere=False)
    next(rows)
    columns = [
        _column(headings, names) for names in (_SMILES_HEADINGS, _NAME_HEADINGS, _CLASS_HEADINGS)
    ]
    others = [
        (heading, place)
        for place, heading in enumerate(headings)
        if place not in columns[:2] and heading and headings.index(heading) == place
    ]
    for line, cells in rows:
        smiles, name, class_name = (
            cells[column].strip() if column is not None and column < len(cells) else ""
            for column in columns
        )
        known = {heading: cells[place] for heading, place in others if place < len(cells)}
        yield _Record(line, smiles, shortened(smiles), name, class_name, known)


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
