"""Names for computations: equal data, kernel and protocol give the same key, and only those."""

from __future__ import annotations

import hashlib
import json

import numpy as np
from numpy.typing import NDArray

import mpgk_core
from mpgk_core.evaluation.kernel_spec import KernelSpec
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.graphs import GraphSet

__all__ = ["ENGINE", "content_digest", "run_key"]

ENGINE = 1
"""Raised whenever the same key could give other results: old results are then left alone."""


def content_digest(graphs: GraphSet, classes: NDArray[np.int64]) -> str:
    """Return a digest of the graphs, their labels, attributes and classes.

    Parameters
    ----------
    graphs : GraphSet
    classes : ndarray of shape (N,)

    Returns
    -------
    str
    """
    digest = hashlib.sha256()
    arrays = {
        "offsets": graphs.offsets,
        "rows": graphs.adjacency.indptr.astype(np.int64),
        "columns": graphs.adjacency.indices.astype(np.int64),
        "labels": graphs.label_codes,
        "attributes": graphs.attributes,
        "classes": classes.astype(np.int64),
    }
    for name, array in arrays.items():
        if array is not None:
            digest.update(f"{name} {array.shape} {array.dtype};".encode())
            digest.update(np.ascontiguousarray(array).tobytes())
    digest.update(repr(graphs.label_values).encode())
    return digest.hexdigest()


def run_key(content: str, spec: KernelSpec, protocol: Protocol) -> str:
    """Return the key under which the folds of a run are kept.

    Parameters
    ----------
    content : str
        Digest of the data set.
    spec : KernelSpec
    protocol : Protocol
        Its number of repetitions does not count.

    Returns
    -------
    str
        32 hexadecimal digits.
    """
    facts = {
        "content": content,
        "method": spec.method,
        "settings": spec.settings,
        "protocol": protocol.identity(),
        "engine": [ENGINE, mpgk_core.__version__],
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:32]
