"""A study of the vertices of one graph, and the steps of a program that repeats it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mpgk_core.errors import shortened
from mpgk_core.export.data_steps import graph_step
from mpgk_core.export.file_names import study_file_name
from mpgk_core.export.imports import imports
from mpgk_core.export.literals import call
from mpgk_core.export.steps import UPDATE, Step, files_step, requirements
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.recipes import PresetGraph, check_one_graph
from mpgk_core.kernels.parameters import KernelParameters
from mpgk_core.parameters import check_whole

AXES = (2, 3)
"""Numbers of axes that can be drawn."""


@dataclass(frozen=True, eq=False)
class NodeStudy:
    """What the playground shows: the node kernel of one graph and its embedding in all rounds.

    Parameters
    ----------
    graph : PresetGraph or GraphSet
        By name, or the graph itself.
    kernel : KernelParameters
    n_axes : {2, 3}
        Axes of the embedding.
    title : str
        Name of the graph for people; that of the preset where none is given.

    Examples
    --------
    >>> study = NodeStudy(PresetGraph("barbell"), KernelParameters(features="degree"))
    >>> study.title, study.graph_set()
    ('Barbell', GraphSet(1 graph, 30 vertices, 101 edges))
    """

    graph: PresetGraph | GraphSet
    kernel: KernelParameters
    n_axes: int = 2
    title: str = ""

    def __post_init__(self) -> None:
        check_whole(self.n_axes, AXES[0], "n_axes", "NodeStudy", maximum=AXES[1])
        if isinstance(self.graph, GraphSet):
            check_one_graph(self.graph, "NodeStudy")
        if not self.title:
            own = self.graph.title if isinstance(self.graph, PresetGraph) else "Graph"
            object.__setattr__(self, "title", own)

    @property
    def name(self) -> str:
        """The title, fit for a line of text."""
        return shortened(self.title)

    def graph_set(self) -> GraphSet:
        """Return the graph."""
        return self.graph.build() if isinstance(self.graph, PresetGraph) else self.graph

    def steps(self) -> list[Step]:
        """Return what a script and a notebook that compute it are made of."""
        return node_steps(self)

    def file_parts(self) -> list[str]:
        """Return graph and kernel, without what is usual."""
        kernel = self.kernel
        named = self.graph.file_part if isinstance(self.graph, PresetGraph) else self.title
        parts = [named, kernel.neighbourhood, f"alpha{kernel.alpha:g}", f"beta{kernel.beta:g}"]
        parts.append(f"T{kernel.n_iterations}")
        if kernel.features != "degree":
            parts.append(kernel.features)
        if kernel.normalize:
            parts.append("normalised")
        if kernel.neighbourhood == "A" and kernel.random_state:
            parts.append(f"seed{kernel.random_state}")
        return parts


if TYPE_CHECKING:
    from mpgk_core.export.node_study import NodeStudy


_NEEDED = {
    "pathlib": ["Path"],
    "mpgk_core": ["MessagePassingNodeKernel", "colour_refinement", "orbits"],
    "mpgk_core.embedding.trajectory": ["trajectory"],
    "mpgk_core.export": ["embedding_csv", "embedding_npz", "kernel_csv", "kernel_npz"],
}
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
_FILES = (
    ("embedding", "csv", "embedding_csv(graph, way, roles)"),
    ("embedding", "npz", "embedding_npz(graph, way, roles)"),
    ("kernel", "csv", "kernel_csv(graph, kernel.kernel_)"),
    ("kernel", "npz", "kernel_npz(graph, kernel.kernel_)"),
)


def node_steps(study: NodeStudy) -> list[Step]:
    """Return the steps that compute what the playground shows.

    Parameters
    ----------
    study : NodeStudy

    Returns
    -------
    list of Step

    Examples
    --------
    >>> from mpgk_core.export import KernelParameters, NodeStudy, PresetGraph
    >>> steps = node_steps(NodeStudy(PresetGraph("barbell"), KernelParameters()))
    >>> steps[2].code
    "graph = as_graph_set(build_graph('barbell', h=10, k=10))"
    """
    data = graph_step(study.graph)
    files = [(study_file_name(study, what, kind), code) for what, kind, code in _FILES]
    return [
        Step(
            heading=f"Which vertices play the same role? {study.name}",
            words="Similarity travels along the edges, round by round. Vertices that no round can "
            f"tell apart end on one point. {requirements()}",
        ),
        Step(code=imports(_NEEDED, data.needed)),
        data.step,
        _kernel_step(study),
        Step(
            words="Kernel PCA places the vertices in every round; each axis is scaled to [-1, 1]. "
            "Vertices of one orbit play exactly the same role in the graph.",
            code=f"way = trajectory(graph, kernel, n_components={int(study.n_axes)})\n"
            "roles = orbits(graph)",
        ),
        Step(
            words="How many points does the kernel find, how many colours does colour refinement, "
            "and how many orbits are there?",
            code="print(graph)\n"
            "print(kernel)\n"
            'print(f"{roles.n_orbits} orbits" + ("" if roles.proven else " at least"))\n'
            "for t in range(way.n_rounds + 1):\n"
            "    n_colours = len(set(colour_refinement(graph, t).tolist()))\n"
            '    print(f"t = {t}: {way.n_points(t)} points, {n_colours} colours")',
        ),
        *_pictures(),
        files_step(files),
    ]


def _kernel_step(study: NodeStudy) -> Step:
    words, formula = _NEIGHBOURHOODS[study.kernel.neighbourhood]
    return Step(
        words="Every round keeps alpha of the similarity so far and adds beta of the similarity "
        f"of the neighbourhoods. {words}",
        formula=rf"{UPDATE}, \qquad {formula}",
        code=f"kernel = {call('MessagePassingNodeKernel', **study.kernel.settings())}\n"
        "kernel.fit(graph)",
    )


def _pictures() -> list[Step]:
    return [
        Step(
            words="The graph, coloured by orbit. Before the last round, vertices that are still "
            "one point share a colour.",
            code="from mpgk_core.plotting import (\n"
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
            words="The embedding. Vertices on one point are one marker.",
            code="embedding_figure(way, colouring, names, controls=True)",
            is_picture=True,
        ),
        Step(
            words="The kernel as cosines, vertices of one orbit side by side.",
            formula=r"\frac{k(v, u)}{\sqrt{k(v, v)\, k(u, u)}}",
            code="from mpgk_core.arrays import cosine_normalised\n\n"
            'rows = matrix_rows(roles.of_vertex.argsort(kind="stable"))\n'
            "kernels = [\n"
            "    cosine_normalised(k, k.diagonal(), k.diagonal())\n"
            "    for k in kernel.kernels_at_all_t(rows)\n"
            "]\n"
            "matrix_figure(kernels, rows, names, controls=True)",
            is_picture=True,
        ),
    ]
