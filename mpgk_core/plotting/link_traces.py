"""Links between two drawings, as wide as what they stand for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.plotting.palette import class_colours

MOST_LINKS_DRAWN = 200

_GOLDEN_RATIO = 0.618034
_WIDTHS = (1.0, 2.5, 4.5, 7.0)
_POSITIVE, _, _NEGATIVE = class_colours(3)


def link_traces(
    starts: NDArray[np.float64],
    stops: NDArray[np.float64],
    values: NDArray[np.float64],
    texts: list[str],
    rows: NDArray[np.int64],
    is_crossing: bool = False,
) -> list[dict[str, Any]]:
    """Return plotly traces of straight links, and of points at their middles to hover over.

    Parameters
    ----------
    starts, stops : ndarray of shape (m, 2)
    values : ndarray of shape (m,)
        The greater, the wider; links of negative values are dashed.
    texts : list of str
        Safe text for each link.
    rows : ndarray of shape (m,)
        Numbers that a click on a middle gives back, as customdata.
    is_crossing : bool
        Whether links cross: then the points to hover over lie here and there near the middles.

    Returns
    -------
    list of dict
        The last one are the middles.
    """
    largest = float(np.abs(values).max(initial=0.0))
    level = np.zeros(len(values), dtype=np.int64)
    if largest > 0:
        level = np.ceil(np.abs(values) / largest * len(_WIDTHS)).astype(np.int64) - 1
    traces = [
        _lines(starts[chosen], stops[chosen], width, is_negative)
        for is_negative in (False, True)
        for step, width in enumerate(_WIDTHS)
        if (chosen := (np.maximum(level, 0) == step) & ((values < 0) == is_negative)).any()
    ]
    spread = (rows * _GOLDEN_RATIO % 1.0 - 0.5) * 0.6 if is_crossing else np.zeros(len(rows))
    middles = starts + (0.5 + spread)[:, np.newaxis] * (stops - starts)
    hover = {
        "type": "scatter",
        "x": middles[:, 0],
        "y": middles[:, 1],
        "mode": "markers",
        "marker": {"size": 9, "color": _POSITIVE, "opacity": 0.6},
        "customdata": rows,
        "text": texts,
        "hovertemplate": "%{text}<extra></extra>",
    }
    return [*traces, hover]


def _lines(
    starts: NDArray[np.float64], stops: NDArray[np.float64], width: float, is_negative: bool
) -> dict[str, Any]:
    line = np.full((len(starts), 3, 2), np.nan)
    line[:, 0], line[:, 1] = starts, stops
    look = {"color": _NEGATIVE, "dash": "dash"} if is_negative else {"color": _POSITIVE}
    return {
        "type": "scatter",
        "x": line[:, :, 0].ravel(),
        "y": line[:, :, 1].ravel(),
        "mode": "lines",
        "line": {"width": width, **look},
        "opacity": 0.55,
        "hoverinfo": "skip",
    }
