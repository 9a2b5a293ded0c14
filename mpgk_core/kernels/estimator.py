"""What all kernels share: the scikit-learn contract, and kernels between graphs made of blocks.

Importing ``sklearn.base`` takes half a second, a third of the time to the first page. The
contract is small and documented (scikit-learn, "Developing scikit-learn estimators"), so kernels
fulfil it themselves: cloning, pipelines and grid search work as usual.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cache, wraps
from importlib import import_module
from inspect import signature
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from mpgk_core.arrays import FloatArray, cosine_normalised
from mpgk_core.checks import check_choice, check_memory
from mpgk_core.errors import InvalidParameterError, not_fitted
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.graphs.feature_names import FeatureSpec
from mpgk_core.kernels.blocks import Block, combine, combined_features, combined_norms

if TYPE_CHECKING:
    from sklearn.utils import Tags


class Estimator(ABC):
    """An object whose parameters are the arguments of its constructor, which only remembers them.

    Examples
    --------
    >>> from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
    >>> kernel = MessagePassingNodeKernel(beta=0.5)
    >>> kernel.get_params()["beta"], kernel
    (0.5, MessagePassingNodeKernel(beta=0.5))
    >>> kernel.unfitted(neighbourhood="A")
    MessagePassingNodeKernel(beta=0.5, neighbourhood='A')
    """

    _fitted_size = "n_graphs_in_"
    """The attribute that exists once the kernel is fitted: the number of its columns."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        for name in ("transform", "fit_transform"):
            if name in vars(cls):
                setattr(cls, name, _in_container(vars(cls)[name]))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name.

        Parameters
        ----------
        deep : bool
            Kept for scikit-learn; no parameter has parameters of its own.

        Returns
        -------
        dict of str to object
        """
        return {name: getattr(self, name) for name in _defaults(type(self))}

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters by name.

        Parameters
        ----------
        **parameters : Any

        Returns
        -------
        self

        Raises
        ------
        InvalidParameterError
            If there is no parameter of that name.
        """
        known = _defaults(type(self))
        for name, value in parameters.items():
            if name not in known:
                raise InvalidParameterError(
                    f"{type(self).__name__} has no parameter {name!r}. Available: "
                    f"{', '.join(known)}."
                )
            setattr(self, name, value)
        return self

    def unfitted(self, **changes: Any) -> Self:
        """Return a new estimator with the same parameters, but for some, that has learnt nothing.

        Parameters
        ----------
        **changes : Any
            Parameters with other values.

        Returns
        -------
        Estimator
        """
        return type(self)(**self.get_params()).set_params(**changes)

    @abstractmethod
    def fit(self, graphs: Any, y: Any = None) -> Self:
        """Learn from training data."""

    @abstractmethod
    def transform(self, graphs: Any) -> Any:
        """Return what was learnt, applied to data."""

    def fit_transform(self, graphs: Any, y: Any = None, **fit_params: Any) -> Any:
        """Fit, and return what ``transform`` gives for the training data."""
        return self.fit(graphs, y).transform(graphs)

    def set_output(self, *, transform: str | None = None) -> Self:
        """Choose what ``transform`` and ``fit_transform`` return, as in scikit-learn.

        Parameters
        ----------
        transform : {"default", "pandas", "polars"} or None
            An array, or a table of this library, with a column for every training graph or vertex.
            None leaves it as it is. What ``sklearn.set_config`` is set to does not count, because
            evaluations call these methods themselves.

        Returns
        -------
        self

        Examples
        --------
        >>> import networkx as nx
        >>> from mpgk_core.kernels.baselines import GraphSizeKernel
        >>> kernel = GraphSizeKernel().set_output(transform="pandas")
        >>> kernel.fit_transform([nx.path_graph(3), nx.path_graph(4)]).round(2)
           graphsizekernel0  graphsizekernel1
        0              1.00              0.02
        1              0.02              1.00
        """
        if transform is not None:
            check_choice(transform, _CONTAINERS, "transform", f"{type(self).__name__}.set_output")
            # scikit-learn copies an attribute of this name when it clones.
            self._sklearn_output_config = {"transform": transform}
        return self

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return a name for every column of what ``transform`` returns.

        Parameters
        ----------
        input_features : ignored

        Returns
        -------
        ndarray of str objects
            The name of the class and the number of a training graph or vertex.
        """
        self._check_fitted()
        prefix = type(self).__name__.lower()
        return np.array([f"{prefix}{i}" for i in range(getattr(self, self._fitted_size))], object)

    def _check_fitted(self) -> None:
        if not hasattr(self, self._fitted_size):
            raise not_fitted(type(self).__name__, "Call fit or fit_transform first.")

    def __repr__(self) -> str:
        """Return the parameters that differ from their defaults."""
        defaults = _defaults(type(self))
        given = self.get_params()
        changed = [f"{k}={given[k]!r}" for k in defaults if repr(given[k]) != repr(defaults[k])]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Tags:
        """Return what scikit-learn asks of estimators in pipelines: a transformer without y."""
        from sklearn.utils import Tags, TargetTags, TransformerTags  # see the top

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
        )


_CONTAINERS = ("default", "pandas", "polars")


def _in_container(method: Callable[..., Any]) -> Callable[..., Any]:
    """Let a method of an estimator return the kind of table that the user has chosen."""

    @wraps(method)
    def contained(self: Estimator, *arguments: Any, **keywords: Any) -> Any:
        values = method(self, *arguments, **keywords)
        chosen = getattr(self, "_sklearn_output_config", {}).get("transform", "default")
        if chosen == "default" or not isinstance(values, np.ndarray):
            return values
        names = self.get_feature_names_out()
        library = import_module(chosen)  # an import statement would need its types
        if chosen == "polars":
            return library.DataFrame(values, schema=names.tolist(), orient="row")
        given: Any = next(iter([*arguments, *keywords.values()]), None)
        index = None
        if isinstance(given, (library.Series, library.DataFrame)) and len(given) == len(values):
            index = given.index
        return library.DataFrame(values, columns=names, index=index, copy=False)

    return contained


@cache
def _defaults(kind: type) -> Mapping[str, Any]:
    """Return the parameters of a class in alphabetical order, with their defaults."""
    found = signature(kind).parameters.values()
    return MappingProxyType({p.name: p.default for p in sorted(found, key=lambda p: p.name)})


class FeatureKernel(Estimator):
    """A kernel that holds, once fitted, its parameters and what ``features="auto"`` stands for.

    Attributes
    ----------
    features_ : str or callable
        Gives the same numbers as ``features``.
    """

    features: FeatureSpec
    features_: FeatureSpec
    _fitted: Any

    @property
    def fitted_parameters_(self) -> Mapping[str, Any]:
        """The parameters at the time of ``fit``, whatever was set since."""
        self._check_fitted()
        return MappingProxyType(vars(self._fitted))

    def __repr__(self) -> str:
        """Return the parameters, and what "auto" was resolved to."""
        text = super().__repr__()
        found = self.__dict__.get("features_")
        if self.features != "auto" or found is None:
            return text
        return f"{text[:-1]}{'' if text.endswith('()') else ', '}features_={found!r})"

    def _start_fit(self) -> None:
        """Forget what was learnt, and check all parameters."""
        for learnt in (self._fitted_size, "features_"):
            self.__dict__.pop(learnt, None)
        self._check_parameters()

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise unless all parameters are in range."""


