"""What an explanation says, in formulas with numbers and in sentences; all plain text."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from mpgk_core.arrays import Int32Array
from mpgk_core.edits.names import shown
from mpgk_core.explain.graph_pairs import GraphPair
from mpgk_core.explain.vertex_pairs import Contributions, VertexPair

ExplainedPair: TypeAlias = VertexPair | GraphPair
"""Two vertices or two graphs, explained."""

_MOST_TERMS = 6
_NOTABLE_RATIO = 1.25
_TO_COMPARE = (("RR", "RA"), ("AR", "AA"), ("R", "A"))
"""Variants that differ only in how the last sets are compared."""


def formula(pair: ExplainedPair) -> str:
    """Write the formula of a kernel value with its numbers filled in.

    Parameters
    ----------
    pair : VertexPair or GraphPair

    Returns
    -------
    str

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import MessagePassingNodeKernel
    >>> from mpgk_core.explain import explain_vertices
    >>> path = nx.path_graph(5)
    >>> kernel = MessagePassingNodeKernel("R", n_iterations=2, normalize=True).fit(path)
    >>> pair = explain_vertices(kernel, path, 0, 1)
    >>> formula(pair)
    'k²(v, u) = 0.8 · 2.8 + 0.2 · 8.4 = 3.92; 3.92 / √(2.28 · 6.88) = 0.98975'
    >>> formula(pair.own.own)
    'k⁰(v, u) = 1 · 2 = 2; 2 / √(1 · 4) = 1'
    """
    if isinstance(pair, GraphPair):
        name, terms = "k(G, H)", _numbers_added(pair.contributions.values.tolist())
        if len(pair.rounds) > 1:
            terms = _numbers_added([part.total for part in pair.rounds.values()])
    elif pair.own is None:
        name = _named(0)
        products = [f"{_number(x)} · {_number(y)}" for _, x, y in pair.start_terms()]
        terms = _added(products)
    else:
        name = _named(pair.t)
        weights = pair.parameters
        past, around = _number(pair.own.value), _number(pair.contributions.total)
        terms = f"{_number(weights.alpha)} · {past} + {_number(weights.beta)} · {around}"
    said = f"{name} = {terms} = {_number(pair.value)}"
    if not pair.is_normalised:
        return said
    first, second = map(_number, pair.own_values)
    return f"{said}; {_number(pair.value)} / √({first} · {second}) = {_number(pair.similarity)}"


def vertex_words(pair: ExplainedPair, vertex: int) -> str:
    """Return the name of a vertex; for two graphs also which of them it belongs to.

    Parameters
    ----------
    pair : VertexPair or GraphPair
    vertex : int

    Returns
    -------
    str
        Not escaped.
    """
    name = f"vertex {shown(pair.graphs.names[vertex])}"
    if isinstance(pair, VertexPair):
        return name
    which = "first" if vertex < pair.graphs.offsets[1] else "second"
    return f"{name} of the {which} graph"


def difference_words(pairs: Mapping[str, ExplainedPair]) -> str:
    r"""Say how the variants judge the same pair, and why they differ.

    Parameters
    ----------
    pairs : mapping of str to VertexPair or GraphPair
        By variant, as :func:`explain_four_variants` and :func:`explain_neighbourhoods` give them.

    Returns
    -------
    str

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.explain import explain_four_variants
    >>> found = explain_four_variants([nx.star_graph(9), nx.path_graph(10)], 0, 1)
    >>> print(*difference_words(found).split(". "), sep=".\n")
    RR: similarity 0.88127; 25 % of the value comes from vertex 0 of the first graph (an even
    share would be 10 %).
    RA: similarity 0.15918; no vertex contributes more than 10 % of the value (an even share
    would be 10 %).
    AR: similarity 0.40089; 40 % of the value comes from vertex 0 of the first graph (an even
    share would be 10 %).
    AA: similarity 0.15918; no vertex contributes more than 10 % of the value (an even share
    would be 10 %).
    The similarity is largest under RR (0.88127) and smallest under RA (0.15918).
    Under RR, vertex 0 of the first graph has 2.5 even shares, under RA no vertex has more than 1.
    Under AR, vertex 0 of the first graph has 4 even shares, under AA no vertex has more than 1.
    R adds up all pairs, so a hub dominates: vertex 0 of the first graph has degree 9, vertices of
    its graph 1.8 on average.
    A gives every vertex at most one partner.
    """
    said = [
        f"{variant}: similarity {_number(pair.similarity)}; {dominant_words(pair)}."
        for variant, pair in pairs.items()
    ]
    return " ".join([*said, comparison_words(pairs)])


def comparison_words(pairs: Mapping[str, ExplainedPair]) -> str:
    """Do the work of :func:`difference_words`, without what is said of each variant."""
    said = []
    values = {variant: pair.similarity for variant, pair in pairs.items()}
    most, least = max(values, key=values.__getitem__), min(values, key=values.__getitem__)
    if not all(pair.is_normalised for pair in pairs.values()):
        said.append("These values are not normalised, so compare shares rather than sizes.")
    elif _number(values[most]) == _number(values[least]):
        said.append("The similarity is the same under all of them.")
    else:
        said.append(
            f"The similarity is largest under {most} ({_number(values[most])}) and smallest under "
            f"{least} ({_number(values[least])})."
        )
    said += _dominance_words(pairs)
    return " ".join(said)


def contribution_rows(
    found: Contributions, names: Sequence[Hashable], first: str, n_most: int
) -> list[dict[str, Any]]:
    """Return a table of the largest contributions for people: names shortened, values rounded.

    Parameters
    ----------
    found : Contributions
    names : sequence of hashable
        Of all vertices.
    first : str
        Title of the first column.
    n_most : int
        How many rows there are at most.

    Returns
    -------
    list of dict

    Examples
    --------
    >>> found = Contributions(np.array([0, 1]), np.array([2, 3]), np.array([0.5, 2.0]), 2.5)
    >>> contribution_rows(found, "abcd", "vertex of the first", 1)
    [{'vertex of the first': 'b', 'of the second': 'd', 'contributes': 2.0}]
    """
    return [
        {
            first: shown(names[found.left[i]]),
            "of the second": shown(names[found.right[i]]),
            "contributes": round(float(found.values[i]), 6),
        }
        | ({} if found.nodes is None else {"meet at tree node": int(found.nodes[i])})
        | ({} if found.edges is None else {"edges": found.edges[i]})
        for i in found.largest(n_most).tolist()
    ]


def contributions_words(n_shown: int, n_all: int, total: float) -> str:
    """Say how many contributions a table shows, and their sum.

    Parameters
    ----------
    n_shown, n_all : int
    total : float

    Returns
    -------
    str

    Examples
    --------
    >>> contributions_words(81, 81, 3.5)
    'All 81 contributions; their sum is 3.5'
    >>> contributions_words(50, 81, 3.5)
    'The 50 largest of 81 contributions; the sum of all is 3.5'
    """
    if n_shown == n_all:
        return f"All {n_all:,} contributions; their sum is {total:.6g}"
    return f"The {n_shown:,} largest of {n_all:,} contributions; the sum of all is {total:.6g}"


def dominant_words(pair: ExplainedPair) -> str:
    """Say what contributes most: a kind of pair where vertices have labels, else a vertex.

    Pairs are of one kind if their two vertices have the same two labels, in either order. The
    share of a kind is the sum of its |contributions| over the sum of all.

    Parameters
    ----------
    pair : VertexPair or GraphPair

    Returns
    -------
    str
        The rest of a sentence, as plain text.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.explain import explain_four_variants
    >>> chain, ring = nx.path_graph(3), nx.cycle_graph(4)
    >>> nx.set_node_attributes(chain, {0: "C", 1: "C", 2: "O"}, "label")
    >>> nx.set_node_attributes(ring, "C", "label")
    >>> for variant, found in explain_four_variants([chain, ring], 0, 1).items():
    ...     print(variant, dominant_words(found))
    RR 71 % of the value comes from pairs of two vertices labelled C (67 % of all pairs)
    RA 67 % of the value comes from matched pairs of two vertices labelled C (67 % of all matched
    pairs)
    AR 74 % of the value comes from pairs of two vertices labelled C (67 % of all pairs)
    AA 67 % of the value comes from matched pairs of two vertices labelled C (67 % of all matched
    pairs)
    """
    found = pair.contributions
    busiest = found.busiest()
    if busiest is None:
        return "no pair adds anything"
    whole = "the value" if isinstance(pair, GraphPair) else "what the neighbours add"
    if isinstance(pair, GraphPair) and len(pair.rounds) > 1:
        whole = f"the value of round {pair.t}"
    if (found.values < 0).any():
        whole = "the sum of absolute contributions"
    codes = pair.graphs.label_codes
    if codes is not None and len(np.unique(codes[[*found.left, *found.right]])) > 1:
        return _dominant_kind(pair, codes, whole)
    even = f"(an even share would be {100 * busiest.even_share:.0f} %)"
    share = f"{100 * busiest.share:.0f} % of {whole}"
    if busiest.excess < _NOTABLE_RATIO:
        return f"no vertex contributes more than {share} {even}"
    return f"{share} comes from {vertex_words(pair, busiest.vertex)} {even}"


def _dominant_kind(pair: ExplainedPair, codes: Int32Array, whole: str) -> str:
    found = pair.contributions
    both = np.sort(np.stack([codes[found.left], codes[found.right]]), axis=0)
    kinds, kind = np.unique(both, axis=1, return_inverse=True)
    sizes = np.bincount(kind, np.abs(found.values))
    most = int(sizes.argmax())
    labels = pair.graphs.named().label_values
    one, other = (shown(labels[code]) for code in kinds[:, most])
    pairs = "pairs" if found.nodes is None else "matched pairs"
    who = (
        f"two vertices labelled {one}"
        if one == other
        else f"a vertex labelled {one} and one labelled {other}"
    )
    return (
        f"{100 * sizes[most] / sizes.sum():.0f} % of {whole} comes from {pairs} of {who} "
        f"({100 * np.mean(kind == most):.0f} % of all {pairs})"
    )


def _dominance_words(pairs: Mapping[str, ExplainedPair]) -> list[str]:
    """Name the vertices that weigh more under R than anybody does under A, and say why."""
    said, reasons = [], []
    for convolution, assignment in _TO_COMPARE:
        if convolution not in pairs or assignment not in pairs:
            continue
        pair = pairs[convolution]
        first, other = pair.contributions.busiest(), pairs[assignment].contributions.busiest()
        if first is None or other is None or first.excess < _NOTABLE_RATIO * other.excess:
            continue
        who = vertex_words(pair, first.vertex)
        said.append(
            f"Under {convolution}, {who} has {first.excess:.2g} even shares, under {assignment} "
            f"no vertex has more than {other.excess:.2g}."
        )
        degrees = np.diff(pair.graphs.adjacency.indptr)
        of_graph = pair.graphs.graph_of_vertex
        mean = float(degrees[of_graph == of_graph[first.vertex]].mean())
        reasons.append(
            f"so a hub dominates: {who} has degree {degrees[first.vertex]}, vertices of its graph "
            f"{mean:.2g} on average."
            if degrees[first.vertex] > mean
            else "so vertices that resemble many others dominate."
        )
    if said:
        said.append(f"R adds up all pairs, {reasons[0]} A gives every vertex at most one partner.")
    return said


def _named(t: int) -> str:
    raised = str(t).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"k{raised}(v, u)"


def _numbers_added(values: list[float]) -> str:
    return _added([_number(value) for value in values])


def _added(terms: list[str]) -> str:
    if len(terms) <= _MOST_TERMS:
        return " + ".join(terms) or "0"
    return " + ".join([*terms[: _MOST_TERMS - 1], f"… ({len(terms):,} terms)"])


def _number(value: float) -> str:
    return f"{value:.5g}"
