"""Keys of data by all that is in them: the same, whether a file or a session brought them."""

from __future__ import annotations

import hashlib

import numpy as np

from mpgk_core import GraphSet
from mpgk_core.evaluation.identity import content_digest
from mpgk_core.takeaway import GivenGraph, GivenRoles, GivenSet

__all__ = ["content_key", "key_of_data"]


def content_key(graphs: GraphSet, *beside: object) -> str:
    """Return a key that only equal graphs share.

    Parameters
    ----------
    graphs : GraphSet
    *beside : object
        What else must be equal, each with a ``repr`` that tells it from others.

    Returns
    -------
    str
    """
    digest = hashlib.sha256(content_digest(graphs, np.zeros(1, dtype=np.int64)).encode())
    digest.update(repr((graphs.names, *beside)).encode())
    return digest.hexdigest()


def key_of_data(data: GivenGraph | GivenSet | GivenRoles) -> str:
    """Return a key that only equal data of the same title share."""
    if isinstance(data, GivenSet):
        return content_key(data.graphs, data.title, data.classes)
    if isinstance(data, GivenRoles):
        return content_key(data.graph, data.title, data.roles.names, data.roles.of_vertex.tolist())
    return content_key(data.graph, data.title)
