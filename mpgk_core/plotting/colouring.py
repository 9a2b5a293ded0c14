"""Colours of vertices and classes: safe for colour-blind eyes, visible on white and on black."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mpgk_core.arrays import FloatArray, IntArray

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

_SIGNED = ("#3a5ba0", "#d8d8d8", "#f08a3c")
COLOUR_SCALE = [[i / (len(_SCALE) - 1), colour] for i, colour in enumerate(_SCALE)]
"""The same as pairs of share and colour, from low to high."""

SHARE_SCALE = [[0.0, "#3a5ba0"], [0.5, "#5dae8b"], [1.0, "#f0a53c"]]
"""A scale for shares and cosines, from low to high."""

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


def scale_colours(values: FloatArray) -> list[str]:
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


def signed_colours(values: FloatArray) -> list[str]:
    """Return colours from blue for negative values over grey for 0 to orange for positive ones.

    Parameters
    ----------
    values : ndarray of shape (n,)

    Returns
    -------
    list of str

    Examples
    --------
    >>> signed_colours(np.array([-2.0, 0.0, 2.0]))
    ['#3a5ba0', '#d8d8d8', '#f08a3c']
    """
    largest = float(np.abs(values).max(initial=0.0)) or 1.0
    stops = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in _SIGNED])
    places = (np.clip(values / largest, -1.0, 1.0) + 1) / 2
    channels = [np.interp(places, [0.0, 0.5, 1.0], stops[:, channel]) for channel in range(3)]
    return [_hexadecimal(row) for row in np.column_stack(channels)]


def _hexadecimal(channels: FloatArray) -> str:
    return "#" + "".join(f"{round(float(channel)):02x}" for channel in channels)


METHOD_TITLES = {"WL": "WL: same colour", "R": "MPGK R", "A": "MPGK A"}
METHOD_COLOURS = dict(zip(METHOD_TITLES, class_colours(3)[::-1], strict=True))
"""Colour refinement and the two kernels that are compared with it."""


@dataclass(frozen=True, eq=False)
class Colouring:
    """Colours of all vertices in rounds 0..T, with words for them.

    Attributes
    ----------
    title : str
        What the colours show.
    colours : list of lists of str
        ``colours[t][v]`` is the colour of vertex v in round t.
    words : list of lists of str
        ``words[t][v]`` is the meaning of that colour.
    """

    title: str
    colours: list[list[str]]
    words: list[list[str]]

    @property
    def last_round(self) -> Colouring:
        """The colours of the last round alone."""
        return Colouring(self.title, self.colours[-1:], self.words[-1:])

    def of(self, vertices: Sequence[int]) -> Colouring:
        """Return the colours of some vertices, in their order."""
        return Colouring(
            self.title,
            *([[row[v] for v in vertices] for row in rows] for rows in (self.colours, self.words)),
        )

    def n_colours(self, t: int) -> int:
        """Return the number of different colours in round t."""
        return len(set(self.colours[t]))


def colour_by_class(title: str, classes: IntArray, word: str) -> Colouring:
    """Give every class a colour of its own.

    Parameters
    ----------
    title : str
    classes : ndarray of shape (T + 1, n)
        The class of every vertex in every round.
    word : str
        What a class is called, such as "orbit".

    Returns
    -------
    Colouring

    Examples
    --------
    >>> colour_by_class("Colours", np.array([[0, 0, 1]]), "class").words
    [['class 1', 'class 1', 'class 2']]
    """
    palette = class_colours(int(classes.max(initial=-1)) + 1)
    return Colouring(
        title,
        [[palette[c] for c in row] for row in classes.tolist()],
        [[f"{word} {c + 1}" for c in row] for row in classes.tolist()],
    )


def colour_words(colours: Sequence[str], names: Sequence[str]) -> str:
    """Name the vertices of every colour.

    Examples
    --------
    >>> colour_words(["red", "blue", "red"], ["a", "b", "c"])
    'Vertices of equal colour: a, c; b.'
    """
    members: dict[str, list[str]] = {}
    for colour, name in zip(colours, names, strict=True):
        members.setdefault(colour, []).append(name)
    return f"Vertices of equal colour: {'; '.join(', '.join(some) for some in members.values())}."


def colour_by_orbit(orbit_of_vertex: IntArray, point_of_vertex: IntArray) -> Colouring:
    """Colour by orbit; before round T, vertices that are still one point share a colour.

    Colours split as the rounds separate vertices. In the last round every vertex shows its
    orbit, whether or not the kernel separates it from others.

    Parameters
    ----------
    orbit_of_vertex : ndarray of shape (n,)
    point_of_vertex : ndarray of shape (T + 1, n)
        Vertices that coincide in a round have the same number.

    Returns
    -------
    Colouring
    """
    shown = np.tile(orbit_of_vertex, (len(point_of_vertex), 1))
    for t, points in enumerate(point_of_vertex[:-1]):
        first_orbit = np.full(int(points.max(initial=-1)) + 1, np.iinfo(np.int64).max)
        np.minimum.at(first_orbit, points, orbit_of_vertex)
        shown[t] = first_orbit[points]
    colouring = colour_by_class("Orbit", shown, "orbit")
    words = [f"orbit {orbit + 1}" for orbit in orbit_of_vertex.tolist()]
    return Colouring("Orbit", colouring.colours, [words] * len(shown))


def colour_by_number(title: str, values: FloatArray, n_rounds: int) -> Colouring:
    """Colour by a number on a scale, the same in all rounds.

    Parameters
    ----------
    title : str
    values : ndarray of shape (n,)
    n_rounds : int
        T.

    Returns
    -------
    Colouring
    """
    words = [f"{title.lower()} {value:.6g}" for value in values.tolist()]
    return Colouring(title, [scale_colours(values)] * (n_rounds + 1), [words] * (n_rounds + 1))


def readable_on(colour: str) -> str:
    """Return black or white, whichever is easier to read on a colour."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"
