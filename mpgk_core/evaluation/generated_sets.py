"""Data sets made by a seeded generator: known causes, so that results can be understood."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import networkx as nx
import numpy as np

from mpgk_core.evaluation.synthie_like import synthie_like
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.generators.constructors import circular_skip_links
from mpgk_core.parameters import check_choice, check_whole

_MOST_PER_CLASS = 500
_SKIPS = (3, 4, 5, 6)
_RING_LENGTH = 41


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
    check_whole(n_per_class, 1, "n_per_class", "generate", maximum=_MOST_PER_CLASS)
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


RECIPES: Mapping[str, Recipe] = MappingProxyType(
    {
        "rings": Recipe(
            "Rings against trees",
            "Every ring carries pendant vertices, and a tree has as many vertices: only the "
            "closed way tells them apart. All kernels should find nearly all.",
            ("ring", "tree"),
            _ring_or_tree,
        ),
        "families": Recipe(
            "Three families of random graphs",
            "Equally many vertices and edges on average, but degrees and triangles are spread "
            "differently: evenly by chance, with hubs, or in small worlds.",
            ("Erdős–Rényi", "Barabási–Albert", "Watts–Strogatz"),
            _family,
        ),
        "motif": Recipe(
            "A house, or none",
            "A random tree has a house attached, or a ring of five with one more edge to the "
            "tree: equal numbers of vertices and edges, so the size says nothing.",
            ("house", "no house"),
            _with_or_without_motif,
        ),
        "synthie": Recipe(
            "Like Synthie",
            "After Morris et al. 2016: two classes differ in their building blocks, two in the "
            "attributes on them. Structure or attributes alone find half of the truth.",
            ("A-A", "A-B", "B-A", "B-B"),
            synthie_like,
        ),
        "skip-links": Recipe(
            "Circular skip links",
            "Rings whose vertices are also linked to the vertex so many steps further on. All "
            "have 41 vertices with four neighbours and no triangle: whatever a vertex hears from "
            "its neighbours is the same everywhere, so message passing and Weisfeiler-Lehman stay "
            "at chance. Distances differ: the shortest-path kernel finds the classes.",
            tuple(f"skip {skip}" for skip in _SKIPS),
            _skip_links,
        ),
    }
)
"""The sets that can be made."""
