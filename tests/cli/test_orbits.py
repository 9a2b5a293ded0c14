"""``orbits`` tells the classes of the library, graph by graph."""

import numpy as np

from mpgk_core import colour_refinement, orbits
from mpgk_core.datasets import sample_folder
from mpgk_core.formats import read_graphs
from tests.cli.running import run, succeed


def test_orbits_and_colours_are_those_of_the_library():
    graph = read_graphs("c.cyjs", (sample_folder() / "caffeine.cyjs").read_bytes())
    for options, respect in (((), False), (("--respect-labels",), True)):
        found = succeed("orbits", "caffeine", *options, "--format", "json").json
        of_vertex = orbits(graph, respect_labels=respect).of_vertex
        colours = colour_refinement(graph, respect_labels=respect)
        assert found["orbit"] == (of_vertex + 1).tolist()
        assert found["colour"] == (colours + 1).tolist()
        assert found["names"] == graph.names
        assert all(found["proven"])


def test_orbits_are_counted_in_every_graph_and_colours_over_all():
    rows = succeed("orbits", "-", "petersen", "--join", stdin=b"a b\nb c\n").rows[1:]
    assert [row[:3] for row in rows[:4]] == [
        ["a", "stdin", "1"],
        ["b", "stdin", "2"],
        ["c", "stdin", "1"],
        ["0", "petersen", "1"],
    ]
    assert len({row[3] for row in rows}) == 3


def test_a_search_that_was_given_up_is_not_proven():
    options = ("orbits", "shrikhande_and_rook", "--budget", 0)
    assert {row[-1] for row in succeed(*options).rows[1:]} == {"no"}
    assert not np.any(succeed(*options, "--format", "npz").npz["proven"])


def test_labels_that_do_not_count_are_mentioned():
    assert "--respect-labels" in run("orbits", "caffeine", terminal=True).err
    assert "--respect-labels" not in run("orbits", "petersen", terminal=True).err
