"""Every graph of a set as a point, coloured by its class."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mpgk_core.embedding import KernelEmbedding
from mpgk_core.evaluation.results import Evaluation
from mpgk_core.plotting.palette import class_colours
from mpgk_core.plotting.style import MARK_COLOUR, QUIET_AXIS, base_layout, safe_names

__all__ = ["graph_map_figure"]


def graph_map_figure(embedding: KernelEmbedding, evaluation: Evaluation) -> go.Figure:
    """Draw the kernel-PCA plane of the graphs.

    Parameters
    ----------
    embedding : KernelEmbedding
        Of the evaluated kernel, with two axes.
    evaluation : Evaluation

    Returns
    -------
    plotly.graph_objects.Figure
        One trace per class, with the numbers of the graphs as customdata. A cross marks a graph
        that is mostly misclassified.
    """
    colours = class_colours(len(evaluation.names))
    is_wrong = evaluation.is_mostly_wrong
    traces = []
    for c, name in enumerate(safe_names(evaluation.names)):
        members = np.flatnonzero(evaluation.truth == c)
        traces.append(
            go.Scatter(
                x=embedding.points[members, 0],
                y=embedding.points[members, 1],
                mode="markers",
                name=f"class {name}",
                customdata=members,
                hovertemplate="graph %{customdata}<extra></extra>",
                marker={
                    "color": colours[c],
                    "size": 9,
                    "symbol": np.where(is_wrong[members], "x", "circle"),
                    "line": {"width": 1, "color": MARK_COLOUR},
                },
            )
        )
    titles = [
        f"axis {i + 1}: {100 * share:.3g} % of the variance"
        for i, share in enumerate(embedding.explained)
    ]
    return go.Figure(
        traces,
        base_layout(
            xaxis={**QUIET_AXIS, "title": {"text": titles[0]}},
            yaxis={**QUIET_AXIS, "title": {"text": titles[1]}},
            showlegend=True,
            legend={"orientation": "h"},
            clickmode="event+select",
        ),
    )