class GraphKernel(FeatureKernel):
    """A kernel between graphs, as a matrix.

    Subclasses learn in ``_fit_to``, compare the training graphs with each other in ``_square``, and
    other graphs with them in ``_cross``.
    """

    normalize: bool
    _remedy = "Use fewer graphs at a time."

    def fit(self, graphs: Any, y: Any = None) -> Self:
        """Learn from the training graphs.

        Parameters
        ----------
        graphs : GraphSet, or graphs of any kind that as_graph_set accepts
        y : ignored

        Returns
        -------
        self
        """
        self._prepare(graphs)
        return self

    def fit_transform(self, graphs: Any, y: Any = None, **fit_params: Any) -> FloatArray:
        """Fit, and return the kernel between all pairs of training graphs.

        Parameters
        ----------
        graphs : GraphSet, or graphs of any kind that as_graph_set accepts
        y : ignored
        **fit_params : ignored

        Returns
        -------
        ndarray of shape (N, N)
        """
        prepared = as_graph_set(graphs)
        self._check_matrix(len(prepared), len(prepared))
        self._prepare(prepared)
        return self._square()

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
        self._check_matrix(len(prepared), self.n_graphs_in_)
        return self._cross(prepared)

    def _prepare(self, graphs: Any, every_t: bool = False) -> None:
        self._start_fit()
        prepared = as_graph_set(graphs)
        self._fitted = SimpleNamespace(**self.get_params(deep=False))
        self._fit_to(prepared, every_t)
        self.n_graphs_in_ = len(prepared)

    def _check_matrix(self, n_rows: int, n_columns: int, copies: int = 3) -> None:
        matrix = f"A kernel matrix of {n_rows} times {n_columns} graphs"
        check_memory(copies * 8 * n_rows * n_columns, matrix, self._remedy)

    @abstractmethod
    def _fit_to(self, graphs: GraphSet, every_t: bool) -> None:
        """Learn from the training graphs, for all t = 0..T or for T alone."""

    @abstractmethod
    def _square(self) -> FloatArray:
        """Return the kernel between the training graphs."""

    @abstractmethod
    def _cross(self, graphs: GraphSet) -> FloatArray:
        """Return the kernel between other graphs and the training graphs."""


