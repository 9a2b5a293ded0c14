"""Embeddings side by side: of all methods on one graph, and of settings that were kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from mpgk_core.embedding.methods import VERTEX_METHODS
from mpgk_core.embedding.trajectory import Trajectory, aligned_to, matching_vertices
from mpgk_core.errors import shortened
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.plotting import Colouring, safe_names
from mpgk_core.plotting.embedding_figure import Panel, embedding_words, panels_figure, reach_of
from mpgk_core.recovery import Recovery
from mpgk_core.text import csv_table
from ui.playground.results import kernel_now
from ui.playground.study import AXES, COLOURINGS, colouring_of, methods_for
from ui.shared.charts import chart
from ui.shared.computed import method_way, recoveries_of, separation_of, verdict_of, way_of
from ui.shared.downloads import Download, download_row
from ui.shared.widgets import NEIGHBOURHOODS, button
from ui.state.choices import ChosenGraph, PictureChoice


def methods_panel(graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice) -> None:
    """Show the kernel beside all other methods, after the last round."""
    T = kernel.n_iterations
    titles = methods_for(graph.graph)
    kernels = {f"MPGK {key}": kernel.compared_by(key) for key in NEIGHBOURHOODS}
    found = {title: recoveries_of(graph, one)[-1] for title, one in kernels.items()}
    found |= {title: separation_of(graph, key, T, kernel.edges) for key, title in titles.items()}
    ways = {title: way_of(graph, one, 2) for title, one in kernels.items()}
    ways |= {title: method_way(graph, key, T, 2) for key, title in titles.items()}
    colouring = colouring_of(graph, kernel, picture)
    names = safe_names(graph.graph.names)
    panels = [
        Panel(
            f"{title}: {one.n_recovered} of {one.n_orbits}", way.with_axes("fit"), colouring, names
        )
        for (title, one), way in zip(found.items(), ways.values(), strict=True)
    ]
    words = "; ".join(f"{title}: {one.summary}" for title, one in found.items())
    chart(panels_figure(panels, n_columns=3), "all-methods", words, (graph.title, "methods"))
    rows = [_row(title, one) for title, one in found.items()]
    st.dataframe(rows, hide_index=True, key="method-scores", column_config=_SHORT_TITLES)
    content = csv_table([rows[0].keys(), *(row.values() for row in rows)])
    download_row("", [Download("methods-csv", "Scores, CSV", "methods.csv", lambda: content)])
    st.caption(
        "An orbit is recovered if its vertices are closer to each other than to any other vertex; "
        "under MPGK they coincide. Distances are measured in all dimensions of a method, so only "
        "their ratio can be compared between methods. Methods of proximity (DeepWalk, node2vec, "
        "LINE, spectral embedding) place vertices by how close they are in the graph: equivalent "
        "vertices at opposite ends of a barbell lie far apart."
    )
    missing = [one.title for key, one in VERTEX_METHODS.items() if key not in titles]
    if missing:
        st.caption(
            f"Not shown for {graph.graph.n_vertices:,} vertices and {graph.graph.n_edges:,} edges, "
            "because it would take long: "
            f"{', '.join(missing)}. The command line has them: mpgk embed --method."
        )


_SHORT_TITLES = {
    "orbits recovered": "recovered",
    "distinct points": "points",
    "largest distance inside an orbit": "inside, largest",
    "smallest distance between orbits": "between, smallest",
}


def _row(title: str, found: Recovery) -> dict[str, str | int | float | None]:
    gap, spread = found.smallest_gap, found.largest_spread
    return {
        "method": title,
        "orbits recovered": found.n_recovered,
        "orbits": found.n_orbits,
        "distinct points": found.n_points,
        "largest distance inside an orbit": spread,
        "smallest distance between orbits": gap,
        "inside / between": spread / gap if gap else None,
    }


_WORDS = {
    "neighbourhood": "neighbourhoods",
    "n_iterations": "rounds T",
    "alpha": "α",
    "beta": "β",
    "features": "initial features",
    "edges": "use of edges",
    "normalize": "normalised",
    "random_state": "seed",
    "branching": "branching",
    "depth": "depth",
}


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Settings, and a number that stays with them.

    Attributes
    ----------
    number : int
        From 1.
    graph : ChosenGraph
    kernel : KernelParameters
    picture : PictureChoice
    """

    number: int
    graph: ChosenGraph
    kernel: KernelParameters
    picture: PictureChoice

    @property
    def identity(self) -> tuple[str, KernelParameters, PictureChoice]:
        """Equal for settings that are equal."""
        return self.graph.key, self.kernel, self.picture

    @property
    def way(self) -> Trajectory:
        """The embedding in the plane."""
        return way_of(self.graph, self.kernel, 2).with_axes(self.picture.axes)

    @property
    def colouring(self) -> Colouring:
        """The colours of the vertices."""
        return colouring_of(self.graph, self.kernel, self.picture)

    def settings(self) -> dict[str, Any]:
        """Return everything that can differ, and the result, by its name for people."""
        values = {} if self.graph.recipe is None else self.graph.recipe.values
        found = verdict_of(self.graph, self.kernel)
        return {
            "graph": shortened(self.graph.title),
            **{f"graph: {key}": value for key, value in values.items()},
            "vertices": self.graph.graph.n_vertices,
            "edges": self.graph.graph.n_edges,
            **{word: getattr(self.kernel, key) for key, word in _WORDS.items()},
            "colour by": COLOURINGS[self.picture.colour],
            "clusters": self.picture.n_clusters,
            "attribute": self.picture.attribute + 1,
            "scales of the axes": AXES[self.picture.axes],
            "axes": self.picture.n_axes,
            "layout": self.picture.layout,
            "classes recovered": f"{found.n_recovered} of {found.n_orbits}",
            "distinct points": found.n_points,
        }


