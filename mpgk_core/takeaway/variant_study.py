"""The four kernels of the same graphs, described so fully that anybody can compute them."""

from __future__ import annotations

from dataclasses import dataclass, field

from mpgk_core.parameters import check_whole
from mpgk_core.takeaway.passing_parameters import PassingParameters
from mpgk_core.takeaway.set_sources import ClassifiedGraphs
from mpgk_core.takeaway.steps import Step
from mpgk_core.takeaway.variant_steps import variant_steps

__all__ = ["VariantStudy"]


@dataclass(frozen=True, eq=False)
class VariantStudy:
    """What the page of kernel variants shows: RR, RA, AR and AA of a set, or of two graphs in it.

    Parameters
    ----------
    data : NamedSet, GeneratedSet or GivenSet
    kernel : PassingParameters
    pair : tuple of two ints, optional
        Numbers of two graphs that are taken apart; without them, all graphs are compared.

    Examples
    --------
    >>> from mpgk_core.takeaway import NamedSet, study_file_name
    >>> study = VariantStudy(NamedSet("MUTAG"), PassingParameters(features="labels"), (0, 187))
    >>> study_file_name(study, "contributions", "csv")
    'MUTAG_RR-RA-AR-AA_graphs0-187_alpha0.8_beta0.2_T5_labels_contributions.csv'
    """

    data: ClassifiedGraphs
    kernel: PassingParameters = field(default_factory=PassingParameters)
    pair: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if self.pair is not None:
            for number in self.pair:
                check_whole(number, 0, "pair", "VariantStudy")
            left, right = map(int, self.pair)
            object.__setattr__(self, "pair", (left, right))

    @property
    def name(self) -> str:
        """Name of the set, fit for a line of text."""
        return self.data.name

    def steps(self) -> list[Step]:
        """Return what a script and a notebook that compute it are made of."""
        return variant_steps(self)

    def file_parts(self) -> list[str]:
        """Return set, kernels, and which graphs."""
        which = [] if self.pair is None else ["graphs{}-{}".format(*self.pair)]
        return [self.data.file_part, "RR-RA-AR-AA", *which, *self.kernel.file_parts()]
