"""Count sketches: many features folded into a few coordinates, for clustering.

Every feature (a column, or a tree node and its i-th member) gets a few pseudo-random coordinates
and signs from a hash, so no fixed number of features is needed: unseen counts have a place, too.
Dot products stay what they were on average.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, issparse

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray, Matrix
from mpgk_core.grouping import SparseRows, mix

SKETCH_WIDTH = 32
"""Coordinates of a sketch: enough for clustering, few enough to be quick."""
_SIXTEEN_BITS = np.uint64(0xFFFF)


def sketch_features(rows: Matrix, n_columns: int, width: int, seed: int) -> FloatArray:
    """Return the rows themselves where they are short, else a count sketch of them.

    Parameters
    ----------
    rows : dense or sparse matrix of shape (m, >= n_columns)
        Feature rows.
    n_columns : int
        Columns known from training; later ones are orthogonal to all training rows, so they
        shift all distances to centroids alike and are left out.
    width : int
        The greatest number of coordinates.
    seed : int

    Returns
    -------
    ndarray of shape (m, min(n_columns, width))
    """
    known = rows[:, :n_columns]
    if n_columns <= width:
        return np.ascontiguousarray(known.toarray() if issparse(known) else known)
    projection = np.zeros((n_columns, width))
    _fill_projection(projection, np.uint64(seed))
    projected: FloatArray = csr_array(known) @ projection
    return projected


def add_code_sketches(
    sketches: FloatArray, histograms: csr_array, weights: FloatArray, seed: int
) -> None:
    """Add sketches of the weighted unary codes of histograms to sketches of other features.

    Dot products of what is added approximate Σ_c weight(c) min(h_c, h'_c).

    Parameters
    ----------
    sketches : ndarray of shape (m, SKETCH_WIDTH)
        Changed in place.
    histograms : csr_array of shape (m, n_nodes)
        Counts in tree nodes.
    weights : ndarray of shape (n_nodes,)
        The weight of every node.
    seed : int
    """
    _add_code_sketches(sketches, SparseRows.of(histograms), np.sqrt(weights), np.uint64(seed))


@compiled
def _add_feature(row: FloatArray, code: np.uint64, value: float) -> None:
    """Add one feature: once in each quarter of the row, at places and signs taken from its hash.

    Four places instead of one keep different features from falling into one and the same. The
    length of the row is a power of two.
    """
    quarter = len(row) // 4
    for q in range(4):
        bits = np.int64((code >> np.uint64(16 * q)) & _SIXTEEN_BITS)
        place = q * quarter + ((bits >> 1) & (quarter - 1))
        row[place] += 0.5 * value if bits & 1 else -0.5 * value


@compiled
def _fill_projection(projection: FloatArray, seed: np.uint64) -> None:
    for column in range(len(projection)):
        _add_feature(projection[column], mix(seed, np.uint64(column)), 1.0)


@compiled
def _add_code_sketches(
    sketches: FloatArray, histograms: SparseRows, root_weights: FloatArray, seed: np.uint64
) -> None:
    indptr, nodes, counts = histograms
    for i in range(len(indptr) - 1):
        for e in range(indptr[i], indptr[i + 1]):
            node_seed = mix(seed, np.uint64(nodes[e]))
            for member in range(np.int64(counts[e])):
                code = mix(node_seed, np.uint64(member))
                _add_feature(sketches[i], code, root_weights[nodes[e]])
