"""The error of an estimator that was not fitted; apart, because it imports scikit-learn."""

from __future__ import annotations

from sklearn.exceptions import NotFittedError as _SklearnNotFittedError

from mpgk_core.errors import MPGKError


class NotFittedError(MPGKError, _SklearnNotFittedError):
    """A result was asked for before ``fit``."""