def differences(kept: Sequence[Snapshot]) -> list[dict[str, str]]:
    """Return a row for every setting that is not the same in all snapshots."""
    settings = {str(one.number): one.settings() for one in kept}
    names = dict.fromkeys(name for values in settings.values() for name in values)
    rows = [
        {number: _text(values.get(name)) for number, values in settings.items()} for name in names
    ]
    return [
        {"what differs": name} | row
        for name, row in zip(names, rows, strict=True)
        if len(set(row.values())) > 1
    ]


def _text(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


_KEPT = "snapshots"
_MOST = 4


def snapshots(graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice) -> bool:
    """Let the user keep the settings of now, and show those that are kept.

    Returns
    -------
    bool
        Whether some are kept.
    """
    kept: list[Snapshot] = st.session_state.setdefault(_KEPT, [])
    with st.expander("Compare settings", expanded=bool(kept), key="compare"):
        free = min(set(range(1, _MOST + 2)) - {one.number for one in kept})
        now = Snapshot(free, graph, kernel, picture)
        is_known = any(one.identity == now.identity for one in kept)
        with st.container(horizontal=True, vertical_alignment="center"):
            button(
                "keep",
                "Keep",
                disabled=is_known or len(kept) == _MOST,
                on_click=lambda: kept.append(Snapshot(free, graph, kernel_now(), picture)),
            )
            for one in kept:
                key, label = f"remove-{one.number}", f"Remove {one.number}"
                button(key, label, on_click=kept.remove, args=(one,))
        if not kept:
            st.caption(
                "Keep settings, move the controls, and keep again: the embeddings are shown side "
                "by side, in the same colours."
            )
        else:
            _embeddings(kept)
            differing = differences(kept)
            if differing:
                st.dataframe(differing, hide_index=True, key="differences")
    return bool(kept)


def _embeddings(kept: list[Snapshot]) -> None:
    panels = [_panel(one, kept[0]) for one in kept]
    reach = reach_of(panels)
    with st.container(key="compared"):
        columns = [column for _ in range(0, len(kept), 2) for column in st.columns(2)]
        for column, one, panel in zip(columns, kept, panels, strict=False):
            with column:
                chart(
                    panels_figure([panel], reach=reach),
                    f"compared-{one.number}",
                    f"Settings kept as {one.number}: {embedding_words(one.way)}",
                    (one.graph.title, "snapshot", one.number),
                )
    others = [
        one for one in kept if matching_vertices(one.graph.graph, kept[0].graph.graph) is None
    ]
    words = (
        "A vertex has the colour that it has in the first embedding. Each embedding is rotated, "
        "reflected and scaled to match the first as closely as possible."
    )
    if others:
        numbers = ", ".join(str(one.number) for one in others)
        words += f" This does not apply to {numbers}: the vertices differ."
    st.caption(words if len(kept) > 1 else "Keep a second one to compare it with.")


def _panel(one: Snapshot, first: Snapshot) -> Panel:
    """Draw a snapshot; where the vertices are those of the first, laid on it and coloured alike."""
    way, colouring = one.way, one.colouring
    partner = matching_vertices(one.graph.graph, first.graph.graph)
    if partner is not None and one is not first:
        way = aligned_to(way, first.way, partner)
        colouring = first.colouring.of(partner.tolist())
    kernel = one.kernel
    title = (
        f"{one.number}: {safe_names([one.graph.title])[0]}<br>{kernel.neighbourhood}, "
        f"α {kernel.alpha:g}, β {kernel.beta:g}, T {kernel.n_iterations}"
    )
    return Panel(title, way, colouring, safe_names(one.graph.graph.names))
