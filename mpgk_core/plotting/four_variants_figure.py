"""The same two graphs under RR, RA, AR and AA: which pairs of vertices carry the value."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from mpgk_core.explain.graph_pairs import GraphPair
from mpgk_core.plotting.colouring import COLOUR_SCALE
from mpgk_core.plotting.matrix_figure import MOST_ROWS_DRAWN
from mpgk_core.plotting.style import QUIET_AXIS, base_layout, safe_names


def four_variants_figure(pairs: Mapping[str, GraphPair]) -> go.Figure:
    """Draw the share of every pair of vertices in the value, one panel for each variant.

    Parameters
    ----------
    pairs : mapping of str to GraphPair
        Of the same two graphs, as :func:`~mpgk_core.explain.explain_four_variants` gives them.

    Returns
    -------
    plotly.graph_objects.Figure
        Rows are vertices of the first graph, columns those of the second; pairs that are not
        compared stay empty. Of large graphs the ``MOST_ROWS_DRAWN`` busiest vertices are shown.
    """
    titles = [f"{variant}: {pair.similarity:.4g}" for variant, pair in pairs.items()]
    n_rows = -(-len(pairs) // 2)
    figure = make_subplots(n_rows, 2, subplot_titles=titles, vertical_spacing=0.12)
    shares = {variant: _shares(pair) for variant, pair in pairs.items()}
    sizes = np.sum([np.nan_to_num(np.abs(share)) for share in shares.values()], axis=0)
    rows, columns = _busiest(sizes.sum(axis=1)), _busiest(sizes.sum(axis=0))
    for place, (variant, pair) in enumerate(pairs.items()):
        names = safe_names(pair.graphs.names)
        others = names[int(pair.graphs.offsets[1]) :]
        cells = go.Heatmap(
            z=100 * shares[variant][np.ix_(rows, columns)],
            colorscale=[list(stop) for stop in COLOUR_SCALE],
            showscale=False,
            text=[[f"{names[v]} · {others[u]}" for u in columns] for v in rows],
            hovertemplate="%{text}: %{z:.2f} %<extra>" + variant + "</extra>",
            hoverongaps=False,
        )
        figure.add_trace(cells, place // 2 + 1, place % 2 + 1)
    figure.update_xaxes(**QUIET_AXIS)
    figure.update_yaxes(**QUIET_AXIS, autorange="reversed")
    return figure.update_layout(
        base_layout(margin={"l": 12, "r": 12, "t": 36, "b": 12}, height=260 * n_rows + 60)
    )


def _shares(pair: GraphPair) -> NDArray[np.float64]:
    """Return a matrix of what each pair adds, over the sum of all sizes; NaN where none is."""
    found = pair.contributions
    middle = int(pair.graphs.offsets[1])
    table = np.full((middle, pair.graphs.n_vertices - middle), np.nan)
    total = float(np.abs(found.values).sum())
    table[found.left, found.right - middle] = found.values / total if total > 0 else 0.0
    return table


def _busiest(sizes: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.sort(np.argsort(-sizes, kind="stable")[:MOST_ROWS_DRAWN])
