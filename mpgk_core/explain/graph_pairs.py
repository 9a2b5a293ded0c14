"""Why two graphs are as similar as they are: which vertices were compared, and what each adds.

The tree of Weisfeiler-Lehman colours is a hierarchy like any other. Matching two graphs along it
gives the WL optimal assignment kernel; summing the strong kernel over all pairs of vertices gives
the WL subtree kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mpgk_core.arrays import Int32Array, IntArray
from mpgk_core.checks import check_whole
from mpgk_core.errors import InvalidParameterError
from mpgk_core.explain.vertex_pairs import (
    Contributions,
    VertexPair,
    all_pairs,
    as_cosine,
    explain_vertices,
    matched_pairs,
)
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.graphs.feature_names import FeatureSpec, summands_of
from mpgk_core.graphs.features import resolved_features
from mpgk_core.graphs.neighbourhoods import edges_for
from mpgk_core.kernels.graph_kernel import VARIANTS, MessagePassingGraphKernel
from mpgk_core.kernels.hierarchy import Hierarchy
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
from mpgk_core.kernels.weisfeiler_lehman import WeisfeilerLehmanOptimalAssignment


@dataclass(frozen=True, eq=False)
class GraphPair:
    """The kernel between two graphs as a sum over pairs of vertices.

    Attributes
    ----------
    graphs : GraphSet
        The two graphs; vertices are numbered through both.
    variant : str
        "RR", "RA", "AR" or "AA".
    rounds : mapping of int to Contributions
        What the pairs of vertices add, for each round that counts.
    own_values : tuple of two floats
        The kernel of each graph with itself.
    is_normalised : bool
        Whether the kernel divides by the lengths.
    node_kernel : MessagePassingNodeKernel
        The kernel between the vertices.
    """

    graphs: GraphSet
    variant: str
    rounds: Mapping[int, Contributions]
    own_values: tuple[float, float]
    is_normalised: bool
    node_kernel: MessagePassingNodeKernel

    @property
    def t(self) -> int:
        """The last round that counts."""
        return max(self.rounds)

    @property
    def contributions(self) -> Contributions:
        """The contributions of the last round."""
        return self.rounds[self.t]

    @property
    def value(self) -> float:
        """The kernel before normalisation: the sum of all contributions."""
        return sum(part.total for part in self.rounds.values())

    @property
    def similarity(self) -> float:
        """What the kernel says: k(G, H), or k(G, H) / √(k(G, G) k(H, H))."""
        return as_cosine(self.value, self.own_values) if self.is_normalised else self.value

    @property
    def unmatched(self) -> tuple[IntArray, IntArray]:
        """Vertices of each graph that take part in no pair of the last round."""
        return self.contributions.others(*_two_sides(self.graphs))

    def into(self, row: int, t: int | None = None) -> VertexPair:
        """Return the pair of vertices in a row of the contributions, to be taken apart further.

        Parameters
        ----------
        row : int
        t : int, optional
            Round; by default the last that counts.

        Returns
        -------
        VertexPair
            With k^t between the two vertices. Under R this is what the row adds; under A the row
            adds the strong kernel of the hierarchy that was grown from k^t.
        """
        t = self.t if t is None else t
        if t not in self.rounds or not len(self.rounds[t]):
            raise InvalidParameterError(
                f"No pair of vertices contributes in round {t}. Choose one of the rounds "
                f"{', '.join(map(str, self.rounds))}, and graphs that have vertices."
            )
        pairs = self.rounds[t]
        check_whole(row, 0, "row", "GraphPair.into", maximum=len(pairs) - 1)
        v, u = int(pairs.left[row]), int(pairs.right[row])
        return VertexPair(self.node_kernel, self.graphs, v, u, t)


def explain_graphs(
    kernel: MessagePassingGraphKernel, graphs: Any, left: int, right: int, t: int | None = None
) -> GraphPair:
    """Take the similarity of two graphs apart.

    Parameters
    ----------
    kernel : MessagePassingGraphKernel
        Fitted, without approximation, and with features that share one hierarchy: ``"labels"`` or
        ``"labels+degree"``, not an average such as ``"labels,degree"``.
    graphs : GraphSet, or graphs of any kind that as_graph_set accepts
        Training graphs or others.
    left, right : int
        Which two of them.
    t : int, optional
        Round; by default the last. With ``levels="sum"``, rounds 0 to t count.

    Returns
    -------
    GraphPair

    Examples
    --------
    A triangle finds three partners in a square, and they are far apart in the hierarchy:

    >>> import networkx as nx
    >>> graphs = [nx.cycle_graph(3), nx.cycle_graph(4), nx.path_graph(4)]
    >>> kernel = MessagePassingGraphKernel("AA", n_iterations=1, normalize=False).fit(graphs)
    >>> pair = explain_graphs(kernel, graphs, 0, 1)
    >>> len(pair.contributions), pair.unmatched[1].tolist()
    (3, [6])
    >>> bool(pair.value == kernel.fit_transform(graphs)[0, 1])
    True
    """
    parameters = kernel.fitted_parameters_
    last = parameters["n_iterations"]
    t = last if t is None else t
    check_whole(t, 0, "t", "explain_graphs", maximum=last)
    two = chosen_pair(graphs, left, right)
    between = kernel.node_kernel(two)
    is_assignment = parameters["variant"][1] == "A"
    parts = {
        s: _along_tree(between, two, s) if is_assignment else _all_vertices(between, two, s)
        for s in (range(t + 1) if parameters["levels"] != "last" else [t])
    }
    return GraphPair(
        two,
        parameters["variant"],
        {s: found[0] for s, found in parts.items()},
        (sum(found[1] for found in parts.values()), sum(found[2] for found in parts.values())),
        parameters["normalize"],
        between,
    )


def chosen_pair(graphs: Any, left: int, right: int) -> GraphSet:
    """Return two graphs of a set, or one of them twice."""
    prepared = as_graph_set(graphs)
    check_whole(left, 0, "left", "chosen_pair", maximum=len(prepared) - 1)
    check_whole(right, 0, "right", "chosen_pair", maximum=len(prepared) - 1)
    return prepared[[int(left), int(right)]]


def _along_tree(
    kernel: MessagePassingNodeKernel, two: GraphSet, t: int
) -> tuple[Contributions, float, float]:
    """Match the vertices of two graphs, and of each with itself, along the hierarchy of a round."""
    hierarchy, leaves = kernel.hierarchy_at(t), kernel.leaves_at(t)
    if hierarchy is None or leaves is None:
        raise InvalidParameterError(
            f"No hierarchy was grown in round {t}. Fit with kernels_at_all_t or levels='sum' to "
            "explain every round."
        )
    left, right = _two_sides(two)
    found, *own = (
        matched_pairs(a, b, hierarchy, leaves)
        for a, b in ((left, right), (left, left), (right, right))
    )
    return found, own[0].total, own[1].total


def _all_vertices(
    kernel: MessagePassingNodeKernel, two: GraphSet, t: int
) -> tuple[Contributions, float, float]:
    left, right = _two_sides(two)
    own = [float(kernel.kernel_between(side, side, t).sum()) for side in (left, right)]
    return all_pairs(left, right, kernel.kernel_between(left, right, t)), own[0], own[1]


def _two_sides(two: GraphSet) -> tuple[IntArray, IntArray]:
    middle = int(two.offsets[1])
    return np.arange(middle), np.arange(middle, two.n_vertices)


def explain_neighbourhoods(
    graphs: Any, left: int, right: int, kernel: MessagePassingNodeKernel | None = None
) -> Mapping[str, VertexPair]:
    """Explain two vertices under R and under A.

    Parameters
    ----------
    graphs : GraphSet, networkx graph, or list of these
    left, right : int
        Numbers of the vertices, all graphs stacked.
    kernel : MessagePassingNodeKernel, optional
        Its parameters count, except for the neighbourhood.

    Returns
    -------
    mapping of str to VertexPair
        For "R" and "A".

    Examples
    --------
    >>> import networkx as nx
    >>> found = explain_neighbourhoods(nx.star_graph(4), 0, 1)
    >>> {way: len(pair.contributions) for way, pair in found.items()}
    {'R': 4, 'A': 1}
    """
    prepared = as_graph_set(graphs)
    kernel = MessagePassingNodeKernel() if kernel is None else kernel
    used = {way: edges_for(kernel.edges, can_multiply=way == "R") for way in ("R", "A")}
    fitted = {
        way: kernel.unfitted(neighbourhood=way, edges=edges).fit(prepared)
        for way, edges in used.items()
    }
    return {way: explain_vertices(one, prepared, left, right) for way, one in fitted.items()}


def explain_four_variants(
    graphs: Any, left: int, right: int, kernel: MessagePassingGraphKernel | None = None
) -> Mapping[str, GraphPair]:
    """Explain two graphs under RR, RA, AR and AA, each fitted to the whole set.

    Parameters
    ----------
    graphs : GraphSet, or graphs of any kind that as_graph_set accepts
    left, right : int
        Which two of them.
    kernel : MessagePassingGraphKernel, optional
        Its parameters count, except for the variant. By default, what "auto" would average
        shares one hierarchy.

    Returns
    -------
    mapping of str to GraphPair

    Examples
    --------
    >>> import networkx as nx
    >>> found = explain_four_variants([nx.star_graph(4), nx.cycle_graph(5)], 0, 1)
    >>> {variant: round(pair.similarity, 2) for variant, pair in found.items()}
    {'RR': 0.99, 'RA': 0.16, 'AR': 0.33, 'AA': 0.16}
    """
    prepared = as_graph_set(graphs)
    if kernel is None:
        together = "+".join(map(str, summands_of(resolved_features("auto", prepared))))
        kernel = MessagePassingGraphKernel(features=together)
    fitted = {variant: kernel.unfitted(variant=variant).fit(prepared) for variant in VARIANTS}
    return {variant: explain_graphs(one, prepared, left, right) for variant, one in fitted.items()}


def colour_hierarchy(
    graphs: Any, n_iterations: int = 4, features: FeatureSpec = "auto"
) -> tuple[Hierarchy, Int32Array]:
    """Grow the tree of colours: below a root of weight 0, one level for every round.

    Parameters
    ----------
    graphs : GraphSet, networkx graph, or list of these
    n_iterations : int
        Number of rounds; colours of rounds 0..h make up the tree.
    features : str or callable
        What vertices start with. ``"auto"``: labels where there are any, else the degree.

    Returns
    -------
    hierarchy : Hierarchy
    leaves : ndarray of shape (n,)
        The leaf of every vertex: its colour after the last round.

    Examples
    --------
    >>> import networkx as nx
    >>> hierarchy, leaves = colour_hierarchy(nx.path_graph(5), 1)
    >>> hierarchy.depths.tolist(), leaves.tolist()[0] == leaves.tolist()[4]
    ([0, 1, 1, 2, 2, 2], True)
    """
    kernel = WeisfeilerLehmanOptimalAssignment(n_iterations, features)
    kernel.fit(as_graph_set(graphs))
    return kernel.hierarchy_, kernel.leaves_
