"""Colours that stay apart for colour-blind eyes, on white and on black."""

from __future__ import annotations

import colorsys

import numpy as np
from numpy.typing import NDArray

_TEN = (
    "#3f90da",
    "#ffa90e",
    "#bd1f01",
    "#94a4a2",
    "#832db6",
    "#a96b59",
    "#e76300",
    "#b9ac70",
    "#717581",
    "#92dadd",
)
"""The ten-colour cycle of Petroff (2021), chosen for colour-vision deficiencies."""

_SCALE = ("#3a5ba0", "#3f8fa8", "#5dae8b", "#a5c05b", "#e8b93c", "#f08a3c")
"""From blue over green to orange; both ends keep away from black and from white."""

COLOUR_SCALE = tuple((i / (len(_SCALE) - 1), colour) for i, colour in enumerate(_SCALE))
"""The same as pairs of share and colour, from low to high."""

_GOLDEN_ANGLE = 0.381966


def class_colours(n_classes: int) -> list[str]:
    """Return a colour for each of n classes.

    Parameters
    ----------
    n_classes : int
        Up to ten classes get colours that are safe for colour-blind eyes; beyond that no set of
        colours can be, and hues follow each other at the golden angle.

    Returns
    -------
    list of str
        Hexadecimal colours.

    Examples
    --------
    >>> class_colours(2)
    ['#3f90da', '#ffa90e']
    """
    colours = list(_TEN[:n_classes])
    for i in range(len(colours), n_classes):
        hue = (i * _GOLDEN_ANGLE) % 1.0
        lightness = (0.42, 0.55, 0.66)[i % 3]
        red, green, blue = colorsys.hls_to_rgb(hue, lightness, 0.6)
        colours.append(_hexadecimal(np.array([red, green, blue]) * 255))
    return colours


def scale_colours(values: NDArray[np.float64]) -> list[str]:
    """Return a colour for every number, from low (blue) to high (orange).

    Parameters
    ----------
    values : ndarray of shape (n,)

    Returns
    -------
    list of str
        Hexadecimal colours; the middle one where all numbers are equal.
    """
    values = values / max(float(np.abs(values).max(initial=0.0)), 1.0)
    low, high = values.min(initial=np.inf), values.max(initial=-np.inf)
    share = np.full(len(values), 0.5) if low >= high else (values - low) / (high - low)
    stops = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in _SCALE])
    position = share * (len(stops) - 1)
    table = np.column_stack(
        [np.interp(position, np.arange(len(stops)), stops[:, channel]) for channel in range(3)]
    )
    return [_hexadecimal(row) for row in table]


def _hexadecimal(channels: NDArray[np.float64]) -> str:
    return "#" + "".join(f"{round(float(channel)):02x}" for channel in channels)
