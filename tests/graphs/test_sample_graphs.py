"""The files in sample_graphs can be read and show what their README says."""

from pathlib import Path

import networkx as nx

from mpgk_core import orbits

FOLDER = Path(__file__).parents[2] / "sample_graphs"


def test_the_barbell_has_thirty_vertices_and_seven_roles():
    barbell = nx.read_graphml(FOLDER / "barbell_10_10.graphml")
    assert len(barbell) == 30
    assert orbits(barbell).n_orbits == 7


def test_every_sample_is_described():
    described = (FOLDER / "README.md").read_text()
    for path in FOLDER.iterdir():
        assert path.name == "README.md" or f"`{path.name}`" in described
