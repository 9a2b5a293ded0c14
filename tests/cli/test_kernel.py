"""What ``kernel`` and ``embed`` write are the numbers of the library, to the last digit."""

import io

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from mpgk_core import GraphSet, MessagePassingGraphKernel, MessagePassingNodeKernel, kernel_pca
from mpgk_core.datasets import load, sample_folder
from mpgk_core.embedding.methods import vertex_plane, vertex_vectors
from mpgk_core.formats import read_graphs, write_graphs
from tests.cli.running import fail, run, succeed
from tests.strategies import graphs

KARATE = "karate_club.gml"


def sample(file):
    return read_graphs(file, (sample_folder() / file).read_bytes())


@settings(max_examples=25)
@given(graph=graphs(min_vertices=1))
def test_the_kernel_of_any_graph_is_that_of_the_library(graph):
    file = write_graphs(GraphSet.from_networkx(graph), "json")
    expected = MessagePassingNodeKernel("R").fit_transform(read_graphs("g.json", file))
    assert np.array_equal(succeed("kernel", "-", stdin=file).matrix, expected)


@pytest.mark.parametrize("neighbourhood", ["R", "A"])
def test_node_kernels_keep_all_digits_in_every_format(neighbourhood):
    options = ("--neighbourhood", neighbourhood, "-T", 3, "--alpha", 0.7, "--beta", 0.1)
    options += ("--branching", 3, "--depth", 5, "--seed", 11, "--normalise")
    expected = MessagePassingNodeKernel(
        neighbourhood, 0.7, 0.1, 3, normalize=True, branching=3, depth=5, random_state=11
    ).fit_transform(sample(KARATE))
    outcome = succeed("kernel", KARATE, *options)
    assert np.array_equal(outcome.matrix, expected)
    assert outcome.rows[0] == ["vertex", *(row[0] for row in outcome.rows[1:])]
    as_json = succeed("kernel", KARATE, *options, "--format", "json").json
    assert np.array_equal(as_json["kernel"], expected)
    as_npz = succeed("kernel", KARATE, *options, "--format", "npz").npz
    assert np.array_equal(as_npz["kernel"], expected)
    assert as_npz["names"].tolist() == [str(name) for name in as_json["names"]]


@pytest.mark.parametrize("variant", ["RR", "AA"])
def test_several_graphs_give_a_gram_matrix(variant):
    found = succeed("kernel", "MUTAG", "--variant", variant, "-T", 2, "--format", "npz").npz
    data = load("MUTAG")
    expected = MessagePassingGraphKernel(variant, n_iterations=2).fit_transform(data.graphs)
    assert np.array_equal(found["kernel"], expected)
    assert np.array_equal(found["classes"], data.classes)


def test_json_holds_all_that_is_needed_to_repeat_a_result():
    found = succeed(
        "kernel", "caffeine", "petersen", "--join", "--levels", "all", "--format", "json"
    ).json
    parameters = found["parameters"]
    assert parameters.pop("between") == "graphs"
    assert parameters.pop("reading") == ""
    assert parameters.pop("features_") == "degree"
    assert (parameters.pop("edge_roles"), parameters.pop("is_directed")) == ({}, False)
    assert (parameters.pop("roles"), parameters.pop("self_loops")) == (
        {"element": "ignore"},
        "drop",
    )
    parts = [sample("caffeine.cyjs"), sample("petersen.mtx")]
    bare = [nx.from_scipy_sparse_array(part.adjacency) for part in parts]
    repeated = MessagePassingGraphKernel(**parameters).fit_transform(bare)
    assert np.array_equal(found["kernel"], repeated)
    assert found["graphs"] == ["caffeine", "petersen"]
    assert [file["name"] for file in found["source"]["files"]] == ["caffeine.cyjs", "petersen.mtx"]


