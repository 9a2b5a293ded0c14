"""Why a node kernel puts vertices of different orbits on one point, and what would part them.

From the initial features of the kernel, colour refinement tells apart whatever message passing
can, so it is the yardstick. Of the vertices on one point,

* those that refinement tells apart in equally many rounds were lost by the kernel itself;
* of the others, those that it tells apart in more rounds need more messages;
* those that it never tells apart need other features.

Every suggestion is tried before it is made.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, combinations, islice
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from mpgk_core.arrays import IntArray
from mpgk_core.errors import MPGKError
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.local_features import LOCAL_FEATURES
from mpgk_core.graphs.neighbourhoods import EdgeUse
from mpgk_core.recovery.points import kernel_points
from mpgk_core.refinement.colour_refinement import agreeing, mixed_classes, separation, until_stable

if TYPE_CHECKING:
    from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel


class Reason(StrEnum):
    """Why a kernel puts vertices of different orbits on one point.

    Examples
    --------
    >>> Reason.NO_MESSAGES.explanation
    'β = 0: no messages are passed, so only the initial features count.'
    """

    explanation: str
    """One sentence for a student."""

    def __new__(cls, value: str, explanation: str) -> Self:
        """Attach the explanation to a member."""
        reason = str.__new__(cls, value)
        reason._value_ = value
        reason.explanation = explanation
        return reason

    NO_ROUNDS = (
        "no rounds",
        "T = 0: no message has been passed yet, so only the initial features count.",
    )
    TOO_FEW_ROUNDS = "too few rounds", "T is too small."
    NO_MESSAGES = (
        "no messages",
        "β = 0: no messages are passed, so only the initial features count.",
    )
    REGULAR_GRAPH = (
        "regular graph",
        "All vertices start alike and have equally many neighbours (a regular graph), so every "
        "round repeats the same message.",
    )
    REFINEMENT_IS_BLIND = (
        "refinement is blind",
        "Colour refinement can never tell these vertices apart: from these features, each of them "
        "sees the same in every round, however many there are.",
    )
    ONLY_DIRECTIONS = (
        "only directions",
        "Normalisation keeps only the direction of a vertex in feature space, and these vertices "
        "differ only in their length.",
    )
    NO_MEMORY = (
        "no memory",
        "α = 0: the previous similarity does not count, and the last round alone does not tell "
        "these vertices apart.",
    )
    COARSE_HIERARCHY = (
        "coarse hierarchy",
        "The hierarchy is too coarse: it puts neighbours that differ into one cluster.",
    )
    EQUAL_SUMS = (
        "equal sums",
        "The neighbours of these vertices differ, but the sums over them, which are all that R "
        "looks at, are equal, or so nearly equal that the difference is lost in rounding.",
    )


@dataclass(frozen=True, eq=False)
class Confusion:
    """Vertices of two or more orbits that share a point for one reason.

    Attributes
    ----------
    point : int
        The point.
    vertices_by_orbit : mapping of int to ndarray
        The vertices concerned, under the numbers of their orbits.
    reason : Reason
        Why they share the point.
    n_rounds : int or None
        For reasons that more messages would remove: after how many rounds colour refinement,
        from the same initial features, has told apart whatever it ever tells apart.
    suggestion : str or None
        What to try, where something was found that helps.

    Examples
    --------
    >>> ends = {0: np.array([0, 4]), 1: np.array([2])}
    >>> Confusion(0, ends, Reason.TOO_FEW_ROUNDS, 2, "Try T = 2.").explanation
    'T is too small. The difference is 2 steps away, so T = 2 would show it.'
    """

    point: int
    vertices_by_orbit: Mapping[int, IntArray]
    reason: Reason
    n_rounds: int | None = None
    suggestion: str | None = None

    @property
    def explanation(self) -> str:
        """The reason, with the numbers of this case."""
        if self.n_rounds is None or self.reason is Reason.NO_MESSAGES:
            return self.reason.explanation
        steps = f"{self.n_rounds} step" + ("s" if self.n_rounds != 1 else "")
        if len(self.vertices_by_orbit) == 2:
            distance = f"The difference is {steps} away, so T = {self.n_rounds} would show it."
        else:
            distance = (
                f"The differences are up to {steps} away, so T = {self.n_rounds} would show them."
            )
        return f"{self.reason.explanation} {distance}"


_FEATURE_WORDS = {
    "triangles": "triangles",
    "core-number": "core numbers",
    "clustering": "clustering coefficients",
}
_USUAL_DEPTH, _USUAL_BRANCHING = 8, 4


def helpful_rounds(kernel: MessagePassingNodeKernel, t: int, n_rounds: int) -> str:
    """Name the settings with which messages travel far enough.

    Parameters
    ----------
    kernel : MessagePassingNodeKernel
    t : int
        The number of rounds now.
    n_rounds : int
        The number of rounds needed, by colour refinement.

    Returns
    -------
    str
        Empty where messages travel far enough already.

    Examples
    --------
    >>> from mpgk_core import MessagePassingNodeKernel
    >>> helpful_rounds(MessagePassingNodeKernel(beta=0.0), t=1, n_rounds=3)
    'beta = 0.2 and T = 3'
    """
    settings = []
    if n_rounds > 0 and kernel.beta == 0:
        settings.append("beta = 0.2")
    if n_rounds > t:
        settings.append(f"T = {n_rounds}")
    return " and ".join(settings)


def helpful_features(
    graphs: GraphSet,
    kernel: MessagePassingNodeKernel,
    t: int,
    sets: list[IntArray],
    orbit_of_vertex: IntArray,
) -> list[str | None]:
    """Look for local features from which colour refinement tells vertices apart.

    Parameters
    ----------
    graphs : GraphSet
        What the kernel was fitted to.
    kernel : MessagePassingNodeKernel
        Fitted; the features are added to its initial ones.
    t : int
        The number of rounds now.
    sets : list of ndarray
        Sets of vertices that refinement does not tell apart now.
    orbit_of_vertex : ndarray of shape (n,)

    Returns
    -------
    list of str or None
        A suggestion for every set; None where none of the features helps.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import MessagePassingNodeKernel
    >>> cycles = GraphSet.from_networkx(nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(6)))
    >>> kernel = MessagePassingNodeKernel().fit(cycles)
    >>> helpful_features(cycles, kernel, 5, [np.arange(9)], np.array([0] * 3 + [1] * 6))[0]
    'Add triangles or clustering coefficients to the features: this tells all of them apart.'
    """
    if not sets:
        return []
    start = kernel.rounds_[0].types
    trials: list[list[_FeatureTrial]] = [[] for _ in sets]
    for name, words in _FEATURE_WORDS.items():
        added = agreeing(start.of_vertex, LOCAL_FEATURES[name](graphs.adjacency)).astype(np.int32)
        n_types = int(added.max(initial=-1)) + 1
        if n_types == start.n_types:
            continue
        found = separation(until_stable(graphs, added, n_types, kernel.edges), sets)
        for i, members in enumerate(sets):
            if found.n_colours[i] > 1:
                colours = found.colours[members].astype(np.int64)
                left = mixed_classes(colours, orbit_of_vertex[members])
                trials[i].append(
                    _FeatureTrial(words, int(found.n_colours[i]), int(found.n_rounds[i]), not left)
                )
    return [_best_features(kernel, t, of_set) for of_set in trials]


class _FeatureTrial(NamedTuple):
    words: str
    n_colours: int
    n_rounds: int
    tells_all: bool


def _best_features(
    kernel: MessagePassingNodeKernel, t: int, trials: list[_FeatureTrial]
) -> str | None:
    if not trials:
        return None
    most = max(trial.n_colours for trial in trials)
    best = [trial for trial in trials if trial.n_colours == most]
    names = " or ".join(trial.words for trial in best)
    rounds = helpful_rounds(kernel, t, max(trial.n_rounds for trial in best))
    how_many = "all" if best[0].tells_all else "some"
    with_rounds = f" and take {rounds}" if rounds else ""
    return f"Add {names} to the features{with_rounds}: this tells {how_many} of them apart."


def helpful_settings(
    graphs: GraphSet,
    kernel: MessagePassingNodeKernel,
    t: int,
    sets: list[IntArray],
    n_colours: IntArray,
) -> list[tuple[Reason, str | None]]:
    """Find out how a kernel lost what colour refinement sees, by running it with other settings.

    Parameters
    ----------
    graphs : GraphSet
        What the kernel was fitted to.
    kernel : MessagePassingNodeKernel
        Fitted.
    t : int
        The number of rounds.
    sets : list of ndarray
        Sets of vertices that share a point.
    n_colours : ndarray
        For each set, how many colours refinement sees in it after t rounds.

    Returns
    -------
    list of (Reason, str or None)
        For each set, the reason and a suggestion, None where nothing helped.

    Examples
    --------
    Without a memory, the degree of the middle is forgotten for that of its neighbours:

    >>> import networkx as nx
    >>> from mpgk_core import MessagePassingNodeKernel
    >>> star = GraphSet.from_networkx(nx.star_graph(2))
    >>> kernel = MessagePassingNodeKernel(alpha=0.0, n_iterations=1).fit(star)
    >>> kernel.kernel_.round(2).tolist()
    [[0.8, 0.8, 0.8], [0.8, 0.8, 0.8], [0.8, 0.8, 0.8]]
    >>> helpful_settings(star, kernel, 1, [np.arange(3)], np.array([2]))
    [(<Reason.NO_MEMORY: 'no memory'>, 'Try alpha = 0.5.')]
    """
    usual = Reason.COARSE_HIERARCHY if kernel.neighbourhood == "A" else Reason.EQUAL_SUMS
    answers: list[tuple[Reason, str | None]] = [(usual, None)] * len(sets)
    open_sets = set(range(len(sets)))
    for changes in _changes(kernel):
        if not open_sets:
            break
        changed = {change.setting: change.value for change in changes}
        settings = kernel.get_params() | changed | {"n_iterations": t}
        try:
            points = kernel_points(graphs, type(kernel)(**settings).fit(graphs), t).of_vertex
        except MPGKError:
            continue
        helped = {i for i in open_sets if len(np.unique(points[sets[i]])) == n_colours[i]}
        for i in helped:
            words = " and ".join(f"{setting} = {value}" for setting, value in changed.items())
            answers[i] = (changes[0].cause, f"Try {words}.")
        open_sets -= helped
    return answers


class _Change(NamedTuple):
    cause: Reason
    setting: str
    value: Any


def _changes(kernel: MessagePassingNodeKernel) -> Iterator[tuple[_Change, ...]]:
    """Yield what may be changed: first one setting at a time, then two, and so on."""
    deeper = max(_USUAL_DEPTH, 2 * kernel.depth)
    wider = max(_USUAL_BRANCHING, 2 * kernel.branching)
    single = []
    if kernel.normalize:
        single.append(_Change(Reason.ONLY_DIRECTIONS, "normalize", False))
    if kernel.alpha == 0:
        single.append(_Change(Reason.NO_MEMORY, "alpha", 0.5))
    if kernel.neighbourhood == "A":
        single.append(_Change(Reason.COARSE_HIERARCHY, "depth", deeper))
        single.append(_Change(Reason.COARSE_HIERARCHY, "branching", wider))
    elif not EdgeUse.of(kernel.edges).multiplies:  # an assignment has no weights
        single.append(_Change(Reason.EQUAL_SUMS, "neighbourhood", "A"))
    for n_changes in range(1, len(single) + 1):
        yield from combinations(single, n_changes)


def find_confusions(
    graphs: GraphSet,
    kernel: MessagePassingNodeKernel,
    t: int,
    point_of_vertex: IntArray,
    orbit_of_vertex: IntArray,
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
    start = kernel.rounds_[0].types
    rounds = until_stable(graphs, start.of_vertex, start.n_types, kernel.edges)
    n_passed = 0 if kernel.beta == 0 else t
    seen = deque(islice(rounds, n_passed + 1), maxlen=1)[0]
    found: list[Confusion] = []

    def report(members: IntArray, reason: Reason, n_rounds: int | None, advice: str | None) -> None:
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
