"""A study of the vertices of one graph: what the playground shows."""

from __future__ import annotations

from dataclasses import dataclass

from mpgk_core.export.programs import Study
from mpgk_core.export.sources import OneGraph
from mpgk_core.export.steps import call
from mpgk_core.kernels.parameters import KernelParameters
from mpgk_core.parameters import check_whole

_NEIGHBOURHOODS = {
    "R": (
        "k_N is the sum of the similarities of all pairs of neighbours (R).",
        r"k_N(N(v), N(u)) = \sum_{v' \in N(v)} \sum_{u' \in N(u)} k^t(v', u')",
    ),
    "A": (
        "k_N is the value of the best matching between the neighbours, along a hierarchy of "
        "clusters (A).",
        r"k_N(N(v), N(u)) = \max_{\pi} \sum_{v' \in N(v)} k_s^t(v', \pi(v'))",
    ),
}
_PROGRAM = r"""
# Similarity travels along the edges, round by round. Vertices that stay indistinguishable
# share one point.
from mpgk_core import MessagePassingNodeKernel, colour_refinement, orbits
from mpgk_core.embedding.trajectory import trajectory
from mpgk_core.export import embedding_csv, embedding_npz, kernel_csv, kernel_npz
# %% Every round keeps alpha of the similarity so far and adds beta of the similarity of the
# neighbourhoods. $neighbourhood
#$ $update, \qquad $formula
kernel = $kernel
kernel.fit(graph)
# %% Kernel PCA places the vertices in every round; each axis is scaled to [-1, 1]. Vertices of
# one orbit play exactly the same role in the graph.
way = trajectory(graph, kernel, n_components=$n_axes)
roles = orbits(graph)
# %% How many points does the kernel find, how many colours does colour refinement, and how many
# orbits are there?
print(graph)
print(kernel)
print(f"{roles.n_orbits} orbits" + ("" if roles.proven else " at least"))
for t in range(way.n_rounds + 1):
    n_colours = len(set(colour_refinement(graph, t).tolist()))
    print(f"t = {t}: {way.n_points(t)} points, {n_colours} colours")
# %% [picture] The graph, coloured by orbit. Before the last round, vertices that are still one
# point share a colour.
from mpgk_core.plotting import colour_by_orbit, embedding_figure, graph_figure, graph_layout
from mpgk_core.plotting import matrix_figure, matrix_rows, safe_names

names = safe_names(graph.names)
points = way.point_of_class[:, way.class_of_vertex]
colouring = colour_by_orbit(roles.of_vertex, points)
graph_figure(graph, graph_layout(graph), colouring, controls=True)
# %% [picture] The embedding. Vertices on one point are one marker.
embedding_figure(way, colouring, names, controls=True)
# %% [picture] The kernel as cosines, vertices of one orbit side by side.
#$ \frac{k(v, u)}{\sqrt{k(v, v)\, k(u, u)}}
from mpgk_core.arrays import cosine_normalised

rows = matrix_rows(roles.of_vertex.argsort(kind="stable"))
kernels = [
    cosine_normalised(k, k.diagonal(), k.diagonal()) for k in kernel.kernels_at_all_t(rows)
]
matrix_figure(kernels, rows, names, controls=True)
# %% [files]
embedding.csv: embedding_csv(graph, way, roles)
embedding.npz: embedding_npz(graph, way, roles)
kernel.csv: kernel_csv(graph, kernel.kernel_)
kernel.npz: kernel_npz(graph, kernel.kernel_)
"""


@dataclass(frozen=True, eq=False)
class NodeStudy(Study):
    """The node kernel of one graph, and its embedding in all rounds.

    Parameters
    ----------
    data : PresetGraph or GivenGraph
    kernel : KernelParameters
    n_axes : {2, 3}
        Axes of the embedding.

    Examples
    --------
    >>> from mpgk_core.graphs.recipes import PresetGraph
    >>> study = NodeStudy(PresetGraph("barbell"), KernelParameters("A", features="degree"))
    >>> study.title, study.file_name("script", "py")
    ('Which vertices play the same role? Barbell', 'barbell-10-10_A_alpha0.8_beta0.2_T5_script.py')
    """

    data: OneGraph
    kernel: KernelParameters
    n_axes: int = 2

    question = "Which vertices play the same role?"
    is_long = False

    def __post_init__(self) -> None:
        check_whole(self.n_axes, 2, "n_axes", "NodeStudy", maximum=3)

    def file_parts(self) -> list[str]:
        """Return graph and kernel, without what is usual."""
        kernel = self.kernel
        has_seed = kernel.neighbourhood == "A" and kernel.random_state
        return [
            self.data.file_part,
            kernel.neighbourhood,
            *kernel.file_parts()[:3],
            "" if kernel.features == "degree" else str(kernel.features),
            "normalised" if kernel.normalize else "",
            f"seed{kernel.random_state}" if has_seed else "",
        ]

    def program(self) -> tuple[str, dict[str, str]]:
        """Return kernel, embedding, summary and pictures."""
        words, formula = _NEIGHBOURHOODS[self.kernel.neighbourhood]
        return _PROGRAM, {
            "kernel": call("MessagePassingNodeKernel", **self.kernel.settings()),
            "neighbourhood": words,
            "formula": formula,
            "n_axes": str(int(self.n_axes)),
        }
