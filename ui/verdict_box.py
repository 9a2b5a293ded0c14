"""The verdict in words: what was recovered, what was confused, and why."""

from __future__ import annotations

import streamlit as st

from mpgk_core import GraphSet, Verdict
from mpgk_core.recovery.diagnosis import Confusion

_MOST_CONFUSIONS = 5
_MOST_NAMES = 6


def verdict_numbers(found: Verdict) -> None:
    """Show how many classes the kernel recovers, and how clearly."""
    with st.container(horizontal=True, key="verdict"):
        st.metric(
            "Classes recovered",
            f"{found.n_recovered} of {found.n_orbits}",
            help="Orbits that are one point of their own. An orbit holds the vertices that a "
            "renaming of the graph can exchange: they play exactly the same role.",
        )
        st.metric(
            "Distinct points",
            found.n_points,
            help="Points in the feature space, not only in the plane that is drawn.",
        )
        st.metric(
            "Smallest gap",
            _number(found.smallest_gap),
            help="The smallest distance in feature space between points of different orbits.",
        )
        st.metric(
            "Largest spread",
            _number(found.largest_spread),
            help="The largest distance in feature space between vertices of one orbit.",
        )


def verdict_reasons(found: Verdict, graph: GraphSet) -> None:
    """Say which vertices are confused, and why."""
    if not found.orbits_proven:
        st.warning(
            "The orbit search reached its limit. The classes shown are those of colour refinement; "
            "some may hold several orbits."
        )
    if found.is_complete and found.orbits_proven:
        st.success("All orbits are separated.")
    if found.confusions:
        with st.expander("Which vertices are confused, and why", expanded=True):
            for confusion in found.confusions[:_MOST_CONFUSIONS]:
                _show(confusion, graph)
            more = len(found.confusions) - _MOST_CONFUSIONS
            if more > 0:
                st.text(f"… and {more} more points that hold several orbits.")
    if found.split_orbits:
        st.info(found.split_orbits[0].explanation)


def _show(confusion: Confusion, graph: GraphSet) -> None:
    orbits = [
        f"orbit {orbit + 1}: {_listed(vertices.tolist(), graph)}"
        for orbit, vertices in list(confusion.vertices_by_orbit.items())[:_MOST_NAMES]
    ]
    st.text("One point for " + "; ".join(orbits))
    st.caption(" ".join(filter(None, [confusion.explanation, confusion.suggestion])))


def _listed(vertices: list[int], graph: GraphSet) -> str:
    names = [str(graph.names[v])[:40] for v in vertices[:_MOST_NAMES]]
    return ", ".join(names) + (", …" if len(vertices) > len(names) else "")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"
