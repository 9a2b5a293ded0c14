"""Molecules in SMILES, MOL and SDF; RDKit is both the reader's tool and the oracle."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.errors import InvalidGraphError
from mpgk_core.formats import GraphTables
from mpgk_core.formats.molecule_parts import largest_fragments, with_hydrogens
from mpgk_core.formats.molecules import SDF, SMILES
from mpgk_core.formats.source import Source
from tests.formats.hostile import survives
from tests.formats.markup_checks import names_of, read, refusal

EXAMPLES = ["CCO", "c1ccccc1", "[NH4+].[Cl-]", "C#N", "CC(=O)[O-]", "[H][H]", "F/C=C/F", "C1CC1Br"]


def test_without_rdkit_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "rdkit.Chem", None)
    assert "pip install rdkit" in refusal(SMILES, "CCO")
    assert "pip install rdkit" in refusal(SDF, "\n\n\n  0  0 V2000\nM  END\n")


def test_tables_are_taken_for_molecules_only_with_a_column_of_that_name():
    assert SMILES.recognises(Source("a.csv", b"id,SMILES\n1,CCO\n"))
    assert not SMILES.recognises(Source("a.csv", b"source,target\n1,2\n"))
    assert not SMILES.recognises(Source("a.smi", b"\x00\x01\x02"))
    assert not SDF.recognises(Source("a.sdf", b"hello"))


def rings_of(molecule):
    """Return the rings that every atom is in."""
    rings = molecule.GetRingInfo().AtomRings()
    return [[ring for ring in rings if atom in ring] for atom in range(molecule.GetNumAtoms())]


@given(st.lists(st.sampled_from(EXAMPLES), min_size=1, max_size=5))
def test_atoms_and_bonds_are_what_rdkit_says(molecules):
    chemistry = pytest.importorskip("rdkit.Chem")
    tables = read(SMILES, "\n".join(f"{text} no. {i}" for i, text in enumerate(molecules)))
    assert tables.graph_names == [f"no. {i}" for i in range(len(molecules))]
    parsed = [chemistry.MolFromSmiles(text) for text in molecules]
    assert len(tables) == len(parsed)
    atoms = [atom for molecule in parsed for atom in molecule.GetAtoms()]
    assert tables.columns["element"].tolist() == [atom.GetSymbol() for atom in atoms]
    assert tables.columns["charge"].tolist() == [atom.GetFormalCharge() for atom in atoms]
    assert tables.columns["aromatic"].tolist() == [atom.GetIsAromatic() for atom in atoms]
    assert tables.columns["hydrogens"].tolist() == [atom.GetTotalNumHs(True) for atom in atoms]
    rings = [sorted(map(len, own)) for molecule in parsed for own in rings_of(molecule)]
    assert tables.columns["rings"].tolist() == ["+".join(map(str, own)) or "none" for own in rings]
    n_bonds = sum(molecule.GetNumBonds() for molecule in parsed)
    assert tables.graph_set().n_edges == n_bonds


def test_a_table_may_name_molecules_and_their_classes():
    pytest.importorskip("rdkit")
    content = 'id;smiles;Activity\nethanol;CCO;1\n"cy; anide";C#N;0\n'
    tables = read(SMILES, content, "a.csv")
    assert tables.graph_names == ["ethanol", "cy; anide"]
    assert tables.classes.tolist() == [1, 0]
    assert tables.columns["element"].tolist() == ["C", "C", "O", "C", "N"]
    headed = read(SMILES, "smiles\tname\nCCO\tethanol\nC#N\tcyanide\n")
    assert headed.graph_names == ["ethanol", "cyanide"]
    assert headed.classes is None


def test_a_file_without_molecules_is_refused_with_the_first_reason(capfd):
    pytest.importorskip("rdkit")
    assert "line 1: This molecule cannot be read (C(C: this is not" in refusal(SMILES, "C(C\n")
    assert "1 other molecule cannot" in refusal(SMILES, "smiles,id\n,1\n,2\n")
    assert "at most 5,000 are read" in refusal(SMILES, "C" * 5001)
    assert "There is no graph" in refusal(SMILES, "# nothing\n")
    assert capfd.readouterr().err == ""


def test_bad_lines_are_left_out_and_the_rest_goes_on(capfd):
    pytest.importorskip("rdkit")
    content = "CCO good\nC(C open\n\nc1cc ring\nC(C)(C)(C)(C)C five\nC#N\n"
    tables = read(SMILES, content)
    assert tables.graph_names == ["good", ""]
    assert [line for line, _ in tables.left_out] == [2, 4, 5]
    reasons = [reason for _, reason in tables.left_out]
    assert reasons[0] == "C(C: this is not valid SMILES"
    assert reasons[2].endswith("Explicit valence for atom # 0 C, 5, is greater than permitted")
    assert tables.notes[0].startswith("3 of 5 molecules are left out (line 2: C(C: this is not")
    many = read(SMILES, "CCO\n" + "C(C\n" * 9).notes[0]
    assert many.endswith("line 4: C(C: this is not valid SMILES; and 6 more).")
    assert capfd.readouterr().err == ""


def test_columns_of_numbers_are_targets_and_say_what_is_missing():
    pytest.importorskip("rdkit")
    content = (
        "id,smiles,mu,note,gap,empty\n"
        "a,CCO,1.5,soluble,1,\n"
        "b,C(C,9,bad,9,\n"
        "c,C#N,n/a,,2,\n"
        'd,CC,"about 3",1e3,-4e-1,\n'
        "e,C,inf,x,0\n"
        "f,N,2,y,1_0\n"
    )
    tables = read(SMILES, content, "a.csv")
    assert list(tables.targets) == ["mu", "gap"]
    assert tables.targets["gap"].tolist()[:4] == [1, 2, -0.4, 0]
    missing = [value != value for value in tables.targets["mu"].tolist()]
    assert missing == [False, True, True, True, False]
    assert "Target 'mu' is empty for 1 and no number for 2 (line 5: 'about 3') of 5 molecules." in (
        tables.notes
    )
    assert "Target 'gap' is no number for 1 (line 7: '1_0') of 5 molecules." in tables.notes
    assert "Columns not used: note, empty." in tables.notes


def test_salts_are_one_graph_each_and_their_largest_part_can_be_kept():
    pytest.importorskip("rdkit")
    tables = read(SMILES, "CC(=O)[O-].[Na+]\nCCO\n[Na+].[Cl-]\n")
    assert "2 molecules consist of several fragments, as salts do; each is one graph." in (
        tables.notes
    )
    kept = largest_fragments(tables)
    assert kept.columns["element"].tolist() == ["C", "C", "O", "O", "C", "C", "O", "Na"]
    assert np.diff(kept.offsets).tolist() == [4, 3, 1]
    assert kept.graph_set().n_edges == 5


@given(st.lists(st.sampled_from([*EXAMPLES, "[2H]C", "CC(=O)[O-].[Na+]", "C[Si]"]), min_size=1))
def test_hydrogens_become_vertices_as_rdkit_adds_them(molecules):
    chemistry = pytest.importorskip("rdkit.Chem")
    tables = with_hydrogens(read(SMILES, "\n".join(molecules)))
    parsed = [chemistry.AddHs(chemistry.MolFromSmiles(text)) for text in molecules]
    elements = [atom.GetSymbol() for molecule in parsed for atom in molecule.GetAtoms()]
    assert tables.columns["element"].tolist() == elements
    graphs = tables.graph_set()
    for graph, molecule in zip(graphs, parsed, strict=True):
        assert graph.adjacency.toarray().tolist() == chemistry.GetAdjacencyMatrix(molecule).tolist()
    again = with_hydrogens(tables)
    assert again.columns["element"].tolist() == elements
    assert again.edges.tolist() == tables.edges.tolist()


def test_hydrogens_need_their_numbers():
    plain = GraphTables("a.txt", "", np.array([0, 1]), np.zeros((0, 2), dtype=np.int64))
    with pytest.raises(InvalidGraphError, match="Give molecules as SMILES or SDF"):
        with_hydrogens(plain)


def sdf_of(molecules: list[str]) -> str:
    chemistry = pytest.importorskip("rdkit.Chem")
    records = []
    for i, text in enumerate(molecules):
        molecule = chemistry.MolFromSmiles(text)
        molecule.SetProp("_Name", f"no. {i}")
        block = chemistry.MolToMolBlock(molecule)
        records.append(f"{block}>  <weight>\n12\n\n>  <Activity>  (1)\n{i % 2}\n\n$$$$\n")
    return "".join(records)


def test_sdf_and_smiles_of_the_same_molecules_are_the_same():
    from_sdf = read(SDF, sdf_of(EXAMPLES).replace("\n", "\r\n"))
    from_smiles = read(SMILES, "\n".join(EXAMPLES))
    assert from_sdf.offsets.tolist() == from_smiles.offsets.tolist()
    for key, column in from_smiles.columns.items():
        assert from_sdf.columns[key].tolist() == column.tolist()
    assert from_sdf.graph_set().n_edges == from_smiles.graph_set().n_edges
    assert from_sdf.classes.tolist() == [i % 2 for i in range(len(EXAMPLES))]
    assert from_sdf.graph_names == [f"no. {i}" for i in range(len(EXAMPLES))]


def test_one_mol_file_is_one_graph():
    block = sdf_of(["CCO"]).split("M  END")[0] + "M  END\n"
    tables = read(SDF, block, "a.mol")
    assert names_of(tables) == [0, 1, 2]


def test_bad_molecules_name_the_line_where_they_start(capfd):
    good = sdf_of(["CCO"])
    line = good.count("\n") + 1
    tables = read(SDF, f"{good}bad\n\n\nx\n")
    assert len(tables) == 1
    assert tables.left_out[0][0] == line
    assert tables.left_out[0][1].startswith("'bad': ")
    assert "characters" in read(SDF, good + "x" * 600_000).notes[0]
    assert capfd.readouterr().err == ""


def test_properties_that_are_numbers_are_targets():
    tables = read(SDF, sdf_of(["CCO", "C#N"]))
    assert {key: column.tolist() for key, column in tables.targets.items()} == {
        "weight": [12.0, 12.0],
        "Activity": [0.0, 1.0],
    }


def test_cut_files_are_refused_or_read():
    content = sdf_of(["CCO", "c1ccccc1"]).encode()
    for stop in range(0, len(content), 5):
        survives("a.sdf", content[:stop])
    for stop in range(30):
        survives("a.smi", b"CC(=O)O acid\nc1ccccc1[NH3+] x"[:stop])
