"""Vertices as kernels for attributed graphs see them: a discrete label and a row of numbers.

Most kernels for graphs with continuous attributes compare vertices by a *product*: equal labels,
times a kernel of the attributes. The message passing kernels add the two instead, so their
initial features do not serve here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mpgk_core.arrays import FloatArray, Int32Array, as_dense
from mpgk_core.content_key import content_key
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.feature_names import FeatureSpec, parts_of
from mpgk_core.graphs.features import FeatureEncoder, is_constant
from mpgk_core.grouping import recognise_rows

_DISCRETE = ("labels", "degree-label")


class AttributedVertices(NamedTuple):
    """What is known of every vertex before its neighbourhood is looked at."""

    labels: Int32Array
    """(n,) equal numbers for equal labels; labels that training did not have come last"""
    label_keys: tuple[str, ...]
    """What each of these labels is, as a key that other labels do not share"""
    rows: FloatArray
    """(n, d) numbers, scaled as in training; without columns if there are none"""


def attributed_features(features: FeatureSpec, graphs: GraphSet) -> FeatureSpec:
    """Return what "auto" stands for with kernels that multiply labels and attributes.

    Parameters
    ----------
    features : str or callable
    graphs : GraphSet

    Returns
    -------
    str or callable
        Labels and standardised attributes, as far as there are any; else the degree as a label.

    Examples
    --------
    >>> import networkx as nx
    >>> attributed_features("auto", GraphSet.from_networkx(nx.path_graph(3)))
    'degree-label'
    """
    if features != "auto":
        return features
    found = ["labels"] if graphs.label_codes is not None else []
    if graphs.attributes is not None and not np.all(is_constant(graphs.attributes)):
        found.append("attributes-standardised")
    return "+".join(found) or "degree-label"


class VertexEncoder:
    """Learn the labels and the scales of the training vertices.

    Parameters
    ----------
    features : str or callable
        Names as for :class:`~mpgk_core.graphs.features.FeatureEncoder`. ``"labels"`` and
        ``"degree-label"`` make the label, everything else the row of numbers. ``"+"`` and ``","``
        mean the same.

    Examples
    --------
    >>> import networkx as nx
    >>> star = GraphSet.from_networkx(nx.star_graph(2))
    >>> labels, keys, rows = VertexEncoder("degree-label+degree").fit(star)
    >>> bool(labels[1] == labels[2]), len(keys), rows.ravel().tolist()
    (True, 2, [2.0, 1.0, 1.0])
    """

    def __init__(self, features: FeatureSpec) -> None:
        parts: list[Any] = [part for summand in parts_of(features) for part in summand]
        discrete = [part for part in parts if part in _DISCRETE]
        numeric = [part for part in parts if part not in _DISCRETE]
        self._parts = discrete
        self._discrete = FeatureEncoder("+".join(discrete)) if discrete else None
        self._numeric = FeatureEncoder(_joined(numeric)) if numeric else None

    def fit(self, graphs: GraphSet) -> AttributedVertices:
        """Learn from the training graphs and encode them.

        Parameters
        ----------
        graphs : GraphSet

        Returns
        -------
        AttributedVertices
        """
        self._keys: tuple[str, ...] = ()
        if self._discrete is not None:
            self._known = self._discrete.fit(graphs).content
        if self._numeric is not None:
            self._numeric.fit(graphs)
        found = self.transform(graphs)
        self._keys = found.label_keys
        return found

    def transform(self, graphs: GraphSet) -> AttributedVertices:
        """Encode graphs with what was learnt in training.

        Parameters
        ----------
        graphs : GraphSet

        Returns
        -------
        AttributedVertices
        """
        labels = np.zeros(graphs.n_vertices, dtype=np.int32)
        keys: tuple[str, ...] = ("",)
        if self._discrete is not None:
            found = self._discrete.transform(graphs)
            labels = recognise_rows(self._known, found.content)[found.of_vertex]
            keys = self._label_keys(graphs, labels)
        rows = np.zeros((graphs.n_vertices, 0))
        if self._numeric is not None:
            numbers = self._numeric.transform(graphs)
            rows = np.ascontiguousarray(as_dense(numbers.rows)[numbers.of_vertex])
        return AttributedVertices(labels, keys, rows)

    def _label_keys(self, graphs: GraphSet, labels: Int32Array) -> tuple[str, ...]:
        """Return the keys of the labels of training, and of those that only these graphs have."""
        new, vertices = np.unique(labels, return_index=True)
        keys = list(self._keys)
        for v in vertices[new >= len(keys)].tolist():
            facts: list[Any] = []
            if "labels" in self._parts and graphs.label_codes is not None:
                facts.append(graphs.label_values[graphs.label_codes[v]])
            if "degree-label" in self._parts:
                facts.append(int(np.diff(graphs.adjacency.indptr[v : v + 2])[0]))
            keys.append(content_key(*facts))
        return tuple(keys)


def _joined(numeric: list[Any]) -> FeatureSpec:
    """Return the numeric parts as features of their own; a callable stands alone."""
    only: FeatureSpec = numeric[0] if callable(numeric[0]) else "+".join(numeric)
    return only
