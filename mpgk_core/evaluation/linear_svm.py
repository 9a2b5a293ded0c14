"""The linear SVM on explicit features, for sets too large for an N × N matrix."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

_MOST_STEPS = 1000


def predict_path_linear(
    rows: csr_array,
    classes: NDArray[np.int64],
    train: NDArray[np.int64],
    test: NDArray[np.int64],
    costs: NDArray[np.float64],
) -> tuple[NDArray[np.int64], int]:
    """Train on some samples and predict others, for every cost; one SVM for each class.

    Two things differ from the kernel SVM: errors are squared, which lets a Newton method with
    neither seed nor random order find the optimum, and each class is set against all others.

    Parameters
    ----------
    rows : csr_array of shape (N, d)
        Features of all samples.
    classes : ndarray of shape (N,)
        Numbers from 0.
    train, test : ndarray of int
        Samples to learn from and to predict.
    costs : ndarray of shape (n_costs,)

    Returns
    -------
    predictions : ndarray of shape (n_costs, number of test samples)
    n_unconverged : int
        SVMs that gave up before they reached the tolerance.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    predictions = np.empty((len(costs), len(test)), dtype=np.int64)
    n_unconverged = 0
    known, new = rows[train], rows[test]
    for c, cost in enumerate(costs.tolist()):
        model = LinearSVC(C=cost, dual=False, max_iter=_MOST_STEPS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(known, classes[train])
        n_unconverged += int(np.max(model.n_iter_) >= _MOST_STEPS)
        predictions[c] = model.predict(new)
    return predictions, n_unconverged
