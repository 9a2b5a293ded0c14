"""How much of a similarity is the previous similarity, and how much came from neighbours."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mpgk_core.explain.vertex_pairs import VertexPair


@dataclass(frozen=True, eq=False)
class History:
    """The two parts of k^t(v, u) in all rounds up to t.

    Attributes
    ----------
    pair : VertexPair
    own : ndarray of shape (t + 1,)
        α k^(s-1)(v, u) in round s; k⁰(v, u) in round 0.
    neighbours : ndarray of shape (t + 1,)
        β k_N in round s; 0 in round 0.
    """

    pair: VertexPair
    own: NDArray[np.float64]
    neighbours: NDArray[np.float64]

    @property
    def total(self) -> NDArray[np.float64]:
        """(t + 1,) both parts together: k^s(v, u)."""
        return self.own + self.neighbours

    @property
    def neighbour_share(self) -> NDArray[np.float64]:
        """(t + 1,) the share of the neighbours in the sizes of both parts; 0 where both are 0."""
        sizes = np.abs(self.own) + np.abs(self.neighbours)
        share = np.zeros(len(sizes))
        np.divide(np.abs(self.neighbours), sizes, out=share, where=sizes > 0)
        return share


def pair_history(pair: VertexPair) -> History:
    """Return the two parts of a similarity for every round.

    Parameters
    ----------
    pair : VertexPair

    Returns
    -------
    History

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import MessagePassingNodeKernel
    >>> from mpgk_core.explain import explain_vertices
    >>> path = nx.path_graph(5)
    >>> kernel = MessagePassingNodeKernel("R", n_iterations=2).fit(path)
    >>> found = pair_history(explain_vertices(kernel, path, 0, 4))
    >>> found.own.round(2).tolist(), found.neighbours.round(2).tolist()
    ([1.0, 0.8, 1.28], [0.0, 0.8, 1.0])
    """
    rounds = [replace(pair, t=s) for s in range(pair.t + 1)]
    return History(
        pair,
        np.array([one.own_part for one in rounds]),
        np.array([one.neighbour_part for one in rounds]),
    )
