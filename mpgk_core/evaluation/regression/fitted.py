"""A trained model of regression: from graphs to predictions in the unit of the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.checks import check_memory
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation.regression.models import Data, Learnt
from mpgk_core.evaluation.regression.protocol import RegressionProtocol, Split, TargetColumn
from mpgk_core.evaluation.regression.rows import GraphRows, KernelMaps, LabelCounts
from mpgk_core.evaluation.regression.spec import RegressionSpec
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.kernels import MessagePassingGraphKernel


@dataclass(frozen=True, eq=False)
class Composition:
    """The mean function: a constant, or a linear function of the counts of labels.

    Attributes
    ----------
    counts : LabelCounts or None
        None for a constant.
    weights : ndarray of shape (1 + number of labels, k)
        Of standardised targets; the first row holds the constants.
    """

    counts: LabelCounts | None
    weights: FloatArray

    @classmethod
    def fit(cls, graphs: GraphSet, targets: FloatArray, is_wanted: bool) -> Composition:
        """Learn by least squares; of equally good weights, the shortest."""
        if not is_wanted:
            return cls(None, np.zeros((1, targets.shape[1])))
        counts = LabelCounts()
        rows = counts.fit(graphs).toarray()
        table = np.column_stack([np.ones(len(rows)), rows])
        weights, *_ = np.linalg.lstsq(table, targets, rcond=None)
        return cls(counts, weights)

    def means(self, graphs: GraphSet) -> FloatArray:
        """Return the function of graphs, of shape (number of graphs, k)."""
        if self.counts is None:
            return np.repeat(self.weights, len(graphs), axis=0)
        found: FloatArray = self.weights[0] + self.counts.rows(graphs) @ self.weights[1:]
        return found


class Contributions(NamedTuple):
    """A prediction as a sum.

    Attributes
    ----------
    values : ndarray of shape (n,)
        Of the vertices.
    base : float
        What belongs to no vertex.
    """

    values: FloatArray
    base: float


@dataclass(frozen=True, eq=False)
class FittedRegression:
    """A model that has learnt; it predicts the targets of any graphs.

    Attributes
    ----------
    spec : RegressionSpec
    targets : tuple of str
    chosen : list of mappings
        For every target, the settings that were chosen on the validation part.
    parts : Split
        Of the graphs it has learnt from.
    """

    spec: RegressionSpec
    targets: tuple[str, ...]
    chosen: Sequence[Mapping[str, Any]]
    parts: Split
    _composition: Composition
    _source: GraphRows | None
    _learnt: Learnt
    _training_rows: csr_array
    _shift: FloatArray
    _scale: FloatArray

    def predict(self, graphs: Any) -> tuple[FloatArray, FloatArray | None]:
        """Predict the targets of graphs.

        Parameters
        ----------
        graphs : GraphSet, or list of GraphSets or networkx graphs

        Returns
        -------
        means : ndarray of shape (N,), or (N, k) for k > 1 targets
        deviations : ndarray of the same shape or None
            Predictive standard deviations, of a Gaussian process.
        """
        means, deviations = self._predict_all(as_graph_set(graphs))
        if len(self.targets) > 1:
            return means, deviations
        return means[:, 0], None if deviations is None else deviations[:, 0]

    def nearest(self, graphs: Any, n_neighbours: int = 5) -> tuple[IntArray, FloatArray]:
        """Return the most similar training graphs of each graph.

        Similarity is the cosine of the rows that the model learns from: 1 for graphs that it
        cannot tell apart. Of equally similar graphs, the first in the order of their content.

        Parameters
        ----------
        graphs : GraphSet, or list of GraphSets or networkx graphs
        n_neighbours : int

        Returns
        -------
        positions : ndarray of shape (N, n_neighbours)
            In the set that the model has learnt from.
        similarities : ndarray of the same shape
        """
        if self._source is None:
            raise InvalidParameterError("The mean compares no graphs. Choose another model.")
        rows, known = self._source.rows(as_graph_set(graphs)), self._training_rows
        check_memory(
            4 * 8 * rows.shape[0] * known.shape[0],
            f"The similarities of {rows.shape[0]:,} with {known.shape[0]:,} training graphs",
            "Ask for fewer graphs at a time.",
        )
        products = np.asarray((rows @ known.T).todense())
        lengths = np.multiply.outer(_lengths(rows), _lengths(known))
        cosines = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
        order = np.argsort(-cosines, axis=1, kind="stable")[:, :n_neighbours]
        return self.parts.train[order], np.take_along_axis(cosines, order, axis=1)

    @property
    def can_contribute(self) -> bool:
        """Whether a prediction is a sum over vertices: ridge on the maps of RA and AA."""
        kernels = self._source.kernels if isinstance(self._source, KernelMaps) else []
        is_shared = bool(kernels) and all(
            isinstance(one, MessagePassingGraphKernel)
            and one.variant[1] == "A"
            and one.approximation is None
            for one in kernels
        )
        counts = self._composition.counts
        return (
            is_shared and self._learnt.weights is not None and (counts is None or counts.has_labels)
        )

    def contributions(self, graphs: Any) -> Contributions:
        """Divide the predictions of one target among the vertices.

        A linear model of the maps of RA or AA is a sum over tree nodes, and each tree node is
        shared equally by the vertices of the graph in it; the composition adds the weight of the
        label of a vertex. What is left belongs to no vertex: it is the same for all graphs.

        Parameters
        ----------
        graphs : GraphSet, or list of GraphSets or networkx graphs

        Returns
        -------
        Contributions
            In the unit of the target. ``base`` and the values of a graph add up to its prediction.
        """
        weights, source = self._learnt.weights, self._source
        if not self.can_contribute or weights is None or not isinstance(source, KernelMaps):
            raise InvalidParameterError(
                "Only ridge on the maps of RA and AA is a sum over vertices. Choose such a model."
            )
        if len(self.targets) > 1:
            raise InvalidParameterError("Contributions are those of one target. Fit to one.")
        prepared = as_graph_set(graphs)
        parts, start = np.zeros(prepared.n_vertices), 0
        for kernel, factor in zip(source.kernels, source.factors, strict=True):
            stop = start + kernel.fitted_features().shape[1]
            assert isinstance(kernel, MessagePassingGraphKernel)
            parts += factor * kernel.parts_of_vertices(prepared, weights[start:stop, 0])
            start = stop
        nothing = csr_array((1, weights.shape[0]))
        base = float(self._learnt.predict(nothing)[0][0, 0]) + float(
            self._composition.weights[0, 0]
        )
        if self._composition.counts is not None:
            of_label = self._composition.counts.rows_of_vertices(prepared)
            parts += of_label @ self._composition.weights[1:, 0]
        scale, shift = float(self._scale[0]), float(self._shift[0])
        return Contributions(scale * parts, shift + scale * base)

    def _predict_all(self, graphs: GraphSet) -> tuple[FloatArray, FloatArray | None]:
        rows = csr_array((len(graphs), 1)) if self._source is None else self._source.rows(graphs)
        means, deviations = self._learnt.predict(rows)
        means = (means + self._composition.means(graphs)) * self._scale + self._shift
        return means, None if deviations is None else deviations * self._scale


def _lengths(rows: csr_array) -> FloatArray:
    found: FloatArray = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    return found


class Found(NamedTuple):
    """What a model predicts for the test part.

    Attributes
    ----------
    means : ndarray of shape (m, k)
        In the unit of the targets.
    deviations : ndarray of shape (m, k) or None
    chosen : list of mappings
    validation_errors : ndarray of shape (k,)
        Normalised root mean squared errors.
    """

    means: FloatArray
    deviations: FloatArray | None
    chosen: Sequence[Mapping[str, Any]]
    validation_errors: FloatArray


class FittedParts(NamedTuple):
    """A trained model, and what it predicts for the test part."""

    fitted: FittedRegression
    found: Found


def fit_parts(
    graphs: GraphSet,
    targets: Sequence[TargetColumn],
    spec: RegressionSpec,
    parts: Split,
    protocol: RegressionProtocol,
    memory: dict[Any, Any],
) -> FittedParts:
    """Learn from the training part, choose on the validation part, and predict the test part.

    Parameters
    ----------
    graphs : GraphSet
    targets : sequence of TargetColumn
    spec : RegressionSpec
    parts : Split
    protocol : RegressionProtocol
    memory : dict
        Keeps the rows of the last kernel, for the next model that learns from it.

    Returns
    -------
    FittedParts
    """
    train, validation = graphs[parts.train], graphs[parts.validation]
    table = np.column_stack([target.values for target in targets])
    shift, scale = table[parts.train].mean(axis=0), table[parts.train].std(axis=0)
    if np.any(scale == 0.0):
        name = targets[int(np.argmin(scale))].name
        raise InvalidParameterError(
            f"The target {name!r} is the same for all graphs of the training part, so nothing can "
            "be learnt. Take more graphs, or another seed."
        )
    normalised = (table - shift) / scale
    key = "rows", spec.rows_key, len(parts.train)
    if memory.get("rows key") != key:
        memory["rows"] = None  # two maps may be too much
        source = spec.graph_rows(protocol.random_state)
        if source is None:
            rows = [csr_array((len(part), 1)) for part in parts]
        else:
            rows = [source.fit(train), source.rows(validation), source.rows(graphs[parts.test])]
        memory["rows"], memory["rows key"] = (source, rows), key
    source, rows = memory["rows"]
    composition = Composition.fit(train, normalised[parts.train], spec.composition)
    data = Data(
        rows[0],
        normalised[parts.train] - composition.means(train),
        rows[1],
        normalised[parts.validation] - composition.means(validation),
        protocol.random_state,
    )
    learnt = spec.new_model().fit(data)
    names = tuple(target.name for target in targets)
    fitted = FittedRegression(
        spec, names, learnt.chosen, parts, composition, source, learnt, rows[0], shift, scale
    )
    errors = data.validation_errors(learnt.predict(rows[1])[0])
    means, deviations = learnt.predict(rows[2])
    means = (means + composition.means(graphs[parts.test])) * scale + shift
    deviations = None if deviations is None else deviations * scale
    return FittedParts(fitted, Found(means, deviations, learnt.chosen, errors))
