"""Graphs with structure and attributes that both matter, after the Synthie data set.

Morris, Kriege, Kersting & Mutzel (2016, Faster kernels for graphs with continuous attributes via
hashing) joined random pieces of two kinds into graphs of four classes, with real attributes on
the vertices. This follows the idea, not the letter.
"""

from __future__ import annotations

import networkx as nx
import numpy as np
from numpy.typing import NDArray

_PIECES = 8
_PIECE_SIZE = 10
_WIDTH = 15
_USUAL = 0.8
"""Chance that a piece, or an attribute, is of the kind that its class prefers."""

_CHANGED_EDGES = 0.1
_NOISE = 0.25


def synthie_like(kind: str, chance: np.random.Generator) -> nx.Graph:
    """Draw a graph of class "A-A", "A-B", "B-A" or "B-B".

    Eight pieces are drawn, each a copy of one of two patterns with a few edges changed: of the
    pattern that the first letter names with a chance of 80 %, else of the other. A piece has
    the attributes that the second letter names with the same chance. Random edges join each
    piece to the next.

    Parameters
    ----------
    kind : str
        The class.
    chance : numpy Generator

    Returns
    -------
    networkx.Graph
        With ``attributes``, 15 numbers, on its vertices.
    """
    graph = nx.Graph()
    for piece in range(_PIECES):
        pattern = _draw_letter(kind[0], chance)
        attributes = _draw_letter(kind[2], chance)
        _add_piece(graph, piece * _PIECE_SIZE, pattern, attributes, chance)
        if piece:
            here = piece * _PIECE_SIZE + int(chance.integers(_PIECE_SIZE))
            graph.add_edge(here, int(chance.integers(piece * _PIECE_SIZE)))
    return graph


def _draw_letter(usual: str, chance: np.random.Generator) -> str:
    other = "B" if usual == "A" else "A"
    return usual if chance.random() < _USUAL else other


def _add_piece(
    graph: nx.Graph, first: int, pattern: str, attributes: str, chance: np.random.Generator
) -> None:
    seed = {"A": 1, "B": 2}[pattern]
    centres = _centres(attributes)
    for v in range(_PIECE_SIZE):
        values = centres[v] + _NOISE * chance.standard_normal(_WIDTH)
        graph.add_node(first + v, attributes=tuple(values.tolist()))
    for v, u in nx.gnm_random_graph(_PIECE_SIZE, 15, seed=seed).edges:
        if chance.random() < _CHANGED_EDGES:
            v, u = chance.choice(_PIECE_SIZE, size=2, replace=False).tolist()
        graph.add_edge(first + v, first + u)


def _centres(letter: str) -> NDArray[np.float64]:
    """Return what the attributes of the vertices of a piece are like, before the noise."""
    return np.random.default_rng(ord(letter)).standard_normal((_PIECE_SIZE, _WIDTH))
