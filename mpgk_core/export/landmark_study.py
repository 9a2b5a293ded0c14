"""A study of Nyström's method, and the steps of a program that repeats it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mpgk_core.errors import InvalidParameterError
from mpgk_core.export.data_steps import set_step
from mpgk_core.export.file_names import study_file_name
from mpgk_core.export.literals import call
from mpgk_core.export.passing_parameters import PassingParameters
from mpgk_core.export.set_sources import ClassifiedGraphs
from mpgk_core.export.steps import UPDATE, Step, files_step, imports_step, requirements
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.parameters import check_choice, check_whole


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
    >>> from mpgk_core.export import NamedSet, study_file_name
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


if TYPE_CHECKING:
    from mpgk_core.export.landmark_study import LandmarkStudy


_NEEDED = {
    "pathlib": ["Path"],
    "mpgk_core.evaluation.nystroem_quality": ["nystroem_quality"],
    "mpgk_core.export": ["landmarks_csv"],
}


def landmark_steps(study: LandmarkStudy) -> list[Step]:
    """Return the steps that compute what the page shows of Nyström's method.

    Parameters
    ----------
    study : LandmarkStudy

    Returns
    -------
    list of Step

    Examples
    --------
    >>> from mpgk_core.export import LandmarkStudy, NamedSet
    >>> print(landmark_steps(LandmarkStudy(NamedSet("MUTAG"), (5, 200)))[4].code)
    landmarks = [5, 200]
    found = list(nystroem_quality(data.graphs, landmarks, 'AA', **parameters))
    """
    data = set_step(study.data)
    file = study_file_name(study, "landmarks", "csv")
    return [
        Step(
            heading=f"The exact kernel against landmarks. {study.name}",
            words="The paper compares vertices through a few landmarks. It is an approximation; "
            f"here the exact kernel is usually cheaper. {requirements()}",
        ),
        imports_step(_NEEDED, data.needed),
        data.step,
        Step(
            words="How messages are passed.",
            formula=UPDATE,
            code=f"parameters = {call('dict', **study.kernel.settings())}",
        ),
        Step(
            words="The exact kernel, and then an approximation for each number of landmarks.",
            code=f"landmarks = {list(map(int, study.landmarks))}\n"
            f"found = list(nystroem_quality(data.graphs, landmarks, {study.variant!a}, "
            "**parameters))",
        ),
        Step(
            words="The error of a matrix, in per cent of the exact one.",
            formula=r"\frac{\lVert \tilde K - K \rVert}{\lVert K \rVert}",
            code="for one in found:\n"
            '    words = "exact" if one.n_landmarks is None else f"{one.n_landmarks} landmarks"\n'
            '    print(f"{words}: {100 * one.error:.4f}")',
        ),
        *_pictures(),
        files_step([(file, "landmarks_csv(found)")]),
    ]


def _pictures() -> list[Step]:
    return [
        Step(
            words="The error over the number of landmarks.",
            code="from mpgk_core.plotting.set_maps_figure import error_figure, overlay_figure\n\n"
            "error_figure(found)",
            is_picture=True,
        ),
        Step(
            words="The plane of the last approximation on top of the exact one.",
            code="overlay_figure(found[0], found[-1])",
            is_picture=True,
        ),
    ]
