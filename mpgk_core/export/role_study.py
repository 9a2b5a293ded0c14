"""A study of node classification, and the steps of a program that repeats it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from mpgk_core.errors import InvalidParameterError, shortened
from mpgk_core.evaluation import NODE_METHODS, NodeProtocol
from mpgk_core.export.data_steps import DataStep, graph_step
from mpgk_core.export.file_names import study_file_name
from mpgk_core.export.literals import call, text_literal
from mpgk_core.export.passing_parameters import PassingParameters
from mpgk_core.export.role_sources import GivenRoles, PresetRoles, RoleSource
from mpgk_core.export.steps import UPDATE, Step, files_step, imports_step, requirements
from mpgk_core.parameters import check_choice


@dataclass(frozen=True, eq=False)
class RoleStudy:
    """What the page on node classification shows: learning curves of kernels on one graph.

    Parameters
    ----------
    data : PresetRoles or GivenRoles
    methods : tuple of str
        Keys of :data:`~mpgk_core.evaluation.NODE_METHODS`.
    protocol : NodeProtocol
    kernel : PassingParameters
        For R and A; the number of rounds counts for Weisfeiler-Lehman too.

    Examples
    --------
    >>> from mpgk_core.export import PresetRoles, study_file_name
    >>> study = RoleStudy(PresetRoles("houses", 4), ("R", "WL"), NodeProtocol())
    >>> study_file_name(study, "learning-curve", "csv")
    'houses-4-0_R-WL_alpha0.8_beta0.2_T5_auto_10trials_seed0_learning-curve.csv'
    """

    data: RoleSource
    methods: tuple[str, ...]
    protocol: NodeProtocol
    kernel: PassingParameters = field(default_factory=PassingParameters)

    def __post_init__(self) -> None:
        object.__setattr__(self, "methods", tuple(self.methods))
        if not self.methods:
            raise InvalidParameterError(
                "The 'methods' parameter of RoleStudy is empty. Give at least one."
            )
        for method in self.methods:
            check_choice(method, list(NODE_METHODS), "methods", "RoleStudy")

    @property
    def name(self) -> str:
        """Name of the graph, fit for a line of text."""
        return shortened(self.data.title)

    def steps(self) -> list[Step]:
        """Return what a script and a notebook that compute it are made of."""
        return role_steps(self)

    def file_parts(self) -> list[str]:
        """Return graph, kernels and protocol."""
        rules = self.protocol
        return [
            self.data.file_part,
            "-".join(self.methods),
            *self.kernel.file_parts(),
            f"{rules.n_repeats}trials",
            f"seed{rules.random_state}",
        ]


if TYPE_CHECKING:
    from mpgk_core.export.role_study import RoleStudy


_ROOM = "mpgk_core.evaluation"
_NEEDED = {
    "pathlib": ["Path"],
    _ROOM: ["LearningCurve", "NodeProtocol", "as_csv", "kind_title", "learning_curve"],
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
    >>> from mpgk_core.evaluation import NodeProtocol
    >>> from mpgk_core.export import RoleStudy
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
