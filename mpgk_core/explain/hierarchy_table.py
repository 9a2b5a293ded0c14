"""A hierarchy as a table: what every tree node weighs and which vertices it holds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from mpgk_core.errors import InvalidGraphError
from mpgk_core.kernels.hierarchy import Hierarchy
from mpgk_core.parameters import check_whole


@dataclass(frozen=True, eq=False)
class HierarchyTable:
    """The nodes of a hierarchy and the vertices in them.

    Attributes
    ----------
    hierarchy : Hierarchy
    leaves : ndarray of shape (n,)
        The leaf of every vertex; one that lies in none is counted at the root alone.

    Examples
    --------
    >>> import networkx as nx
    >>> from mpgk_core.explain import colour_hierarchy
    >>> table = HierarchyTable(*colour_hierarchy(nx.path_graph(5), 1))
    >>> sorted(table.n_vertices.tolist())
    [1, 2, 2, 2, 3, 5]
    >>> [row["vertices"] for row in table.rows()][0], table.vertices_of(0).tolist()
    (5, [0, 1, 2, 3, 4])
    """

    hierarchy: Hierarchy
    leaves: NDArray[np.int32]

    @cached_property
    def members(self) -> csr_array:
        """(n_nodes, n) a one wherever a tree node holds a vertex."""
        n_leaves, height = self.hierarchy.paths.shape
        paths = np.full((n_leaves + 1, height), -1, dtype=np.int64)
        paths[:-1] = self.hierarchy.paths
        paths[-1, 0] = 0
        nodes = paths[self.leaves]
        vertices = np.broadcast_to(np.arange(len(self.leaves))[:, np.newaxis], nodes.shape)
        there = nodes >= 0
        entries = (np.ones(int(there.sum())), (nodes[there], vertices[there]))
        return csr_array(entries, shape=(self.hierarchy.n_nodes, len(self.leaves)))

    @property
    def n_vertices(self) -> NDArray[np.int64]:
        """(n_nodes,) the number of vertices in every tree node."""
        sizes: NDArray[np.int64] = np.diff(self.members.indptr).astype(np.int64)
        return sizes

    @property
    def shared(self) -> NDArray[np.float64]:
        """(n_nodes,) the strong kernel of two vertices that meet there: ω summed from the root."""
        total = self.hierarchy.weights.astype(np.int64).copy()
        for depth in range(1, int(self.hierarchy.depths.max()) + 1):
            level = np.flatnonzero(self.hierarchy.depths == depth)
            total[level] += total[self.hierarchy.parents[level]]
        return total / self.hierarchy.denominator

    def vertices_of(self, node: int) -> NDArray[np.int64]:
        """Return the vertices that a tree node holds.

        Parameters
        ----------
        node : int

        Returns
        -------
        ndarray of int
            In ascending order.
        """
        check_whole(node, 0, "node", "vertices_of", maximum=self.hierarchy.n_nodes - 1)
        start, stop = self.members.indptr[node : node + 2]
        return np.sort(self.members.indices[start:stop]).astype(np.int64)

    def majority(self, classes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the most frequent class in every tree node, and its share.

        Parameters
        ----------
        classes : ndarray of shape (n,)
            Numbers from 0, such as orbits.

        Returns
        -------
        classes : ndarray of shape (n_nodes,)
            The lowest of several that are equally frequent.
        shares : ndarray of shape (n_nodes,)
            0 where a tree node is empty.
        """
        if len(classes) != len(self.leaves):
            raise InvalidGraphError(
                f"There are {len(classes):,} classes for {len(self.leaves):,} vertices. Give every "
                "vertex one."
            )
        n = len(classes)
        is_in = csr_array(
            (np.ones(n), np.asarray(classes, dtype=np.int64), np.arange(n + 1)),
            shape=(n, int(np.max(classes, initial=0)) + 1),
        )
        entries = (self.members @ is_in).tocoo()
        order = np.lexsort([entries.col, -entries.data, entries.row])
        nodes, first = np.unique(entries.row[order], return_index=True)
        most = np.zeros(self.hierarchy.n_nodes, dtype=np.int64)
        shares = np.zeros(self.hierarchy.n_nodes)
        most[nodes] = entries.col[order][first]
        shares[nodes] = entries.data[order][first] / self.n_vertices[nodes]
        return most, shares

    def rows(self) -> list[dict[str, Any]]:
        """Return a plain table, a row for every tree node.

        Returns
        -------
        list of dict
        """
        columns = {
            "node": range(self.hierarchy.n_nodes),
            "parent": self.hierarchy.parents.tolist(),
            "depth": self.hierarchy.depths.tolist(),
            "omega": self.hierarchy.omega.tolist(),
            "shared": self.shared.tolist(),
            "vertices": self.n_vertices.tolist(),
        }
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
