"""Molecules in SMILES, MOL and SDF; RDKit is both the reader's tool and the oracle."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    assert tables.columns["hydrogens"].tolist() == [atom.GetTotalNumHs() for atom in atoms]
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


def test_bad_lines_are_named(capfd):
    pytest.importorskip("rdkit")
    assert "line 3: C(C is not a molecule" in refusal(SMILES, "CCO\n\nC(C\n")
    assert "line 2: c1cc is not a molecule" in refusal(SMILES, "# list\nc1cc ring\n")
    assert "line 3: There is no SMILES" in refusal(SMILES, "smiles,id\nCCO,1\n,2\n")
    assert "at most 5,000 are read" in refusal(SMILES, "C" * 5001)
    assert "There is no graph" in refusal(SMILES, "# nothing\n")
    assert capfd.readouterr().err == ""


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
    assert f"line {line}: The molecule 'bad' is not" in refusal(SDF, f"{good}bad\n\n\nx\n")
    assert "characters" in refusal(SDF, good + "x" * 600_000)
    assert capfd.readouterr().err == ""


def test_cut_files_are_refused_or_read():
    content = sdf_of(["CCO", "c1ccccc1"]).encode()
    for stop in range(0, len(content), 5):
        survives("a.sdf", content[:stop])
    for stop in range(30):
        survives("a.smi", b"CC(=O)O acid\nc1ccccc1[NH3+] x"[:stop])
