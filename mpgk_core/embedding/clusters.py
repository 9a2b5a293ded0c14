"""Groups of vertices that a kernel holds for similar: kernel k-means."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from mpgk_core.graphs import as_graph_set
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
from mpgk_core.parameters import check_whole
from mpgk_core.recovery.kernel_points import kernel_points
from mpgk_core.refinement.agreement import agreeing

_STARTS = 4


def kernel_clusters(
    graph: Any,
    kernel: MessagePassingNodeKernel,
    n_clusters: int,
    t: int | None = None,
    random_state: int = 0,
) -> NDArray[np.int64]:
    """Cluster the vertices of a graph by k-means in the feature space of a node kernel.

    Parameters
    ----------
    graph : GraphSet, or networkx graph
        What the kernel was fitted to.
    kernel : MessagePassingNodeKernel
        Fitted.
    n_clusters : int
        At most so many; vertices on fewer points have fewer clusters.
    t : int, optional
        Round; by default the last.
    random_state : int
        Seed of k-means; the clusters do not depend on the order of the vertices.

    Returns
    -------
    ndarray of shape (n,)
        The cluster of every vertex, numbered in the order of their first vertices.

    Examples
    --------
    >>> import networkx as nx
    >>> barbell = nx.barbell_graph(4, 3)
    >>> kernel = MessagePassingNodeKernel("R", n_iterations=2, features="degree").fit(barbell)
    >>> kernel_clusters(barbell, kernel, 2).tolist()
    [0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0]
    """
    check_whole(n_clusters, 1, "n_clusters", "kernel_clusters")
    points = kernel_points(as_graph_set(graph), kernel, kernel.checked_round(t))
    counts = np.bincount(points.of_vertex, minlength=points.n_points)
    if points.n_points <= n_clusters:
        return points.of_vertex
    rows = csr_array(points.rows)
    used = rows[:, np.unique(rows.indices)].toarray()
    order = np.lexsort(np.column_stack([counts, used]).T)
    from sklearn.cluster import KMeans  # takes half a second; nobody else needs it

    found = KMeans(n_clusters, n_init=_STARTS, random_state=random_state).fit(
        used[order], sample_weight=counts[order]
    )
    of_point = np.empty(len(order), dtype=np.int64)
    of_point[order] = found.labels_
    return agreeing(of_point[points.of_vertex])
