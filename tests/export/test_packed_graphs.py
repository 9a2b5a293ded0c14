"""Packed graphs come back to the bit, and damaged texts are refused."""

import json

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidGraphError, MessagePassingNodeKernel
from mpgk_core.content_key import content_key
from mpgk_core.datasets import load
from mpgk_core.errors import UnreadableFileError
from mpgk_core.export import packed, unpacked
from mpgk_core.export.packed_graphs import LONGEST_PLAIN
from tests.export.studies import NASTY, large_graph, nasty_graph
from tests.strategies import edge_graphs, graph_lists

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
SCALARS = TEXT | st.integers() | st.booleans() | st.none() | st.floats(allow_nan=False)
VALUES = SCALARS | st.tuples(SCALARS, SCALARS) | st.sampled_from([1, "1", True, 1.0, "01"])
FEW = st.integers(0, 9) | st.sampled_from("ab")


def typed(values):
    return None if values is None else [repr(value) for value in values]


def assert_identical(back, graphs):
    assert back.offsets.tolist() == graphs.offsets.tolist()
    assert typed(back.names) == typed(graphs.names)
    assert typed(back.labels) == typed(graphs.labels)
    for array in ("indptr", "indices"):
        one, other = getattr(back.adjacency, array), getattr(graphs.adjacency, array)
        np.testing.assert_array_equal(one, other)
    assert content_key(back.edges) == content_key(graphs.edges)
    if graphs.attributes is None:
        assert back.attributes is None
    else:
        assert back.attributes.tobytes() == graphs.attributes.tobytes()


@settings(max_examples=40)
@given(members=graph_lists(min_vertices=1), data=st.data())
def test_sets_of_graphs_come_back(members, data):
    graphs = GraphSet.from_networkx(members)
    classes = data.draw(st.lists(VALUES, min_size=len(graphs), max_size=len(graphs)))
    back = unpacked(packed(graphs, classes))
    assert_identical(back.graphs, graphs)
    assert typed(back.classes) == typed(classes)
    assert packed(back.graphs, back.classes) == packed(graphs, classes)


@settings(max_examples=60)
@given(members=st.lists(edge_graphs(min_vertices=1), min_size=1, max_size=3), data=st.data())
def test_labels_weights_and_directions_of_edges_come_back(members, data):
    for member in members:
        for *_, values in member.edges(data=True):
            if "label" in values:
                values["label"] = data.draw(VALUES)
            if "weight" in values:
                values["weight"] = data.draw(st.floats(allow_nan=False))
    graphs = GraphSet.from_networkx(members)
    assert_identical(unpacked(packed(graphs)).graphs, graphs)


@settings(max_examples=100)
@given(
    names=st.lists(VALUES, min_size=1, max_size=6, unique=True)
    | st.lists(FEW, min_size=1, unique=True),
    label=VALUES | FEW,
    data=st.data(),
)
def test_names_and_labels_of_any_type_come_back(names, label, data):
    n = len(names)
    labels = data.draw(st.lists(st.just(label) | VALUES, min_size=n, max_size=n))
    path = nx.to_scipy_sparse_array(nx.path_graph(n))
    graph = GraphSet(path, [0, n], names=names, labels=labels)
    assert_identical(unpacked(packed(graph)).graphs, graph)


@pytest.mark.parametrize("make", [nasty_graph, large_graph])
def test_hostile_and_large_graphs_come_back(make):
    graph = make()
    assert_identical(unpacked(packed(graph)).graphs, graph)


def test_one_graph_of_a_set_gives_the_same_kernel_after_packing():
    """Such a graph knows labels that it has not; the order of the others must stay."""
    graphs = GraphSet.from_networkx([nx.path_graph(2), nx.karate_club_graph()])
    labels = [("z", 1), ("b", 2), *(((v * 7) % 5, "x") for v in range(34))]
    graph = GraphSet(graphs.adjacency, graphs.offsets, labels=labels)[1]
    kernel = MessagePassingNodeKernel("A", n_iterations=3, features="labels")
    expected = kernel.fit(graph).kernel_.tobytes()
    assert kernel.fit(unpacked(packed(graph)).graphs).kernel_.tobytes() == expected


def test_only_long_texts_are_compressed():
    short, long = packed(nasty_graph()), packed(large_graph())
    assert json.loads(short)["names"] == list(NASTY)
    assert len(short) < LONGEST_PLAIN
    assert all(letter.isalnum() or letter in "+/=" for letter in long)
    assert len(long) < LONGEST_PLAIN


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"graphs": 3}, "not an object"),
        ({"extra": 1}, "Field 'extra': This field is unknown. The fields here are graphs, names"),
        ({"names": "abc"}, "Field 'names': This is 'abc'. It must be a list."),
        ({"names": ["a"]}, "1 names for 13 vertices"),
        ({"names": ["a"] * 13}, "same name"),
        ({"names": [{}] * 13}, "field 'names' holds an object"),
        ({"labels": ["a"]}, "not a number from 0 to 0"),
        ({"labels": []}, "not a number from 0 to -1"),
        ({"classes": ["a", "b"]}, "2 classes for 1 graphs"),
    ],
)
def test_damaged_texts_are_refused(change, match):
    text = json.dumps(json.loads(packed(nasty_graph())) | change)
    with pytest.raises(UnreadableFileError, match=match) as caught:
        unpacked(text, "my graph")
    assert str(caught.value).startswith("my graph: ")


@settings(max_examples=40)
@given(at=st.integers(0, 10**6), letter=st.sampled_from("aZ0+/= !é"))
def test_damaged_compressed_texts_are_refused_or_harmless(at, letter):
    long = packed(large_graph())
    at %= len(long)
    try:
        back = unpacked(long[:at] + letter + long[at + 1 :])
    except UnreadableFileError as error:
        message = str(error)
    else:
        assert_identical(back.graphs, large_graph())
        return
    assert message.startswith("packed graphs: The compressed text is damaged.")


def test_a_compressed_text_cannot_grow_without_bound(monkeypatch):
    text = packed(large_graph())
    monkeypatch.setenv("MPGK_MAX_UNPACKED_BYTES", "1000")
    with pytest.raises(UnreadableFileError, match="more than 1,000 bytes"):
        unpacked(text)


def test_what_no_text_can_hold_is_refused():
    for name in (b"bytes", frozenset(), "\ud800"):
        graph = GraphSet(nx.to_scipy_sparse_array(nx.path_graph(2)), [0, 2], names=["a", name])
        with pytest.raises(InvalidGraphError, match=r"no text can hold|UTF-8"):
            packed(graph)
    with pytest.raises(InvalidGraphError, match="1 classes for 2 graphs"):
        packed(GraphSet.from_networkx([nx.path_graph(2)] * 2), ["a"])


def test_what_labels_stand_for_comes_back():
    graphs = load("MUTAG").graphs[:3]
    again = unpacked(packed(graphs)).graphs
    assert again.label_names == graphs.label_names is not None
    assert again.named().labels == graphs.named().labels
    damaged = packed(graphs).replace('[0, "C"]', '[0, "C", 1]')
    assert damaged != packed(graphs)
    with pytest.raises(UnreadableFileError, match="not pairs"):
        unpacked(damaged)
