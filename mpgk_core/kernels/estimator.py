"""The scikit-learn contract without importing scikit-learn, which takes half a second.

Importing ``sklearn.base`` is a third of the time until the first page of the app is there. The
contract is small and documented (scikit-learn, "Developing scikit-learn estimators"), so kernels
fulfil it themselves: cloning, pipelines and grid search work as usual.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from inspect import signature
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

from mpgk_core.errors import InvalidParameterError

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


def _defaults(kind: type) -> Mapping[str, Any]:
    """Return the parameters of a class in alphabetical order, with their defaults."""
    found = signature(kind).parameters.values()
    return MappingProxyType({p.name: p.default for p in sorted(found, key=lambda p: p.name)})
