"""What the figures of a change show, in sentences: for those who cannot see them."""

from __future__ import annotations

import numpy as np

from mpgk_core.edits.comparison import NEIGHBOURHOODS, Comparison
from mpgk_core.edits.perturbation import PerturbationCurve
from mpgk_core.equivalence.orbits import Orbits

__all__ = ["comparison_words", "movement_words", "perturbation_words"]

_MOST_SAID = 3


def comparison_words(comparison: Comparison, t: int | None = None) -> str:
    r"""Say how many vertices changed colour, and how far vertices moved.

    Parameters
    ----------
    comparison : Comparison
    t : int, optional
        Round; by default the last.

    Returns
    -------
    str

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import GraphSet, MessagePassingNodeKernel
    >>> from mpgk_core.edits import compare
    >>> ring, path = map(GraphSet.from_networkx, (nx.cycle_graph(6), nx.path_graph(6)))
    >>> kernel = MessagePassingNodeKernel(features="degree", n_iterations=3)
    >>> print(*comparison_words(compare(ring, path, kernel)).split(". "), sep=".\n")
    After 3 rounds, 6 of 6 vertices have another WL colour.
    Under R, a vertex moves by 0.116 on average and by 0.142 at most; its mean cosine with what
    it was is 0.9930.
    Under A, a vertex moves by 0.961 on average and by 1.09 at most; its mean cosine with what
    it was is 0.5328.
    There was 1 orbit before and there are 3 now; 20 % of the equivalent pairs still are.
    """
    t = comparison.checked_round(t)
    n = len(comparison.in_before)
    n_changed = int(comparison.is_recoloured[t].sum())
    parts = [
        f"After {_counted(t, 'round')}, {n_changed:,} of {_counted(n, 'vertex', 'vertices')} "
        f"{'has' if n_changed == 1 else 'have'} another WL colour."
    ]
    for way in NEIGHBOURHOODS:
        moved = comparison.movement[way][t]
        parts.append(
            f"Under {way}, a vertex moves by {moved.mean():.3g} on average and by "
            f"{moved.max():.3g} at most; its mean cosine with what it was is "
            f"{comparison.similarity(way)[t].mean():.4f}."
        )
    old, new = comparison.orbits_before, comparison.orbits_after
    parts.append(
        f"There {'was' if old.n_orbits == 1 else 'were'} {_at_least(old)}"
        f"{_counted(old.n_orbits, 'orbit')} before and there "
        f"{'is' if new.n_orbits == 1 else 'are'} {_at_least(new)}{new.n_orbits:,} now; "
        f"{100 * comparison.share_of_orbit_pairs_kept:.0f} % of the equivalent pairs still are."
    )
    return " ".join(parts)


def movement_words(comparison: Comparison, t: int | None = None) -> str:
    """Say which vertices moved farthest under R and under A.

    Parameters
    ----------
    comparison : Comparison
    t : int, optional
        Round; by default the last.

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core import GraphSet, MessagePassingNodeKernel
    >>> from mpgk_core.edits import compare
    >>> ring, path = map(GraphSet.from_networkx, (nx.cycle_graph(4), nx.path_graph(4)))
    >>> kernel = MessagePassingNodeKernel(features="degree", n_iterations=1)
    >>> movement_words(compare(ring, path, kernel)).split(";")[0]
    'Farthest under R: 1 (0.142), 2 (0.142), 0 (0)'
    """
    t = comparison.checked_round(t)
    names = comparison.names
    parts = []
    for way in NEIGHBOURHOODS:
        moved = comparison.movement[way][t]
        farthest = np.argsort(-moved, kind="stable")[:_MOST_SAID].tolist()
        listed = ", ".join(f"{str(names[v])[:40]} ({moved[v]:.3g})" for v in farthest)
        parts.append(f"under {way}: {listed}")
    return f"Farthest {'; '.join(parts)}."


def perturbation_words(curve: PerturbationCurve) -> str:
    """Say what is left at the first removed edges and at the last.

    Parameters
    ----------
    curve : PerturbationCurve

    Returns
    -------
    str
    """
    measured = np.flatnonzero(curve.is_measured.any(axis=0)).tolist()
    if not measured:
        return "Nothing is measured yet."
    told = [step for step in measured if curve.n_removed[step] > 0] or measured
    lines = {name: curve.mean(name) for name in curve.values}
    parts = [
        f"With {_counted(int(curve.n_removed[step]), 'edge')} removed, "
        f"{100 * lines['WL'][step]:.0f} % of the vertices keep their WL colour after "
        f"{_counted(curve.n_rounds, 'round')}, and the mean cosine of a vertex with what it was "
        f"is {lines['R'][step]:.3f} under R and {lines['A'][step]:.3f} under A."
        for step in dict.fromkeys((told[0], told[-1]))
    ]
    return " ".join(parts)


def _counted(n: int, one: str, many: str | None = None) -> str:
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def _at_least(found: Orbits) -> str:
    return "" if found.proven else "at least "
