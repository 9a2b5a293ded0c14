"""The names of the vertices of a drawing, each where it covers as little as possible."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from mpgk_core.arrays import FloatArray
from mpgk_core.plotting.style import safe_names

MAX_NAMED = 40
"""Drawings of more vertices show no names."""

_SIDES = {
    f"{up} {along}": np.array([x, y])
    for up, along, x, y in (
        ("top", "center", 0, 1),
        ("bottom", "center", 0, -1),
        ("middle", "right", 1, 0),
        ("middle", "left", -1, 0),
        ("top", "right", 1, 1),
        ("top", "left", -1, 1),
        ("bottom", "right", 1, -1),
        ("bottom", "left", -1, -1),
    )
}
"""Where the name of a vertex may stand, from the best place on."""

_RADIUS, _ALONG = 8.0, np.linspace(0, 1, 25)[:, np.newaxis]
"""Pixels from the middle of a vertex to its border, and places along an edge."""


def name_vertices(
    trace: dict[str, Any],
    layout: dict[str, Any],
    adjacency: csr_array,
    names: Sequence[Hashable],
    *,
    type_size: float = 12,
    size: tuple[float, float] = (340.0, 170.0),
    edge_width: float = 0,
) -> None:
    """Write every name beside its vertex, where it meets the fewest edges, vertices and names.

    Of several free sides, one away from the neighbours is taken. The ranges of the drawing get room
    for the names; those of more than :data:`MAX_NAMED` vertices are left out.

    Parameters
    ----------
    trace, layout : dict
        The vertices of a drawing, and its layout; both are changed.
    adjacency : csr_array of shape (n, n)
    names : sequence of hashable
        Of all vertices, in the order of the drawing.
    type_size : float, default=12
    size : tuple of float, default=(340, 170)
        The smallest width and height of the drawing in pixels; by default those on a phone.
    edge_width : float, default=0
        How far the lines of a bond lie from its middle, in pixels.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> trace = {"x": [0, 0, 0], "y": [0, 1, 2], "text": ["", "", ""]}
    >>> layout = {"xaxis": {}, "yaxis": {}}
    >>> path = csr_array(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> name_vertices(trace, layout, path, ["a", "b", "c"])
    >>> trace["textposition"]
    ['bottom center', 'middle right', 'top center']
    """
    places = np.column_stack([numbers_of(trace[axis]) for axis in "xy"])
    low, high = places.min(axis=0), places.max(axis=0)
    pad = np.clip((high - low)[1] / 4, 0.08, 0.3) * np.sqrt(type_size / 12)
    layout["yaxis"]["range"] = [low[1] - pad, high[1] + pad]
    if len(names) > MAX_NAMED:
        return
    trace.update(
        mode="markers+text",
        hovertext=trace["text"],
        hovertemplate="%{hovertext}<extra></extra>",
        text=safe_names(names),
        cliponaxis=False,
        textposition=[],
    )
    scale = (np.array(size) / (high - low + 2 * pad)).min()
    pixels = places * scale
    taken = [(place, np.full(2, _RADIUS)) for place in pixels]
    for v, name in enumerate(trace["text"]):
        ends = adjacency.indices[adjacency.indptr[v] : adjacency.indptr[v + 1]]
        sides, half = _sides_of(pixels[v], pixels[ends], taken, len(name), edge_width)
        trace["textposition"].append(side := min(sides, key=sides.__getitem__))
        taken.append((pixels[v] + _SIDES[side] * (half + _RADIUS + 1), half))
    middles, halves = (np.array(one)[:, 0] for one in zip(*taken, strict=True))
    layout["xaxis"]["range"] = [
        float((middles - halves).min() / scale),
        float((middles + halves).max() / scale),
    ]


def _sides_of(
    place: FloatArray,
    neighbours: FloatArray,
    taken: list[tuple[FloatArray, FloatArray]],
    n: int,
    edge_width: float,
) -> tuple[dict[str, float], FloatArray]:
    """Return what a name of n letters meets on every side, and half the size of its box."""
    ways = neighbours - place
    edges = (place + ways[:, np.newaxis] * _ALONG).reshape(-1, 2)
    half = np.array([3.5 * n, 6.0])
    found = {}
    for side, way in _SIDES.items():
        middle = place + way * (half + _RADIUS + 1)
        found[side] = (
            (np.abs(edges - middle) < half + edge_width).all(axis=1).sum()
            + 9 * sum((np.abs(middle - other) < half + room).all() for other, room in taken)
            + 0.5 * (way @ ways.sum(axis=0) > 1)
            + (np.abs(way).sum() > 1)  # at a corner it is farther from its own vertex
        )
    return found, half


def numbers_of(values: Any) -> FloatArray:
    """Return the numbers of a trace, which are a list or packed."""
    if isinstance(values, dict):
        return np.frombuffer(b64decode(values["bdata"]), dtype="<f4").astype(np.float64)
    return np.asarray(values, dtype=np.float64)
