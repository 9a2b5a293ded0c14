"""Studies of the page of kernel variants: a whole set, two of its graphs, and Nyström's method."""

from __future__ import annotations

from dataclasses import dataclass, field

from mpgk_core.errors import InvalidParameterError
from mpgk_core.export.programs import Study
from mpgk_core.export.sources import ClassifiedGraphs
from mpgk_core.export.steps import UPDATE, Step, call
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.kernels.parameters import KernelParameters
from mpgk_core.parameters import check_choice, check_whole


@dataclass(frozen=True, eq=False)
class VariantStudy(Study):
    """The kernels RR, RA, AR and AA of a whole set of graphs.

    Parameters
    ----------
    data : NamedSet, GeneratedSet or GivenSet
    kernel : KernelParameters
        How messages are passed; all four variants are computed.

    Examples
    --------
    >>> from mpgk_core.export import NamedSet
    >>> VariantStudy(NamedSet("MUTAG")).file_name("kernels", "csv")
    'MUTAG_RR-RA-AR-AA_alpha0.8_beta0.2_T5_auto_kernels.csv'
    """

    data: ClassifiedGraphs
    kernel: KernelParameters = field(default_factory=KernelParameters)

    question = "R or A, for neighbourhoods and for graphs?"
    about = (
        "The first letter says how neighbourhoods are compared, the second how graphs are: by all "
        "pairs (R), or by the best matching (A)."
    )
    needed = (
        "from mpgk_core import MessagePassingGraphKernel",
        "from mpgk_core.export import set_kernels_csv, set_kernels_npz",
    )
    is_long = False

    def file_parts(self) -> list[str]:
        """Return set and kernels."""
        return [self.data.file_part, "-".join(VARIANTS), *self.kernel.file_parts()]

    def results(self) -> list[tuple[str, str, str]]:
        """Return the four kernels."""
        return [
            ("kernels", "csv", "set_kernels_csv(kernels, data.classes)"),
            ("kernels", "npz", "set_kernels_npz(kernels, data.classes)"),
        ]

    def work(self) -> list[Step]:
        """Return kernels, mean similarities and maps."""
        return [
            _parameters(self.kernel),
            Step(
                "The four kernels between all graphs.",
                "kernels = {\n"
                "    variant: MessagePassingGraphKernel(variant, **parameters)"
                ".fit_transform(data.graphs)\n"
                '    for variant in ("RR", "RA", "AR", "AA")\n'
                "}",
            ),
            Step(
                "How similar are the graphs to each other, on average?",
                "print(data.graphs)\n"
                "for variant, kernel in kernels.items():\n"
                '    print(f"{variant}: {kernel.mean():.6f}")',
            ),
            Step(
                "Every graph as a point in the kernel-PCA plane of each kernel.",
                "from mpgk_core import kernel_pca\n"
                "from mpgk_core.plotting.set_maps_figure import set_maps_figure\n\n"
                "planes = {variant: kernel_pca(kernel, 2).points "
                "for variant, kernel in kernels.items()}\n"
                "set_maps_figure(planes, data.classes)",
                is_picture=True,
            ),
        ]


@dataclass(frozen=True, eq=False)
class PairStudy(Study):
    """Two graphs of a set under the kernels RR, RA, AR and AA.

    Parameters
    ----------
    data : NamedSet, GeneratedSet or GivenSet
        The kernels are fitted to the whole set.
    pair : tuple of two ints
        Numbers of the two graphs.
    kernel : KernelParameters
        How messages are passed; all four variants are computed.

    Examples
    --------
    >>> from mpgk_core.export import NamedSet
    >>> study = PairStudy(NamedSet("MUTAG"), (0, 187), KernelParameters(features="labels"))
    >>> study.file_name("contributions", "csv")
    'MUTAG_RR-RA-AR-AA_graphs0-187_alpha0.8_beta0.2_T5_labels_contributions.csv'
    >>> print(study.work()[1].code)
    kernel = MessagePassingGraphKernel(**parameters)
    pairs = explain_four_variants(data.graphs, 0, 187, kernel)
    """

    data: ClassifiedGraphs
    pair: tuple[int, int]
    kernel: KernelParameters = field(default_factory=KernelParameters)

    question = VariantStudy.question
    about = VariantStudy.about
    needed = (
        "from mpgk_core import MessagePassingGraphKernel",
        "from mpgk_core.explain import explain_four_variants",
        "from mpgk_core.export import contributions_csv, similarities_csv",
    )
    is_long = False

    def __post_init__(self) -> None:
        for number in self.pair:
            check_whole(number, 0, "pair", "PairStudy")
        left, right = map(int, self.pair)
        object.__setattr__(self, "pair", (left, right))

    def file_parts(self) -> list[str]:
        """Return set, kernels, and the numbers of the graphs."""
        numbers = "graphs{}-{}".format(*self.pair)
        return [self.data.file_part, "-".join(VARIANTS), numbers, *self.kernel.file_parts()]

    def results(self) -> list[tuple[str, str, str]]:
        """Return similarities and contributions."""
        return [
            ("similarities", "csv", "similarities_csv(pairs)"),
            ("contributions", "csv", "contributions_csv(pairs)"),
        ]

    def work(self) -> list[Step]:
        """Return kernels, similarities and pictures."""
        left, right = self.pair
        return [
            _parameters(self.kernel),
            Step(
                "Two graphs under the four kernels, each fitted to the whole set.",
                "kernel = MessagePassingGraphKernel(**parameters)\n"
                f"pairs = explain_four_variants(data.graphs, {left}, {right}, kernel)",
            ),
            Step(
                "How similar are they?",
                "for variant, pair in pairs.items():\n"
                '    print(f"{variant}: {pair.similarity:.6f}")',
            ),
            Step(
                "The contribution of each pair of vertices: rows are vertices of the first graph, "
                "columns those of the second.",
                "from mpgk_core.plotting.matrix_figure import four_variants_figure\n"
                "from mpgk_core.plotting.matching_figure import graph_matching_figure\n\n"
                "four_variants_figure(pairs)",
                is_picture=True,
            ),
            Step("The best matching of AA.", 'graph_matching_figure(pairs["AA"])', is_picture=True),
        ]