class BlockKernel(GraphKernel):
    """A graph kernel that is a weighted sum of blocks.

    Subclasses check their parameters in ``_check_parameters``, set ``_blocks`` and ``_table``
    (coefficients, the last row being the kernel itself) in ``_fit_blocks``, and make the blocks
    of new graphs in ``_blocks_of``.
    """

    _blocks: list[Block]
    _table: FloatArray
    _remedy = "Use fewer graphs at a time, or feature_map with a linear model."

    def feature_map(self, graphs: Any) -> csr_array:
        """Return sparse rows whose dot products are the kernel before normalisation.

        The columns are those of the training graphs: products with rows of training graphs are
        exact for any graph. What was never seen in training (labels, larger counts) has no
        column, so a product of two new graphs does not count it.

        Parameters
        ----------
        graphs : GraphSet, or graphs of any kind that as_graph_set accepts

        Returns
        -------
        csr_array of shape (M, number of features)
        """
        self._check_fitted()
        return combined_features(self._table[-1], self._blocks_of(as_graph_set(graphs)))

    def squared_lengths(self, graphs: Any) -> FloatArray:
        """Return the kernel of every graph with itself, before normalisation.

        Parameters
        ----------
        graphs : GraphSet, or list of GraphSets or networkx graphs

        Returns
        -------
        ndarray of shape (M,)
        """
        self._check_fitted()
        own: FloatArray = combined_norms(self._table[-1:], self._blocks_of(as_graph_set(graphs)))[0]
        return own

    def fitted_features(self) -> csr_array:
        """Return the feature map of the training graphs, without passing messages again.

        Returns
        -------
        csr_array of shape (N, number of features)
        """
        self._check_keeps_maps()
        return combined_features(self._table[-1], self._blocks)

    def _check_keeps_maps(self) -> None:
        self._check_fitted()
        if not self._blocks:
            raise not_fitted(
                type(self).__name__,
                "It keeps no maps of the training graphs: call fit, or use feature_map.",
            )

    def _fit_to(self, graphs: GraphSet, every_t: bool) -> None:
        self._fit_blocks(graphs, every_t)
        self._norms = combined_norms(self._table[-1:], self._blocks)[0]

    def _square(self) -> FloatArray:
        return self._finish_square(combine(self._table[-1:], self._blocks))[0]

    def _cross(self, graphs: GraphSet) -> FloatArray:
        self._check_keeps_maps()
        blocks = self._blocks_of(graphs)
        norms = combined_norms(self._table[-1:], blocks)[0]
        kernel = combine(self._table[-1:], blocks, self._blocks)[0]
        if self._fitted.normalize:
            kernel = cosine_normalised(kernel, norms, self._norms)
        return kernel

    def _finish_square(self, kernels: list[FloatArray]) -> list[FloatArray]:
        if not self.normalize:
            return kernels
        return [cosine_normalised(k, k.diagonal(), k.diagonal()) for k in kernels]

    @abstractmethod
    def _fit_blocks(self, graphs: GraphSet, every_t: bool) -> None:
        """Learn from the training graphs; set ``_blocks`` and ``_table``."""

    @abstractmethod
    def _blocks_of(self, graphs: GraphSet) -> list[Block]:
        """Return the blocks of any graphs."""
