"""Studies of graph classification and of node classification."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from mpgk_core.evaluation import METHODS, NODE_METHODS, NodeProtocol, Protocol
from mpgk_core.export.programs import Study, checked_choices
from mpgk_core.export.sources import ClassifiedGraphs, RoleSource
from mpgk_core.export.steps import UPDATE, Step, call
from mpgk_core.kernels.parameters import KernelParameters


@dataclass(frozen=True, eq=False)
class ClassificationStudy(Study):
    """Accuracies of kernels between graphs under one protocol.

    Parameters
    ----------
    data : NamedSet, GeneratedSet or GivenSet
    methods : tuple of str
        Keys of :data:`~mpgk_core.evaluation.METHODS`, evaluated with the choices of
        :func:`~mpgk_core.evaluation.table_spec`.
    protocol : Protocol

    Examples
    --------
    >>> from mpgk_core.export import NamedSet
    >>> study = ClassificationStudy(NamedSet("MUTAG"), ("AA", "WL"), Protocol().quick())
    >>> study.file_name("table", "csv")
    'MUTAG_AA-WL_1x10folds_seed0_table.csv'
    """

    data: ClassifiedGraphs
    methods: tuple[str, ...]
    protocol: Protocol

    question = "How well do kernels tell classes of graphs apart?"
    about = (
        "A support vector machine learns from all folds but one and is tested on that one. C, T "
        "and the weight of the neighbourhood are chosen on the training part alone."
    )
    needed = (
        "from mpgk_core.evaluation import Protocol, as_csv, evaluate, fold_rows, summary_csv",
        "from mpgk_core.evaluation import summary_markdown, table_spec",
    )

    def __post_init__(self) -> None:
        methods = checked_choices(self.methods, list(METHODS), "methods", "ClassificationStudy")
        object.__setattr__(self, "methods", methods)

    def file_parts(self) -> list[str]:
        """Return data set, kernels and protocol."""
        protocol = self.protocol
        folds = f"{protocol.n_repeats}x{protocol.n_folds}folds"
        return [self.data.file_part, "-".join(self.methods), folds, f"seed{protocol.random_state}"]

    def results(self) -> list[tuple[str, str, str]]:
        """Return the table and all folds."""
        return [
            ("table", "csv", "summary_csv(table).encode()"),
            ("folds", "csv", "as_csv(folds).encode()"),
        ]

    def work(self) -> list[Step]:
        """Return protocol, evaluation, table and pictures."""
        return [
            Step(
                "The protocol: folds, repetitions, and the values to choose from.",
                f"protocol = {call('Protocol', **asdict(self.protocol))}",
            ),
            Step(
                "Evaluate every kernel. This is the long part.",
                f"methods = {list(self.methods)!a}\n"
                "evaluations = []\n"
                "for method in methods:\n"
                "    spec = table_spec(method, data.graphs)\n"
                "    evaluations.append(evaluate(data.graphs, data.classes, spec, protocol))",
                UPDATE,
            ),
            Step(
                "Accuracies in per cent.",
                f"name = {self.data.name!a}\n"
                "table = {name: evaluations}\n"
                "folds = [row for evaluation in evaluations for row in fold_rows(name, evaluation)]"
                "\nprint(summary_markdown(table))",
            ),
            Step(
                "Accuracies, with their standard deviation over the repetitions.",
                "from mpgk_core.evaluation import PUBLISHED, with_majority\n"
                "from mpgk_core.plotting.evaluation_figures import accuracy_figure, "
                "confusion_figure\n\n"
                "accuracy_figure(with_majority(evaluations), PUBLISHED.best.get(name))",
                is_picture=True,
            ),
            Step(
                "Confusion matrix of the best kernel: true and predicted classes.",
                "confusion_figure(max(evaluations, key=lambda evaluation: evaluation.mean))",
                is_picture=True,
            ),
        ]


@dataclass(frozen=True, eq=False)
class RoleStudy(Study):
    """Learning curves of kernels between the vertices of one graph.

    Parameters
    ----------
    data : PresetRoles or GivenRoles
    methods : tuple of str
        Keys of :data:`~mpgk_core.evaluation.NODE_METHODS`.
    protocol : NodeProtocol
    kernel : KernelParameters
        For R and A; the number of rounds counts for Weisfeiler-Lehman too.

    Examples
    --------
    >>> from mpgk_core.export import PresetRoles
    >>> study = RoleStudy(PresetRoles("houses", 4), ("R", "WL"), NodeProtocol())
    >>> study.file_name("learning-curve", "csv")
    'houses-4-0_R-WL_alpha0.8_beta0.2_T5_auto_10trials_seed0_learning-curve.csv'
    """

    data: RoleSource
    methods: tuple[str, ...]
    protocol: NodeProtocol
    kernel: KernelParameters = field(default_factory=KernelParameters)

    question = "Which role does a vertex play?"
    about = (
        "A few vertices are labelled with their role, and a classifier predicts the others from "
        "the kernel. The kernel sees the structure alone; the roles are hidden from it."
    )
    needed = (
        "from mpgk_core.evaluation import LearningCurve, NodeProtocol, as_csv, kind_title",
        "from mpgk_core.evaluation import learning_curve",
    )

    def __post_init__(self) -> None:
        methods = checked_choices(self.methods, list(NODE_METHODS), "methods", "RoleStudy")
        object.__setattr__(self, "methods", methods)

    def file_parts(self) -> list[str]:
        """Return graph, kernels and protocol."""
        trials, seed = f"{self.protocol.n_repeats}trials", f"seed{self.protocol.random_state}"
        methods = "-".join(self.methods)
        return [self.data.file_part, methods, *self.kernel.file_parts(), trials, seed]

    def results(self) -> list[tuple[str, str, str]]:
        """Return all trials."""
        return [("learning-curve", "csv", "as_csv(curve.rows()).encode()")]

    def work(self) -> list[Step]:
        """Return protocol, trials, accuracies and pictures."""
        return [
            Step(
                "The protocol: shares of labelled vertices, and trials for each of them.",
                f"protocol = {call('NodeProtocol', **asdict(self.protocol))}",
            ),
            Step(
                "Learn with every kernel, by a support vector machine and by the nearest "
                "labelled vertices. This is the long part.",
                f"methods = {list(self.methods)!a}\n"
                f"parameters = {call('dict', **self.kernel.passing())}\n"
                "trials = learning_curve(graph, roles, methods, protocol=protocol, **parameters)\n"
                "curve = LearningCurve(roles, tuple(trials))",
                UPDATE,
            ),
            Step(
                "Accuracies in per cent on the vertices that were not labelled.",
                "print(graph)\n"
                "for method, classifier in curve.kinds:\n"
                "    for point in curve.points(method, classifier):\n"
                '        share = f"{100 * point.share:.0f} % labelled"\n'
                "        title = kind_title(method, classifier)\n"
                '        print(f"{title}, {share}: {100 * point.mean:.2f}")',
            ),
            Step(
                "How accuracy grows with the share of labelled vertices.",
                "from mpgk_core.plotting import graph_layout\n"
                "from mpgk_core.plotting.node_figures import learning_curve_figure, "
                "role_map_figure\n\n"
                "learning_curve_figure(curve)",
                is_picture=True,
            ),
            Step(
                "The first trial: squares were labelled, circles predicted correctly, crosses "
                "predicted wrongly.",
                "role_map_figure(graph, graph_layout(graph), roles, curve.trials[0])",
                is_picture=True,
            ),
        ]
