"""The initial features x_v of k⁰(v, u) = ⟨x_v, x_u⟩, learnt from training graphs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np
from scipy.sparse import csr_array, hstack

from mpgk_core.arrays import BoolArray, FloatArray, Int32Array, IntArray
from mpgk_core.errors import InvalidGraphError, InvalidParameterError
from mpgk_core.graphs.graph_parts import encode_labels
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.initial_features import (
    LOCAL_FEATURES,
    FeatureSpec,
    degree,
    is_constant,
    parts_of,
    resolved_features,
)
from mpgk_core.grouping import Rows, group_rows

_COLUMN_WORDS = {"attributes": "attribute", "attributes-standardised": "standardised attribute"}
_WIDEST_DENSE = 256


@dataclass(frozen=True, eq=False)
class InitialFeatures:
    """The features of all vertices, one row for each distinct kind of vertex.

    Attributes
    ----------
    of_vertex : ndarray of shape (n,)
        The row of every vertex.
    rows : dense or sparse matrix of shape (m, d + e)
        Distinct feature rows, numbered by content. The last e columns belong to labels that
        were not seen in training.
    n_known : int
        The number d of columns known from training.
    content : Rows
        What tells the rows apart: the label's number, then all other numbers as they were.
    """

    of_vertex: Int32Array
    rows: Any
    n_known: int
    content: Rows

    @property
    def is_unseen(self) -> BoolArray:
        """(m,) whether a row has a label that is new, and nothing else that is known."""
        if self.rows.shape[1] == self.n_known:
            return np.zeros(self.rows.shape[0], dtype=bool)
        is_new = np.asarray(abs(self.rows[:, self.n_known :]).sum(axis=1)).ravel() > 0
        is_known = np.asarray(abs(self.rows[:, : self.n_known]).sum(axis=1)).ravel() > 0
        return is_new & ~is_known


class FeatureEncoder:
    """Turn labels, attributes and local structure into initial features.

    Parameters
    ----------
    features : str or callable
        Names joined by "+": k⁰ is the sum of their kernels, as they are.

        - ``"labels"``: the delta kernel, 1 for equal labels and else 0; a label that did not
          occur in training equals only itself;
        - ``"attributes"``: the linear kernel of the attributes as they are;
        - ``"attributes-standardised"``: the same of attributes with mean 0 and variance 1 over
          the training vertices, divided by the root of the number of columns, so that a vertex
          has squared length 1 on average; constant columns contribute nothing;
        - ``"degree-label"``: the delta kernel of the degrees, as of labels;
        - ``"degree"``, ``"log-degree"``, ``"triangles"``, ``"core-number"``, ``"clustering"``,
          ``"constant"``: the product of these numbers.

        Such sums, separated by ",", are balanced: each is divided by its mean self-similarity
        ⟨x_v, x_v⟩ over the training vertices before they are averaged, so that none outweighs
        the others by its scale or dimension. A kernel between graphs goes further: each of them
        has message passing and hierarchies of its own, and the kernels are balanced.

        ``"auto"`` is the balanced sum ``"labels,attributes-standardised,degree"`` of what the
        training graphs have, and the degree alone for graphs without labels and attributes.
        It does not use the classes, so it cannot choose what separates them: where it
        matters, compare the single choices on the training graphs
        (:func:`~mpgk_core.evaluation.compare_features`) or let a grid search choose. A callable
        receives the GraphSet and returns one number or one row of numbers per vertex; it must
        not depend on the order of vertices.

    Attributes
    ----------
    features_ : str or callable
        What ``features`` was resolved to.

    Examples
    --------
    >>> import networkx as nx
    >>> graphs = GraphSet.from_networkx(nx.star_graph(3))
    >>> start = FeatureEncoder("degree+constant").fit(graphs)
    >>> start.rows[start.of_vertex].tolist()
    [[3.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]
    """

    def __init__(self, features: FeatureSpec) -> None:
        self.features = features

    def fit(self, graphs: GraphSet) -> InitialFeatures:
        """Learn vocabulary and scales from the training graphs and encode them.

        Parameters
        ----------
        graphs : GraphSet

        Returns
        -------
        InitialFeatures
        """
        self.features_ = resolved_features(self.features, graphs)
        summands = parts_of(self.features_)
        self.parts_: tuple[Any, ...] = tuple(dict.fromkeys(part for s in summands for part in s))
        if graphs.attributes is not None:
            self.n_attributes_ = graphs.attributes.shape[1]
        raw = self._raw_numbers(graphs)
        self.n_numbers_ = raw.shape[1]
        self.known_labels_: tuple[Any, ...] = ()
        if "labels" in self.parts_:
            used = np.unique(_label_codes(graphs))
            self.known_labels_ = tuple(graphs.label_values[code] for code in used)
        self.known_degrees_: tuple[float, ...] = ()
        if "degree-label" in self.parts_:
            self.known_degrees_ = tuple(np.unique(degree(graphs.adjacency)).tolist())
        codes, rows, of_vertex = self._distinct(graphs, raw)
        counts = np.bincount(of_vertex, minlength=len(rows))
        self.unit_ = np.ones(self.n_numbers_)
        self.shift_ = np.zeros(self.n_numbers_)
        self.scale_ = np.ones(self.n_numbers_)
        self.label_weight_ = self.degree_weight_ = 1.0
        if "attributes-standardised" in self.parts_:
            self._fit_scale(rows, counts)
        if len(summands) > 1:
            self._balance(summands, rows, counts)
        return self._encode(codes, rows, of_vertex)

    def transform(self, graphs: GraphSet) -> InitialFeatures:
        """Encode graphs with what was learnt in training.

        Parameters
        ----------
        graphs : GraphSet

        Returns
        -------
        InitialFeatures
        """
        raw = self._raw_numbers(graphs)
        if raw.shape[1] != self.n_numbers_:
            raise InvalidGraphError(
                f"The graphs have {raw.shape[1]} feature numbers per vertex, the training graphs "
                f"had {self.n_numbers_}. Give attributes of the same length."
            )
        return self._encode(*self._distinct(graphs, raw))

    @property
    def column_names(self) -> list[str]:
        """What each of the columns stands for, those of labels first."""
        names = [f"label {label}" for label in self.known_labels_]
        for part, block in self._columns().items():
            if part == "degree-label":
                names += [f"degree {known:g}" for known in self.known_degrees_]
            elif part in LOCAL_FEATURES:
                names.append(part)
            else:
                word = _COLUMN_WORDS.get(part, "feature")
                names += [f"{word} {i + 1}" for i in range(block.stop - block.start)]
        return names

    def _raw_numbers(self, graphs: GraphSet) -> FloatArray:
        """Compute all numeric parts, as they are: an (n, number of numbers) matrix."""
        columns: list[FloatArray] = []
        for part in self.parts_:
            if callable(part):
                columns.append(_called(part, graphs))
            elif part in LOCAL_FEATURES:
                columns.append(LOCAL_FEATURES[part](graphs.adjacency)[:, np.newaxis])
            elif part != "labels":
                columns.append(self._attributes(graphs))
        if len(columns) == 1:
            return np.ascontiguousarray(columns[0])
        return np.hstack(columns) if columns else np.zeros((graphs.n_vertices, 0))

    def _attributes(self, graphs: GraphSet) -> FloatArray:
        if graphs.n_vertices == 0:
            return np.zeros((0, getattr(self, "n_attributes_", 0)))
        if graphs.attributes is None:
            raise InvalidGraphError(
                "The graphs have no vertex attributes. Give every vertex a vector of numbers, or "
                "choose other features, for example features='degree'."
            )
        return graphs.attributes

    def _distinct(
        self, graphs: GraphSet, raw: FloatArray
    ) -> tuple[Int32Array, FloatArray, Int32Array]:
        codes = np.zeros(graphs.n_vertices, dtype=np.int32)
        if "labels" in self.parts_:
            recode, _ = encode_labels(graphs.label_values, self.known_labels_)
            codes = recode[_label_codes(graphs)]
        groups = group_rows(Rows.of_floats(codes, raw))
        return codes[groups.representatives], raw[groups.representatives], groups.of_row

    def _fit_scale(self, rows: FloatArray, counts: IntArray) -> None:
        """Standardise the attribute columns; sums run over distinct rows, in their own order.

        Columns are first divided by their largest entry, so that squares cannot overflow. Of a
        constant column nothing remains.
        """
        block = self._columns()["attributes-standardised"]
        table = rows[:, block]
        largest = np.abs(table).max(axis=0, initial=0.0)
        self.unit_[block] = np.where(largest > 0, largest, 1.0)
        table = table / self.unit_[block]
        total = max(counts.sum(), 1)
        is_same = is_constant(table)
        mean = np.where(is_same, table[:1].sum(axis=0), counts @ table / total)
        variance = counts @ (table - mean) ** 2 / total
        n_varying = np.count_nonzero(~is_same)
        self.shift_[block] = mean
        self.scale_[block] = np.where(is_same, np.inf, np.sqrt(variance * n_varying))

    def _balance(self, summands: list[tuple[Any, ...]], rows: FloatArray, counts: IntArray) -> None:
        """Weigh the parts so that every summand has the same mean self-similarity.

        The sums are exact before they are rounded, so they do not depend on any order.
        """
        numbers = self._scaled(rows)
        n_vertices = max(int(counts.sum()), 1)
        own = {"labels": 1.0}
        for part, block in self._columns().items():
            largest = float(np.abs(numbers[:, block]).max(initial=0.0)) or 1.0
            squares = counts[:, np.newaxis] * (numbers[:, block] / largest) ** 2
            own[part] = fsum(squares.ravel().tolist()) / n_vertices * largest**2
        own["degree-label"] = 1.0
        means = [sum(own[part] for part in parts) for parts in summands]
        n_present = sum(mean > 0 for mean in means)
        for part in self.parts_:
            weight = np.sqrt(
                sum(
                    1.0 / (mean * n_present)
                    for parts, mean in zip(summands, means, strict=True)
                    if part in parts and mean > 0
                )
            )
            if part == "labels":
                self.label_weight_ = float(weight)
            elif part == "degree-label":
                self.degree_weight_ = float(weight)
            elif weight > 0:
                self.scale_[self._columns()[part]] /= weight

    def _scaled(self, rows: FloatArray) -> FloatArray:
        """Apply what was learnt in training; no entry is -0.0."""
        scaled: FloatArray = (rows / self.unit_ - self.shift_) / self.scale_ + 0.0
        return scaled

    def _columns(self) -> dict[Any, slice]:
        """Return which of the numbers belong to each part but the labels."""
        n_local = sum(part in LOCAL_FEATURES for part in self.parts_)
        columns, start = {}, 0
        for part in self.parts_:
            if part != "labels":
                width = 1 if part in LOCAL_FEATURES else self.n_numbers_ - n_local
                columns[part] = slice(start, start + width)
                start += width
        return columns

    def _encode(
        self, codes: Int32Array, rows: FloatArray, of_vertex: Int32Array
    ) -> InitialFeatures:
        content = Rows.of_floats(codes, rows)
        numbers = self._scaled(rows)
        blocks: list[Any] = [numbers]
        unseen: list[Any] = []
        if "degree-label" in self.parts_:
            at = self._columns()["degree-label"].start
            of_row, _ = encode_labels(rows[:, at].tolist(), self.known_degrees_)
            one_hot = _one_hot(of_row, self.degree_weight_, len(self.known_degrees_))
            blocks = [numbers[:, :at], one_hot[0], numbers[:, at + 1 :]]
            unseen.append(one_hot[1])
        if "labels" in self.parts_:
            one_hot = _one_hot(codes, self.label_weight_, len(self.known_labels_))
            blocks.insert(0, one_hot[0])
            unseen.append(one_hot[1])
        if not unseen:
            return InitialFeatures(of_vertex, numbers, self.n_numbers_, content)
        n_known = sum(block.shape[1] for block in blocks)
        joined = hstack([*blocks, *unseen], format="csr")
        known_rows = joined.toarray() if joined.shape[1] <= _WIDEST_DENSE else joined
        return InitialFeatures(of_vertex, known_rows, n_known, content)


def _one_hot(codes: Int32Array, weight: float, n_known: int) -> tuple[Any, Any]:
    """Return a column for every known code, and one for every code beyond them."""
    width = max(int(codes.max(initial=-1)) + 1, n_known)
    entries = (np.full(len(codes), weight), codes, np.arange(len(codes) + 1))
    one_hot = csr_array(entries, shape=(len(codes), width))
    return one_hot[:, :n_known], one_hot[:, n_known:]


def _label_codes(graphs: GraphSet) -> Int32Array:
    if graphs.n_vertices == 0:
        return np.zeros(0, dtype=np.int32)
    if graphs.label_codes is None:
        raise InvalidGraphError(
            "The graphs have no vertex labels. Label the vertices, or choose other features, "
            "for example features='degree'."
        )
    return graphs.label_codes


def _called(function: Callable[[GraphSet], Any], graphs: GraphSet) -> FloatArray:
    try:
        result = np.asarray(function(graphs), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidParameterError(
            f"The features callable did not return numbers ({error}). Return one number or one "
            "row of numbers per vertex."
        ) from error
    if result.ndim == 1:
        result = result[:, np.newaxis]
    if result.ndim != 2 or len(result) != graphs.n_vertices:
        raise InvalidParameterError(
            f"The features callable returned shape {result.shape} for {graphs.n_vertices} "
            "vertices. Return one number or one row of numbers per vertex."
        )
    if not np.all(np.isfinite(result)):
        raise InvalidParameterError("The features callable returned NaN or infinite numbers.")
    return result + 0.0
