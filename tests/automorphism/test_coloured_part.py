"""Coloured parts: where they fall apart, and that nothing is lost when they do."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from mpgk_core.automorphism.coloured_part import ColouredPart, SearchAbandonedError, WorkBudget


def part_of(graph, budget=1_000_000):
    adjacency = nx.to_scipy_sparse_array(graph, dtype=np.int64)
    colours = np.zeros(len(graph), dtype=np.int64)
    return ColouredPart.from_graph(adjacency.indptr, adjacency.indices, colours, WorkBudget(budget))


def sizes(pieces):
    return sorted(map(len, pieces.connected))


@pytest.mark.parametrize(
    ("graph", "n_loose", "piece_sizes"),
    [
        (nx.complete_graph(5), 5, []),
        (nx.star_graph(5), 6, []),
        (nx.complete_bipartite_graph(3, 3), 0, [3, 3]),
        (nx.complete_multipartite_graph(2, 2, 2), 0, [2, 2, 2]),
        (nx.wheel_graph(8), 1, [7]),
        (nx.barbell_graph(4, 0), 0, [4, 4]),
        (nx.petersen_graph(), 0, [10]),
        (nx.complement(nx.petersen_graph()), 0, [10]),
        (nx.path_graph(5), 1, [2, 2]),
    ],
)
def test_a_graph_falls_apart_where_colours_imply_the_edges(graph, n_loose, piece_sizes):
    pieces = part_of(graph).pieces
    assert len(pieces.loose) == n_loose
    assert sizes(pieces) == piece_sizes
    assert pieces.whole == (piece_sizes == [len(graph)])


def test_dense_joins_are_swapped_for_the_missing_edges():
    missing = nx.petersen_graph()
    piece = part_of(nx.complement(missing)).pieces.connected[0]
    rows = np.repeat(np.arange(10), np.diff(piece.indptr))
    edges = zip(piece.vertices[rows], piece.vertices[piece.indices], strict=True)
    assert {frozenset(map(int, edge)) for edge in edges} == set(map(frozenset, missing.edges))


def test_pieces_and_loose_vertices_are_all_vertices():
    pieces = part_of(nx.gnp_random_graph(80, 0.03, seed=3)).pieces
    everything = np.concatenate([pieces.loose, *(piece.vertices for piece in pieces.connected)])
    assert sorted(everything.tolist()) == list(range(80))


def test_isomorphic_pieces_share_their_signature():
    graph = nx.disjoint_union_all([nx.cycle_graph(5), nx.cycle_graph(6), nx.cycle_graph(5)])
    five, six, other_five = part_of(graph).pieces.connected
    assert five.signature == other_five.signature != six.signature


def test_children_are_alike_if_an_automorphism_swaps_their_vertices():
    prism = part_of(nx.circular_ladder_graph(5)).pieces.connected[0]
    assert all(prism.child_like(prism.first_child, position) for position in range(10))


def test_children_with_other_traces_are_turned_away_twice():
    frucht = part_of(nx.frucht_graph()).pieces.connected[0]
    for _ in range(2):
        assert not any(
            frucht.child_like(frucht.first_child, position) for position in frucht.target_cell[1:]
        )


def test_a_remembered_child_is_made_again_for_another_model():
    frucht = part_of(nx.frucht_graph()).pieces.connected[0]
    position = frucht.target_cell[1]
    assert frucht.child_like(frucht.first_child, position) is None
    mirror = part_of(nx.frucht_graph()).pieces.connected[0]
    model = mirror._child(position)
    assert frucht.child_like(model, position) is not None
    assert mirror.has_child_like(frucht, position)


def test_work_is_paid_for():
    part = part_of(nx.cycle_graph(9), budget=11_000)
    left = part.budget.left
    assert part.pieces.whole
    assert part.budget.left < left
    with pytest.raises(SearchAbandonedError):
        part.pieces.connected[0].first_child.pieces  # noqa: B018
