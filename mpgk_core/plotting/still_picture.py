"""Figures as still SVG, made without a browser: for paper, and for small pictures on cards.

Only what the drawings of graphs, planes, matrices and maps consist of is drawn: lines, circles,
crosses, squares, names, the axes with their ticks and titles, and a legend.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape, unescape
from typing import Any, TypeAlias

import numpy as np

from mpgk_core.arrays import FloatArray
from mpgk_core.plotting.style import MARK_COLOUR

Trace: TypeAlias = Mapping[str, Any]

_INK = "#1c2733"
_SYMBOLS = {"square": "M{0} {0}H{1}V{1}H{0}Z", "x": "M{0} {0}L{1} {1}M{0} {1}L{1} {0}"}
_DASHES = {
    name: f' stroke-dasharray="{lengths}"'
    for name, lengths in {"dash": "9 6", "dot": "3 4", "dashdot": "9 4 3 4"}.items()
}
_ANCHORS = {"left": "end", "center": "middle", "right": "start"}


def still_picture(
    data: Sequence[Trace],
    layout: Mapping[str, Any],
    size: tuple[int, int] = (480, 320),
    *,
    type_size: int = 12,
    title: str = "",
    is_bare: bool = False,
) -> str:
    """Draw a figure as SVG.

    Parameters
    ----------
    data : sequence of mapping
        Traces of the types scatter and heatmap, in plotly's terms, packed or as lists.
    layout : mapping
    size : tuple of two int
        Width and height in pixels.
    type_size : int
        Of all letters, in pixels.
    title : str
        Written above.
    is_bare : bool
        Whether vertices and lines are drawn alone, without names and axes.

    Returns
    -------
    str

    Examples
    --------
    >>> points = {"type": "scatter", "mode": "markers", "x": [0, 1], "y": [0, 1]}
    >>> still_picture([points], {}).count("<circle")
    2
    """
    frame = _frame(data, layout, size, 0 if is_bare else type_size, bool(title))
    parts: list[str] = []
    for trace in sorted(data, key=lambda trace: float(trace.get("zorder", 0))):
        if trace.get("type") == "heatmap":
            parts += _cells(trace, frame)
        else:
            parts += _marks(trace, frame, 0 if is_bare else type_size)
    if not is_bare:
        parts += [_text(title, size[0] / 2, 1.2 * type_size)] if title else []
        parts += _axes(layout, frame, type_size)
        parts += _legend(data, layout, frame, type_size)
    width, height = size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="{type_size}" '
        f'fill="{_INK}">{"".join(parts)}</svg>'
    )


def at_round(figure: Mapping[str, Any], t: int) -> dict[str, Any]:
    """Return data and layout of a figure in one of its rounds.

    Parameters
    ----------
    figure : mapping
        With data, layout, and a frame for every round.
    t : int

    Returns
    -------
    dict

    Examples
    --------
    >>> frame = {"traces": [0], "data": [{"x": [2]}], "layout": {"xaxis": {"range": [0, 3]}}}
    >>> at_round({"data": [{"x": [1], "y": [1]}], "layout": {}, "frames": [frame]}, 0)["data"]
    [{'x': [2], 'y': [1]}]
    """
    frame = figure["frames"][t]
    data = list(figure["data"])
    for place, change in zip(frame["traces"], frame["data"], strict=True):
        data[place] = _merged(data[place], change)
    return {"data": data, "layout": _merged(figure["layout"], frame.get("layout", {}))}


def _merged(before: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    both = dict(before)
    for key, value in change.items():
        is_table = isinstance(value, Mapping) and "bdata" not in value
        both[key] = _merged(both.get(key) or {}, value) if is_table else value
    return both


@dataclass(frozen=True)
class _Frame:
    """Where data lie in the picture: a box in pixels, and the ranges of the two axes."""

    left: float
    top: float
    right: float
    bottom: float
    x: tuple[float, float]
    y: tuple[float, float]

    def across(self, x: Any) -> Any:
        """Return pixels from the left."""
        low, high = self.x
        return self.left + (np.asarray(x, float) - low) / (high - low) * (self.right - self.left)

    def down(self, y: Any) -> Any:
        """Return pixels from the top."""
        low, high = self.y
        return self.bottom - (np.asarray(y, float) - low) / (high - low) * (self.bottom - self.top)


_PIXELS = _Frame(0.0, 0.0, 1.0, 1.0, (0.0, 1.0), (1.0, 0.0))
"""Where the data are pixels themselves."""


def _frame(
    data: Sequence[Trace],
    layout: Mapping[str, Any],
    size: tuple[int, int],
    type_size: int,
    has_title: bool,
) -> _Frame:
    x_axis, y_axis = (layout.get(name, {}) for name in ("xaxis", "yaxis"))
    hidden = x_axis.get("visible") is False
    room = type_size * 2 if hidden else type_size * 4
    is_matrix = any(trace.get("type") == "heatmap" for trace in data)
    right = type_size * 7 if is_matrix else type_size * 2
    top = type_size * 3 if layout.get("showlegend") or has_title else max(type_size, 4)
    box = [room or 6.0, float(top), size[0] - (right or 6.0), size[1] - (room or 6.0)]
    x, y = (_range(data, name, axis) for name, axis in (("x", x_axis), ("y", y_axis)))
    if is_matrix or "scaleanchor" in y_axis:  # one unit is as long in both directions
        unit = min((box[2] - box[0]) / abs(x[1] - x[0]), (box[3] - box[1]) / abs(y[1] - y[0]))
        spare = [
            (box[2] - box[0]) - unit * abs(x[1] - x[0]),
            (box[3] - box[1]) - unit * abs(y[1] - y[0]),
        ]
        box = [box[i] + (spare[i % 2] / 2 if i < 2 else -spare[i % 2] / 2) for i in range(4)]
    return _Frame(box[0], box[1], box[2], box[3], x, y)


def _range(data: Sequence[Trace], name: str, axis: Mapping[str, Any]) -> tuple[float, float]:
    for trace in data:
        if trace.get("type") == "heatmap":
            n = len(_numbers(trace["z"]))
            return (-0.5, n - 0.5) if name == "x" else (n - 0.5, -0.5)
    if "range" in axis:
        return float(axis["range"][0]), float(axis["range"][1])
    values = np.concatenate([_numbers(trace[name]) for trace in data] or [np.zeros(1)])
    values = values[np.isfinite(values)]
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    pad = 0.06 * (high - low) or 1.0
    return low - pad, high + pad


def _numbers(values: Any) -> FloatArray:
    """Return the numbers of a trace, which are a list or packed."""
    if isinstance(values, Mapping):
        flat = np.frombuffer(b64decode(values["bdata"]), dtype=f"<{values['dtype']}").astype(float)
        shape = [int(n) for n in str(values.get("shape", len(flat))).split(",")]
        return flat.reshape(shape)
    return np.array([np.nan if x is None else x for x in values], dtype=float)


def _each(value: Any, n: int, default: Any) -> list[Any]:
    """Return a property of every marker, given once or for each."""
    if isinstance(value, Mapping):
        return list(_numbers(value))
    if isinstance(value, (list, tuple, np.ndarray)):
        return list(value)
    return [default if value is None else value] * n


def _marks(trace: Trace, frame: _Frame, type_size: int) -> Iterator[str]:
    mode = str(trace.get("mode", "markers"))
    x, y = frame.across(_numbers(trace["x"])), frame.down(_numbers(trace["y"]))
    if "lines" in mode:
        line = trace.get("line", {})
        colour, width = _word(line.get("color", MARK_COLOUR)), float(line.get("width", 1))
        starts = ~np.isfinite(np.concatenate([[np.nan], x]))[:-1]
        path = "".join(
            f"{'M' if is_start else 'L'}{a:.1f} {b:.1f}"
            for a, b, is_start in zip(x, y, starts, strict=True)
            if np.isfinite(a) and np.isfinite(b)
        )
        dash = _DASHES.get(str(line.get("dash")), "")
        line_style = f'fill="none" stroke="{colour}" stroke-width="{width:g}"{dash}'
        yield f'<path d="{path}" {line_style}/>' if path else ""
    if trace.get("marker", {}).get("symbol") == "arrow":
        yield from _arrow_heads(trace["marker"], x, y)
    elif "markers" in mode:
        yield from _markers(trace.get("marker", {}), x, y)
    if "text" in mode and type_size:
        yield from _names(trace, x, y, type_size)


def _arrow_heads(marker: Mapping[str, Any], x: FloatArray, y: FloatArray) -> Iterator[str]:
    """Draw a triangle where a line ends, its tip before the vertex."""
    sizes, colour = _each(marker["size"], len(x), 0), _word(marker.get("color", MARK_COLOUR))
    for i, size in enumerate(sizes):
        if i and size > 0:
            along = np.array([x[i] - x[i - 1], y[i] - y[i - 1]])
            along /= float(np.hypot(*along)) or 1.0
            tip = np.array([x[i], y[i]]) - float(marker.get("standoff", 0)) * along
            back, side = tip - size * along, 0.45 * size * np.array([-along[1], along[0]])
            corners = (f"{a:.1f} {b:.1f}" for a, b in (tip, back + side, back - side))
            yield f'<path d="M{"L".join(corners)}Z" fill="{colour}"/>'


def _markers(marker: Mapping[str, Any], x: FloatArray, y: FloatArray) -> Iterator[str]:
    n = len(x)
    colours, symbols = (
        _each(marker.get("color"), n, MARK_COLOUR),
        _each(marker.get("symbol"), n, "circle"),
    )
    for a, b, size, colour, symbol in zip(
        x, y, _each(marker.get("size"), n, 8), colours, symbols, strict=True
    ):
        radius, ink = float(size) / 2, _word(colour)
        if symbol in _SYMBOLS:
            shape = _SYMBOLS[symbol].format(f"{-radius:.1f}", f"{radius:.1f}")
            line = ink if symbol == "x" else MARK_COLOUR
            where = f'transform="translate({a:.1f} {b:.1f})"'
            yield f'<path d="{shape}" {where} fill="{ink}" stroke="{line}" stroke-width="2"/>'
        else:
            place = f'cx="{a:.1f}" cy="{b:.1f}" r="{radius:.1f}"'
            yield f'<circle {place} fill="{ink}" stroke="{MARK_COLOUR}"/>'


def _names(trace: Trace, x: FloatArray, y: FloatArray, type_size: int) -> Iterator[str]:
    n = len(x)
    radii = [float(size) / 2 for size in _each(trace.get("marker", {}).get("size"), n, 8)]
    places = _each(trace.get("textposition"), n, "middle center")
    for a, b, text, place, radius in zip(x, y, trace["text"], places, radii, strict=True):
        across, along = str(place).split(" ")
        lift = {"top": -radius - 3, "middle": type_size / 3, "bottom": radius + type_size}[across]
        shift = {"left": -radius - 3, "center": 0.0, "right": radius + 3}[along]
        if str(text).strip():
            yield _text(str(text), a + shift, b + lift, _ANCHORS[along])


def _cells(trace: Trace, frame: _Frame) -> Iterator[str]:
    """Draw a matrix, and the scale of its colours."""
    z = _numbers(trace["z"])
    low, high = float(trace["zmin"]), float(trace["zmax"])
    stops = [(float(at), _rgb(str(colour))) for at, colour in trace["colorscale"]]
    left, top = frame.across(np.arange(len(z)) - 0.5), frame.down(np.arange(len(z)) - 0.5)
    side = abs(float(frame.across(1) - frame.across(0)))
    for i, row in enumerate(z):
        for j, value in enumerate(row):
            if np.isfinite(value):
                share = 1.0 if high <= low else (float(value) - low) / (high - low)
                yield _cell(left[j], top[i], side, side, _shade(stops, share))
    right, height = frame.right + 10, (frame.bottom - frame.top) / 20
    for step in range(20):
        place = frame.bottom - (step + 1) * height
        yield _cell(right, place, 12, height, _shade(stops, step / 19))
    yield _text(f"{high:.3g}", right + 16, frame.top + 10, "start")
    yield _text(f"{low:.3g}", right + 16, frame.bottom, "start")


def _cell(x: float, y: float, width: float, height: float, colour: str) -> str:
    return (
        f'<rect x="{x:.2f}" y="{y:.2f}" width="{width + 0.3:.2f}" height="{height + 0.3:.2f}" '
        f'fill="{colour}"/>'
    )


def _shade(stops: Sequence[tuple[float, FloatArray]], share: float) -> str:
    places, colours = [at for at, _ in stops], np.array([rgb for _, rgb in stops])
    mixed = [np.interp(share, places, colours[:, channel]) for channel in range(3)]
    return "#" + "".join(f"{round(float(part)):02x}" for part in mixed)


def _rgb(colour: str) -> FloatArray:
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)


def _axes(layout: Mapping[str, Any], frame: _Frame, type_size: int) -> Iterator[str]:
    for name in ("xaxis", "yaxis"):
        axis = layout.get(name, {})
        if axis.get("visible") is False:
            continue
        is_x = name == "xaxis"
        if axis.get("showline"):
            end = f"{frame.right} {frame.bottom}" if is_x else f"{frame.left} {frame.top}"
            yield (
                f'<path d="M{frame.left} {frame.bottom}L{end}" stroke="{MARK_COLOUR}" fill="none"/>'
            )
        if axis.get("showticklabels"):
            pairs = zip(axis.get("tickvals", ()), axis.get("ticktext", ()), strict=True)
            for value, text in pairs:
                if is_x:
                    yield _text(text, frame.across(value), frame.bottom + 1.3 * type_size)
                else:
                    place = float(frame.down(value)) + type_size / 3
                    yield _text(text, frame.left - 5, place, "end")
        title = str(axis.get("title", {}).get("text", "")).replace("<br>", " ")
        if title and is_x:
            across = (frame.left + frame.right) / 2
            yield _text(title, across, frame.bottom + 2.9 * type_size)
        elif title:
            middle = (frame.top + frame.bottom) / 2
            yield (
                f'<g transform="translate({type_size} {middle:.1f}) rotate(-90)">'
                f"{_text(title, 0, 0)}</g>"
            )


def _legend(
    data: Sequence[Trace], layout: Mapping[str, Any], frame: _Frame, type_size: int
) -> Iterator[str]:
    if not layout.get("showlegend"):
        return
    across = frame.left
    for trace in data:
        if trace.get("name") and trace.get("showlegend", True):
            if "line" in trace:
                ends = {"x": [across - 8, across + 12], "y": [type_size] * 2, "mode": "lines"}
                yield from _marks({"line": trace["line"], **ends}, _PIXELS, type_size)
            else:
                colour = _word(_each(trace.get("marker", {}).get("color"), 1, MARK_COLOUR)[0])
                yield f'<circle cx="{across + 5:.1f}" cy="{type_size}" r="5" fill="{colour}"/>'
            name = str(trace["name"])
            yield _text(name, across + 14, 1.35 * type_size, "start")
            across += 30 + 0.62 * type_size * len(name)


def _text(text: str, x: float, y: float, anchor: str = "middle") -> str:
    plain = escape(unescape(str(text).replace("<br>", " ")))
    return f'<text x="{float(x):.1f}" y="{float(y):.1f}" text-anchor="{anchor}">{plain}</text>'


def _word(colour: object) -> str:
    return escape(str(colour))
