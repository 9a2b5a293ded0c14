"""Rows of explicit maps as models take them: centred and scaled, and still sparse."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, issparse

from mpgk_core.arrays import FloatArray, IntArray, Matrix, as_csr
from mpgk_core.errors import InvalidGraphError
from mpgk_core.kernels.assignment import code_product


@dataclass(frozen=True, eq=False)
class ScaledRows:
    """Rows (x - μ) / s of an explicit map, never formed: the rows x stay sparse.

    Attributes
    ----------
    rows : csr_array of shape (n, d)
    mean : ndarray of shape (d,)
        The mean μ over the training part.
    scale : float
        The factor s: the root of the mean squared distance from μ in the training part.
    """

    rows: csr_array
    mean: FloatArray
    scale: float

    @classmethod
    def of_training(cls, rows: Matrix) -> ScaledRows:
        """Take the mean and the scale from the rows themselves.

        Examples
        --------
        >>> scaled = ScaledRows.of_training(np.array([[0.0, 1.0], [2.0, 1.0]]))
        >>> scaled.dense().tolist()
        [[-1.0, 0.0], [1.0, 0.0]]
        """
        sparse = as_csr(rows) if not issparse(rows) else csr_array(rows)
        mean = np.asarray(sparse.mean(axis=0)).ravel()
        squares = float(sparse.multiply(sparse).sum()) / max(sparse.shape[0], 1)
        variance = squares - float(mean @ mean)
        if not variance > 1e-12 * max(squares, 1e-300):
            raise InvalidGraphError(
                "All graphs of the training part have the same features, so nothing can be "
                "learnt. Choose other features or another kernel."
            )
        return cls(sparse, mean, float(np.sqrt(variance)))

    def like(self, rows: Matrix) -> ScaledRows:
        """Treat other rows in the same way."""
        return ScaledRows(csr_array(rows), self.mean, self.scale)

    def chosen(self, positions: IntArray) -> ScaledRows:
        """Return some of the rows."""
        return ScaledRows(self.rows[positions], self.mean, self.scale)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return int(self.rows.shape[0]), int(self.rows.shape[1])

    def dense(self) -> FloatArray:
        """Return the rows themselves."""
        found: FloatArray = (self.rows.toarray() - self.mean) / self.scale
        return found

    def times(self, weights: FloatArray) -> FloatArray:
        """Return the product with weights of shape (d, k)."""
        found: FloatArray = (self.rows @ weights - self.mean @ weights) / self.scale
        return found

    def transposed_times(self, values: FloatArray) -> FloatArray:
        """Return the product of the transposed rows with values of shape (n, k)."""
        back = self.rows.T @ values - np.multiply.outer(self.mean, values.sum(axis=0))
        return np.asarray(back / self.scale)

    def products(self, others: ScaledRows) -> FloatArray:
        """Return all dot products with other rows."""
        ones = np.ones(self.rows.shape[1])
        found = code_product(self.rows, others.rows, ones, np.inf)
        found -= (self.rows @ self.mean)[:, np.newaxis]
        found -= others.rows @ self.mean - self.mean @ self.mean
        return found / self.scale**2

    def squared_lengths(self) -> FloatArray:
        """Return the dot product of every row with itself."""
        own = np.asarray(self.rows.multiply(self.rows).sum(axis=1)).ravel()
        found: FloatArray = (own - 2 * (self.rows @ self.mean) + self.mean @ self.mean) / (
            self.scale**2
        )
        return np.maximum(found, 0.0)
