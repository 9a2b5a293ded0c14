"""Parts of molecules that were read: hydrogens as vertices, and the fragments of salts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from mpgk_core.arrays import BoolArray, IntArray
from mpgk_core.errors import InvalidGraphError, shortened
from mpgk_core.formats.format import GraphTables
from mpgk_core.formats.source import bounds

#: What stands for the sizes of the rings of an atom that is in none.
NO_RING = "none"


def parts_of(edges: IntArray, offsets: IntArray) -> tuple[IntArray, IntArray]:
    """Return the connected part of every vertex, and the graph of every part."""
    n = int(offsets[-1])
    ones = np.ones(len(edges), dtype=np.bool_)
    adjacency = coo_array((ones, (edges[:, 0], edges[:, 1])), shape=(n, n))
    n_parts, part = connected_components(adjacency, directed=False)
    graph_of_part = np.zeros(n_parts, dtype=np.int64)
    graph_of_part[part] = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    return part.astype(np.int64), graph_of_part


def with_hydrogens(tables: GraphTables) -> GraphTables:
    """Return the same molecules with every hydrogen as a vertex of its own.

    Hydrogens follow the other atoms of their molecule, in the order of the atoms that they are
    bonded to. Those that are vertices already are not added again.

    Parameters
    ----------
    tables : GraphTables
        With the columns "element" and "hydrogens" that molecules have; n vertices, m edges.

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> ends = np.array([[0, 1]])
    >>> atoms = {"element": np.array(["C", "O"], object), "hydrogens": np.array([3, 1])}
    >>> methanol = GraphTables("a.smi", "SMILES", np.array([0, 2]), ends, columns=atoms)
    >>> with_hydrogens(methanol).columns["element"].tolist()
    ['C', 'O', 'H', 'H', 'H', 'H']
    """
    if not {"element", "hydrogens"} <= set(tables.columns):
        raise InvalidGraphError(
            f"{shortened(tables.source)}: The numbers of hydrogens are not known, so they cannot "
            "be added as vertices. Give molecules as SMILES or SDF."
        )
    n, graph = tables.n_vertices, np.repeat(np.arange(len(tables)), np.diff(tables.offsets))
    is_hydrogen = tables.columns["element"] == "H"
    one, other = tables.edges[:, 0], tables.edges[:, 1]
    there = np.bincount(one[is_hydrogen[other]], minlength=n)
    there += np.bincount(other[is_hydrogen[one]], minlength=n)
    lacking = np.maximum(tables.columns["hydrogens"] - there, 0).astype(np.int64)
    bounds().check(tables.source, "vertices", n + int(lacking.sum()))
    owner = np.repeat(np.arange(n), lacking)
    graph_of = np.concatenate([graph, graph[owner]])
    order = np.argsort(graph_of, kind="stable")
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    known: dict[str, Any] = {"element": "H", "charge": 0, "aromatic": 0, "hydrogens": 0}
    known |= {"hybridisation": "s", "rings": NO_RING}
    added = np.column_stack([owner, n + np.arange(len(owner))])
    sizes = np.bincount(graph_of, minlength=len(tables))
    return replace(
        tables,
        offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        edges=place[np.concatenate([tables.edges, added])],
        names=None,
        columns={
            key: _longer(column, len(owner), known.get(key))[order]
            for key, column in tables.columns.items()
        },
        edge_columns={
            key: _longer(column, len(owner), "single" if key == "bond" else None)
            for key, column in tables.edge_columns.items()
        },
    )


def _longer(column: NDArray[Any], n: int, value: Any) -> NDArray[Any]:
    """Return a column with n more rows, missing ones where no value is known."""
    if value is None and column.dtype != object:
        return np.concatenate([column.astype(np.float64), np.full(n, np.nan)])
    return np.concatenate([column, np.full(n, value, dtype=column.dtype)])


def largest_fragments(tables: GraphTables) -> GraphTables:
    """Return of every molecule only the largest connected part, without the ions of a salt.

    Of equally large parts the first one is kept.

    Parameters
    ----------
    tables : GraphTables

    Returns
    -------
    GraphTables

    Examples
    --------
    >>> salt = GraphTables("a.smi", "SMILES", np.array([0, 3]), np.array([[1, 2]]))
    >>> largest_fragments(salt).n_vertices
    2
    """
    part, graph_of_part = parts_of(tables.edges, tables.offsets)
    sizes = np.bincount(part, minlength=len(graph_of_part))
    order = np.lexsort([np.arange(len(sizes)), -sizes, graph_of_part])
    is_first = np.diff(graph_of_part[order], prepend=-1) != 0
    is_kept: BoolArray = np.isin(part, order[is_first])
    place = np.cumsum(is_kept) - 1
    stays = is_kept[tables.edges[:, 0]]
    names = tables.names
    kept = np.flatnonzero(is_kept)
    return replace(
        tables,
        offsets=np.concatenate([[0], np.cumsum(is_kept)])[tables.offsets],
        edges=place[tables.edges[stays]],
        names=None if names is None else [names[v] for v in kept.tolist()],
        columns={key: column[is_kept] for key, column in tables.columns.items()},
        edge_columns={key: column[stays] for key, column in tables.edge_columns.items()},
    )
