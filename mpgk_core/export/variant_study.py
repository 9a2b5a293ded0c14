"""Studies of the page of kernel variants: a whole set, two of its graphs, and Nyström's method."""

from __future__ import annotations

from dataclasses import dataclass, field

from mpgk_core.errors import InvalidParameterError
from mpgk_core.export.programs import Study
from mpgk_core.export.sources import ClassifiedGraphs
from mpgk_core.export.steps import call
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.kernels.parameters import KernelParameters
from mpgk_core.parameters import check_choice, check_whole

_SET = r"""
# The first letter says how neighbourhoods are compared, the second how graphs are: by all pairs
# (R), or by the best matching (A).
from mpgk_core import MessagePassingGraphKernel
from mpgk_core.export import set_kernels_csv, set_kernels_npz
# %% How messages are passed.
#$ $update
parameters = $parameters
# %% The four kernels between all graphs.
kernels = {
    variant: MessagePassingGraphKernel(variant, **parameters).fit_transform(data.graphs)
    for variant in ("RR", "RA", "AR", "AA")
}
# %% How similar are the graphs to each other, on average?
print(data.graphs)
for variant, kernel in kernels.items():
    print(f"{variant}: {kernel.mean():.6f}")
# %% [picture] Every graph as a point in the kernel-PCA plane of each kernel.
from mpgk_core import kernel_pca
from mpgk_core.plotting.set_maps_figure import set_maps_figure

planes = {variant: kernel_pca(kernel, 2).points for variant, kernel in kernels.items()}
set_maps_figure(planes, data.classes)
# %% [files]
kernels.csv: set_kernels_csv(kernels, data.classes)
kernels.npz: set_kernels_npz(kernels, data.classes)
"""
_PAIR = r"""
# The first letter says how neighbourhoods are compared, the second how graphs are: by all pairs
# (R), or by the best matching (A).
from mpgk_core import MessagePassingGraphKernel
from mpgk_core.explain import explain_four_variants
from mpgk_core.export import contributions_csv, similarities_csv
# %% How messages are passed.
#$ $update
parameters = $parameters
# %% Two graphs under the four kernels, each fitted to the whole set.
kernel = MessagePassingGraphKernel(**parameters)
pairs = explain_four_variants(data.graphs, $left, $right, kernel)
# %% How similar are they?
for variant, pair in pairs.items():
    print(f"{variant}: {pair.similarity:.6f}")
# %% [picture] The contribution of each pair of vertices: rows are vertices of the first graph,
# columns those of the second.
from mpgk_core.plotting.matrix_figure import four_variants_figure
from mpgk_core.plotting.matching_figure import graph_matching_figure

four_variants_figure(pairs)
# %% [picture] The best matching of AA.
graph_matching_figure(pairs["AA"])
# %% [files]
similarities.csv: similarities_csv(pairs)
contributions.csv: contributions_csv(pairs)
"""
_LANDMARKS = r"""
# The paper compares vertices through a few landmarks. It is an approximation; here the exact
# kernel is usually cheaper.
from mpgk_core.evaluation.nystroem_quality import nystroem_quality
from mpgk_core.export import landmarks_csv
# %% How messages are passed.
#$ $update
parameters = $parameters
# %% The exact kernel, and then an approximation for each number of landmarks.
landmarks = $landmarks
found = list(nystroem_quality(data.graphs, landmarks, $variant, **parameters))
# %% The error of a matrix, in per cent of the exact one.
#$ \frac{\lVert \tilde K - K \rVert}{\lVert K \rVert}
for one in found:
    words = "exact" if one.n_landmarks is None else f"{one.n_landmarks} landmarks"
    print(f"{words}: {100 * one.error:.4f}")
# %% [picture] The error over the number of landmarks.
from mpgk_core.plotting.set_maps_figure import error_figure, overlay_figure

error_figure(found)
# %% [picture] The plane of the last approximation on top of the exact one.
overlay_figure(found[0], found[-1])
# %% [files]
landmarks.csv: landmarks_csv(found)
"""


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
    is_long = False

    def file_parts(self) -> list[str]:
        """Return set and kernels."""
        return [self.data.file_part, "-".join(VARIANTS), *self.kernel.file_parts()]

    def program(self) -> tuple[str, dict[str, str]]:
        """Return kernels, mean similarities and maps."""
        return _SET, {"parameters": call("dict", **self.kernel.passing())}


@dataclass(frozen=True, eq=False)
class PairStudy(VariantStudy):
    """Two graphs of a set under the kernels RR, RA, AR and AA, which are fitted to the whole set.

    Parameters
    ----------
    data : NamedSet, GeneratedSet or GivenSet
    kernel : KernelParameters
        How messages are passed; all four variants are computed.
    pair : tuple of two ints
        Numbers of the two graphs.

    Examples
    --------
    >>> from mpgk_core.export import NamedSet
    >>> study = PairStudy(NamedSet("MUTAG"), KernelParameters(features="labels"), (0, 187))
    >>> study.file_name("contributions", "csv")
    'MUTAG_RR-RA-AR-AA_graphs0-187_alpha0.8_beta0.2_T5_labels_contributions.csv'
    >>> print(study.steps()[4].code)
    kernel = MessagePassingGraphKernel(**parameters)
    pairs = explain_four_variants(data.graphs, 0, 187, kernel)
    """

    pair: tuple[int, int] = (0, 1)

    def __post_init__(self) -> None:
        for number in self.pair:
            check_whole(number, 0, "pair", "PairStudy")

    def file_parts(self) -> list[str]:
        """Return set, kernels, and the numbers of the graphs."""
        data, variants, *kernel = super().file_parts()
        return [data, variants, "graphs{}-{}".format(*self.pair), *kernel]

    def program(self) -> tuple[str, dict[str, str]]:
        """Return kernels, similarities and pictures."""
        _, values = super().program()
        left, right = map(str, self.pair)
        return _PAIR, values | {"left": left, "right": right}


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
    >>> print(study.steps()[4].code)
    landmarks = [5, 200]
    found = list(nystroem_quality(data.graphs, landmarks, 'AA', **parameters))
    """

    data: ClassifiedGraphs
    landmarks: tuple[int, ...]
    variant: str = "AA"
    kernel: KernelParameters = field(default_factory=KernelParameters)

    question = "The exact kernel against landmarks."

    def __post_init__(self) -> None:
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

    def program(self) -> tuple[str, dict[str, str]]:
        """Return approximations, errors and pictures."""
        return _LANDMARKS, {
            "landmarks": str(list(map(int, self.landmarks))),
            "variant": ascii(self.variant),
            "parameters": call("dict", **self.kernel.passing()),
        }
