"""Every graph of a set as a point, coloured by its class."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mpgk_core.embedding import KernelEmbedding
from mpgk_core.evaluation.results import Evaluation
from mpgk_core.plotting.palette import class_colours
from mpgk_core.plotting.set_maps_figure import neighbour_words
from mpgk_core.plotting.style import MARK_COLOUR, QUIET_AXIS, base_layout, safe_names


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


def graph_map_words(embedding: KernelEmbedding, evaluation: Evaluation) -> str:
    """Say how many graphs lie in the plane, how many are misclassified, and who lies beside whom.

    Parameters
    ----------
    embedding : KernelEmbedding
        With two axes.
    evaluation : Evaluation

    Returns
    -------
    str
        Plain text: escape it before it becomes part of a page.
    """
    n_wrong = int(evaluation.is_mostly_wrong.sum())
    shares = " and ".join(f"{100 * share:.3g} %" for share in embedding.explained[:2])
    return (
        f"{len(evaluation.truth):,} graphs of {len(evaluation.names)} classes; "
        f"{n_wrong:,} of them mostly misclassified. The axes carry {shares} of the variance. "
        f"{neighbour_words(embedding.points[:, :2], evaluation.truth)}"
    )
