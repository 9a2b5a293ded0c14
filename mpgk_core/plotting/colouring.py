"""What the colour of a vertex means, in every round."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mpgk_core.plotting.palette import class_colours, scale_colours


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
        ``words[t][v]`` says what that colour stands for.
    """

    title: str
    colours: list[list[str]]
    words: list[list[str]]

    def n_colours(self, t: int) -> int:
        """Return the number of different colours in round t."""
        return len(set(self.colours[t]))


def colour_by_class(title: str, classes: NDArray[np.int64], word: str) -> Colouring:
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


def colour_by_orbit(
    orbit_of_vertex: NDArray[np.int64], point_of_vertex: NDArray[np.int64]
) -> Colouring:
    """Colour by orbit; before round T, vertices that are still one point share a colour.

    So colours part as the rounds tell vertices apart, and in the last round every vertex shows
    its orbit, whether the kernel has found it or not.

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


def colour_by_number(title: str, values: NDArray[np.float64], n_rounds: int) -> Colouring:
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
