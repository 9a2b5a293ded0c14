"""The samples can be read, show what they promise, and are what their script makes."""

import json
from importlib.util import find_spec

import numpy as np
import pytest

from mpgk_core import colour_refinement, orbits
from mpgk_core.datasets import Sample, sample_folder, samples
from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats import read_tables
from scripts.make_sample_graphs import MAKERS, readme

#: vertices, edges and roles of the samples with one graph; labels count where there are any.
SINGLE = {
    "barbell_10_10.graphml": (30, 101, 7),
    "houses_on_a_ring.json": (32, 40, 5),
    "binary_tree.edges": (31, 30, 5),
    "petersen.mtx": (10, 15, 1),
    "caffeine.cyjs": (14, 15, 14),
    "karate_club.gml": (34, 78, 27),
    "florentine_families.gexf": (15, 20, 15),
    "krackhardt_kite.dot": (10, 18, 7),
    "southern_women.zip": (32, 89, 30),
    "les_miserables.net": (77, 254, 52),
    "pond_food_web.csv": (10, 18, 7),
}
#: graphs, vertices, edges and classes of the others.
MANY = {
    "decalin_and_bicyclopentyl.g6": (2, 20, 22, None),
    "shrikhande_and_rook.g6": (2, 32, 96, None),
    "circular_skip_links.zip": (50, 2050, 4100, 10),
    "MUTAG.zip": (188, 3371, 3721, 2),
    "qm9_sample.csv": (2000, 17621, 18819, None),
}

FROM_PACKAGES = {"MUTAG.zip": "grakel", "qm9_sample.csv": "qm9pack"}


def tables_of(file):
    return read_tables(file, (sample_folder() / file).read_bytes())


def test_the_list_is_complete():
    assert {sample.path.name for sample in samples()} == SINGLE.keys() | MANY.keys()
    assert SINGLE.keys() | MANY.keys() == MAKERS.keys()


@pytest.mark.parametrize("file", SINGLE)
def test_a_sample_has_the_promised_roles(file):
    graph = tables_of(file).graph_set()
    found = orbits(graph, respect_labels=True)
    assert (graph.n_vertices, graph.n_edges, found.n_orbits) == SINGLE[file]


@pytest.mark.parametrize("file", MANY)
def test_a_sample_has_the_promised_graphs(file):
    tables = tables_of(file)
    graphs = tables.graph_set()
    classes = None if tables.classes is None else len(set(tables.classes.tolist()))
    assert (len(graphs), graphs.n_vertices, graphs.n_edges, classes) == MANY[file]


@pytest.mark.parametrize("file", [file for file in MANY if file not in FROM_PACKAGES])
def test_no_round_of_colours_tells_these_graphs_apart(file):
    graphs = tables_of(file).graph_set()
    colours = colour_refinement(graphs)
    histograms = {
        tuple(sorted(colours[start:stop].tolist()))
        for start, stop in zip(graphs.offsets[:-1], graphs.offsets[1:], strict=True)
    }
    assert len(histograms) == 1


def test_labels_and_attributes_are_found():
    caffeine = tables_of("caffeine.cyjs").graph_set()
    rounds = [len(set(colour_refinement(caffeine, t, respect_labels=True))) for t in range(4)]
    assert rounds == [3, 9, 12, 14]
    houses = tables_of("houses_on_a_ring.json").graph_set()
    assert len(houses.label_values) == orbits(houses).n_orbits == 5
    assert tables_of("karate_club.gml").graph_set().label_values == ("Mr. Hi", "Officer")
    assert tables_of("southern_women.zip").graph_set().label_values == ("event", "woman")
    families = tables_of("florentine_families.gexf")
    wealth = dict(zip(families.names, families.graph_set().attributes[:, 0], strict=True))
    assert wealth["Strozzi"] == max(wealth.values()) == 146


def test_weights_and_directions_are_kept():
    assert tables_of("les_miserables.net").graph_set().edges.weights.max() == 31
    assert tables_of("pond_food_web.csv").graph_set().edges.is_directed


@pytest.mark.parametrize("file", MAKERS)
def test_the_script_makes_the_sample(file):
    if file in FROM_PACKAGES and find_spec(FROM_PACKAGES[file]) is None:
        pytest.skip(f"{FROM_PACKAGES[file]} is not installed")
    made, kept = read_tables(file, MAKERS[file]()), tables_of(file)
    assert made.offsets.tolist() == kept.offsets.tolist()
    assert made.edges.tolist() == kept.edges.tolist()
    assert made.names == kept.names
    assert made.columns.keys() == kept.columns.keys()
    assert made.targets.keys() == kept.targets.keys()
    for key, target in made.targets.items():
        assert np.array_equal(target, kept.targets[key])
    for key, column in made.columns.items():
        assert np.array_equal(column, kept.columns[key])
    assert np.array_equal(made.classes, kept.classes)


def test_the_readme_follows_from_the_list():
    assert (sample_folder() / "README.md").read_text("utf-8") == readme(sample_folder())


def write_list(folder, entries):
    (folder / "samples.json").write_text(json.dumps(entries))


ENTRY = {"file": "a.txt", "title": "A", "teaches": "Much.", "source": "Me."}


def test_a_folder_of_ones_own_is_read(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("0 1\n")
    write_list(tmp_path, [ENTRY])
    expected = (Sample(tmp_path / "a.txt", "A", "Much.", "Me."),)
    assert samples(tmp_path) == expected
    monkeypatch.setenv("MPGK_SAMPLES", str(tmp_path))
    assert samples() == expected


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"file": "a.txt"}, "must be a list"),
        (["a.txt"], "Entry 1: This is 'a.txt'. It must be a table"),
        ([{**ENTRY, "more": 1}], "Entry 1, field 'more': This field is unknown.*file, title"),
        ([{"file": "a.txt"}], "Entry 1, field 'title': This field is missing"),
        ([ENTRY, {**ENTRY, "title": " "}], "Entry 2, field 'title': This is ' '"),
        ([{**ENTRY, "title": 7}], "must be a text"),
        ([ENTRY, ENTRY], "'a.txt' occurs twice"),
        ([{**ENTRY, "file": "b.txt"}], "'b.txt' is not in the folder"),
        ([{**ENTRY, "file": "../a.txt"}], "is not in the folder"),
    ],
)
def test_a_mistake_in_the_list_is_named(tmp_path, entries, message):
    (tmp_path / "a.txt").write_text("0 1\n")
    write_list(tmp_path, entries)
    with pytest.raises(UnreadableFileError, match=message):
        samples(tmp_path)


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe\xfa", b"[" * 100_000])
def test_a_damaged_list_is_named(tmp_path, content):
    (tmp_path / "samples.json").write_bytes(content)
    with pytest.raises(UnreadableFileError, match=r"samples\.json"):
        samples(tmp_path)


def test_a_folder_without_a_list_is_named(tmp_path):
    with pytest.raises(UnreadableFileError, match="There is none"):
        samples(tmp_path)
