"""Molecules drawn as chemists do: which labels are elements and bonds, and where atoms lie."""

from __future__ import annotations

import importlib
import re
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.graphs.edges import BONDS
from mpgk_core.graphs.graph_set import GraphSet

ELEMENTS = tuple(
    re.findall(
        "[A-Z][a-z]?",
        "HHeLiBeBCNOFNeNaMgAlSiPSClArKCaScTiVCrMnFeCoNiCuZnGaGeAsSeBrKrRbSrYZrNbMoTcRuRhPdAgCdInSn"
        "SbTeIXeCsBaLaCePrNdPmSmEuGdTbDyHoErTmYbLuHfTaWReOsIrPtAuHgTlPbBiPoAtRnFrRaAcThPaUNpPuAmCm"
        "BkCfEsFmMdNoLrRfDbSgBhHsMtDsRgCnNhFlMcLvTsOg",
    )
)
"""Symbols of the elements in the order of their atomic numbers, from 1."""

_COLOURS = {
    **{"C": "#a9b1ba", "H": "#f2f2f2", "N": "#6f9bf0", "O": "#f2837b", "F": "#8fd694"},
    **{"S": "#f0d264", "P": "#f5ab5e", "Cl": "#6fc46f", "Br": "#c98469", "I": "#b58ad6"},
}
_OTHER_COLOUR = "#d5a6bd"

BOND_LINES = {
    "single": (0.0,),
    "double": (-1.0, 1.0),
    "triple": (-2.0, 0.0, 2.0),
    "aromatic": (0.0,),
}
"""Where the solid lines of a bond lie beside its middle, in units of ``BOND_GAP``."""

BOND_GAP = 0.055
"""Half of the distance between two lines, for bonds of length 1."""

MAX_ATOMS = 250
"""How many atoms a graph can have that RDKit gives places to."""

_MOST_NEIGHBOURS = {"H": 1, "F": 1, "C": 4, "N": 4, "O": 3}
_USUAL_NEIGHBOURS = 8


def elements_of(graphs: GraphSet) -> list[str] | None:
    """Return the element of every vertex, or None where labels are no elements.

    Labels are elements if all of them are symbols, carbon or hydrogen is among them, and no atom
    has more neighbours than its element can have; of labels that are tuples, one part decides.

    Parameters
    ----------
    graphs : GraphSet

    Returns
    -------
    list of str or None

    Examples
    --------
    >>> import networkx as nx
    >>> water = nx.star_graph(2)
    >>> nx.set_node_attributes(water, {0: "O", 1: "H", 2: "H"}, "label")
    >>> elements_of(GraphSet.from_networkx(water))
    ['O', 'H', 'H']
    >>> nx.set_node_attributes(water, {0: "H", 1: "O", 2: "O"}, "label")
    >>> elements_of(GraphSet.from_networkx(water)) is None
    True
    """
    named = graphs.named()
    symbols = _symbols(named.label_values)
    if symbols is None or named.label_codes is None or not {"C", "H"} & set(symbols):
        return None
    highest = np.array([_MOST_NEIGHBOURS.get(symbol, _USUAL_NEIGHBOURS) for symbol in symbols])
    degrees = np.diff(graphs.adjacency.indptr)
    if (degrees > highest[named.label_codes]).any():
        return None
    return [symbols[code] for code in named.label_codes.tolist()]


def _symbols(labels: tuple[Hashable, ...]) -> list[str] | None:
    """Return the elements that labels name, in their order; None if one does not."""
    rows = [label if isinstance(label, tuple) else (label,) for label in labels]
    known = set(ELEMENTS)
    for column in zip(*rows, strict=False):
        if all(isinstance(value, str) and value in known for value in column):
            return [str(value) for value in column]
    return None


def element_colours(elements: Sequence[str]) -> list[str]:
    """Return the colour of every atom as chemists paint models: carbon grey, oxygen red.

    Examples
    --------
    >>> element_colours(["C", "O", "C"])
    ['#a9b1ba', '#f2837b', '#a9b1ba']
    """
    return [_COLOURS.get(element, _OTHER_COLOUR) for element in elements]


def bond_kinds(labels: tuple[Hashable, ...]) -> list[str] | None:
    """Return the kind of bond of every label of edges; None if one is no bond.

    Examples
    --------
    >>> bond_kinds(("single", "=")), bond_kinds(("single", "road"))
    (['single', 'double'], None)
    """
    kinds = [BONDS.get(str(label).lower(), "") for label in labels]
    return kinds if kinds and all(kinds) else None


def inner_sides(ends: IntArray, positions: FloatArray) -> IntArray:
    """Return on which side of each bond the ring lies that it is part of.

    Parameters
    ----------
    ends : ndarray of shape (m, 2)
        The bonds of rings.
    positions : ndarray of shape (n, 2)

    Returns
    -------
    ndarray of shape (m,)
        1 for the left side of the way from the first atom to the second one, -1 for the right.

    Examples
    --------
    >>> ring = np.array([[0, 1], [1, 2], [2, 0]])
    >>> inner_sides(ring, np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 1.0]])).tolist()
    [1, 1, 1]
    """
    n = len(positions)
    sums, counts = np.zeros((n, 2)), np.zeros(n)
    for here, there in (ends.T, ends.T[::-1]):
        np.add.at(sums, here, positions[there])
        np.add.at(counts, here, 1.0)
    first, second = positions[ends[:, 0]], positions[ends[:, 1]]
    around = sums[ends].sum(axis=1) - first - second
    n_around = np.maximum(counts[ends].sum(axis=1) - 2, 1)[:, np.newaxis]
    inward = around / n_around - (first + second) / 2
    along = second - first
    left = along[:, 0] * inward[:, 1] - along[:, 1] * inward[:, 0]
    return np.where(left >= 0, 1, -1)


def molecule_layout(graph: GraphSet) -> FloatArray | None:
    """Return places for the atoms of a molecule as RDKit draws it.

    Parameters
    ----------
    graph : GraphSet
        With one graph.

    Returns
    -------
    ndarray of shape (n, 2) or None
        None if the labels are no elements, RDKit is not installed or the graph is large.
    """
    elements = elements_of(graph) if 1 < graph.n_vertices <= MAX_ATOMS else None
    if elements is None:
        return None
    try:
        chemistry: Any = importlib.import_module("rdkit.Chem")
        depictor: Any = importlib.import_module("rdkit.Chem.rdDepictor")
    except ImportError:
        return None
    molecule = chemistry.RWMol()
    for element in elements:
        molecule.AddAtom(chemistry.Atom(element))
    edges = graph.named().all_edges().undirected().without_loops()
    kinds = bond_kinds(edges.label_values) if edges.label_codes is not None else None
    joined: set[tuple[int, int]] = set()
    for number, ends in enumerate(zip(edges.sources.tolist(), edges.targets.tolist(), strict=True)):
        if ends in joined:
            continue
        joined.add(ends)
        kind = "single"
        if kinds is not None and edges.label_codes is not None:
            kind = kinds[int(edges.label_codes[number])]
        molecule.AddBond(*ends, getattr(chemistry.BondType, kind.upper()))
    molecule.UpdatePropertyCache(strict=False)
    chemistry.FastFindRings(molecule)
    chemistry.SetHybridization(molecule)
    depictor.Compute2DCoords(molecule)
    places: FloatArray = molecule.GetConformer().GetPositions()[:, :2].astype(np.float64)
    return places if np.isfinite(places).all() else None
