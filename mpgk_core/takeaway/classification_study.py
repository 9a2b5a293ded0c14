"""Kernels compared on a set of graphs, described so fully that anybody can repeat it."""

from __future__ import annotations

from dataclasses import dataclass

from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation import METHODS, Protocol
from mpgk_core.parameters import check_choice
from mpgk_core.takeaway.classification_steps import classification_steps
from mpgk_core.takeaway.set_sources import ClassifiedGraphs
from mpgk_core.takeaway.steps import Step

__all__ = ["ClassificationStudy"]


@dataclass(frozen=True, eq=False)
class ClassificationStudy:
    """What the page on classification shows: accuracies of kernels under one protocol.

    Parameters
    ----------
    data : NamedSet, GeneratedSet or GivenSet
    methods : tuple of str
        Keys of :data:`~mpgk_core.evaluation.METHODS`, evaluated with the choices of
        :func:`~mpgk_core.evaluation.table_spec`.
    protocol : Protocol

    Examples
    --------
    >>> from mpgk_core.takeaway.set_sources import NamedSet
    >>> ClassificationStudy(NamedSet("MUTAG"), ("AA", "WL"), Protocol().quick()).name
    'MUTAG'
    """

    data: ClassifiedGraphs
    methods: tuple[str, ...]
    protocol: Protocol

    def __post_init__(self) -> None:
        object.__setattr__(self, "methods", tuple(self.methods))
        if not self.methods:
            raise InvalidParameterError(
                "The 'methods' parameter of ClassificationStudy is empty. Give at least one."
            )
        for method in self.methods:
            check_choice(method, list(METHODS), "methods", "ClassificationStudy")

    @property
    def name(self) -> str:
        """Name of the data set, fit for a line of text."""
        return self.data.name

    def steps(self) -> list[Step]:
        """Return what a script and a notebook that compute it are made of."""
        return classification_steps(self)

    def file_parts(self) -> list[str]:
        """Return data set, kernels and protocol."""
        protocol = self.protocol
        folds = f"{protocol.n_repeats}x{protocol.n_folds}folds"
        return [
            self.data.file_part,
            "-".join(self.methods),
            folds,
            f"seed{protocol.random_state}",
        ]
