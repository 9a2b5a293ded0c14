"""Source of a regression: molecules with targets, and what a vertex is labelled by."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st

from mpgk_core import GraphSet, MPGKError
from mpgk_core.datasets import Sample, samples
from mpgk_core.datasets.local import data_folder
from mpgk_core.errors import shortened
from mpgk_core.evaluation.regression import PUBLISHED_TABLE2, TargetColumn, target_columns
from mpgk_core.export import GivenSet
from mpgk_core.formats import GraphTables, bounds, guess_roles
from mpgk_core.formats.molecule_parts import largest_fragments, with_hydrogens
from ui.shared.widgets import NOT_USABLE, ProblemsShown, from_list, some_of, switch
from ui.sources.uploads import ReadFile, read_once, sample_file, source_choice, upload_box, usable
from ui.state.cache import cached
from ui.state.choices import Keyed

_SOURCES = {"here": "Built-in", "file": "Upload", "server": "On this server", "loaded": "Loaded"}
ATOM_FACTS = {
    "element": "element",
    "aromatic": "aromatic or not",
    "hydrogens": "number of hydrogens",
    "charge": "charge",
    "hybridisation": "hybridisation",
    "rings": "sizes of its rings",
}
"""What is known of atoms, in words."""

_USUAL_FACTS = ("element", "aromatic", "hydrogens")
_TABLES = (".csv", ".tsv", ".sdf")
_ASK = (
    "Upload a table (.csv) with a column of SMILES and columns of numbers, an SDF file with "
    "properties that are numbers, or a TU data set with graph attributes."
)


@dataclass(frozen=True, eq=False)
class ChosenMolecules(Keyed):
    """Graphs with a number for each, and how they came about.

    Attributes
    ----------
    name : str
        Of the file.
    graphs : GraphSet
        Those that have a number.
    target : TargetColumn
    names : tuple of str
        One for every graph.
    meaning : str
        What the target is, where its name does not say it.
    about : str
        A citation.
    notes : tuple of str
        What was left out.
    """

    name: str
    graphs: GraphSet
    target: TargetColumn
    names: tuple[str, ...]
    meaning: str = ""
    about: str = ""
    notes: tuple[str, ...] = ()

    @property
    def data(self) -> GivenSet:
        """How a session holds the same set: numbers take the place of classes."""
        return GivenSet(self.name, self.graphs, tuple(self.target.values.tolist()))


@dataclass(frozen=True)
class AtomChoice:
    """What a vertex and an edge of a molecule are.

    Attributes
    ----------
    facts : tuple of str
        Keys of ``ATOM_FACTS`` that make the label of a vertex.
    has_hydrogens : bool
        Whether hydrogens are vertices.
    is_one_part : bool
        Whether only the largest connected part of a molecule is taken.
    """

    facts: tuple[str, ...] = _USUAL_FACTS
    has_hydrogens: bool = False
    is_one_part: bool = False


def molecule_source() -> ChosenMolecules | None:
    """Let the user choose molecules, a target, and the labels of atoms; None until there are."""
    with st.sidebar:
        st.subheader("Data")
        label = "Source of the molecules"
        source, given = source_choice("set-source", label, _SOURCES, GivenSet)
        if given is not None:
            st.text(shortened(given.name))
            st.caption("The set of the session file that was loaded.")
            with ProblemsShown(NOT_USABLE):
                return _loaded(given)
            return None
        name = about = ""
        if source == "here":
            sample = _built_in()
            read: ReadFile | None = sample_file(sample)
            name, about = sample.title, sample.source
        elif source == "server":
            read = _of_server()
        else:
            read = upload_box("upload-molecules")
    if source == "server" and read is None:
        return None
    read = usable(read, _ASK)
    if read is None or read.tables is None:
        return None
    with ProblemsShown(NOT_USABLE):
        return _chosen(read, read.tables, name or read.title, about)
    return None


@cached()
def _built_in() -> Sample:
    """Return the first sample that is a table of molecules with targets."""
    return next(one for one in samples() if one.path.suffix == ".csv" and "smiles" in _head(one))


def _head(sample: Sample) -> list[str]:
    with sample.path.open(encoding="utf-8") as file:
        return file.readline().strip().lower().split(",")


def _of_server() -> ReadFile | None:
    """Let the user choose a file of the folder MPGK_DATA; other paths are not read."""
    folder = data_folder()
    found = _files(folder) if folder is not None else {}
    if not found:
        where = "" if folder is None else " It holds no table of molecules now."
        st.info(
            "Files of the folder MPGK_DATA are offered here, such as qm9.csv.gz. Set it where the "
            f"server is started.{where}"
        )
        return None
    names = {name: name for name in found}
    path = found[from_list("server-file", "File", names)]
    state = path.stat()
    return read_once(
        f"file {path} {state.st_mtime_ns} {state.st_size}", lambda: [(path.name, path.read_bytes())]
    )


def _files(folder: Path) -> dict[str, Path]:
    if not folder.is_dir():
        return {}
    return {
        path.name: path
        for path in sorted(folder.iterdir())
        if path.is_file()
        and path.name.lower().removesuffix(".gz").endswith(_TABLES)
        and path.stat().st_size <= bounds().file_bytes
    }


def _chosen(read: ReadFile, tables: GraphTables, name: str, about: str) -> ChosenMolecules:
    """Let the user choose target and labels; return the molecules that have a number."""
    if not tables.targets:
        raise MPGKError(
            f"{shortened(read.title)}: No column holds numbers of whole graphs, so there is "
            f"nothing to predict. {_ASK}"
        )
    with st.sidebar:
        st.subheader("Target")
        known = PUBLISHED_TABLE2.words if _is_qm9(tables) else {}
        words = {key: f"{key}: {known[key]}" if key in known else key for key in tables.targets}
        usual = next((key for key in words if key in known), None)
        target = from_list("regress-target", "Target", words, usual)
        atoms = _atom_controls(tables)
    return _set(read, target, atoms, name, about)


def _is_qm9(tables: GraphTables) -> bool:
    """Return whether the columns are those of QM9, so that their names have its meaning."""
    known = PUBLISHED_TABLE2.errors
    return 2 * sum(key in tables.targets for key in known) >= len(known)


def _atom_controls(tables: GraphTables) -> AtomChoice:
    known = {key: words for key, words in ATOM_FACTS.items() if key in tables.columns}
    if not known:
        return AtomChoice(())
    st.subheader("Molecules")
    usual = [key for key in _USUAL_FACTS if key in known]
    facts = some_of("atom-facts", "Label of an atom", known, usual)
    has_hydrogens = "hydrogens" in known and switch("explicit", "Hydrogens as vertices")
    has_parts = any("fragments" in note for note in tables.notes)
    is_one_part = has_parts and switch("one-part", "Largest fragment only")
    return AtomChoice(tuple(key for key in known if key in facts), has_hydrogens, is_one_part)


@cached(spinner="Building the graphs …")
def _set(read: ReadFile, target: str, atoms: AtomChoice, title: str, about: str) -> ChosenMolecules:
    assert read.tables is not None
    tables = read.tables
    if atoms.is_one_part:
        tables = largest_fragments(tables)
    if atoms.has_hydrogens:
        tables = with_hydrogens(tables)
    roles = guess_roles(tables.columns)
    if set(tables.columns) & set(ATOM_FACTS):
        roles = {
            key: "label" if key in atoms.facts else "ignore"
            for key in [*atoms.facts, *tables.columns]
        }
    graphs = tables.graph_set(roles)
    name, unit = _name_and_unit(target)
    meaning = ""
    if _is_qm9(tables):
        unit = PUBLISHED_TABLE2.units.get(target, unit)
        meaning = PUBLISHED_TABLE2.words.get(target, "")
    known = tables.graph_names or ()
    found = target_columns({name: tables.targets[target].tolist()}, {name: unit}, known)
    numbers = found.kept
    given = tables.graph_names or [""] * len(tables)
    names = tuple(str(given[i]) or f"molecule {i + 1}" for i in numbers.tolist())
    whole = len(numbers) == len(tables)
    notes = (*tables.notes, *([found.summary] if found.summary else []))
    return ChosenMolecules(
        title, graphs if whole else graphs[numbers], found.columns[0], names, meaning, about, notes
    )


def _name_and_unit(column: str) -> tuple[str, str]:
    """Return the name of a target, and its unit where it stands in brackets behind the name."""
    name, bracket, rest = column.partition("[")
    if bracket and name.strip() and rest.rstrip().endswith("]"):
        return name.strip(), rest.rstrip().removesuffix("]").strip()
    return column, ""


def _loaded(given: GivenSet) -> ChosenMolecules:
    """Return the set of a session, where the numbers took the place of classes."""
    numbers = np.array([_number(value, given.name) for value in given.classes or ()])
    names = tuple(f"molecule {i + 1}" for i in range(len(given.graphs)))
    target = st.session_state.get("regress-target") or "target"
    return ChosenMolecules(given.name, given.graphs, TargetColumn(str(target), numbers), names)


def _number(value: object, name: str) -> float:
    if isinstance(value, (int, float)):
        return float(value)
    raise MPGKError(
        f"{shortened(name)}: The classes of this set are no numbers, so there is nothing to "
        "predict by regression. Open it on the page Graph classification."
    )
