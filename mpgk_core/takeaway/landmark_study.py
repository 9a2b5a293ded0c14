"""The exact kernel against landmarks, described so fully that anybody can measure it again."""

from __future__ import annotations

from dataclasses import dataclass, field

from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation.kernel_spec import VARIANTS
from mpgk_core.parameters import check_choice, check_whole
from mpgk_core.takeaway.landmark_steps import landmark_steps
from mpgk_core.takeaway.passing_parameters import PassingParameters
from mpgk_core.takeaway.set_sources import ClassifiedGraphs
from mpgk_core.takeaway.steps import Step

__all__ = ["LandmarkStudy"]


@dataclass(frozen=True, eq=False)
class LandmarkStudy:
    """Nyström's method on the page of kernel variants: errors by the number of landmarks.

    Parameters
    ----------
    data : NamedSet, GeneratedSet or GivenSet
    landmarks : tuple of int
        Numbers of landmarks.
    variant : {"RR", "RA", "AR", "AA"}
    kernel : PassingParameters

    Examples
    --------
    >>> from mpgk_core.takeaway import NamedSet, study_file_name
    >>> study_file_name(LandmarkStudy(NamedSet("MUTAG"), (5, 200)), "landmarks", "csv")
    'MUTAG_AA_alpha0.8_beta0.2_T5_auto_landmarks.csv'
    """

    data: ClassifiedGraphs
    landmarks: tuple[int, ...]
    variant: str = "AA"
    kernel: PassingParameters = field(default_factory=PassingParameters)

    def __post_init__(self) -> None:
        object.__setattr__(self, "landmarks", tuple(self.landmarks))
        if not self.landmarks:
            raise InvalidParameterError(
                "The 'landmarks' parameter of LandmarkStudy is empty. Give at least one number."
            )
        for number in self.landmarks:
            check_whole(number, 1, "landmarks", "LandmarkStudy")
        check_choice(self.variant, VARIANTS, "variant", "LandmarkStudy")

    @property
    def name(self) -> str:
        """Name of the set, fit for a line of text."""
        return self.data.name

    def steps(self) -> list[Step]:
        """Return what a script and a notebook that compute it are made of."""
        return landmark_steps(self)

    def file_parts(self) -> list[str]:
        """Return set and kernel."""
        return [self.data.file_part, self.variant, *self.kernel.file_parts()]
