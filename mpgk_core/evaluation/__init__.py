"""How well kernels classify: nested cross-validation, rivals, and the paper's table.

>>> from mpgk_core.evaluation import Protocol, evaluate, generate
>>> made = generate("motif", n_per_class=15)
>>> protocol = Protocol(n_folds=5, n_repeats=1, iterations=(1, 2), inner_folds=3)
>>> evaluation = evaluate(made.graphs, made.classes, "AA", protocol)
>>> evaluation.is_complete, len(evaluation.records)
(True, 5)
"""

from mpgk_core.evaluation.feature_comparison import FeatureComparison, compare_features
from mpgk_core.evaluation.generated_sets import RECIPES, LabelledSet, generate
from mpgk_core.evaluation.kernel_spec import METHODS, RIVALS, Candidate, KernelSpec
from mpgk_core.evaluation.nested_cv import FoldRecord
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.evaluation.published import PUBLISHED
from mpgk_core.evaluation.results import ClassScore, Evaluation, majority_accuracy, with_majority
from mpgk_core.evaluation.run import ClassificationTask, evaluate
from mpgk_core.evaluation.table1 import reproduce, table_spec
from mpgk_core.evaluation.tables import (
    as_csv,
    comparison_markdown,
    fold_rows,
    summary_csv,
    summary_markdown,
    summary_row,
)

__all__ = [
    "METHODS",
    "PUBLISHED",
    "RECIPES",
    "RIVALS",
    "Candidate",
    "ClassScore",
    "ClassificationTask",
    "Evaluation",
    "FeatureComparison",
    "FoldRecord",
    "KernelSpec",
    "LabelledSet",
    "Protocol",
    "as_csv",
    "compare_features",
    "comparison_markdown",
    "evaluate",
    "fold_rows",
    "generate",
    "majority_accuracy",
    "reproduce",
    "summary_csv",
    "summary_markdown",
    "summary_row",
    "table_spec",
    "with_majority",
]
