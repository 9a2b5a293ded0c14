"""Landmark approximations: the exact kernel has no error, and many landmarks little."""

import numpy as np
import pytest

from mpgk_core import InvalidParameterError, MessagePassingGraphKernel
from mpgk_core.evaluation import generate
from mpgk_core.evaluation.nystroem_quality import nystroem_quality

GRAPHS = generate("rings", 6).graphs


@pytest.mark.parametrize("variant", ["RR", "RA", "AR", "AA"])
def test_errors_are_those_of_the_matrices(variant):
    exact, few, many = nystroem_quality(GRAPHS, [2, 1_000], variant, n_iterations=2)
    assert (exact.n_landmarks, exact.error) == (None, 0.0)
    assert exact.disparity == pytest.approx(0.0, abs=1e-9)
    true = MessagePassingGraphKernel(variant, n_iterations=2).fit_transform(GRAPHS)
    rough = MessagePassingGraphKernel(
        variant, n_iterations=2, approximation="nystroem", n_landmarks=2
    ).fit_transform(GRAPHS)
    assert few.error == pytest.approx(np.linalg.norm(rough - true) / np.linalg.norm(true))
    assert many.error < max(few.error, 1e-6)
    assert few.points.shape == (len(GRAPHS), 2)


def test_no_landmarks_are_refused():
    with pytest.raises(InvalidParameterError, match="landmarks"):
        next(nystroem_quality(GRAPHS, [0]))
