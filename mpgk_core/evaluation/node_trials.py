"""One trial of node classification: predict the roles of vertices from some labelled ones.

A kernel between vertices (message passing, or a simple baseline) is used by an SVM or by the k
nearest labelled vertices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mpgk_core.arrays import FloatArray, IntArray
from mpgk_core.checks import check_choice, check_memory, check_whole
from mpgk_core.embedding.methods import VERTEX_METHODS, vertex_vectors
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation.methods import MAJORITY
from mpgk_core.evaluation.node_roles import Roles
from mpgk_core.evaluation.protocol import stratified_split
from mpgk_core.evaluation.svm import predict_path
from mpgk_core.graphs import GraphSet
from mpgk_core.kernels import MessagePassingNodeKernel
from mpgk_core.kernels.update import derived_seed
from mpgk_core.refinement import colour_refinement

_EMBEDDED = ("struc2vec", "deepwalk", "node2vec", "line", "spectral")
NODE_METHODS: Mapping[str, str] = {
    "R": "Message passing, R",
    "A": "Message passing, A",
    "WL": "Weisfeiler-Lehman colours",
    "degree": "Degree only",
    **{method: VERTEX_METHODS[method].title for method in _EMBEDDED},
}
"""Titles of the kernels between vertices."""

QUICK_NODE_METHODS = ("R", "A", "WL", "degree")
"""Those that take seconds on any graph that can be shown."""

CLASSIFIERS: Mapping[str, str] = {"svm": "SVM", "knn": "k-NN"}
"""Titles of the classifiers."""

_COSTS = np.array([1e-1, 1e0, 1e1, 1e2, 1e3])
_EQUAL = 1e-9
"""Distances that differ by less, relative to the largest, are equal: automorphic vertices."""


def node_kernel_matrix(
    method: str, graph: GraphSet, n_iterations: int = 5, **parameters: Any
) -> FloatArray:
    """Return a kernel between all vertices, centred, with squared lengths of one on average.

    - ``"R"``, ``"A"``: the node kernel of that neighbourhood, of cosines;
    - ``"WL"``: the number of rounds t = 0..T in which two vertices have the same colour;
    - ``"degree"``: min(deg v, deg u), so that the squared distance is |deg v - deg u|;
    - ``"struc2vec"``, ``"deepwalk"``, ``"node2vec"``, ``"line"``, ``"spectral"``: products of the
      vectors of :func:`~mpgk_core.embedding.methods.vertex_vectors`.

    Centring looks at all vertices and at no role. It leaves distances as they are, up to one
    common factor.

    Parameters
    ----------
    method : str
        A key of ``NODE_METHODS``.
    graph : GraphSet
        With one graph.
    n_iterations : int
        The number of rounds T.
    **parameters
        Of :class:`~mpgk_core.kernels.MessagePassingNodeKernel`, for R and A; ``edges`` counts for
        Weisfeiler-Lehman too.

    Returns
    -------
    ndarray of shape (n, n)

    Examples
    --------
    >>> import networkx as nx
    >>> star = GraphSet.from_networkx(nx.star_graph(3))
    >>> node_kernel_matrix("degree", star).round(2)[0].tolist()
    [3.0, -1.0, -1.0, -1.0]
    """
    check_choice(method, list(NODE_METHODS), "method", "node_kernel_matrix")
    n = graph.n_vertices
    check_memory(
        4 * 8 * n**2, f"A kernel matrix of {n} vertices", "Use a smaller graph, or a sample of it."
    )
    if method == "degree":
        degrees = np.diff(graph.adjacency.indptr).astype(np.float64)
        return _centred(np.minimum.outer(degrees, degrees))
    if method in _EMBEDDED:
        vectors = vertex_vectors(method, graph)
        return _centred(vectors @ vectors.T)
    if method == "WL":
        kernel = np.zeros((n, n))
        for t in range(n_iterations + 1):
            colours = colour_refinement(
                graph, t, respect_labels=True, edges=parameters.get("edges", "ignore")
            )
            kernel += np.equal.outer(colours, colours)
        return _centred(kernel)
    fitted = MessagePassingNodeKernel(
        method, n_iterations=n_iterations, **{**parameters, "normalize": True}
    )
    return _centred(fitted.fit_transform(graph))


def _centred(kernel: FloatArray) -> FloatArray:
    """Move the centre of all vertices to the origin, and the mean squared length to one."""
    means = kernel.mean(axis=0)
    centred: FloatArray = kernel - means - means[:, np.newaxis] + means.mean()
    scale = float(centred.trace()) / len(kernel)
    if scale > 0:
        centred /= scale
    return centred


def nearest_votes(
    kernel: FloatArray, roles: IntArray, labelled: IntArray, others: IntArray, n_neighbours: int
) -> IntArray:
    """Predict the roles of vertices from the labelled ones nearest in feature space.

    The squared distance is k(v, v) - 2 k(v, u) + k(u, u). All vertices as near as the k-th
    nearest vote too, so the result does not depend on the order of the vertices. With equal
    votes, the role whose voters are nearer on average wins, then the first one.

    Parameters
    ----------
    kernel : ndarray of shape (n, n)
    roles : ndarray of shape (n,)
        Only those of labelled vertices are looked at.
    labelled, others : ndarray of int
        Vertices to learn from and to predict.
    n_neighbours : int
        The number k.

    Returns
    -------
    ndarray of int
        A role for each of ``others``.

    Examples
    --------
    >>> places = np.array([[0.0], [1.0], [5.0], [0.4]])
    >>> nearest_votes(places @ places.T, np.array([0, 0, 1, -1]), np.arange(3), np.array([3]), 1)
    array([0])
    """
    norms = kernel.diagonal()
    distances = norms[others, np.newaxis] - 2 * kernel[np.ix_(others, labelled)] + norms[labelled]
    slack = _EQUAL * max(float(np.abs(norms).max(initial=0.0)), np.finfo(float).tiny)
    k = min(n_neighbours, len(labelled))
    reach = np.partition(distances, k - 1, axis=1)[:, k - 1 : k] + slack
    votes = distances <= reach
    member = np.equal.outer(roles[labelled], np.arange(int(roles[labelled].max()) + 1))
    counts = votes.astype(np.float64) @ member
    total = np.where(votes, distances, 0.0) @ member
    mean = np.divide(total, counts, out=np.full_like(counts, np.inf), where=counts > 0)
    mean[counts < counts.max(axis=1, keepdims=True)] = np.inf
    is_best = mean <= mean.min(axis=1, keepdims=True) + slack
    voted: IntArray = is_best.argmax(axis=1)
    return voted


@dataclass(frozen=True)
class NodeProtocol:
    """How roles are learnt and tested.

    Attributes
    ----------
    shares : tuple of float
        Shares of labelled vertices, each between 0 and 1.
    n_repeats : int
        Trials with different labelled vertices, for every share.
    n_neighbours : int
        For nearest neighbours.
    inner_folds : int
        The cost C of the SVM is chosen by cross-validation of the labelled vertices, in as many
        folds as the rarest role has labelled vertices, but at most so many. With one vertex in
        some role, the largest cost is taken.
    random_state : int
        Seed of all draws.
    """

    shares: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    n_repeats: int = 10
    n_neighbours: int = 1
    inner_folds: int = 3
    random_state: int = 0

    def __post_init__(self) -> None:
        check_whole(self.n_repeats, 1, "n_repeats", "NodeProtocol")
        check_whole(self.n_neighbours, 1, "n_neighbours", "NodeProtocol")
        check_whole(self.inner_folds, 2, "inner_folds", "NodeProtocol")
        check_whole(self.random_state, 0, "random_state", "NodeProtocol")
        object.__setattr__(self, "shares", tuple(sorted(set(self.shares))))
        if not self.shares or not all(0 < share < 1 for share in self.shares):
            raise InvalidParameterError(
                "The 'shares' parameter of NodeProtocol must hold numbers between 0 and 1. "
                f"Got {self.shares!r} instead."
            )


@dataclass(frozen=True, eq=False)
class NodeTrial:
    """The predictions of one classifier in one trial.

    Attributes
    ----------
    method, classifier : str
        The classifier is empty for the majority.
    share : float
    repeat : int
    labelled : ndarray of int
        Vertices whose roles were shown, ascending.
    predicted : ndarray of shape (n,)
        The role of every vertex; of labelled vertices, the true one.
    accuracy : float
        Share of right predictions among the other vertices.
    C : float or None
        The chosen cost.
    """

    method: str
    classifier: str
    share: float
    repeat: int
    labelled: IntArray
    predicted: IntArray
    accuracy: float
    C: float | None

    def missed(self, roles: Roles) -> IntArray:
        """Return the vertices that were taken for something else, ascending.

        Parameters
        ----------
        roles : Roles
            The true ones.

        Returns
        -------
        ndarray of int
        """
        return np.flatnonzero(self.predicted != roles.of_vertex)


def drawn_vertices(roles: Roles, share: float, repeat: int, protocol: NodeProtocol) -> IntArray:
    """Draw the vertices whose roles are shown.

    Every role keeps at least one labelled vertex and one to test. Within a repetition, a larger
    share holds all vertices of a smaller one; all kernels see the same draw.

    Parameters
    ----------
    roles : Roles
    share : float
    repeat : int
    protocol : NodeProtocol

    Returns
    -------
    ndarray of int
        Ascending.
    """
    seed = derived_seed(protocol.random_state, "labelled vertices", repeat)
    order = np.random.default_rng(seed).permutation(len(roles.of_vertex))
    chosen = []
    for role, count in enumerate(roles.counts.tolist()):
        members = order[roles.of_vertex[order] == role]
        chosen.append(members[: min(max(round(share * count), 1), count - 1)])
    return np.sort(np.concatenate(chosen))


def run_trial(
    kernel: FloatArray,
    roles: Roles,
    method: str,
    classifier: str,
    share: float,
    repeat: int,
    protocol: NodeProtocol,
) -> NodeTrial:
    """Learn from the labelled vertices alone, and predict the others.

    Parameters
    ----------
    kernel : ndarray of shape (n, n)
    roles : Roles
    method : str
        Name of the kernel, for the record.
    classifier : str
        A key of ``CLASSIFIERS``.
    share : float
    repeat : int
    protocol : NodeProtocol

    Returns
    -------
    NodeTrial
    """
    truth = roles.of_vertex
    labelled = drawn_vertices(roles, share, repeat, protocol)
    others = np.setdiff1d(np.arange(len(truth)), labelled)
    predicted, cost = truth.copy(), None
    if classifier == "svm":
        costs = _costs_up_to_best(kernel, truth, labelled, repeat, protocol)
        predicted[others] = predict_path(kernel, truth, labelled, others, costs)[0][-1]
        cost = float(costs[-1])
    else:
        votes = nearest_votes(kernel, truth, labelled, others, protocol.n_neighbours)
        predicted[others] = votes
    return trial_of(method, classifier, share, repeat, labelled, predicted, cost, roles)


def trial_of(
    method: str,
    classifier: str,
    share: float,
    repeat: int,
    labelled: IntArray,
    predicted: IntArray,
    C: float | None,
    roles: Roles,
) -> NodeTrial:
    """Return a trial with its accuracy on the vertices that are not labelled."""
    is_right = np.delete(predicted == roles.of_vertex, labelled)
    accuracy = float(is_right.mean())
    return NodeTrial(method, classifier, share, repeat, labelled, predicted, accuracy, C)


def majority_trial(trial: NodeTrial, roles: Roles) -> NodeTrial:
    """Predict the most frequent role of the labelled vertices of a trial for all others.

    Parameters
    ----------
    trial : NodeTrial
    roles : Roles

    Returns
    -------
    NodeTrial
        Of equally frequent roles, the first one is predicted.
    """
    truth, labelled = roles.of_vertex, trial.labelled
    predicted = np.full_like(truth, np.bincount(truth[labelled]).argmax())
    predicted[labelled] = truth[labelled]
    return trial_of(MAJORITY, "", trial.share, trial.repeat, labelled, predicted, None, roles)


def _costs_up_to_best(
    kernel: FloatArray, truth: IntArray, labelled: IntArray, repeat: int, protocol: NodeProtocol
) -> FloatArray:
    """Return the path of costs that ends with the one chosen on the labelled vertices."""
    counts = np.bincount(truth[labelled])
    n_folds = min(protocol.inner_folds, int(counts[counts > 0].min()))
    if n_folds < 2:
        return _COSTS
    seed = derived_seed(protocol.random_state, "folds of labelled vertices", repeat)
    right = np.zeros(len(_COSTS), dtype=np.int64)
    for train, test in stratified_split(truth[labelled], n_folds, seed):
        predicted, _ = predict_path(kernel, truth, labelled[train], labelled[test], _COSTS)
        right += np.count_nonzero(predicted == truth[labelled[test]], axis=1)
    return _COSTS[: int(right.argmax()) + 1]
