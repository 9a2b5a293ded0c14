"""How well kernels classify graphs and vertices: cross-validation, baselines, the paper's table.

Examples
--------
>>> from mpgk_core.evaluation import Protocol, evaluate, generate
>>> made = generate("motif", n_per_class=15)
>>> protocol = Protocol(n_folds=5, n_repeats=1, iterations=(1, 2), inner_folds=3)
>>> evaluation = evaluate(made.graphs, made.classes, "AA", protocol)
>>> evaluation.is_complete, len(evaluation.records)
(True, 5)
"""

from mpgk_core.evaluation.average_ranks import (
    AverageRanks,
    average_ranks,
    ranks_of_evaluations,
    ranks_text,
)
from mpgk_core.evaluation.comparison_report import (
    METHODS_USED,
    comparison_report,
    isomorphism_sentences,
)
from mpgk_core.evaluation.feature_comparison import (
    FeatureComparison,
    compare_features,
    comparison_markdown,
)
from mpgk_core.evaluation.generated_sets import RECIPES, LabelledSet, generate
from mpgk_core.evaluation.isomorphism_bias import IsomorphismBias, bias_text, isomorphism_bias
from mpgk_core.evaluation.learning_curve import CurveTask, LearningCurve, kind_title, learning_curve
from mpgk_core.evaluation.methods import MAJORITY, METHODS, Candidate, KernelSpec
from mpgk_core.evaluation.nested_cv import ClassificationTask, evaluate
from mpgk_core.evaluation.node_roles import ROLE_GRAPHS, Roles, checked_roles, role_graph
from mpgk_core.evaluation.node_trials import (
    CLASSIFIERS,
    NODE_METHODS,
    QUICK_NODE_METHODS,
    NodeProtocol,
    NodeTrial,
    node_kernel_matrix,
)
from mpgk_core.evaluation.paired_comparison import (
    PairedComparison,
    against_best,
    compare_evaluations,
)
from mpgk_core.evaluation.paper_table import PaperCell, PaperTable, accuracy_table
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.evaluation.published import PUBLISHED
from mpgk_core.evaluation.results import Evaluation, majority_accuracy, with_majority
from mpgk_core.evaluation.scores import SCORES, ScoreSummary, fold_scores, summarised
from mpgk_core.evaluation.tables import (
    as_csv,
    fold_rows,
    reproduce,
    summary_csv,
    summary_markdown,
    summary_row,
    table_spec,
)
from mpgk_core.evaluation.training_curve import TrainingCurve, TrainingCurveTask, training_curve

__all__ = [
    "CLASSIFIERS",
    "MAJORITY",
    "METHODS",
    "METHODS_USED",
    "NODE_METHODS",
    "PUBLISHED",
    "QUICK_NODE_METHODS",
    "RECIPES",
    "ROLE_GRAPHS",
    "SCORES",
    "AverageRanks",
    "Candidate",
    "ClassificationTask",
    "CurveTask",
    "Evaluation",
    "FeatureComparison",
    "IsomorphismBias",
    "KernelSpec",
    "LabelledSet",
    "LearningCurve",
    "NodeProtocol",
    "NodeTrial",
    "PairedComparison",
    "PaperCell",
    "PaperTable",
    "Protocol",
    "Roles",
    "ScoreSummary",
    "TrainingCurve",
    "TrainingCurveTask",
    "accuracy_table",
    "against_best",
    "as_csv",
    "average_ranks",
    "bias_text",
    "checked_roles",
    "compare_evaluations",
    "compare_features",
    "comparison_markdown",
    "comparison_report",
    "evaluate",
    "fold_rows",
    "fold_scores",
    "generate",
    "isomorphism_bias",
    "isomorphism_sentences",
    "kind_title",
    "learning_curve",
    "majority_accuracy",
    "node_kernel_matrix",
    "ranks_of_evaluations",
    "ranks_text",
    "reproduce",
    "role_graph",
    "summarised",
    "summary_csv",
    "summary_markdown",
    "summary_row",
    "table_spec",
    "training_curve",
    "with_majority",
]
