"""Numbers predicted from graphs: models, protocol, errors and the paper's Table 2.

Examples
--------
>>> import networkx as nx
>>> import numpy as np
>>> from mpgk_core.evaluation.regression import RegressionSpec, TargetColumn, evaluate_regression
>>> graphs = [nx.cycle_graph(n) for n in range(3, 43)]
>>> target = TargetColumn("half the vertices", np.arange(3, 43) / 2)
>>> specs = [RegressionSpec.of("mean"), RegressionSpec.of("ridge", "RR")]
>>> [round(found.normalised_mae, 2) for found in evaluate_regression(graphs, target, specs)]
[0.88, 0.0]
"""

from mpgk_core.evaluation.published import PUBLISHED_TABLE2, PublishedErrors
from mpgk_core.evaluation.regression.fitted import FittedRegression
from mpgk_core.evaluation.regression.protocol import (
    ContentOrder,
    RegressionProtocol,
    Split,
    TargetColumn,
    Targets,
    content_order,
    split_graphs,
    target_columns,
)
from mpgk_core.evaluation.regression.results import (
    TABLE2_LABELS,
    TABLE2_MODELS,
    RegressionResult,
    prediction_rows,
    regression_csv,
    regression_latex,
    regression_markdown,
    regression_rows,
    table2,
)
from mpgk_core.evaluation.regression.spec import KERNELS, MODELS, RegressionSpec
from mpgk_core.evaluation.regression.task import RegressionTask, evaluate_regression, fit_regression

__all__ = [
    "KERNELS",
    "MODELS",
    "PUBLISHED_TABLE2",
    "TABLE2_LABELS",
    "TABLE2_MODELS",
    "ContentOrder",
    "FittedRegression",
    "PublishedErrors",
    "RegressionProtocol",
    "RegressionResult",
    "RegressionSpec",
    "RegressionTask",
    "Split",
    "TargetColumn",
    "Targets",
    "content_order",
    "evaluate_regression",
    "fit_regression",
    "prediction_rows",
    "regression_csv",
    "regression_latex",
    "regression_markdown",
    "regression_rows",
    "split_graphs",
    "table2",
    "target_columns",
]
