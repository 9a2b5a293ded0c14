"""Data sets made by a seeded generator: known causes, so that results can be understood."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files

import networkx as nx
import numpy as np

from mpgk_core.arrays import FloatArray
from mpgk_core.checks import check_choice, check_whole
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.generators import circular_skip_links

TEXTS = json.loads(files("mpgk_core.evaluation").joinpath("generated.json").read_text("utf-8"))
"""Titles and explanations of generated sets and of graphs with roles, read from data."""

_MAX_PER_CLASS = 500
_RING_LENGTH = 41
_PIECES = 8
_PIECE_SIZE = 10
_WIDTH = 15
_USUAL = 0.8
"""Chance that a piece, or an attribute, is of the kind that its class prefers."""

_CHANGED_EDGES = 0.1
_NOISE = 0.25


@dataclass(frozen=True, eq=False)
class LabelledSet:
    """Graphs and their classes.

    Attributes
    ----------
    graphs : GraphSet
    classes : tuple of str
        One for every graph.
    """

    graphs: GraphSet
    classes: tuple[str, ...]


@dataclass(frozen=True)
class Recipe:
    """How a set is made.

    Attributes
    ----------
    title : str
    explanation : str
        What differs between the classes, and what to expect.
    classes : tuple of str
    draw : callable
        Draws one graph of a class.
    """

    title: str
    explanation: str
    classes: tuple[str, ...]
    draw: Callable[[str, np.random.Generator], nx.Graph]


def generate(name: str, n_per_class: int = 50, random_state: int = 0) -> LabelledSet:
    """Make a data set.

    Parameters
    ----------
    name : str
        A key of ``RECIPES``.
    n_per_class : int
        Graphs of each class, from 1 to 500.
    random_state : int
        Same seed, same bytes. A larger set begins each class with the graphs of a smaller one.

    Returns
    -------
    LabelledSet

    Examples
    --------
    >>> made = generate("rings", n_per_class=3)
    >>> len(made.graphs), made.classes
    (6, ('ring', 'ring', 'ring', 'tree', 'tree', 'tree'))
    """
    check_choice(name, list(RECIPES), "name", "generate")
    check_whole(n_per_class, 1, "n_per_class", "generate", maximum=_MAX_PER_CLASS)
    check_whole(random_state, 0, "random_state", "generate")
    recipe = RECIPES[name]
    place = list(RECIPES).index(name)
    graphs, classes = [], []
    for c, kind in enumerate(recipe.classes):
        for g in range(n_per_class):
            chance = np.random.default_rng([random_state, place, c, g])
            graphs.append(_shuffled(recipe.draw(kind, chance), chance))
            classes.append(kind)
    return LabelledSet(GraphSet.from_networkx(graphs), tuple(classes))


def _ring_or_tree(kind: str, chance: np.random.Generator) -> nx.Graph:
    """Return a ring with pendant vertices, or a tree of as many vertices."""
    n = int(chance.integers(10, 25))
    if kind == "tree":
        return _random_tree(n, chance)
    length = int(chance.integers(n // 2, n + 1))
    graph = nx.cycle_graph(length)
    for v in range(length, n):
        graph.add_edge(v, int(chance.integers(length)))
    return graph


def _random_tree(n: int, chance: np.random.Generator) -> nx.Graph:
    """Return a tree in which every new vertex hangs on an earlier one."""
    graph = nx.empty_graph(n)
    graph.add_edges_from((v, int(chance.integers(v))) for v in range(1, n))
    return graph


def _family(kind: str, chance: np.random.Generator) -> nx.Graph:
    """Return a graph of mean degree about 4."""
    n = int(chance.integers(20, 41))
    seed = int(chance.integers(2**31))
    if kind == "Erdős–Rényi":
        return nx.gnm_random_graph(n, 2 * n, seed=seed)
    if kind == "Barabási–Albert":
        return nx.barabasi_albert_graph(n, 2, seed=seed)
    return nx.watts_strogatz_graph(n, 4, 0.1, seed=seed)


def _with_or_without_motif(kind: str, chance: np.random.Generator) -> nx.Graph:
    """Return a tree with a house on it or, of equal size, with a ring of five on it."""
    graph = _random_tree(int(chance.integers(15, 30)), chance)
    n = len(graph)
    roof, *walls = range(n, n + 5)
    first, second = chance.choice(n, size=2, replace=False).tolist()
    nx.add_cycle(graph, [roof, *walls])
    graph.add_edge(roof, first)
    if kind == "house":
        graph.add_edge(walls[0], walls[-1])
    else:
        graph.add_edge(walls[1], second)
    return graph


def _skip_links(kind: str, chance: np.random.Generator) -> nx.Graph:
    """Return a ring with a link from every vertex to the one so many steps further on."""
    return circular_skip_links(_RING_LENGTH, int(kind.removeprefix("skip ")))


def _shuffled(graph: nx.Graph, chance: np.random.Generator) -> nx.Graph:
    """Return the graph with its vertices in random order, named 0, 1, 2, ..."""
    order = chance.permutation(len(graph)).tolist()
    names = dict(zip(graph, order, strict=True))
    shuffled = nx.Graph()
    inverse = sorted(graph, key=lambda v: names[v])
    shuffled.add_nodes_from((names[v], graph.nodes[v]) for v in inverse)
    shuffled.add_edges_from((names[v], names[u]) for v, u in graph.edges)
    return shuffled


def synthie_like(kind: str, chance: np.random.Generator) -> nx.Graph:
    """Draw a graph of class "A-A", "A-B", "B-A" or "B-B", after the Synthie data set.

    Morris, Kriege, Kersting & Mutzel (2016, Faster kernels for graphs with continuous attributes
    via hashing) joined random pieces of two kinds into graphs of four classes, with real
    attributes on the vertices. This set follows their idea, not every detail.

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


def _centres(letter: str) -> FloatArray:
    """Return what the attributes of the vertices of a piece are like, before the noise."""
    return np.random.default_rng(ord(letter)).standard_normal((_PIECE_SIZE, _WIDTH))


_DRAW = {
    "rings": _ring_or_tree,
    "families": _family,
    "motif": _with_or_without_motif,
    "synthie": synthie_like,
    "skip-links": _skip_links,
}

RECIPES: Mapping[str, Recipe] = {
    name: Recipe(text["title"], text["explanation"], tuple(text["classes"]), _DRAW[name])
    for name, text in TEXTS["sets"].items()
}
"""The sets that can be made."""
