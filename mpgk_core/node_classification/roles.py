"""The roles to be predicted: one for every vertex, checked before any work begins."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import InvalidGraphError, shortened

MOST_ROLES = 100
"""With more, every two roles need a machine of their own: thousands of them."""


@dataclass(frozen=True, eq=False)
class Roles:
    """The role of every vertex.

    Attributes
    ----------
    names : tuple of str
        The roles, in ascending order.
    of_vertex : ndarray of shape (n,)
        Positions in ``names``.
    """

    names: tuple[str, ...]
    of_vertex: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of vertices in every role."""
        return np.bincount(self.of_vertex, minlength=len(self.names))

    @property
    def chance(self) -> float:
        """Accuracy of always saying the most frequent role."""
        return float(self.counts.max() / len(self.of_vertex))


def checked_roles(roles: Sequence[Hashable] | NDArray[Any], n_vertices: int) -> Roles:
    """Return the roles as numbers, or raise if nothing can be learnt from them.

    Parameters
    ----------
    roles : sequence of length n
        Text or numbers; equal texts are equal roles.
    n_vertices : int
        The number n.

    Returns
    -------
    Roles

    Examples
    --------
    >>> roles = checked_roles(["roof", "floor", "floor", "roof"], 4)
    >>> roles.names, roles.of_vertex.tolist()
    (('floor', 'roof'), [1, 0, 0, 1])
    """
    given = list(roles)
    if len(given) != n_vertices:
        raise InvalidGraphError(
            f"There are {n_vertices} vertices and {len(given)} roles. Give every vertex one role."
        )
    for v, role in enumerate(given):
        if role is None or role != role or str(role) == "":
            raise InvalidGraphError(
                f"Vertex {v} has no role. Give it one, or choose another column."
            )
    names, codes = np.unique([str(role) for role in given], return_inverse=True)
    if len(names) < 2:
        raise InvalidGraphError(
            "All vertices have the same role, so there is nothing to predict. Choose a column "
            "with at least two roles."
        )
    if len(names) > MOST_ROLES:
        raise InvalidGraphError(
            f"There are {len(names):,} roles; at most {MOST_ROLES} can be told apart here. Choose "
            "a column with fewer."
        )
    counts = np.bincount(codes)
    if counts.min() < 2:
        lonely = shortened(str(names[int(counts.argmin())]))
        raise InvalidGraphError(
            f"Only one vertex has the role {lonely!r}: it cannot be both learnt and tested. Give "
            "every role at least two vertices, or choose another column."
        )
    return Roles(tuple(names.tolist()), codes.astype(np.int64))
