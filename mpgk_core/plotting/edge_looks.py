"""How edges are drawn: labels by dash and colour, weights by width, directions by arrow heads.

What the kernel does not use is drawn discreetly: labels without colours, widths that differ little,
small arrow heads.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.errors import shortened
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.neighbourhoods import EdgeUse
from mpgk_core.plotting.molecule_drawing import bond_kinds, inner_sides

COLOURS = ("#1b9e8f", "#d6409f", "#6c8a1f", "#5666d6", "#b8860b")
"""Visible on white and on black, and none of the colours of vertices."""

DASHES = ("solid", "dash", "dot", "dashdot")
_WIDTHS = {True: (1.4, 2.6, 4.0, 5.5), False: (1.0, 1.3, 1.7, 2.1)}
_ARROWS = {True: 10.0, False: 6.0}
_PLAIN_WIDTH = {True: 2.2, False: 1.4}
_MAX_LABELS = 6


class EdgeLook(NamedTuple):
    """What edges of one kind look like.

    Attributes
    ----------
    words : str
        Their label, not escaped; empty where there is none.
    colour : str or None
        None for the colour of plain edges.
    dash : str
        One of ``DASHES``.
    width : float
        In pixels.
    arrow : float
        Length of the arrow heads in pixels; 0 for none.
    bond : str
        The kind of a bond of molecules, a value of
        :data:`~mpgk_core.graphs.edges.BONDS`: a double bond is two lines, and an
        aromatic one is a line and a dotted one. Empty for other edges.
    """

    words: str
    colour: str | None
    dash: str
    width: float
    arrow: float
    bond: str = ""


@dataclass(frozen=True, eq=False)
class EdgeLooks:
    """The edges of a graph, and what they look like.

    Attributes
    ----------
    ends : ndarray of shape (m, 2)
        Source and target; self-loops are left out.
    looks : list of EdgeLook
    of_edge : ndarray of shape (m,)
        The look of every edge.
    words : str
        What the looks mean.
    """

    ends: IntArray
    looks: list[EdgeLook]
    of_edge: IntArray
    words: str

    def inner_sides(self, positions: FloatArray) -> IntArray:
        """Return on which side of each aromatic bond its ring lies: 1 for left, 0 for others."""
        sides = np.zeros(len(self.ends), dtype=np.int64)
        is_aromatic = np.array([look.bond == "aromatic" for look in self.looks])[self.of_edge]
        sides[is_aromatic] = inner_sides(self.ends[is_aromatic], positions)
        return sides

    @property
    def legend(self) -> list[EdgeLook]:
        """One look for every label."""
        return list({look.words: look for look in self.looks if look.words}.values())


def edge_looks(graph: GraphSet, use: str) -> EdgeLooks | None:
    """Return how the edges of a graph are drawn; None where nothing is known but their ends.

    Parameters
    ----------
    graph : GraphSet
    use : str
        What the kernel uses of edges; see :mod:`mpgk_core.graphs.neighbourhoods`.

    Returns
    -------
    EdgeLooks or None

    Examples
    --------
    >>> import networkx as nx
    >>> bond = nx.Graph()
    >>> bond.add_edge("C", "O", label="double")
    >>> found = edge_looks(GraphSet.from_networkx(bond), "ignore")
    >>> found.looks
    [EdgeLook(words='double', colour=None, dash='solid', width=1.4, arrow=0.0, bond='double')]
    >>> found.words
    'Edges: bonds by lines (not used by the kernel)'
    """
    if graph.edges is None:
        return None
    shown = graph.named().edges
    assert shown is not None
    edges, used = shown.without_loops(), EdgeUse.of(use)
    arrow = _ARROWS[used.direction != "merge"] if edges.is_directed else 0.0
    codes = np.zeros(edges.n_edges, dtype=np.int64)
    names: list[str] = [""]
    bonds: list[str] | None = None
    if edges.label_codes is not None:
        codes = edges.label_codes.astype(np.int64)
        bonds = None if edges.is_directed else bond_kinds(edges.label_values)
        names = [shortened(str(value), 40) for value in edges.label_values]
    levels = np.zeros(edges.n_edges, dtype=np.int64)
    widths: tuple[float, ...] = (_PLAIN_WIDTH[used.labels],)
    if edges.weights is not None:
        widths, levels = _WIDTHS[used.weights], _levels(edges.weights)
    kinds, of_edge = np.unique(codes * len(widths) + levels, return_inverse=True)
    looks = [
        EdgeLook(
            names[code],
            COLOURS[code % len(COLOURS)] if used.labels else None,
            DASHES[0] if bonds or edges.label_codes is None else DASHES[code % len(DASHES)],
            widths[level],
            arrow,
            bonds[code] if bonds else "",
        )
        for code, level in (divmod(kind, len(widths)) for kind in kinds.tolist())
    ]
    ends = np.column_stack([edges.sources, edges.targets]).astype(np.int64)
    return EdgeLooks(ends, looks, of_edge.astype(np.int64), _words(graph, used, bonds is not None))


def _levels(weights: FloatArray) -> IntArray:
    """Return the widths of edges as numbers of steps, the heaviest the widest."""
    sizes = np.where(np.isfinite(weights) & (weights > 0), weights, 0.0)
    steps = len(_WIDTHS[True])
    share = sizes / (sizes.max(initial=0.0) or 1.0)
    levels: IntArray = np.clip(np.ceil(share * steps) - 1, 0, steps - 1).astype(np.int64)
    return levels


def _words(graph: GraphSet, used: EdgeUse, has_bonds: bool) -> str:
    assert graph.edges is not None
    labels, looks = ("bonds", "lines") if has_bonds else ("labels", "dash")
    is_used = {
        f"{labels} by colour and {looks}" if used.labels else f"{labels} by {looks}": used.labels,
        "weights by width": used.weights,
        "directions by arrows": used.direction != "merge",
    }
    is_there = (
        graph.edges.label_codes is not None,
        graph.edges.weights is not None,
        graph.edges.is_directed,
    )
    parts = [
        words if counts else f"{words} (not used by the kernel)"
        for (words, counts), is_shown in zip(is_used.items(), is_there, strict=True)
        if is_shown
    ]
    return f"Edges: {', '.join(parts)}"


def edge_facts_words(graph: GraphSet) -> list[str]:
    """Describe labels, weights and directions of edges; nothing where there are none.

    Examples
    --------
    >>> import networkx as nx
    >>> edge_facts_words(GraphSet.from_networkx(nx.DiGraph([(0, 1)])))
    ['edges have directions']
    """
    edges, words = graph.named().edges, list[str]()
    if edges is None:
        return words
    if edges.labels is not None:
        counts = Counter(shortened(str(label), 40) for label in edges.labels).most_common()
        listed = ", ".join(f"{label} ({n:,})" for label, n in counts[:_MAX_LABELS])
        words.append(f"edge labels {listed}" + (" and others" * (len(counts) > _MAX_LABELS)))
    if edges.weights is not None and edges.n_edges:
        words.append(f"edge weights from {edges.weights.min():g} to {edges.weights.max():g}")
    if edges.is_directed:
        words.append("edges have directions")
    return words
