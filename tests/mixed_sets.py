"""Generated sets in which one of labels, attributes and structure carries the classes.

The other two are noise. What a rule for initial features is worth shows on them: it cannot know
which of the three matters.
"""

from __future__ import annotations

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from mpgk_core.checks import check_choice
from mpgk_core.datasets import load
from mpgk_core.evaluation.generated_sets import LabelledSet
from mpgk_core.graphs import GraphSet

CARRIERS = ("labels", "attributes", "structure")
"""What can carry the classes."""

NOISES = ("random", "coordinates")
"""What attributes that carry nothing can be."""

_SHARES = np.array([0.5, 0.2, 0.2, 0.1])
_SWAPPED = np.array([0.0, 0.15, -0.15, 0.0])
_SHIFT = 1.5


def mixed_set(
    carrier: str,
    n_per_class: int = 50,
    *,
    strength: float = 1.0,
    dimension: int = 3,
    scale: float = 1.0,
    noise: str = "random",
    has_labels: bool = True,
    random_state: int = 0,
) -> LabelledSet:
    """Make two classes of graphs with labels and attributes, of which one tells them apart.

    With strength s and d attributes, the classes differ as follows:

    - ``"labels"``: two of four labels swap their frequencies, 0.2 + 0.15 s and 0.2 - 0.15 s;
    - ``"attributes"``: all of them are shifted by 1.5 s standard deviations divided by √d;
    - ``"structure"``: there are s / 2 more edges for every vertex.

    Parameters
    ----------
    carrier : {"labels", "attributes", "structure"}
    n_per_class : int
    strength : float
        From 0 to 1: how much the classes differ.
    dimension : int
        The number d of attributes.
    scale : float
        Standard deviation of the attributes; their mean is five times as large.
    noise : {"random", "coordinates"}
        Attributes that carry nothing: independent normal numbers, or places in space where
        neighbours are near each other.
    has_labels : bool
        Without labels, only attributes and structure are there.
    random_state : int

    Returns
    -------
    LabelledSet

    Examples
    --------
    >>> made = mixed_set("labels", n_per_class=2)
    >>> made.graphs.label_values, made.graphs.attributes.shape[1], made.classes
    ((0, 1, 2, 3), 3, ('0', '0', '1', '1'))
    """
    check_choice(carrier, CARRIERS, "carrier", "mixed_set")
    check_choice(noise, NOISES, "noise", "mixed_set")
    graphs, classes = [], []
    for c in range(2):
        for g in range(n_per_class):
            chance = np.random.default_rng([random_state, CARRIERS.index(carrier), c, g])
            n = int(chance.integers(12, 25))
            n_edges = n + n // 4 + (int(strength * n / 2) if carrier == "structure" else 0) * c
            graph = nx.gnm_random_graph(n, n_edges, seed=int(chance.integers(2**31)))
            if has_labels:
                swap = (1 - 2 * c) * strength if carrier == "labels" else 0.0
                labels = chance.choice(4, size=n, p=_SHARES + swap * _SWAPPED).tolist()
                nx.set_node_attributes(graph, dict(enumerate(labels)), "label")
            table = chance.normal(size=(n, dimension))
            if noise == "coordinates":
                table = _coordinates(graph, dimension, chance)
            if carrier == "attributes":
                table += c * strength * _SHIFT / np.sqrt(dimension)
            rows = (scale * (table + 5)).tolist()
            nx.set_node_attributes(graph, dict(enumerate(rows)), "attributes")
            graphs.append(graph)
            classes.append(str(c))
    return LabelledSet(GraphSet.from_networkx(graphs), tuple(classes))


def molecules_in_space(random_state: int = 0) -> LabelledSet:
    """Return the molecules of MUTAG with three coordinates that say nothing of their classes.

    Parameters
    ----------
    random_state : int

    Returns
    -------
    LabelledSet

    Examples
    --------
    >>> molecules_in_space().graphs.attributes.shape[1]
    3
    """
    molecules = load("MUTAG")
    graphs = [nx.convert_node_labels_to_integers(one) for one in molecules.graphs.to_networkx()]
    for g, graph in enumerate(graphs):
        chance = np.random.default_rng([random_state, g])
        places = dict(zip(graph, _coordinates(graph, 3, chance).tolist(), strict=True))
        nx.set_node_attributes(graph, places, "attributes")
    return LabelledSet(GraphSet.from_networkx(graphs), tuple(molecules.classes.tolist()))


def _coordinates(
    graph: nx.Graph, dimension: int, chance: np.random.Generator
) -> NDArray[np.float64]:
    """Return places: every vertex one step in a random direction from a neighbour."""
    places = chance.normal(size=(len(graph), dimension))
    for part in nx.connected_components(graph):
        for parent, child in nx.bfs_edges(graph, min(part)):
            step = chance.normal(size=dimension)
            places[child] = places[parent] + step / np.linalg.norm(step)
    return places
