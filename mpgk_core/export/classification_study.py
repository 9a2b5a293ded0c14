"""Studies of graph classification and of node classification."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from mpgk_core.evaluation import METHODS, NODE_METHODS, NodeProtocol, Protocol
from mpgk_core.export.programs import Study, check_choices
from mpgk_core.export.sources import ClassifiedGraphs, RoleSource
from mpgk_core.export.steps import call
from mpgk_core.kernels.parameters import KernelParameters

_GRAPHS = r"""
# A support vector machine learns from all folds but one and is tested on that one. C, T and the
# weight of the neighbourhood are chosen on the training part alone.
from mpgk_core.evaluation import Protocol, as_csv, evaluate, fold_rows, summary_csv
from mpgk_core.evaluation import summary_markdown, table_spec
# %% The protocol: folds, repetitions, and the values to choose from.
protocol = $protocol
# %% Evaluate every kernel. This is the long part.
#$ $update
methods = $methods
evaluations = []
for method in methods:
    spec = table_spec(method, data.graphs)
    evaluations.append(evaluate(data.graphs, data.classes, spec, protocol))
# %% Accuracies in per cent.
name = $name
table = {name: evaluations}
folds = [row for evaluation in evaluations for row in fold_rows(name, evaluation)]
print(summary_markdown(table))
# %% [picture] Accuracies, with their standard deviation over the repetitions.
from mpgk_core.evaluation import PUBLISHED, with_majority
from mpgk_core.plotting.evaluation_figures import accuracy_figure, confusion_figure

accuracy_figure(with_majority(evaluations), PUBLISHED.best.get(name))
# %% [picture] Confusion matrix of the best kernel: true and predicted classes.
confusion_figure(max(evaluations, key=lambda evaluation: evaluation.mean))
# %% [files]
table.csv: summary_csv(table).encode()
folds.csv: as_csv(folds).encode()
"""
_VERTICES = r"""
# A few vertices are labelled with their role, and a classifier predicts the others from the
# kernel. The kernel sees the structure alone; the roles are hidden from it.
from mpgk_core.evaluation import LearningCurve, NodeProtocol, as_csv, kind_title, learning_curve
# %% The protocol: shares of labelled vertices, and trials for each of them.
protocol = $protocol
# %% Learn with every kernel, by a support vector machine and by the nearest labelled vertices.
# This is the long part.
#$ $update
methods = $methods
parameters = $parameters
trials = learning_curve(graph, roles, methods, protocol=protocol, **parameters)
curve = LearningCurve(roles, tuple(trials))
# %% Accuracies in per cent on the vertices that were not labelled.
print(graph)
for method, classifier in curve.kinds:
    for point in curve.points(method, classifier):
        share = f"{100 * point.share:.0f} % labelled"
        print(f"{kind_title(method, classifier)}, {share}: {100 * point.mean:.2f}")
# %% [picture] How accuracy grows with the share of labelled vertices.
from mpgk_core.plotting import graph_layout
from mpgk_core.plotting.node_figures import learning_curve_figure, role_map_figure

learning_curve_figure(curve)
# %% [picture] The first trial: squares were labelled, circles predicted correctly, crosses
# predicted wrongly.
role_map_figure(graph, graph_layout(graph), roles, curve.trials[0])
# %% [files]
learning-curve.csv: as_csv(curve.rows()).encode()
"""


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

    def __post_init__(self) -> None:
        check_choices(self.methods, list(METHODS), "methods", "ClassificationStudy")

    def file_parts(self) -> list[str]:
        """Return data set, kernels and protocol."""
        folds = f"{self.protocol.n_repeats}x{self.protocol.n_folds}folds"
        seed = f"seed{self.protocol.random_state}"
        return [self.data.file_part, "-".join(self.methods), folds, seed]

    def program(self) -> tuple[str, dict[str, str]]:
        """Return protocol, evaluation, table and pictures."""
        return _GRAPHS, {
            "protocol": call("Protocol", **asdict(self.protocol)),
            "methods": ascii(list(self.methods)),
            "name": ascii(self.data.name),
        }


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

    def __post_init__(self) -> None:
        check_choices(self.methods, list(NODE_METHODS), "methods", "RoleStudy")

    def file_parts(self) -> list[str]:
        """Return graph, kernels and protocol."""
        trials, seed = f"{self.protocol.n_repeats}trials", f"seed{self.protocol.random_state}"
        methods = "-".join(self.methods)
        return [self.data.file_part, methods, *self.kernel.file_parts(), trials, seed]

    def program(self) -> tuple[str, dict[str, str]]:
        """Return protocol, trials, accuracies and pictures."""
        return _VERTICES, {
            "protocol": call("NodeProtocol", **asdict(self.protocol)),
            "methods": ascii(list(self.methods)),
            "parameters": call("dict", **self.kernel.passing()),
        }
