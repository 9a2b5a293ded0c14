"""The kernels that can be evaluated, by name, and their matrices for every candidate."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from mpgk_core.arrays import cosine_normalised
from mpgk_core.errors import InvalidParameterError, KernelTooLargeError
from mpgk_core.evaluation.baselines import GraphSizeKernel, ShortestPathKernel
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.initial_features import discrete_features, resolved_features
from mpgk_core.kernels import (
    MessagePassingGraphKernel,
    WeisfeilerLehmanOptimalAssignment,
    WeisfeilerLehmanSubtree,
)
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.limits import check_memory
from mpgk_core.parameters import check_choice

METHODS: Mapping[str, str] = {
    **{variant: f"Message passing, {variant}" for variant in VARIANTS},
    "size": "Graph size (vertices and edges only)",
    "VH": "Vertex histogram",
    "WL": "Weisfeiler-Lehman subtree",
    "WL-OA": "Weisfeiler-Lehman optimal assignment",
    "SP": "Shortest paths",
}
"""Titles of all kernels that can be evaluated."""

MAJORITY = "majority"
"""The baseline without a kernel: always the most frequent class of the training samples."""

_WITHOUT_FEATURES = ("size", MAJORITY)

Samples: TypeAlias = NDArray[np.float64] | csr_array
"""What an SVM learns from: a kernel matrix, or sparse feature rows."""


class Candidate(NamedTuple):
    """One kernel among those that a fold chooses from.

    Attributes
    ----------
    T : int or None
        Number of rounds; None for kernels without rounds.
    levels : str or None
        ``"last"`` or ``"sum"``; None for kernels without this choice.
    setting : int
        Which of the alternatives of the spec.
    """

    T: int | None
    levels: str | None
    setting: int = 0


@dataclass(frozen=True)
class KernelSpec:
    """A kernel to evaluate, as data: it can be compared, stored and sent to another machine.

    Make it with :meth:`of`.

    Attributes
    ----------
    method : str
        A key of ``METHODS``.
    settings : tuple of str
        Parameters of the kernel as JSON objects. More than one: the training folds choose.

    Examples
    --------
    >>> spec = KernelSpec.of("AA", branching=2, depth=9)
    >>> spec.parameters(0)
    {'branching': 2, 'depth': 9}
    >>> KernelSpec.of("AB")
    Traceback (most recent call last):
        ...
    mpgk_core.errors.InvalidParameterError: The 'method' parameter of KernelSpec must be one of
    'RR', 'RA', 'AR', 'AA', 'size', 'VH', 'WL', 'WL-OA', 'SP'. Got 'AB' instead.
    """

    method: str
    settings: tuple[str, ...]

    @classmethod
    def of(
        cls, method: str, alternatives: Iterable[Mapping[str, Any]] = ({},), **parameters: Any
    ) -> KernelSpec:
        """Describe a kernel.

        Parameters
        ----------
        method : str
            A key of ``METHODS``.
        alternatives : iterable of mappings
            Sets of parameters; in every fold one of them is chosen on the training graphs.
        **parameters : JSON values
            Parameters that all alternatives share: those of the kernel's class, but not
            ``n_iterations``, ``levels`` and ``normalize``, which belong to the protocol.

        Returns
        -------
        KernelSpec
        """
        check_choice(method, list(METHODS), "method", "KernelSpec")
        settings = tuple(_text({**parameters, **chosen}, method) for chosen in alternatives)
        if not settings:
            raise InvalidParameterError(
                f"The kernel {method!r} has no alternatives. Give at least one, or leave them out."
            )
        return cls(method, settings)

    @property
    def title(self) -> str:
        """The method in words."""
        return "Majority class" if self.method == MAJORITY else METHODS[self.method]

    @property
    def features(self) -> str:
        """The initial features, the alternatives separated by "or"; empty for kernels without.

        ``"auto"`` as long as no graphs have decided on it; see :meth:`resolved`.
        """
        if self.method in _WITHOUT_FEATURES:
            return ""
        found = [self.parameters(s).get("features", "auto") for s in range(len(self.settings))]
        return " or ".join(dict.fromkeys(found))

    def resolved(self, graphs: GraphSet) -> KernelSpec:
        """Return the spec with the features that ``features="auto"`` means for these graphs.

        Parameters
        ----------
        graphs : GraphSet

        Returns
        -------
        KernelSpec

        Examples
        --------
        >>> import networkx as nx
        >>> KernelSpec.of("AA").resolved(GraphSet.from_networkx(nx.path_graph(3))).settings
        ('{"features": "degree"}',)
        """
        if self.method in _WITHOUT_FEATURES:
            return self
        resolve = resolved_features if self.method in VARIANTS else discrete_features
        alternatives = []
        for setting in range(len(self.settings)):
            known = self.parameters(setting)
            features = resolve(known.get("features", "auto"), graphs)
            alternatives.append({**known, "features": features})
        return KernelSpec.of(self.method, alternatives)

    def parameters(self, setting: int) -> dict[str, Any]:
        """Return the parameters of one of the alternatives."""
        parameters: dict[str, Any] = json.loads(self.settings[setting])
        return parameters


def _text(parameters: Mapping[str, Any], method: str) -> str:
    reserved = {"n_iterations", "levels", "normalize", "variant"} & set(parameters)
    if reserved:
        raise InvalidParameterError(
            f"The kernel {method!r} cannot take {', '.join(sorted(reserved))}: the method and the "
            "protocol decide on it."
        )
    try:
        return json.dumps(parameters, sort_keys=True)
    except TypeError as error:
        raise InvalidParameterError(
            f"A parameter of the kernel {method!r} is not a JSON value ({error}). Results are kept "
            "by the content of the parameters: use names, numbers and truth values."
        ) from error


def candidates(spec: KernelSpec, protocol: Protocol) -> list[Candidate]:
    """List the kernels to choose from; among equally good ones, the first is taken.

    Parameters
    ----------
    spec : KernelSpec
    protocol : Protocol

    Returns
    -------
    list of Candidate

    Examples
    --------
    >>> candidates(KernelSpec.of("WL"), Protocol(iterations=(1, 2)))
    [Candidate(T=1, levels=None, setting=0), Candidate(T=2, levels=None, setting=0)]
    """
    has_rounds = spec.method in (*VARIANTS, "WL", "WL-OA")
    iterations = protocol.iterations if has_rounds else (None,)
    levels = protocol.levels if spec.method in VARIANTS else (None,)
    return [Candidate(*one) for one in product(iterations, levels, range(len(spec.settings)))]


def check_kernel(n_graphs: int, spec: KernelSpec, protocol: Protocol) -> None:
    """Raise unless the solver can use the kernel, and all kernel matrices fit into memory.

    Parameters
    ----------
    n_graphs : int
    spec : KernelSpec
    protocol : Protocol
    """
    if protocol.solver == "linear":
        _check_has_features(spec)
        return
    copies = len(candidates(spec, protocol)) + max(protocol.iterations) + 3
    check_memory(
        copies * 8 * n_graphs**2,
        f"Choosing among the kernel matrices of {n_graphs} graphs",
        "Use solver='linear', or fewer graphs, iterations or levels.",
    )


def kernel_samples(
    spec: KernelSpec, protocol: Protocol, train: GraphSet, test: GraphSet | None = None
) -> list[Samples]:
    """Return what an SVM learns from: one matrix for every candidate.

    Parameters
    ----------
    spec : KernelSpec
    protocol : Protocol
    train : GraphSet
        The graphs from which features and trees are learnt.
    test : GraphSet, optional
        Further graphs, whose rows follow those of the training graphs.

    Returns
    -------
    list of kernel matrices or, for the linear solver, of sparse feature rows
        In the order of :func:`candidates`.
    """
    choices = candidates(spec, protocol)
    if protocol.solver == "linear":
        return [feature_rows(spec, candidate, train, test) for candidate in choices]
    if test is None:
        return list(square_matrices(spec, protocol, train))
    return list(cross_matrices(spec, protocol, train, test))


def square_matrices(
    spec: KernelSpec, protocol: Protocol, graphs: GraphSet
) -> list[NDArray[np.float64]]:
    """Return the kernel between all graphs, with lengths one, for every candidate.

    Parameters
    ----------
    spec : KernelSpec
    protocol : Protocol
    graphs : GraphSet

    Returns
    -------
    list of ndarray of shape (N, N)
        In the order of :func:`candidates`.
    """
    choices = candidates(spec, protocol)
    if spec.method not in VARIANTS:
        return [square_matrix(spec, candidate, graphs) for candidate in choices]
    found: dict[Candidate, NDArray[np.float64]] = {}
    for setting in range(len(spec.settings)):
        found.update(_rounds(spec, setting, protocol, graphs))
    return [found[candidate] for candidate in choices]


def square_matrix(spec: KernelSpec, candidate: Candidate, graphs: GraphSet) -> NDArray[np.float64]:
    """Return the kernel between all graphs, with lengths one, for one candidate.

    Parameters
    ----------
    spec : KernelSpec
    candidate : Candidate
    graphs : GraphSet

    Returns
    -------
    ndarray of shape (N, N)
    """
    matrix: NDArray[np.float64] = _estimator(spec, candidate).fit_transform(graphs)
    return matrix


def cross_matrices(
    spec: KernelSpec, protocol: Protocol, train: GraphSet, test: GraphSet
) -> list[NDArray[np.float64]]:
    """Learn from the training graphs alone, and compare all graphs with them.

    Parameters
    ----------
    spec : KernelSpec
    protocol : Protocol
    train, test : GraphSet
        n and m graphs.

    Returns
    -------
    list of ndarray of shape (n + m, n)
        Rows of the training graphs first; in the order of :func:`candidates`.
    """
    matrices = []
    for candidate in candidates(spec, protocol):
        kernel = _estimator(spec, candidate)
        square = kernel.fit_transform(train)
        matrices.append(np.concatenate([square, kernel.transform(test)]))
    return matrices


def feature_rows(
    spec: KernelSpec, candidate: Candidate, train: GraphSet, test: GraphSet | None = None
) -> csr_array:
    """Return explicit features of length one; their products are the kernel.

    Parameters
    ----------
    spec : KernelSpec
    candidate : Candidate
    train : GraphSet
        Graphs to learn from.
    test : GraphSet, optional
        Further graphs; what only they have is left out of their rows.

    Returns
    -------
    csr_array of shape (number of graphs, number of features)
        Rows of the training graphs first.
    """
    _check_has_features(spec)
    kernel = _estimator(spec, candidate)
    rows: csr_array = kernel.fit(train).fitted_features()
    if test is not None:
        rows = vstack([rows, kernel.feature_map(test)], format="csr")
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    data = rows.data * np.repeat(scale, np.diff(rows.indptr))
    return _with_narrow_indices(csr_array((data, rows.indices, rows.indptr), rows.shape), spec)


def _check_has_features(spec: KernelSpec) -> None:
    """Raise unless the kernel has explicit features, which the linear solver needs."""
    if not hasattr(_estimator(spec, Candidate(1, "last")), "feature_map"):
        raise InvalidParameterError(
            f"The kernel {spec.method!r} has no explicit features. Use solver='kernel', or leave "
            "this kernel out."
        )


def _with_narrow_indices(rows: csr_array, spec: KernelSpec) -> csr_array:
    """Return the rows with indices of 32 bits, which is all that the linear SVM can read."""
    if max(rows.nnz, rows.shape[1]) > np.iinfo(np.int32).max:
        raise KernelTooLargeError(
            f"The explicit features of the kernel {spec.method!r} have {rows.nnz:,} entries, more "
            "than the linear SVM can take. Use fewer graphs, iterations or levels."
        )
    rows.indices, rows.indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
    return rows


def _rounds(
    spec: KernelSpec, setting: int, protocol: Protocol, graphs: GraphSet
) -> Iterator[tuple[Candidate, NDArray[np.float64]]]:
    """Give the kernels of all rounds from one run, alone and summed up."""
    kernel = MessagePassingGraphKernel(
        spec.method,
        n_iterations=max(protocol.iterations),
        normalize=False,
        **spec.parameters(setting),
    )
    matrices = kernel.kernels_at_all_t(graphs)
    total = np.zeros_like(matrices[0])
    for t, matrix in enumerate(matrices):
        total += matrix
        if t not in protocol.iterations:
            continue
        for level in protocol.levels:
            chosen = matrix if level == "last" else total
            lengths = chosen.diagonal()
            yield Candidate(t, level, setting), cosine_normalised(chosen, lengths, lengths)


def _estimator(spec: KernelSpec, candidate: Candidate) -> Any:
    parameters = spec.parameters(candidate.setting)
    if spec.method in VARIANTS:
        levels = "all" if candidate.levels == "sum" else "last"
        return MessagePassingGraphKernel(
            spec.method, n_iterations=candidate.T or 0, levels=levels, **parameters
        )
    if spec.method == "WL-OA":
        return WeisfeilerLehmanOptimalAssignment(candidate.T or 0, **parameters)
    if spec.method in ("WL", "VH"):
        return WeisfeilerLehmanSubtree(candidate.T or 0, **parameters)
    if spec.method == "SP":
        return ShortestPathKernel(**parameters)
    return GraphSizeKernel(**parameters)
