"""What the training folds choose from: one rule for all sets.

The rule asks what a set *has* (labels, attributes, labels of edges) and never what it is called.
A kernel is one choice from each of these, made in every fold on its training part:

- initial features: labels, attributes, structure, and sums of them, see :func:`feature_choices`;
- α and β: (0.8, 0.2), (0.8, 0.01) and (0.2, 0.8);
- labels of edges, where there are any: used or not;
- the kernel with lengths one or as it is, or the Gaussian of its distance in feature space;
- T, and the last round or the sum of rounds: what the protocol allows.

Trees have 4 clusters per split and depth 8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from mpgk_core.evaluation.methods import KernelSpec
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.features import is_constant

LOCAL_FEATURES = "degree+triangles+core-number"
"""What is known of a vertex from its surroundings alone."""

STRUCTURE = (
    "degree",
    "degree-label",
    "log-degree",
    LOCAL_FEATURES,
    "log-degree+clustering",
    "log-degree,triangles,core-number,clustering",
)
"""What vertices start with that have neither labels nor attributes."""

_STRUCTURE_BESIDE = ("degree", LOCAL_FEATURES)
_FORMS = ("attributes-standardised", "attributes-scaled", "attributes")
WEIGHTS = ({"alpha": 0.8, "beta": 0.2}, {"alpha": 0.8, "beta": 0.01}, {"alpha": 0.2, "beta": 0.8})
SHAPES: Sequence[Mapping[str, Any]] = (
    {},
    {"normalize": False},
    {"gaussian": 1.0},
    {"gaussian": 8.0},
    {"gaussian": 1.0, "normalize": False},
    {"gaussian": 8.0, "normalize": False},
)

CHOSEN = "auto"
"""The features, or the use of edges, that stand for: chosen by the training folds."""


def feature_choices(graphs: GraphSet) -> list[str]:
    """Return the initial features to choose from.

    Parameters
    ----------
    graphs : GraphSet
        Only what it has counts: labels, attributes that are not constant, or nothing.

    Returns
    -------
    list of str
        The simple ones first; of equally good ones, the first is chosen.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.path_graph(3)
    >>> len(feature_choices(GraphSet.from_networkx(graph)))
    6
    >>> nx.set_node_attributes(graph, dict(enumerate("CCO")), "label")
    >>> feature_choices(GraphSet.from_networkx(graph))
    ['labels', 'labels,degree', 'degree', 'degree+triangles+core-number']
    """
    has_labels = graphs.label_codes is not None
    forms: tuple[str, ...] = _FORMS
    if graphs.attributes is None or bool(np.all(is_constant(graphs.attributes))):
        forms = ()
    if not has_labels and not forms:
        return list(STRUCTURE)
    found = ["labels", "labels,degree"] if has_labels else []
    for form in forms:
        found.append(form)
        found += [f"labels+{form}", f"labels,{form},degree"] if has_labels else [f"{form},degree"]
    return [*found, *(_STRUCTURE_BESIDE if has_labels else STRUCTURE)]


def edge_choices(graphs: GraphSet) -> list[str]:
    """Return the uses of edges to choose from: with and without labels, where there are several.

    Examples
    --------
    >>> import networkx as nx
    >>> edge_choices(GraphSet.from_networkx(nx.path_graph(3)))
    ['ignore']
    """
    edges = graphs.edges
    has_labels = edges is not None and len(edges.label_values) > 1
    return ["ignore", "labels"] if has_labels else ["ignore"]


def alternatives_for(
    method: str, graphs: GraphSet, features: str = CHOSEN, edges: str = CHOSEN, **fixed: Any
) -> KernelSpec:
    """Return a message passing kernel with all that the training folds choose from.

    Parameters
    ----------
    method : {"RR", "RA", "AR", "AA"}
    graphs : GraphSet
        Decides on the choices by what it has.
    features, edges : str
        A value to use instead of a choice.
    **fixed : JSON values
        Further parameters of the kernel, or ``gaussian``, to use instead of a choice.

    Returns
    -------
    KernelSpec

    Examples
    --------
    >>> import networkx as nx
    >>> graphs = GraphSet.from_networkx(nx.path_graph(3))
    >>> len(alternatives_for("AA", graphs).settings)
    108
    >>> len(alternatives_for("AA", graphs, features="degree", alpha=0.8, beta=0.2).settings)
    6
    """
    chosen_features = feature_choices(graphs) if features == CHOSEN else [features]
    chosen_edges = edge_choices(graphs) if edges == CHOSEN else [edges]
    alternatives = []
    for parts in product(chosen_features, WEIGHTS, chosen_edges, SHAPES):
        of_features, weights, of_edges, shape = parts
        used = {} if of_edges == "ignore" else {"edges": of_edges}
        one = {"features": of_features, **weights, **used, **shape, **fixed}
        if one not in alternatives:
            alternatives.append(one)
    return KernelSpec.of(method, alternatives)


def in_words(spec: KernelSpec) -> str:
    """Return which initial features a kernel starts with, in a sentence.

    Examples
    --------
    >>> in_words(KernelSpec.of("AA", [{"features": "labels"}, {"features": "labels,degree"}]))
    'Initial features: chosen by the training folds, among labels; labels, degree.'
    >>> in_words(KernelSpec.of("AA", features="labels"))
    'Initial features: labels.'
    """
    names = [one.replace(",", ", ") for one in spec.features.split(" or ")]
    if len(names) == 1:
        return f"Initial features: {names[0]}."
    return f"Initial features: chosen by the training folds, among {'; '.join(names)}."
