"""The graph size kernel: what can be learnt from the numbers of vertices and edges alone."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from mpgk_core.arrays import FloatArray
from mpgk_core.checks import check_memory, check_non_negative
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.kernels.estimator import Estimator


class GraphSizeKernel(Estimator):
    """The Gaussian kernel of the numbers of vertices and edges.

        k(G, G') = exp(-γ ‖z - z'‖²),  z = (n, m), each with mean 0 and variance 1 in training.

    A Gaussian and not the linear kernel, because a class may be of middle size: what can be
    learnt from the size at all should be learnt.

    Parameters
    ----------
    gamma : float
        The number γ.

    Examples
    --------
    >>> import networkx as nx
    >>> graphs = [nx.path_graph(3), nx.path_graph(4), nx.cycle_graph(4)]
    >>> GraphSizeKernel().fit_transform(graphs).round(2).tolist()
    [[1.0, 0.05, 0.01], [0.05, 1.0, 0.47], [0.01, 0.47, 1.0]]
    """

    def __init__(self, gamma: float = 0.5) -> None:
        self.gamma = gamma

    def fit(self, graphs: Any, y: Any = None) -> Self:
        """Learn the scales of both numbers.

        Parameters
        ----------
        graphs : GraphSet, or graphs of any kind that as_graph_set accepts
        y : ignored

        Returns
        -------
        self
        """
        check_non_negative(self.gamma, "gamma", type(self).__name__)
        sizes = _sizes(as_graph_set(graphs))
        n_graphs, total, squares = len(sizes), sizes.sum(axis=0), (sizes**2).sum(axis=0)
        self.mean_ = total / n_graphs
        spread = np.sqrt(n_graphs * squares - total**2) / n_graphs  # whole numbers: in any order
        self.scale_ = np.where(spread > 0, spread, 1.0)
        self.rows_ = (sizes - self.mean_) / self.scale_
        self.n_graphs_in_ = n_graphs
        return self

    def transform(self, graphs: Any) -> FloatArray:
        """Return the kernel between new graphs and the training graphs.

        Parameters
        ----------
        graphs : GraphSet, or graphs of any kind that as_graph_set accepts

        Returns
        -------
        ndarray of shape (M, N)
        """
        self._check_fitted()
        prepared = as_graph_set(graphs)
        check_memory(
            4 * 8 * len(prepared) * len(self.rows_),
            f"A kernel matrix of {len(prepared)} graphs",
            "Use fewer graphs.",
        )
        rows = (_sizes(prepared) - self.mean_) / self.scale_
        gaps = [np.subtract.outer(a, b) ** 2 for a, b in zip(rows.T, self.rows_.T, strict=True)]
        kernel: FloatArray = np.exp(-self.gamma * sum(gaps))
        return kernel


def _sizes(graphs: GraphSet) -> FloatArray:
    entries = graphs.adjacency.indptr[graphs.offsets]
    loops = np.add.reduceat(np.append(graphs.adjacency.diagonal(), 0.0), graphs.offsets[:-1]) * (
        graphs.sizes > 0
    )
    return np.column_stack([graphs.sizes, (np.diff(entries) + loops) / 2]).astype(np.float64)