def test_one_graph_can_be_compared_as_a_graph_and_many_by_their_vertices():
    assert succeed("kernel", KARATE, "--graphs", "--variant", "RR").rows == [
        ["graph", "0"],
        ["0", "1.0"],
    ]
    rows = succeed("kernel", "-", "petersen.mtx", "--join", "--vertices", stdin=b"a b\n").rows
    assert rows[0][:4] == ["vertex", "stdin/a", "stdin/b", "petersen/0"]
    assert len(rows) == 1 + 2 + 10


def test_vertices_and_graphs_at_once_is_wrong_usage():
    said = fail("kernel", KARATE, "--vertices", "--variant", "AA", code=2)
    assert "choose one of the two" in said


def test_points_are_those_of_kernel_pca():
    kernel = MessagePassingNodeKernel("R", n_iterations=4, features="degree")
    expected = kernel_pca(kernel.fit_transform(sample(KARATE)), 3)
    options = ("embed", KARATE, "-T", 4, "--features", "degree", "--components", 3)
    rows = succeed(*options).rows
    assert rows[0] == ["name", "graph", "axis_1", "axis_2", "axis_3"]
    assert np.array_equal([[float(cell) for cell in row[2:]] for row in rows[1:]], expected.points)
    found = succeed(*options, "--format", "json").json
    assert np.array_equal(found["points"], expected.points)
    assert found["explained"] == expected.explained.tolist()
    assert found["parameters"]["n_components"] == 3


def test_points_of_other_methods_are_those_of_the_library():
    vectors = vertex_vectors("struc2vec", sample(KARATE))
    found = succeed("embed", KARATE, "--method", "struc2vec", "--format", "json")
    assert np.array_equal(found.json["points"], vertex_plane(vectors).points)
    assert found.json["parameters"]["method"] == "struc2vec"
    noted = run("embed", KARATE, "--method", "struc2vec", terminal=True).err
    assert "expected counts are factorised" in noted
    assert "one graph" in fail("embed", "MUTAG", "--method", "line", code=1)


def test_parameters_of_node2vec_reach_it_and_no_other_method():
    points = vertex_plane(vertex_vectors("node2vec", sample(KARATE), p=0.25, q=4.0)).points
    found = succeed(
        "embed", KARATE, "--method", "node2vec", "--p", 0.25, "--q", 4, "--format", "json"
    )
    assert np.array_equal(found.json["points"], points)
    assert (found.json["parameters"]["p"], found.json["parameters"]["q"]) == (0.25, 4.0)
    assert "'p'" in fail("embed", KARATE, "--method", "node2vec", "--p", 0, code=1)
    assert "--method node2vec" in fail("embed", KARATE, "--q", 2, code=2)


def test_same_seed_same_bytes():
    options = ("embed", "caffeine", "--neighbourhood", "A", "--seed", 5, "--format")
    for name in ("csv", "json", "npz"):
        assert succeed(*options, name).out == succeed(*options, name).out


def test_a_parameter_out_of_range_is_named():
    assert "'alpha'" in fail("embed", KARATE, "--alpha", "-1", code=1)
    assert "--beta" in fail("embed", KARATE, "--beta", "much", code=2)


def test_an_npz_file_describes_itself(empty_folder):
    target = empty_folder / "points.npz"
    assert succeed("embed", "caffeine", "--out", target).out == b""
    with np.load(io.BytesIO(target.read_bytes()), allow_pickle=False) as found:
        assert found["points"].shape == (14, 2)
        assert '"n_iterations": 5' in str(found["description"])


def test_a_weight_that_keeps_its_column_from_being_used_is_named_when_weights_are_asked_for():
    edges = b"source,target,weight\na,b,1\nb,c,-2\n"
    options = ("kernel", "-", "--name", "a.csv", "--neighbourhood", "R", "--features", "constant")
    said = fail(*options, "--edges", "weights", stdin=edges, code=1)
    assert "a.csv, line 3" in said
    assert "is -2 for the edge" in said
    ignored = (*options, "--edges", "weights", "--edge-ignore", "weight")
    assert "The edges have no weights" in fail(*ignored, stdin=edges, code=1)
    succeed(*options, stdin=edges)
    succeed(*options, "--edges", "weights", stdin=b"source,target,weight\na,b,1\nb,c,1\n")
