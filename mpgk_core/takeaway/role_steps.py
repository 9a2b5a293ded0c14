"""The steps of a study of roles: take the graph, learn from a few vertices, compare, save."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from mpgk_core.takeaway.data_steps import DataStep, graph_step
from mpgk_core.takeaway.file_names import study_file_name
from mpgk_core.takeaway.literals import call, text_literal
from mpgk_core.takeaway.role_sources import GivenRoles, PresetRoles, RoleSource
from mpgk_core.takeaway.steps import UPDATE, Step, files_step, imports_step, requirements

if TYPE_CHECKING:
    from mpgk_core.takeaway.role_study import RoleStudy

__all__ = ["role_steps"]

_ROOM = "mpgk_core.node_classification"
_NEEDED = {
    "pathlib": ["Path"],
    "mpgk_core.evaluation": ["as_csv"],
    _ROOM: ["LearningCurve", "NodeProtocol", "kind_title", "learning_curve"],
}


def role_steps(study: RoleStudy) -> list[Step]:
    """Return the steps that compute what the page on node classification shows.

    Parameters
    ----------
    study : RoleStudy

    Returns
    -------
    list of Step

    Examples
    --------
    >>> from mpgk_core.node_classification import NodeProtocol
    >>> from mpgk_core.takeaway import RoleStudy
    >>> steps = role_steps(RoleStudy(PresetRoles("houses", 4), ("R", "WL"), NodeProtocol()))
    >>> steps[2].code
    "graph, roles = role_graph('houses', 4, 0)"
    """
    data = _role_step(study.data)
    file = study_file_name(study, "learning-curve", "csv")
    return [
        Step(
            heading=f"Which role does a vertex play? {study.name}",
            words="A few vertices are labelled with their role, and a classifier predicts the "
            "others from the kernel. The kernel sees the structure alone; the roles are hidden "
            f"from it. {requirements()}",
        ),
        imports_step(_NEEDED, data.needed),
        data.step,
        Step(
            words="The protocol: shares of labelled vertices, and trials for each of them.",
            code=f"protocol = {call('NodeProtocol', **asdict(study.protocol))}",
        ),
        Step(
            words="Learn with every kernel, by a support vector machine and by the nearest "
            "labelled vertices. This is the long part.",
            formula=UPDATE,
            code=f"methods = {list(study.methods)!a}\n"
            f"parameters = {call('dict', **study.kernel.settings())}\n"
            "trials = learning_curve(graph, roles, methods, protocol=protocol, **parameters)\n"
            "curve = LearningCurve(roles, tuple(trials))",
        ),
        Step(
            words="Accuracies in per cent on the vertices that were not labelled.",
            code="print(graph)\n"
            "for method, classifier in curve.kinds:\n"
            "    for point in curve.points(method, classifier):\n"
            '        share = f"{100 * point.share:.0f} % labelled"\n'
            "        title = kind_title(method, classifier)\n"
            '        print(f"{title}, {share}: {100 * point.mean:.2f}")',
        ),
        *_pictures(),
        files_step([(file, "as_csv(curve.rows()).encode()")]),
    ]


def _role_step(data: RoleSource) -> DataStep:
    if isinstance(data, PresetRoles):
        made = call("role_graph", data.preset, data.extra_edges, data.random_state)
        return DataStep(
            {_ROOM: ["role_graph"]},
            Step(
                words="A graph whose roles are known; extra edges, drawn at random, disturb them.",
                code=f"graph, roles = {made}",
            ),
        )
    return _given_step(data)


def _given_step(data: GivenRoles) -> DataStep:
    graph = graph_step(data.graph)
    known = {"names": data.roles.names, "of_vertex": data.roles.of_vertex.tolist()}
    return DataStep(
        {**graph.needed, "json": [], _ROOM: ["checked_roles"]},
        Step(
            words="The graph itself, and apart from it the roles of its vertices. Long graphs are "
            "compressed.",
            code=f"{graph.step.code}\n"
            f"{text_literal('ROLES', json.dumps(known))}\n"
            "known = json.loads(ROLES)\n"
            'role_of_vertex = [known["names"][place] for place in known["of_vertex"]]\n'
            "roles = checked_roles(role_of_vertex, graph.n_vertices)",
        ),
    )


def _pictures() -> list[Step]:
    return [
        Step(
            words="How accuracy grows with the share of labelled vertices.",
            code="from mpgk_core.plotting import graph_layout\n"
            "from mpgk_core.plotting.node_figures import learning_curve_figure, role_map_figure\n"
            "\nlearning_curve_figure(curve)",
            is_picture=True,
        ),
        Step(
            words="The first trial: squares were labelled, circles were found, crosses were "
            "missed.",
            code="role_map_figure(graph, graph_layout(graph), roles, curve.trials[0])",
            is_picture=True,
        ),
    ]
