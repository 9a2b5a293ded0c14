"""The verdict on a node kernel: which orbits it recovers, which it confuses, and why.

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
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from mpgk_core.arrays import IntArray
from mpgk_core.automorphism import Orbits
from mpgk_core.automorphism import orbits as find_orbits
from mpgk_core.errors import InvalidGraphError, MPGKError
from mpgk_core.graphs.features import LOCAL_FEATURES
from mpgk_core.graphs.graph_set import GraphSet, as_graph_set
from mpgk_core.recovery.points import (
    KernelPoints,
    kernel_points,
    largest_distance,
    smallest_distance,
)
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

    NO_ROUNDS = "no rounds"
    TOO_FEW_ROUNDS = "too few rounds"
    NO_MESSAGES = "no messages"
    REGULAR_GRAPH = "regular graph"
    REFINEMENT_IS_BLIND = "refinement is blind"
    ONLY_DIRECTIONS = "only directions"
    NO_MEMORY = "no memory"
    COARSE_HIERARCHY = "coarse hierarchy"
    EQUAL_SUMS = "equal sums"

    @property
    def explanation(self) -> str:
        """One sentence for a student."""
        return _EXPLANATIONS[self]


_EXPLANATIONS = {
    Reason.NO_ROUNDS: (
        "T = 0: no message has been passed yet, so only the initial features count."
    ),
    Reason.TOO_FEW_ROUNDS: "T is too small.",
    Reason.NO_MESSAGES: "β = 0: no messages are passed, so only the initial features count.",
    Reason.REGULAR_GRAPH: (
        "All vertices start alike and have equally many neighbours (a regular graph), "
        "so every round repeats the same message."
    ),
    Reason.REFINEMENT_IS_BLIND: (
        "Colour refinement can never tell these vertices apart: from these features, each of "
        "them sees the same in every round, however many there are."
    ),
    Reason.ONLY_DIRECTIONS: (
        "Normalisation keeps only the direction of a vertex in feature space, and these vertices "
        "differ only in their length."
    ),
    Reason.NO_MEMORY: (
        "α = 0: the previous similarity does not count, and the last round alone does not tell "
        "these vertices apart."
    ),
    Reason.COARSE_HIERARCHY: (
        "The hierarchy is too coarse: it puts neighbours that differ into one cluster."
    ),
    Reason.EQUAL_SUMS: (
        "The neighbours of these vertices differ, but the sums over them, which are all that R "
        "looks at, are equal, or so nearly equal that the difference is lost in rounding."
    ),
}


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
        found = separation(until_stable(graphs, added, n_types), sets)
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
    else:
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
    if not shared:
        return ()
    start = kernel.rounds_[0].types
    rounds = until_stable(graphs, start.of_vertex, start.n_types)
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


@dataclass(frozen=True, eq=False)
class OrbitMatch:
    """Which orbits lie on which points.

    Attributes
    ----------
    orbits, points : ndarray of shape (q,)
        All pairs of an orbit and a point that share a vertex.
    n_points_of_orbit : ndarray of shape (n_orbits,)
        On how many points the vertices of each orbit lie.
    n_orbits_of_point : ndarray of shape (n_points,)
        Of how many orbits each point holds vertices.
    """

    orbits: IntArray
    points: IntArray
    n_points_of_orbit: IntArray
    n_orbits_of_point: IntArray

    @property
    def n_recovered(self) -> int:
        """Number of orbits that are one point of their own."""
        is_whole = self.n_points_of_orbit[self.orbits] == 1
        return int(np.count_nonzero(is_whole & (self.n_orbits_of_point[self.points] == 1)))

    @property
    def split_orbits(self) -> IntArray:
        """The orbits that lie on several points."""
        return np.flatnonzero(self.n_points_of_orbit > 1)

    def smallest_gap(self, rows: csr_array) -> float | None:
        """Return the smallest distance between two vertices of different orbits.

        Parameters
        ----------
        rows : csr_array of shape (n_points, D)
            Where the points lie.

        Returns
        -------
        float or None
            0 where a point holds several orbits; None where there is but one orbit.
        """
        if np.any(self.n_orbits_of_point > 1):
            return 0.0
        orbit_of_point = np.empty_like(self.n_orbits_of_point)
        orbit_of_point[self.points] = self.orbits
        return smallest_distance(rows, orbit_of_point)

    def largest_spread(self, rows: csr_array) -> float:
        """Return the largest distance between two vertices of one orbit.

        Parameters
        ----------
        rows : csr_array of shape (n_points, D)
            Where the points lie.

        Returns
        -------
        float
        """
        members = (self.points[self.orbits == orbit] for orbit in self.split_orbits)
        return max((largest_distance(rows[points]) for points in members), default=0.0)


def match_orbits(orbit_of_vertex: IntArray, point_of_vertex: IntArray) -> OrbitMatch:
    """Compare two ways to put vertices together.

    Parameters
    ----------
    orbit_of_vertex, point_of_vertex : ndarray of shape (n,)
        Numbered from 0, without gaps.

    Returns
    -------
    OrbitMatch

    Examples
    --------
    >>> found = match_orbits(np.array([0, 0, 1, 2]), np.array([0, 0, 1, 1]))
    >>> found.n_recovered, found.n_orbits_of_point.tolist()
    (1, [1, 2])
    """
    n_points = int(point_of_vertex.max(initial=0)) + 1
    orbits, points = np.divmod(np.unique(orbit_of_vertex * n_points + point_of_vertex), n_points)
    return OrbitMatch(orbits, points, np.bincount(orbits), np.bincount(points))


@dataclass(frozen=True)
class SplitOrbit:
    """An orbit whose vertices lie on several points.

    Attributes
    ----------
    orbit : int
        The number of the orbit.
    n_points : int
        On how many points its vertices lie.
    is_proven : bool
        Whether it is certain that this is an orbit.
    """

    orbit: int
    n_points: int
    is_proven: bool

    @property
    def explanation(self) -> str:
        """One sentence for a student."""
        if self.is_proven:
            return "The features tell apart vertices that the structure of the graph does not."
        return (
            "Colour refinement of the bare graph does not tell these vertices apart, but the "
            "kernel does; whether they are one orbit is not known."
        )


@dataclass(frozen=True)
class Recovery:
    """How well the points of a node kernel separate the orbits of a graph, in numbers.

    Attributes
    ----------
    n_orbits : int
        Number of orbits.
    n_points : int
        Number of distinct points.
    n_recovered : int
        Number of orbits that are one point of their own.
    smallest_gap : float or None
        The smallest distance in feature space between two vertices of different orbits: 0 where
        some of them share a point, None where there is but one orbit.
    largest_spread : float
        The largest distance in feature space between two vertices of one orbit.
    """

    n_orbits: int
    n_points: int
    n_recovered: int
    smallest_gap: float | None
    largest_spread: float

    @property
    def is_complete(self) -> bool:
        """Whether every orbit is one point and every point one orbit."""
        return self.n_recovered == self.n_orbits

    @property
    def summary(self) -> str:
        """One line, such as "7 of 7 classes recovered"."""
        return f"{self.n_recovered} of {self.n_orbits} classes recovered"


@dataclass(frozen=True, eq=False)
class Verdict(Recovery):
    """How the points of a node kernel and the orbits of a graph fit together, and why.

    Attributes
    ----------
    orbits_proven : bool
        False where the orbit search reached its limit: the classes are then those of colour
        refinement, of which some may hold several orbits.
    orbit_of_vertex, point_of_vertex : ndarray of shape (n,)
        Numbered in order of the first vertex.
    confusions : tuple of Confusion
        Which orbits share a point, and why.
    split_orbits : tuple of SplitOrbit
        Orbits that lie on several points, because labels or attributes differ.
    """

    orbits_proven: bool
    orbit_of_vertex: IntArray
    point_of_vertex: IntArray
    confusions: tuple[Confusion, ...]
    split_orbits: tuple[SplitOrbit, ...]


def verdict(
    graph: Any, kernel: MessagePassingNodeKernel, t: int | None = None, orbits: Orbits | None = None
) -> Verdict:
    """Compare the points on which a kernel puts vertices with the orbits of their graph.

    Two vertices are one point if the kernel does not tell them apart: if their distance in
    feature space is zero, up to rounding. Orbits are those of the bare graph: labels and
    attributes that differ within an orbit split it, which is no confusion.

    Parameters
    ----------
    graph : networkx graph, or GraphSet with one graph
        What the kernel was fitted to.
    kernel : MessagePassingNodeKernel
        Fitted.
    t : int, optional
        Round; by default the last.
    orbits : Orbits, optional
        The orbits of the graph, where they are known already.

    Returns
    -------
    Verdict

    Raises
    ------
    InvalidGraphError
        If the kernel was fitted to something else, or to more than one graph.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import MessagePassingNodeKernel
    >>> barbell = nx.barbell_graph(10, 10)
    >>> kernel = MessagePassingNodeKernel("R", n_iterations=5, features="degree").fit(barbell)
    >>> verdict(barbell, kernel).summary
    '7 of 7 classes recovered'
    >>> early = verdict(barbell, kernel, t=3)
    >>> early.summary, early.n_points
    ('5 of 7 classes recovered', 6)
    >>> print(early.confusions[0].explanation)
    T is too small. The difference is 4 steps away, so T = 4 would show it.
    """
    graphs = as_graph_set(graph)
    t = kernel.n_iterations if t is None else t
    points = kernel_points(graphs, kernel, t)
    found = known_orbits(graphs, orbits)
    match = match_orbits(found.of_vertex, points.of_vertex)
    return Verdict(
        **vars(_recovery(match, points)),
        orbits_proven=found.proven,
        orbit_of_vertex=found.of_vertex,
        point_of_vertex=points.of_vertex,
        confusions=find_confusions(graphs, kernel, t, points.of_vertex, found.of_vertex),
        split_orbits=tuple(
            SplitOrbit(int(orbit), int(match.n_points_of_orbit[orbit]), found.proven)
            for orbit in match.split_orbits
        ),
    )


def verdicts(
    graph: Any, kernel: MessagePassingNodeKernel, orbits: Orbits | None = None
) -> tuple[Recovery, ...]:
    """Compare the points of a kernel with the orbits of a graph in every round, without reasons.

    Parameters
    ----------
    graph, kernel, orbits
        As for :func:`verdict`.

    Returns
    -------
    tuple of Recovery
        For the rounds 0 to T.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import MessagePassingNodeKernel
    >>> barbell = nx.barbell_graph(10, 10)
    >>> kernel = MessagePassingNodeKernel("R", n_iterations=5, features="degree").fit(barbell)
    >>> [found.n_recovered for found in verdicts(barbell, kernel)]
    [2, 3, 4, 5, 7, 7]
    """
    graphs = as_graph_set(graph)
    found = known_orbits(graphs, orbits)
    rounds = [kernel_points(graphs, kernel, t) for t in range(kernel.n_iterations + 1)]
    return tuple(_recovery(match_orbits(found.of_vertex, p.of_vertex), p) for p in rounds)


def known_orbits(graphs: GraphSet, orbits: Orbits | None) -> Orbits:
    """Return the orbits of a graph: those given, where they can be its own, or else find them."""
    found = find_orbits(graphs) if orbits is None else orbits
    if len(found.of_vertex) != graphs.n_vertices:
        raise InvalidGraphError(
            f"The orbits are those of {len(found.of_vertex)} vertices, but the graph has "
            f"{graphs.n_vertices}. Give the orbits of this graph, or none."
        )
    return found


def _recovery(match: OrbitMatch, points: KernelPoints) -> Recovery:
    return Recovery(
        n_orbits=len(match.n_points_of_orbit),
        n_points=points.n_points,
        n_recovered=match.n_recovered,
        smallest_gap=match.smallest_gap(points.rows),
        largest_spread=match.largest_spread(points.rows),
    )
