"""The same pair under every variant: R and A for vertices, RR RA AR AA for graphs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mpgk_core.explain.graph_pairs import GraphPair, explain_graphs
from mpgk_core.explain.vertex_pairs import VertexPair, explain_vertices
from mpgk_core.graphs import as_graph_set
from mpgk_core.graphs.initial_features import resolved_features, summands_of
from mpgk_core.kernels.graph_kernel import VARIANTS, MessagePassingGraphKernel
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel


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
    fitted = {way: kernel.unfitted(neighbourhood=way).fit(prepared) for way in ("R", "A")}
    return {way: explain_vertices(one, prepared, left, right) for way, one in fitted.items()}


def explain_four_variants(
    graphs: Any, left: int, right: int, kernel: MessagePassingGraphKernel | None = None
) -> Mapping[str, GraphPair]:
    """Explain two graphs under RR, RA, AR and AA, each fitted to the whole set.

    Parameters
    ----------
    graphs : GraphSet, or list of GraphSets or networkx graphs
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
