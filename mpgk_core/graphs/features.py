"""The initial features x_v of k⁰(v, u) = ⟨x_v, x_u⟩: what "auto" means, and how they are learnt."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np
from scipy.sparse import csr_array, hstack

from mpgk_core.arrays import BoolArray, FloatArray, Int32Array, IntArray
from mpgk_core.errors import InvalidGraphError, InvalidParameterError
from mpgk_core.graphs.feature_names import FeatureSpec, parts_of, summands_of, weighed_parts
from mpgk_core.graphs.graph_parts import encode_labels
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.local_features import LOCAL_FEATURES, degree
from mpgk_core.grouping import Rows, group_rows

_ROUNDING = 4 * np.finfo(np.float64).eps
"""A column whose entries differ by less, relative to the largest, is constant."""

_SCALED = ("attributes-scaled", "attributes-standardised", "attributes-gaussian")
_N_FREQUENCIES = 64
"""Random frequencies of a Gaussian kernel: the error of a similarity is about 0.1."""


def resolved_features(features: FeatureSpec, graphs: GraphSet) -> FeatureSpec:
    """Return what "auto" stands for with these graphs; everything else as it is.

    Parameters
    ----------
    features : str or callable
    graphs : GraphSet

    Returns
    -------
    str or callable
        Gives the same numbers as ``features`` with these graphs.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.path_graph(3)
    >>> resolved_features("auto", GraphSet.from_networkx(graph))
    'degree'
    >>> nx.set_node_attributes(graph, dict(enumerate("CCO")), "label")
    >>> resolved_features("auto", GraphSet.from_networkx(graph))
    'labels,degree'
    """
    if features != "auto":
        return features
    found = ["labels"] if graphs.label_codes is not None else []
    if graphs.attributes is not None and not np.all(is_constant(graphs.attributes)):
        found.append("attributes-standardised")
    return ",".join([*found, "degree"])


def discrete_features(features: FeatureSpec, graphs: GraphSet) -> FeatureSpec:
    """Return what "auto" stands for with kernels that only ask whether vertices are alike.

    Parameters
    ----------
    features : str or callable
    graphs : GraphSet

    Returns
    -------
    str or callable
        Labels where there are any, else the degree: attributes hardly ever repeat.
    """
    if features != "auto":
        return features
    return "degree" if graphs.label_codes is None else "labels"


def is_constant(table: FloatArray) -> BoolArray:
    """Return which columns are constant up to rounding."""
    if not len(table):
        return np.ones(table.shape[1], dtype=bool)
    low, high = table.min(axis=0), table.max(axis=0)
    same: BoolArray = high / 2 - low / 2 <= _ROUNDING * np.maximum(high, -low) / 2
    return same


_COLUMN_WORDS = {
    "attributes": "attribute",
    "attributes-scaled": "scaled attribute",
    "attributes-standardised": "standardised attribute",
    "attributes-gaussian": "random feature",
}
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
        Names joined by "+": k⁰ is the sum of their kernels, as they are, or with factors:
        ``"labels + 0.5*attributes"``.

        - ``"labels"``: the delta kernel, 1 for equal labels and else 0; a label that did not
          occur in training equals only itself;
        - ``"attributes"``: the linear kernel of the attributes as they are;
        - ``"attributes-scaled"``: the same of attributes divided by their root mean square over
          the training vertices, and by the root of the number of columns, so that a vertex has
          squared length 1 on average; zeros and signs remain, and sums over a graph keep its size;
        - ``"attributes-standardised"``: the same of attributes with mean 0 and variance 1 over
          the training vertices, divided by the root of the number of columns, so that a vertex
          has squared length 1 on average; constant columns contribute nothing;
        - ``"attributes-gaussian"``: exp(-‖z_v - z_u‖² / 2) of these, approximated by random
          Fourier features (Rahimi & Recht 2007): 64 frequencies, drawn with ``random_state``;
        - ``"labels*attributes"``: the product of the two kernels, so that attributes are compared
          between equal labels only;
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
    random_state : int
        Seed of the random features.

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

    def __init__(self, features: FeatureSpec, random_state: int = 0) -> None:
        self.features = features
        self.random_state = random_state

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
        if self._uses_labels:
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
        self.factors_ = dict.fromkeys(self.parts_, 1.0)
        for summand in summands_of(self.features_):
            self.factors_ |= {part: math.sqrt(w) for part, w in weighed_parts(summand).items()}
        scaled = [part for part in self.parts_ if part in _SCALED]
        if scaled:
            self._fit_scale(scaled[0], self._columns()[scaled[0]], rows, counts)
        if len(summands) > 1:
            self._balance(summands, rows, counts)
        for part, block in self._columns().items():
            if part not in ("degree-label", "attributes-gaussian"):
                self.scale_[block] /= self.factors_[part]
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
        labels = [f"label {label}" for label in self.known_labels_]
        names = labels if "labels" in self.parts_ else []
        for part, block in self._columns().items():
            width = block.stop - block.start
            if part == "degree-label":
                names = names + [f"degree {known:g}" for known in self.known_degrees_]
            elif part in LOCAL_FEATURES:
                names = [*names, part]
            elif part == "labels*attributes":
                both = [f"attribute {i + 1} of {label}" for label in labels for i in range(width)]
                names = names + both
            else:
                width = 2 * _N_FREQUENCIES if part == "attributes-gaussian" else width
                word = _COLUMN_WORDS.get(part, "feature")
                names = names + [f"{word} {i + 1}" for i in range(width)]
        return names

    @property
    def _uses_labels(self) -> bool:
        return "labels" in self.parts_ or "labels*attributes" in self.parts_

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
        if self._uses_labels:
            recode, _ = encode_labels(graphs.label_values, self.known_labels_)
            codes = recode[_label_codes(graphs)]
        groups = group_rows(Rows.of_floats(codes, raw))
        return codes[groups.representatives], raw[groups.representatives], groups.of_row

    def _fit_scale(self, part: str, block: slice, rows: FloatArray, counts: IntArray) -> None:
        """Standardise or scale attribute columns; sums run over distinct rows, in their own order.

        Columns are first divided by their largest entry, so that squares cannot overflow. Of a
        constant column nothing remains where the mean is subtracted.
        """
        table = rows[:, block]
        largest = np.abs(table).max(axis=0, initial=0.0)
        self.unit_[block] = np.where(largest > 0, largest, 1.0)
        table = table / self.unit_[block]
        total = max(counts.sum(), 1)
        if part == "attributes-scaled":
            is_same, mean = largest == 0, np.zeros(table.shape[1])
        else:
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
        own |= dict.fromkeys(("degree-label", "attributes-gaussian"), 1.0)
        own = {part: value * self.factors_.get(part, 1.0) ** 2 for part, value in own.items()}
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
            if weight > 0:
                self.factors_[part] *= float(weight)

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
        known: list[Any] = []
        unseen: list[Any] = []

        def add_one_hot(of_row: Int32Array, weight: float, n_known: int) -> None:
            one_hot = _one_hot(of_row, weight, n_known)
            known.append(one_hot[0])
            unseen.append(one_hot[1])

        if "labels" in self.parts_:
            add_one_hot(codes, self.factors_["labels"], len(self.known_labels_))
        for part, block in self._columns().items():
            own = numbers[:, block]
            if part == "degree-label":
                of_row, _ = encode_labels(rows[:, block.start].tolist(), self.known_degrees_)
                add_one_hot(of_row, self.factors_[part], len(self.known_degrees_))
            elif part == "labels*attributes":
                products = _by_label(codes, own, len(self.known_labels_))
                known.append(products[0])
                unseen.append(products[1])
            elif part == "attributes-gaussian":
                known.append(_random_features(own, self.random_state) * self.factors_[part])
            else:
                known.append(own)
        if not unseen:
            dense = known[0] if len(known) == 1 else np.hstack([np.zeros((len(rows), 0)), *known])
            return InitialFeatures(of_vertex, dense, dense.shape[1], content)
        n_known = sum(block.shape[1] for block in known)
        joined = hstack([*known, *unseen], format="csr")
        known_rows = joined.toarray() if joined.shape[1] <= _WIDEST_DENSE else joined
        return InitialFeatures(of_vertex, known_rows, n_known, content)


def _random_features(points: FloatArray, random_state: int) -> FloatArray:
    """Return rows whose dot products approximate exp(-‖z - z'‖² / 2), of length exactly 1."""
    generator = np.random.default_rng([random_state, points.shape[1]])
    phases = points @ generator.standard_normal((points.shape[1], _N_FREQUENCIES))
    return np.hstack([np.cos(phases), np.sin(phases)]) / math.sqrt(_N_FREQUENCIES)


def _by_label(codes: Int32Array, numbers: FloatArray, n_known: int) -> tuple[Any, Any]:
    """Return numbers in the columns of their label: those of known labels, and the others."""
    m, width = numbers.shape
    n_labels = max(int(codes.max(initial=-1)) + 1, n_known)
    columns = codes.astype(np.int64)[:, np.newaxis] * width + np.arange(width)
    entries = (numbers.ravel(), columns.ravel(), np.arange(m + 1) * width)
    table = csr_array(entries, shape=(m, n_labels * width))
    return table[:, : n_known * width], table[:, n_known * width :]


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
