"""What two vertices kept of their past and what came from their neighbours, round by round."""

from __future__ import annotations

import plotly.graph_objects as go

from mpgk_core.explain.vertex_pairs import History
from mpgk_core.plotting.colouring import class_colours
from mpgk_core.plotting.style import MARK_COLOUR, base_layout

_OWN, _AROUND = class_colours(2)
_GRID = "#8884"


def history_figure(history: History) -> go.Figure:
    """Draw a bar for every round, made of the previous similarity and of their neighbours.

    Parameters
    ----------
    history : History

    Returns
    -------
    plotly.graph_objects.Figure
        Values before normalisation; hovering tells the share of the neighbours.
    """
    rounds = list(range(len(history.total)))
    shares = [100 * history.neighbour_share, 100 * (1 - history.neighbour_share)]
    bars = [
        go.Bar(
            x=rounds,
            y=part,
            name=name,
            marker={
                "color": colour,
                "pattern": {"shape": shape},
                "line": {"width": 1, "color": MARK_COLOUR},
            },
            customdata=share,
            hovertemplate=f"t = %{{x}}<br>{name}: %{{y:.5g}}<br>%{{customdata:.0f}} %"
            "<extra></extra>",
        )
        for name, part, share, colour, shape in (
            ("previous similarity", history.own, shares[1], _OWN, ""),
            ("neighbours", history.neighbours, shares[0], _AROUND, "/"),
        )
    ]
    return go.Figure(
        bars,
        base_layout(
            barmode="relative",
            xaxis={"title": {"text": "round t"}, "tickvals": rounds},
            yaxis={"title": {"text": "kᵗ(v, u)"}, "gridcolor": _GRID},
            showlegend=True,
            legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
            margin={"l": 48, "r": 12, "t": 40, "b": 40},
        ),
    )


def history_words(history: History) -> str:
    """Say for every round how much came from the past and how much from neighbours.

    Parameters
    ----------
    history : History

    Returns
    -------
    str
    """
    parts = [f"At t = 0 the similarity is {history.own[0]:.5g}."]
    for t in range(1, len(history.own)):
        parts.append(
            f"At t = {t} it is {history.total[t]:.5g}: {history.own[t]:.5g} from the previous "
            f"similarity and {history.neighbours[t]:.5g} from the neighbours "
            f"({100 * history.neighbour_share[t]:.0f} %)."
        )
    return " ".join(parts)
