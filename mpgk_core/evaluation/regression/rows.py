"""What models of regression learn from: maps of kernels, counts and landmark numbers.

``ScaledRows`` are these as models take them: centred and scaled, and still sparse.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import csr_array, hstack, issparse

from mpgk_core.arrays import FloatArray, IntArray, Matrix, as_csr
from mpgk_core.errors import InvalidGraphError
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.features import discrete_features
from mpgk_core.graphs.graph_parts import encode_labels
from mpgk_core.kernels import MessagePassingGraphKernel, WeisfeilerLehmanSubtree
from mpgk_core.kernels.assignment import code_product
from mpgk_core.kernels.estimator import BlockKernel
from mpgk_core.kernels.update import derived_seed

_SMALLEST_EIGENVALUE = 1e-10


class GraphRows(ABC):
    """Learns from training graphs how to write any graph as a row of numbers."""

    @abstractmethod
    def fit(self, graphs: GraphSet) -> csr_array:
        """Learn from the training graphs, and return their rows."""

    @abstractmethod
    def rows(self, graphs: GraphSet) -> csr_array:
        """Return the rows of any graphs."""


class KernelMaps(GraphRows):
    """The explicit maps of one or several kernels, side by side.

    Dot products of rows are the sum of the kernels, each divided by its mean over the training
    graphs of k(G, G), so that none outweighs the others.

    Parameters
    ----------
    kernels : list of BlockKernel
    """

    def __init__(self, kernels: list[BlockKernel]) -> None:
        self.kernels = kernels
        self.factors: list[float] = []

    def fit(self, graphs: GraphSet) -> csr_array:
        """Fit all kernels."""
        parts = [kernel.fit(graphs).fitted_features() for kernel in self.kernels]
        if len(parts) == 1:
            self.factors = [1.0]
            return parts[0]
        lengths = [float(part.multiply(part).sum()) / max(len(graphs), 1) for part in parts]
        self.factors = [1.0 / np.sqrt(length) if length > 0 else 0.0 for length in lengths]
        return self._joined(parts)

    def rows(self, graphs: GraphSet) -> csr_array:
        """Return the maps of graphs."""
        return self._joined([kernel.feature_map(graphs) for kernel in self.kernels])

    def _joined(self, parts: list[csr_array]) -> csr_array:
        if len(parts) == 1:
            return parts[0]
        scaled = [part * factor for part, factor in zip(parts, self.factors, strict=True)]
        return csr_array(hstack(scaled, format="csr"))


class LabelCounts(GraphRows):
    """How many vertices of every label a graph has: the composition of a molecule.

    Without labels, the degree takes their place.

    Examples
    --------
    >>> import networkx as nx
    >>> graphs = GraphSet.from_networkx([nx.path_graph(3), nx.path_graph(4)])
    >>> LabelCounts().fit(graphs).toarray()
    array([[1., 2.],
           [2., 2.]])
    """

    def fit(self, graphs: GraphSet) -> csr_array:
        """Learn which labels there are."""
        features = discrete_features("auto", graphs)
        features = "degree-label" if features == "degree" else features
        self._counter = WeisfeilerLehmanSubtree(0, features=features, normalize=False)
        return csr_array(self._counter.fit(graphs).fitted_features())[:, 1:]

    def rows(self, graphs: GraphSet) -> csr_array:
        """Count labels."""
        return csr_array(self._counter.feature_map(graphs))[:, 1:]

    @property
    def has_labels(self) -> bool:
        """Whether vertices count by labels, and not by their degree or attributes."""
        return self._counter.features_ == "labels"

    def rows_of_vertices(self, graphs: GraphSet) -> csr_array:
        """Return the row of every vertex; those of a graph add up to its own."""
        n = graphs.n_vertices
        alone = GraphSet(csr_array((n, n)), np.arange(n + 1), labels=graphs.labels)
        return self.rows(alone)


class EnvironmentCounts(GraphRows):
    """Counts of vertices, of vertices with their neighbours, and of edges: a sober baseline.

    Vertices count by their labels; a vertex with its neighbours is a colour after one round of
    colour refinement; edges count by their label and those of their ends. Only what occurs in at
    least ``least`` training graphs has a column.

    Parameters
    ----------
    least : int
    """

    def __init__(self, least: int = 3) -> None:
        self.least = least

    def fit(self, graphs: GraphSet) -> csr_array:
        """Learn which of them there are."""
        features = discrete_features("auto", graphs)
        features = "degree-label" if features == "degree" else features
        has_labels = graphs.edges is not None and graphs.edges.label_codes is not None
        edges = "labels" if has_labels else "ignore"
        self._counter = WeisfeilerLehmanSubtree(1, features, normalize=False, edges=edges)
        colours = csr_array(self._counter.fit(graphs).fitted_features())[:, 1:]
        self._vertex_labels = graphs.label_values
        self._edge_labels: tuple[Any, ...] = ()
        if has_labels and graphs.edges is not None:
            self._edge_labels = graphs.edges.label_values
        joined = hstack([colours, self._edge_counts(graphs)], format="csr")
        in_graphs = np.bincount(joined.indices, minlength=joined.shape[1])
        least = min(self.least, max(len(graphs) // 2, 1))
        self._columns = np.flatnonzero(in_graphs >= least)
        return csr_array(joined[:, self._columns])

    def rows(self, graphs: GraphSet) -> csr_array:
        """Count them."""
        colours = csr_array(self._counter.feature_map(graphs))[:, 1:]
        joined = hstack([colours, self._edge_counts(graphs)], format="csr")
        return csr_array(joined[:, self._columns])

    def _edge_counts(self, graphs: GraphSet) -> csr_array:
        """Count edges by their labels and those of their ends; unknown labels share a number."""
        edges = graphs.all_edges()
        ends = np.zeros((2, edges.n_edges), dtype=np.int64)
        n_labels = len(self._vertex_labels)
        if graphs.label_codes is not None:
            recode = _known_numbers(graphs.label_values, self._vertex_labels)[graphs.label_codes]
            ends = np.sort([recode[edges.sources], recode[edges.targets]], axis=0)
        kinds = np.zeros(edges.n_edges, dtype=np.int64)
        n_kinds = len(self._edge_labels)
        if edges.label_codes is not None:
            kinds = _known_numbers(edges.label_values, self._edge_labels)[edges.label_codes]
        columns = (kinds * (n_labels + 1) + ends[0]) * (n_labels + 1) + ends[1]
        owners = graphs.graph_of_vertex[edges.sources]
        shape = (len(graphs), (n_kinds + 1) * (n_labels + 1) ** 2)
        return csr_array((np.ones(len(owners)), (owners, columns)), shape=shape)


def _known_numbers(values: tuple[Any, ...], known: tuple[Any, ...]) -> IntArray:
    """Return the numbers of labels among the known ones; of all others, the next number."""
    codes, _ = encode_labels(list(values), known)
    return np.minimum(codes, len(known)).astype(np.int64)


class LandmarkNumbers(GraphRows):
    """The paper's input of the network: a Nyström map of graphs for every round.

    For every t = 1..T, φ_t(G) = K_mm^(-1/2) k_m(G) with the kernel k^t between graphs and m of the
    training graphs as landmarks; an approximation of the kernel (Section 4.2 of the paper).

    Parameters
    ----------
    variant : str
        Of the message passing kernel.
    parameters : mapping
        Of the kernel, with ``n_iterations``.
    n_landmarks : int
        m, of every round.
    random_state : int
        Seed of the landmarks.
    """

    def __init__(
        self, variant: str, parameters: Mapping[str, Any], n_landmarks: int, random_state: int
    ) -> None:
        settings = dict(parameters)
        n_rounds = int(settings.pop("n_iterations", 4))
        settings.pop("levels", None)
        self.kernels = [
            MessagePassingGraphKernel(variant, n_iterations=t, normalize=False, **settings)
            for t in range(1, n_rounds + 1)
        ]
        self.n_landmarks, self.random_state = n_landmarks, random_state

    def fit(self, graphs: GraphSet) -> csr_array:
        """Fit a kernel for every t, choose landmarks, and return T · m numbers a graph."""
        self._landmarks: list[csr_array] = []
        self._roots: list[FloatArray] = []
        found = []
        for t, kernel in enumerate(self.kernels, start=1):
            rows = kernel.fit(graphs).fitted_features()
            seed = derived_seed(self.random_state, "graph landmarks", t)
            m = min(self.n_landmarks, len(graphs))
            chosen = np.random.default_rng(seed).choice(len(graphs), m, replace=False)
            self._landmarks.append(rows[np.sort(chosen)])
            own = _products(self._landmarks[-1], self._landmarks[-1])
            values, vectors = eigh(own)
            is_kept = values > _SMALLEST_EIGENVALUE * max(values[-1], 1e-300)
            roots = np.where(is_kept, 1.0 / np.sqrt(np.where(is_kept, values, 1.0)), 0.0)
            self._roots.append(vectors * roots @ vectors.T)
            found.append(_products(rows, self._landmarks[-1]) @ self._roots[-1])
        return csr_array(np.hstack(found))

    def rows(self, graphs: GraphSet) -> csr_array:
        """Return the T · m numbers of graphs."""
        found = [
            _products(kernel.feature_map(graphs), landmarks) @ root
            for kernel, landmarks, root in zip(
                self.kernels, self._landmarks, self._roots, strict=True
            )
        ]
        return csr_array(np.hstack(found))


def _products(left: csr_array, right: csr_array) -> FloatArray:
    return code_product(left, right, np.ones(left.shape[1]), np.inf)


@dataclass(frozen=True, eq=False)
class ScaledRows:
    """Rows (x - μ) / s of an explicit map, never formed: the rows x stay sparse.

    Attributes
    ----------
    rows : csr_array of shape (n, d)
    mean : ndarray of shape (d,)
        The mean μ over the training part.
    scale : float
        The factor s: the root of the mean squared distance from μ in the training part.
    """

    rows: csr_array
    mean: FloatArray
    scale: float

    @classmethod
    def of_training(cls, rows: Matrix) -> ScaledRows:
        """Take the mean and the scale from the rows themselves.

        Examples
        --------
        >>> scaled = ScaledRows.of_training(np.array([[0.0, 1.0], [2.0, 1.0]]))
        >>> scaled.dense().tolist()
        [[-1.0, 0.0], [1.0, 0.0]]
        """
        sparse = as_csr(rows) if not issparse(rows) else csr_array(rows)
        mean = np.asarray(sparse.mean(axis=0)).ravel()
        squares = float(sparse.multiply(sparse).sum()) / max(sparse.shape[0], 1)
        variance = squares - float(mean @ mean)
        if not variance > 1e-12 * max(squares, 1e-300):
            raise InvalidGraphError(
                "All graphs of the training part have the same features, so nothing can be "
                "learnt. Choose other features or another kernel."
            )
        return cls(sparse, mean, float(np.sqrt(variance)))

    def like(self, rows: Matrix) -> ScaledRows:
        """Treat other rows in the same way."""
        return ScaledRows(csr_array(rows), self.mean, self.scale)

    def chosen(self, positions: IntArray) -> ScaledRows:
        """Return some of the rows."""
        return ScaledRows(self.rows[positions], self.mean, self.scale)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return int(self.rows.shape[0]), int(self.rows.shape[1])

    def dense(self) -> FloatArray:
        """Return the rows themselves."""
        found: FloatArray = (self.rows.toarray() - self.mean) / self.scale
        return found

    def times(self, weights: FloatArray) -> FloatArray:
        """Return the product with weights of shape (d, k)."""
        found: FloatArray = (self.rows @ weights - self.mean @ weights) / self.scale
        return found

    def transposed_times(self, values: FloatArray) -> FloatArray:
        """Return the product of the transposed rows with values of shape (n, k)."""
        back = self.rows.T @ values - np.multiply.outer(self.mean, values.sum(axis=0))
        return np.asarray(back / self.scale)

    def products(self, others: ScaledRows) -> FloatArray:
        """Return all dot products with other rows."""
        ones = np.ones(self.rows.shape[1])
        found = code_product(self.rows, others.rows, ones, np.inf)
        found -= (self.rows @ self.mean)[:, np.newaxis]
        found -= others.rows @ self.mean - self.mean @ self.mean
        return found / self.scale**2

    def squared_lengths(self) -> FloatArray:
        """Return the dot product of every row with itself."""
        own = np.asarray(self.rows.multiply(self.rows).sum(axis=1)).ravel()
        found: FloatArray = (own - 2 * (self.rows @ self.mean) + self.mean @ self.mean) / (
            self.scale**2
        )
        return np.maximum(found, 0.0)
