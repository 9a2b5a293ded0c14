"""All methods on one graph: small multiples in the same colours, and how well each does."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from mpgk_core.embedding.methods import VERTEX_METHODS
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.plotting import Colouring, safe_names
from mpgk_core.plotting.embedding_figure import Panel, panels_figure
from mpgk_core.recovery.verdict import Recovery
from mpgk_core.text import csv_table
from ui.playground.study import colouring_of, methods_for
from ui.shared.charts import chart
from ui.shared.computed import method_way, recoveries_of, separation_of, way_of
from ui.shared.controls import NEIGHBOURHOODS
from ui.shared.downloads import Download, download_row
from ui.state.choices import ChosenGraph, PictureChoice


def methods_panel(graph: ChosenGraph, kernel: KernelParameters, picture: PictureChoice) -> None:
    """Show the kernel beside all other methods, after the last round."""
    T = kernel.n_iterations
    titles = methods_for(graph.graph)
    kernels = {f"MPGK {key}": replace(kernel, neighbourhood=key) for key in NEIGHBOURHOODS}
    found = {title: recoveries_of(graph, one)[-1] for title, one in kernels.items()}
    found |= {title: separation_of(graph, key, T) for key, title in titles.items()}
    ways = {title: way_of(graph, one, 2) for title, one in kernels.items()}
    ways |= {title: method_way(graph, key, T, 2) for key, title in titles.items()}
    whole = colouring_of(graph, kernel, picture)
    colouring = Colouring(whole.title, whole.colours[-1:], whole.words[-1:])
    names = safe_names(graph.graph.names)
    panels = [
        Panel(
            f"{title}: {one.n_recovered} of {one.n_orbits}", way.with_axes("fit"), colouring, names
        )
        for (title, one), way in zip(found.items(), ways.values(), strict=True)
    ]
    words = "; ".join(f"{title}: {one.summary}" for title, one in found.items())
    chart(panels_figure(panels, n_columns=4), "all-methods", words, (graph.title, "methods"))
    rows = [_row(title, one) for title, one in found.items()]
    st.dataframe(rows, hide_index=True, key="method-scores")
    content = csv_table([rows[0].keys(), *(row.values() for row in rows)])
    download_row("", [Download("methods-csv", "Scores, CSV", "methods.csv", lambda: content)])
    st.caption(
        "An orbit is recovered if its vertices are closer to each other than to any other vertex; "
        "under MPGK they coincide. Distances are measured in all dimensions of a method, so only "
        "their ratio can be compared between methods. Methods of proximity (DeepWalk, LINE, "
        "spectral embedding) place vertices by how close they are in the graph: equivalent "
        "vertices at opposite ends of a barbell lie far apart."
    )
    missing = [one.title for key, one in VERTEX_METHODS.items() if key not in titles]
    if missing:
        st.caption(
            f"Not shown for {graph.graph.n_vertices:,} vertices, because it would take long: "
            f"{', '.join(missing)}. The command line has them: mpgk embed --method."
        )


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
