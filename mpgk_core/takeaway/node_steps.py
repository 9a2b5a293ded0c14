"""The steps of a study of one graph: build it, pass messages, embed, look, save."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mpgk_core.takeaway.data_steps import graph_step
from mpgk_core.takeaway.file_names import study_file_name
from mpgk_core.takeaway.imports import imports
from mpgk_core.takeaway.literals import call
from mpgk_core.takeaway.steps import UPDATE, Step, files_step, requirements

if TYPE_CHECKING:
    from mpgk_core.takeaway.node_study import NodeStudy

__all__ = ["node_steps"]

_NEEDED = {
    "pathlib": ["Path"],
    "mpgk_core": ["MessagePassingNodeKernel", "colour_refinement", "orbits"],
    "mpgk_core.embedding.trajectory": ["trajectory"],
    "mpgk_core.takeaway": ["embedding_csv", "embedding_npz", "kernel_csv", "kernel_npz"],
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
    >>> from mpgk_core.takeaway import KernelParameters, NodeStudy, PresetGraph
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
            code="from mpgk_core.kernels.normalisation import cosine_normalised\n\n"
            'rows = matrix_rows(roles.of_vertex.argsort(kind="stable"))\n'
            "kernels = [\n"
            "    cosine_normalised(k, k.diagonal(), k.diagonal())\n"
            "    for k in kernel.kernels_at_all_t(rows)\n"
            "]\n"
            "matrix_figure(kernels, rows, names, controls=True)",
            is_picture=True,
        ),
    ]
