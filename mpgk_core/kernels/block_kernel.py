"""What all graph kernels have in common: the scikit-learn face of a sum of blocks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from types import MappingProxyType, SimpleNamespace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from mpgk_core.errors import not_fitted
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.graphs.initial_features import FeatureSpec
from mpgk_core.kernels.blocks import Block, combine, combined_features, combined_norms
from mpgk_core.kernels.estimator import Estimator
from mpgk_core.kernels.normalisation import cosine_normalised
from mpgk_core.limits import check_memory


class FeatureKernel(Estimator):
    """A kernel that says, once fitted, what ``features="auto"`` was resolved to.

    Attributes
    ----------
    features_ : str or callable
        Gives the same numbers as ``features``.
    """

    features: FeatureSpec
    features_: FeatureSpec

    def __repr__(self) -> str:
        """Return the parameters, and what "auto" was resolved to."""
        text = super().__repr__()
        found = self.__dict__.get("features_")
        if self.features != "auto" or found is None:
            return text
        return f"{text[:-1]}{'' if text.endswith('()') else ', '}features_={found!r})"


class BlockKernel(FeatureKernel):
    """A graph kernel that is a weighted sum of blocks.

    Subclasses check their parameters in ``_check_parameters``, set ``_blocks`` and ``_table``
    (coefficients, the last row being the kernel itself) in ``_fit_blocks``, and make the blocks
    of new graphs in ``_blocks_of``.
    """

    normalize: bool
    _blocks: list[Block]
    _table: NDArray[np.float64]

    @property
    def fitted_parameters_(self) -> Mapping[str, Any]:
        """The parameters that ``fit`` went by, whatever was set since."""
        self._check_fitted()
        return MappingProxyType(vars(self._fitted))

    def fit(self, graphs: Any, y: Any = None) -> Self:
        """Learn features and hierarchies from the training graphs.

        Parameters
        ----------
        graphs : GraphSet, or list of GraphSets or networkx graphs
        y : ignored

        Returns
        -------
        self
        """
        self._prepare(graphs, every_t=False)
        return self

    def fit_transform(self, graphs: Any, y: Any = None, **fit_params: Any) -> NDArray[np.float64]:
        """Fit, and return the kernel between all pairs of training graphs.

        Parameters
        ----------
        graphs : GraphSet, or list of GraphSets or networkx graphs
        y : ignored
        **fit_params : ignored

        Returns
        -------
        ndarray of shape (N, N)
        """
        prepared = as_graph_set(graphs)
        self._check_square(len(prepared), copies=3)
        self._prepare(prepared, every_t=False)
        return self._finish_square(combine(self._table[-1:], self._blocks))[0]

    def transform(self, graphs: Any) -> NDArray[np.float64]:
        """Return the kernel between new graphs and the training graphs.

        Parameters
        ----------
        graphs : GraphSet, or list of GraphSets or networkx graphs

        Returns
        -------
        ndarray of shape (M, N)
        """
        self._check_fitted()
        prepared = as_graph_set(graphs)
        check_memory(
            3 * 8 * len(prepared) * self.n_graphs_in_,
            f"A kernel between {len(prepared)} new and {self.n_graphs_in_} training graphs",
            "Transform fewer graphs at a time, or use feature_map.",
        )
        blocks = self._blocks_of(prepared)
        norms = combined_norms(self._table[-1:], blocks)[0]
        kernel = combine(self._table[-1:], blocks, self._blocks)[0]
        if self._fitted.normalize:
            kernel = cosine_normalised(kernel, norms, self._norms)
        return kernel

    def feature_map(self, graphs: Any) -> csr_array:
        """Return sparse rows whose dot products are the kernel before normalisation.

        The columns are those of the training graphs: products with rows of training graphs are
        exact for any graph. What was never seen in training (labels, larger counts) has no
        column, so a product of two new graphs does not count it.

        Parameters
        ----------
        graphs : GraphSet, or list of GraphSets or networkx graphs

        Returns
        -------
        csr_array of shape (M, number of features)
        """
        self._check_fitted()
        return combined_features(self._table[-1], self._blocks_of(as_graph_set(graphs)))

    def fitted_features(self) -> csr_array:
        """Return the feature map of the training graphs, without passing messages again.

        Returns
        -------
        csr_array of shape (N, number of features)
        """
        self._check_fitted()
        return combined_features(self._table[-1], self._blocks)

    def _prepare(self, graphs: Any, every_t: bool) -> GraphSet:
        for learnt in ("n_graphs_in_", "features_"):
            self.__dict__.pop(learnt, None)
        self._check_parameters()
        prepared = as_graph_set(graphs)
        self._fitted = SimpleNamespace(**self.get_params(deep=False))
        self._fit_blocks(prepared, every_t)
        self._norms = combined_norms(self._table[-1:], self._blocks)[0]
        self.n_graphs_in_ = len(prepared)
        return prepared

    def _finish_square(self, kernels: list[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
        if not self.normalize:
            return kernels
        return [cosine_normalised(k, k.diagonal(), k.diagonal()) for k in kernels]

    def _check_square(self, n_graphs: int, copies: int) -> None:
        check_memory(
            copies * 8 * n_graphs**2,
            f"A kernel matrix of {n_graphs} graphs",
            "Use fewer graphs, or feature_map with a linear model.",
        )

    def _check_fitted(self) -> None:
        if not hasattr(self, "n_graphs_in_"):
            raise not_fitted(type(self).__name__, "Call fit or fit_transform first.")

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise unless all parameters are in range."""

    @abstractmethod
    def _fit_blocks(self, graphs: GraphSet, every_t: bool) -> None:
        """Learn from the training graphs; set ``_blocks`` and ``_table``."""

    @abstractmethod
    def _blocks_of(self, graphs: GraphSet) -> list[Block]:
        """Return the blocks of any graphs."""
