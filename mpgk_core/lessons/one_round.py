"""One round of R, with every number that is needed to do it by hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mpgk_core.lessons.scene import Scene


@dataclass(frozen=True, eq=False)
class OneRound:
    """The numbers of one round.

    Attributes
    ----------
    names : list of str
        Of the vertices.
    start : ndarray of shape (n, n)
        k⁰.
    sums : ndarray of shape (n, n)
        The sum of k⁰ over all pairs of neighbours.
    end : ndarray of shape (n, n)
        k¹ = α k⁰ + β sums.
    terms : dict of pairs of int to lists of pairs of int
        For two vertices, the pairs of their neighbours.
    """

    names: list[str]
    start: NDArray[np.float64]
    sums: NDArray[np.float64]
    end: NDArray[np.float64]
    terms: dict[tuple[int, int], list[tuple[int, int]]]

    def written_out(self, v: int, u: int, alpha: float, beta: float) -> tuple[str, str]:
        """Return the sum over all pairs of neighbours of two vertices, and k¹, in LaTeX.

        Parameters
        ----------
        v, u : int
            Numbers of the vertices.
        alpha, beta : float

        Returns
        -------
        tuple of two str
        """
        pairs = self.terms[v, u]
        symbols = " + ".join(f"k^0({self.names[a]}, {self.names[b]})" for a, b in pairs) or "0"
        values = " + ".join(f"{self.start[a, b]:g}" for a, b in pairs) or "0"
        names = f"{self.names[v]}, {self.names[u]}"
        return (
            rf"\begin{{aligned}} & {symbols} \\ & = {values} = {self.sums[v, u]:g}\end{{aligned}}",
            rf"k^1({names}) = {alpha:g} \cdot {self.start[v, u]:g} + {beta:g} \cdot "
            rf"{self.sums[v, u]:g} = {self.end[v, u]:g}",
        )


def one_round(scene: Scene) -> OneRound:
    r"""Play one round of R on a small graph.

    Parameters
    ----------
    scene : Scene
        With the kernel R and at least one round.

    Returns
    -------
    OneRound

    Examples
    --------
    >>> from mpgk_core.lessons import KernelSetting
    >>> from mpgk_core.lessons.sources import PresetGraph
    >>> path = PresetGraph("path", (("n", 3),))
    >>> found = one_round(Scene(path, KernelSetting(alpha=0.5, beta=0.5, T=1)))
    >>> found.sums.tolist()
    [[4.0, 4.0, 4.0], [4.0, 4.0, 4.0], [4.0, 4.0, 4.0]]
    >>> found.written_out(0, 1, 0.5, 0.5)[1]
    'k^1(0, 1) = 0.5 \\cdot 2 + 0.5 \\cdot 4 = 3'
    """
    rows = scene.graph.adjacency
    start, end = scene.kernel.kernel_at(0), scene.kernel.kernel_at(1)
    around = [part.tolist() for part in np.split(rows.indices, rows.indptr[1:-1])]
    n = scene.graph.n_vertices
    terms = {
        (v, u): [(a, b) for a in around[v] for b in around[u]] for v in range(n) for u in range(n)
    }
    return OneRound(scene.names, start, rows @ start @ rows, end, terms)
