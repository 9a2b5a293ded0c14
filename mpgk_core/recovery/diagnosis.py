"""Find out why a node kernel puts vertices of different orbits on one point.

From the initial features of the kernel, colour refinement tells apart whatever message passing
can, so it is the yardstick. Of the vertices on one point,

* those that refinement tells apart in equally many rounds were lost by the kernel itself;
* of the others, those that it tells apart in more rounds need more messages;
* those that it never tells apart need other features.
"""

from __future__ import annotations

from collections import deque
from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.recovery.confusion import Confusion, Reason
from mpgk_core.recovery.remedies import helpful_features, helpful_rounds, helpful_settings
from mpgk_core.refinement.agreement import agreeing
from mpgk_core.refinement.colour_refinement import mixed_classes, separation, until_stable

if TYPE_CHECKING:
    from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel


def find_confusions(
    graphs: GraphSet,
    kernel: MessagePassingNodeKernel,
    t: int,
    point_of_vertex: NDArray[np.int64],
    orbit_of_vertex: NDArray[np.int64],
) -> tuple[Confusion, ...]:
    """Explain every point that holds vertices of more than one orbit.

    Parameters
    ----------
    graphs : GraphSet
        The one graph that the kernel was fitted to.
    kernel : MessagePassingNodeKernel
        Fitted.
    t : int
        The number of rounds.
    point_of_vertex, orbit_of_vertex : ndarray of shape (n,)
        Numbered from 0.

    Returns
    -------
    tuple of Confusion
        In the order of the points. A point has several where its vertices share it for several
        reasons.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import MessagePassingNodeKernel
    >>> path = GraphSet.from_networkx(nx.path_graph(5))
    >>> kernel = MessagePassingNodeKernel(n_iterations=0).fit(path)
    >>> ends, orbits = np.array([0, 1, 1, 1, 0]), np.array([0, 1, 2, 1, 0])
    >>> [c.suggestion for c in find_confusions(path, kernel, 0, ends, orbits)]
    ['Try T = 1.']
    """
    shared = mixed_classes(point_of_vertex, orbit_of_vertex)
    if not shared:
        return ()
    start = kernel.rounds_[0].types
    rounds = until_stable(graphs, start.of_vertex, start.n_types)
    n_passed = 0 if kernel.beta == 0 else t
    seen = deque(islice(rounds, n_passed + 1), maxlen=1)[0]
    found: list[Confusion] = []

    def report(
        members: NDArray[np.int64], reason: Reason, n_rounds: int | None, advice: str | None
    ) -> None:
        orbits = orbit_of_vertex[members]
        by_orbit = {int(orbit): members[orbits == orbit] for orbit in np.unique(orbits)}
        found.append(
            Confusion(int(point_of_vertex[members[0]]), by_orbit, reason, n_rounds, advice)
        )

    now = separation([seen], shared)
    told = np.flatnonzero(now.n_colours > 1)
    lost = [shared[i] for i in told]
    causes = helpful_settings(graphs, kernel, t, lost, now.n_colours[told])
    for members, (reason, advice) in zip(lost, causes, strict=True):
        report(members, reason, None, advice)

    unseen = mixed_classes(agreeing(point_of_vertex, seen), orbit_of_vertex)
    later = separation(chain([seen], rounds), unseen)
    for i in np.flatnonzero(later.n_colours > 1):
        n_rounds = n_passed + int(later.n_rounds[i])
        advice = f"Try {helpful_rounds(kernel, t, n_rounds)}."
        report(unseen[i], _why_not_yet(kernel, t), n_rounds, advice)

    never = mixed_classes(agreeing(point_of_vertex, later.colours), orbit_of_vertex)
    is_regular = later.colours.max(initial=0) == 0
    reason = Reason.REGULAR_GRAPH if is_regular else Reason.REFINEMENT_IS_BLIND
    features = helpful_features(graphs, kernel, t, never, orbit_of_vertex)
    for members, feature in zip(never, features, strict=True):
        report(members, reason, None, feature)
    return tuple(sorted(found, key=lambda confusion: confusion.point))


def _why_not_yet(kernel: MessagePassingNodeKernel, t: int) -> Reason:
    if t == 0:
        return Reason.NO_ROUNDS
    return Reason.NO_MESSAGES if kernel.beta == 0 else Reason.TOO_FEW_ROUNDS
