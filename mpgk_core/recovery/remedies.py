"""What would tell confused vertices apart: every suggestion is tried before it is made."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import MPGKError
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.local_features import LOCAL_FEATURES
from mpgk_core.recovery.confusion import Reason
from mpgk_core.recovery.kernel_points import kernel_points
from mpgk_core.refinement.agreement import agreeing
from mpgk_core.refinement.colour_refinement import mixed_classes, separation, until_stable

if TYPE_CHECKING:
    from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel


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
    sets: list[NDArray[np.int64]],
    orbit_of_vertex: NDArray[np.int64],
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
    sets: list[NDArray[np.int64]],
    n_colours: NDArray[np.int64],
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
