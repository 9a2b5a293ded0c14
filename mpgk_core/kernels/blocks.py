"""Blocks: the parts of a kernel that do not depend on α, β and T, for some samples.

Every kernel of this package is K_t = Σ_b C[t, b] · K_b for a few blocks b. One run therefore serves
every T, and α and β enter only through the coefficients C (see :mod:`mpgk_core.kernels.update`).
Every block has rows whose dot products are its kernel; equal samples share a row.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array, hstack, issparse

from mpgk_core.activity import steps
from mpgk_core.arrays import (
    EXACT_IN_FLOAT64,
    FloatArray,
    Int32Array,
    IntArray,
    Matrix,
    as_csr,
    as_dense,
    refuse_overflow,
)
from mpgk_core.grouping import Rows, group_rows
from mpgk_core.kernels.assignment import (
    UnaryColumns,
    code_product,
    dense_product,
    unary_codes,
    weights_of_nodes,
)
from mpgk_core.kernels.hierarchy import Hierarchy

_SPARSE_SHARE = 1 / 64
"""Of entries that are not zero, up to which a matrix is multiplied more quickly as a sparse one."""


@dataclass(frozen=True, eq=False)
class Block(ABC):
    """A part of a kernel, for some samples (graphs or vertices).

    Attributes
    ----------
    index : ndarray of shape (N,)
        The row of every sample; equal samples share one.
    """

    index: Int32Array

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return len(self.index)

    @property
    @abstractmethod
    def n_columns(self) -> int:
        """Number of features."""

    @abstractmethod
    def restricted(self, samples: IntArray) -> Block:
        """Return the block of some of the samples."""

    @abstractmethod
    def cross(self, fitted: Any) -> FloatArray:
        """Return the kernel between these samples and the training samples."""

    @abstractmethod
    def squared_norms(self) -> FloatArray:
        """Return the kernel of every sample with itself."""

    @abstractmethod
    def features(self) -> Matrix:
        """Return rows whose dot products with training rows are the kernel."""


@dataclass(frozen=True, eq=False)
class FeatureBlock(Block):
    """The linear kernel of real feature rows.

    Attributes
    ----------
    rows : dense or sparse matrix of shape (m, d + e)
        The last e columns are zero for all training samples.
    n_known : int
        The number d.
    """

    rows: Matrix
    n_known: int

    @property
    def n_columns(self) -> int:
        """Number of features."""
        return self.n_known

    @classmethod
    def of_samples(cls, rows: Matrix, n_known: int) -> FeatureBlock:
        """Return the block in which every sample has a row of its own."""
        return cls(np.arange(rows.shape[0], dtype=np.int32), rows, n_known)

    def restricted(self, samples: IntArray) -> FeatureBlock:
        """Return the block of some of the samples."""
        used, index = np.unique(self.index[samples], return_inverse=True)
        return replace(self, rows=self.rows[used], index=index.astype(np.int32))

    def cross(self, fitted: Any) -> FloatArray:
        """Return the kernel between these samples and the training samples."""
        rows, index = self._distinct
        fitted_rows, fitted_index = fitted._distinct
        product = as_dense(rows[:, : self.n_known] @ fitted_rows.T)
        chosen: FloatArray = product[np.ix_(index, fitted_index)]
        return chosen

    @cached_property
    def _distinct(self) -> tuple[Matrix, Int32Array]:
        """Equal dense rows put together, in an order of their own, and the row of every sample.

        A dense product may round differently in different corners of a matrix; so it is formed
        of the same matrix whatever the order of the samples.
        """
        if issparse(self.rows):
            return self.rows, self.index
        rows = self.rows + 0.0
        groups = group_rows(Rows.of_floats(np.zeros(len(rows), dtype=np.int32), rows))
        return rows[groups.representatives], groups.of_row[self.index]

    def squared_norms(self) -> FloatArray:
        """Return the kernel of every sample with itself."""
        squares = self.rows.multiply(self.rows) if issparse(self.rows) else self.rows**2
        sums: FloatArray = np.asarray(squares.sum(axis=1)).ravel()
        return sums[self.index]

    def features(self) -> Matrix:
        """Return rows whose dot products with training rows are the kernel."""
        return self.rows[:, : self.n_known][self.index]


@dataclass(frozen=True, eq=False)
class CountBlock(FeatureBlock):
    """The linear kernel of sparse rows of whole numbers from 0 to 2**53: exact, in any order."""

    def cross(self, fitted: Any) -> FloatArray:
        """Return the kernel between these samples and the training samples."""
        if not isinstance(fitted, CountBlock):
            return super().cross(fitted)
        largest = max(self._squares.max(initial=0.0), fitted._squares.max(initial=0.0))
        if largest > EXACT_IN_FLOAT64:
            return super().cross(fitted)
        own = self.rows if self.rows.shape[1] == self.n_known else self.rows[:, : self.n_known]
        weights = np.ones(self.n_known)
        if own.nnz > _SPARSE_SHARE * math.prod(own.shape):
            product = dense_product(own, fitted.rows, weights, np.arange(self.n_known), largest)
        else:
            product = code_product(own, fitted.rows, weights, largest)
        if _is_identity(self.index, len(product)) and _is_identity(fitted.index, product.shape[1]):
            return product
        chosen: FloatArray = product[np.ix_(self.index, fitted.index)]
        return chosen

    def squared_norms(self) -> FloatArray:
        """Return the kernel of every sample with itself."""
        return self._squares[self.index]

    @cached_property
    def _squares(self) -> FloatArray:
        owners = np.repeat(np.arange(self.rows.shape[0]), np.diff(self.rows.indptr))
        return np.bincount(owners, self.rows.data**2, self.rows.shape[0]).astype(np.float64)


@dataclass(frozen=True, eq=False)
class CodeBlock(Block):
    """An assignment kernel, or a sum of assignment kernels, as weighted unary codes.

    Attributes
    ----------
    codes : csr_array of shape (m, n_columns)
        Whole numbers.
    weights : ndarray of shape (n_columns,)
        Whole numbers: ω times its denominator.
    denominator : int
    norms : ndarray of shape (m,)
        The kernel of every row with itself, before division; includes counts that were cut.
    """

    codes: csr_array
    weights: FloatArray
    denominator: int
    norms: FloatArray

    @property
    def n_columns(self) -> int:
        """Number of features."""
        return int(self.codes.shape[1])

    @classmethod
    def with_hierarchy(
        cls,
        codes: csr_array,
        columns: UnaryColumns,
        hierarchy: Hierarchy,
        norms: FloatArray,
        index: Int32Array | None = None,
    ) -> CodeBlock:
        """Weigh the columns of the codes by the ω of their tree nodes; without an index, row i."""
        numerators = weights_of_nodes(hierarchy, columns.n_nodes)
        weights = columns.spread(numerators).astype(np.float64)
        own = np.arange(codes.shape[0], dtype=np.int32) if index is None else index
        return cls(own, codes, weights, hierarchy.denominator, norms)

    @classmethod
    def of_histograms(
        cls,
        histograms: csr_array,
        columns: UnaryColumns,
        hierarchy: Hierarchy,
        index: Int32Array | None = None,
    ) -> CodeBlock:
        """Return the histogram intersection kernel Σ_c ω(c) min(h_c, h'_c)."""
        codes = unary_codes(histograms, columns)
        norms = histograms @ weights_of_nodes(hierarchy, histograms.shape[1]).astype(np.float64)
        return cls.with_hierarchy(codes, columns, hierarchy, norms, index)

    def restricted(self, samples: IntArray) -> CodeBlock:
        """Return the block of some of the samples."""
        used, index = np.unique(self.index[samples], return_inverse=True)
        return replace(
            self, codes=self.codes[used], norms=self.norms[used], index=index.astype(np.int32)
        )

    def cross(self, fitted: Any) -> FloatArray:
        """Return the kernel between these samples and the training samples."""
        largest = float(max(self.norms.max(initial=0.0), fitted.norms.max(initial=0.0)))
        product = code_product(self.codes, fitted.codes, self.weights, largest)
        product /= self.denominator
        if _is_identity(self.index, len(product)) and _is_identity(fitted.index, product.shape[1]):
            return product
        chosen: FloatArray = product[np.ix_(self.index, fitted.index)]
        return chosen

    def squared_norms(self) -> FloatArray:
        """Return the kernel of every sample with itself."""
        return (self.norms / self.denominator)[self.index]

    def features(self) -> csr_array:
        """Return rows whose dot products with training rows are the kernel."""
        roots = np.sqrt(self.weights / self.denominator)
        rows = self.codes.copy()
        rows.data = rows.data * roots[rows.indices]
        return rows[self.index]


def combine(
    coefficients: FloatArray, blocks: Sequence[Block], fitted: Sequence[Block] | None = None
) -> list[FloatArray]:
    """Sum up block kernels, for several rows of coefficients at once.

    Parameters
    ----------
    coefficients : ndarray of shape (n_kernels, n_blocks)
        One row per kernel.
    blocks : sequence of Block
        Of the samples.
    fitted : sequence of Block, optional
        Of the training samples; without it, the samples are compared with each other.

    Returns
    -------
    list of ndarray
        One kernel matrix per row of coefficients.
    """
    fitted = blocks if fitted is None else fitted
    kernels: dict[int, FloatArray] = {}
    for b, block in steps(enumerate(blocks), "comparing all pairs"):
        users = np.flatnonzero(coefficients[:, b]).tolist()
        if not users:
            continue
        part = block.cross(fitted[b])
        for k in users:
            term = coefficients[k, b] * part
            kernels[k] = kernels[k] + term if k in kernels else term
    shape = (blocks[0].n_samples, fitted[0].n_samples)
    return [kernels.get(k, np.zeros(shape)) for k in range(len(coefficients))]


def combined_norms(coefficients: FloatArray, blocks: Sequence[Block]) -> FloatArray:
    """Return the kernels of every sample with itself, and refuse numbers beyond all bounds.

    Parameters
    ----------
    coefficients : ndarray of shape (n_kernels, n_blocks)
    blocks : sequence of Block

    Returns
    -------
    ndarray of shape (n_kernels, N)
    """
    with np.errstate(over="ignore", invalid="ignore"):
        norms = np.array([block.squared_norms() for block in blocks])
        if np.isfinite(norms).all():
            total: FloatArray = np.einsum("kb,bn->kn", coefficients, norms)
        else:  # nothing is multiplied by 0 that is not finite
            used = np.where(coefficients[:, :, np.newaxis] == 0.0, 0.0, norms)
            total = np.einsum("kb,kbn->kn", coefficients, used)
    return refuse_overflow(total)


def combined_features(coefficients: FloatArray, blocks: Sequence[Block]) -> csr_array:
    """Join the feature rows of all blocks, for one row of coefficients.

    Parameters
    ----------
    coefficients : ndarray of shape (n_blocks,)
    blocks : sequence of Block

    Returns
    -------
    csr_array of shape (N, total number of columns)
    """
    parts = [
        np.sqrt(c) * block.features() if c else csr_array((block.n_samples, block.n_columns))
        for c, block in zip(coefficients, blocks, strict=True)
    ]
    if any(issparse(part) for part, c in zip(parts, coefficients, strict=True) if c):
        return hstack(parts, format="csr")
    return as_csr(np.hstack([as_dense(part) for part in parts]))


def _is_identity(index: Int32Array, n_rows: int) -> bool:
    return bool(np.array_equal(index, np.arange(n_rows)))
