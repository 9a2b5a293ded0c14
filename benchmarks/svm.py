"""The C-SVM over all costs C in one path against one fit of scikit-learn's SVC for every cost."""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from benchmarks.measure import ratio
from benchmarks.report import Table
from benchmarks.tu_data import load
from mpgk_core.evaluation import Candidate, KernelSpec, Protocol
from mpgk_core.evaluation.protocol import outer_folds
from mpgk_core.evaluation.samples import square_matrix
from mpgk_core.evaluation.svm import predict_path

_SETS = ("MUTAG", "ENZYMES", "PROTEINS", "NCI1", "IMDB-BINARY")


def measure() -> Table:
    """Train on nine folds and predict the tenth, for the seven costs of the protocol."""
    table = Table(
        "The C-SVM over all C against seven fits",
        "Kernels with T = 4: nine folds of ten predict the last one, for C from 0.001 to 1000, in "
        "one thread. Our path visits the costs in ascending order, each from the solution of the "
        "previous one; scikit-learn's SVC (libsvm, the same tolerance) is fitted for each. Equal: "
        "share of equal predictions, over all costs.",
        ["set", "kernel", "graphs", "classes", "path (s)", "seven fits (s)", "ratio", "equal"],
    )
    protocol = Protocol(n_repeats=1)
    costs = np.array(protocol.C)
    for name, variant in product(_SETS, ("RR", "AA")):
        data = load(name)
        names, classes = np.unique(data.classes, return_inverse=True)
        kernel = square_matrix(KernelSpec.of(variant), Candidate(4, "last"), data.graphs)
        fold = outer_folds(classes, protocol)[0]
        facts = kernel, classes, fold.train, fold.test, costs
        with threadpool_limits(1):
            value, own, theirs = ratio(partial(predict_path, *facts), partial(_seven, *facts), 3)
        equal = float(np.mean(predict_path(*facts)[0] == _seven(*facts)))
        table.add(name, variant, len(classes), len(names), own, theirs, value, equal)
    return table


def _seven(
    kernel: np.ndarray, classes: np.ndarray, train: np.ndarray, test: np.ndarray, costs: np.ndarray
) -> np.ndarray:
    """Fit an SVC for every cost."""
    known, new = kernel[np.ix_(train, train)], kernel[np.ix_(test, train)]
    models = [SVC(kernel="precomputed", C=cost).fit(known, classes[train]) for cost in costs]
    return np.array([model.predict(new) for model in models])