@dataclass(frozen=True, eq=False)
class LandmarkStudy(Study):
    """Nyström's method: errors by the number of landmarks.

    Parameters
    ----------
    data : NamedSet, GeneratedSet or GivenSet
    landmarks : tuple of int
        Numbers of landmarks.
    variant : {"RR", "RA", "AR", "AA"}
    kernel : KernelParameters

    Examples
    --------
    >>> from mpgk_core.export import NamedSet
    >>> study = LandmarkStudy(NamedSet("MUTAG"), (5, 200))
    >>> study.file_name("landmarks", "csv")
    'MUTAG_AA_alpha0.8_beta0.2_T5_auto_landmarks.csv'
    >>> print(study.work()[1].code)
    landmarks = [5, 200]
    found = list(nystroem_quality(data.graphs, landmarks, 'AA', **parameters))
    """

    data: ClassifiedGraphs
    landmarks: tuple[int, ...]
    variant: str = "AA"
    kernel: KernelParameters = field(default_factory=KernelParameters)

    question = "The exact kernel against landmarks."
    about = (
        "The paper compares vertices through a few landmarks. It is an approximation; here the "
        "exact kernel is usually cheaper."
    )
    needed = (
        "from mpgk_core.evaluation.nystroem_quality import nystroem_quality",
        "from mpgk_core.export import landmarks_csv",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "landmarks", tuple(self.landmarks))
        if not self.landmarks:
            raise InvalidParameterError(
                "The 'landmarks' parameter of LandmarkStudy is empty. Give at least one number."
            )
        for number in self.landmarks:
            check_whole(number, 1, "landmarks", "LandmarkStudy")
        check_choice(self.variant, VARIANTS, "variant", "LandmarkStudy")

    def file_parts(self) -> list[str]:
        """Return set and kernel."""
        return [self.data.file_part, self.variant, *self.kernel.file_parts()]

    def results(self) -> list[tuple[str, str, str]]:
        """Return the errors."""
        return [("landmarks", "csv", "landmarks_csv(found)")]

    def work(self) -> list[Step]:
        """Return approximations, errors and pictures."""
        return [
            _parameters(self.kernel),
            Step(
                "The exact kernel, and then an approximation for each number of landmarks.",
                f"landmarks = {list(map(int, self.landmarks))}\n"
                f"found = list(nystroem_quality(data.graphs, landmarks, {self.variant!a}, "
                "**parameters))",
            ),
            Step(
                "The error of a matrix, in per cent of the exact one.",
                "for one in found:\n"
                '    words = "exact" if one.n_landmarks is None else f"{one.n_landmarks} landmarks"'
                '\n    print(f"{words}: {100 * one.error:.4f}")',
                r"\frac{\lVert \tilde K - K \rVert}{\lVert K \rVert}",
            ),
            Step(
                "The error over the number of landmarks.",
                "from mpgk_core.plotting.set_maps_figure import error_figure, overlay_figure\n\n"
                "error_figure(found)",
                is_picture=True,
            ),
            Step(
                "The plane of the last approximation on top of the exact one.",
                "overlay_figure(found[0], found[-1])",
                is_picture=True,
            ),
        ]


def _parameters(kernel: KernelParameters) -> Step:
    code = f"parameters = {call('dict', **kernel.passing())}"
    return Step("How messages are passed.", code, UPDATE)
