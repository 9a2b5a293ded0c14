"""A study of the vertices of one graph: what the playground shows."""

from __future__ import annotations

from dataclasses import dataclass

from mpgk_core.export.programs import Study
from mpgk_core.export.sources import OneGraph
from mpgk_core.export.steps import UPDATE, Step, call
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
    about = (
        "Similarity travels along the edges, round by round. Vertices that stay indistinguishable "
        "share one point."
    )
    needed = (
        "from mpgk_core import MessagePassingNodeKernel, colour_refinement, orbits",
        "from mpgk_core.embedding.trajectory import trajectory",
        "from mpgk_core.export import embedding_csv, embedding_npz, kernel_csv, kernel_npz",
    )
    is_long = False

    def __post_init__(self) -> None:
        check_whole(self.n_axes, 2, "n_axes", "NodeStudy", maximum=3)

    def file_parts(self) -> list[str]:
        """Return graph and kernel, without what is usual."""
        kernel = self.kernel
        return [
            self.data.file_part,
            kernel.neighbourhood,
            *kernel.file_parts()[:3],
            kernel.features if kernel.features != "degree" else "",
            "normalised" if kernel.normalize else "",
            f"seed{kernel.random_state}"
            if kernel.neighbourhood == "A" and kernel.random_state
            else "",
        ]

    def results(self) -> list[tuple[str, str, str]]:
        """Return embedding and kernel."""
        return [
            ("embedding", "csv", "embedding_csv(graph, way, roles)"),
            ("embedding", "npz", "embedding_npz(graph, way, roles)"),
            ("kernel", "csv", "kernel_csv(graph, kernel.kernel_)"),
            ("kernel", "npz", "kernel_npz(graph, kernel.kernel_)"),
        ]

    def work(self) -> list[Step]:
        """Return kernel, embedding, summary and pictures."""
        words, formula = _NEIGHBOURHOODS[self.kernel.neighbourhood]
        return [
            Step(
                "Every round keeps alpha of the similarity so far and adds beta of the similarity "
                f"of the neighbourhoods. {words}",
                f"kernel = {call('MessagePassingNodeKernel', **self.kernel.settings())}\n"
                "kernel.fit(graph)",
                rf"{UPDATE}, \qquad {formula}",
            ),
            Step(
                "Kernel PCA places the vertices in every round; each axis is scaled to [-1, 1]. "
                "Vertices of one orbit play exactly the same role in the graph.",
                f"way = trajectory(graph, kernel, n_components={int(self.n_axes)})\n"
                "roles = orbits(graph)",
            ),
            Step(
                "How many points does the kernel find, how many colours does colour refinement, "
                "and how many orbits are there?",
                "print(graph)\n"
                "print(kernel)\n"
                'print(f"{roles.n_orbits} orbits" + ("" if roles.proven else " at least"))\n'
                "for t in range(way.n_rounds + 1):\n"
                "    n_colours = len(set(colour_refinement(graph, t).tolist()))\n"
                '    print(f"t = {t}: {way.n_points(t)} points, {n_colours} colours")',
            ),
            Step(
                "The graph, coloured by orbit. Before the last round, vertices that are still "
                "one point share a colour.",
                "from mpgk_core.plotting import (\n"
                "    colour_by_orbit,\n"
                "    embedding_figure,\n"
                "    graph_figure,\n"
                "    graph_layout,\n"
                "    matrix_figure,\n"
                "    matrix_rows,\n"
                "    safe_names,\n"
                ")\n\n"
                "names = safe_names(graph.names)\n"
                "points = way.point_of_class[:, way.class_of_vertex]\n"
                "colouring = colour_by_orbit(roles.of_vertex, points)\n"
                "graph_figure(graph, graph_layout(graph), colouring, controls=True)",
                is_picture=True,
            ),
            Step(
                "The embedding. Vertices on one point are one marker.",
                "embedding_figure(way, colouring, names, controls=True)",
                is_picture=True,
            ),
            Step(
                "The kernel as cosines, vertices of one orbit side by side.",
                "from mpgk_core.arrays import cosine_normalised\n\n"
                'rows = matrix_rows(roles.of_vertex.argsort(kind="stable"))\n'
                "kernels = [\n"
                "    cosine_normalised(k, k.diagonal(), k.diagonal())\n"
                "    for k in kernel.kernels_at_all_t(rows)\n"
                "]\n"
                "matrix_figure(kernels, rows, names, controls=True)",
                r"\frac{k(v, u)}{\sqrt{k(v, v)\, k(u, u)}}",
                is_picture=True,
            ),
        ]
