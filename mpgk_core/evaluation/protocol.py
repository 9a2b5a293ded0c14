"""How accuracy is measured: the protocol, its folds, and the kernels with all their candidates."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from math import isfinite
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from mpgk_core.arrays import FloatArray, IntArray, cosine_normalised
from mpgk_core.checks import check_choice, check_memory, check_whole, distinct_values
from mpgk_core.errors import (
    InvalidGraphError,
    InvalidParameterError,
    KernelTooLargeError,
    shortened,
)
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.features import discrete_features, resolved_features
from mpgk_core.kernels import (
    MessagePassingGraphKernel,
    WeisfeilerLehmanOptimalAssignment,
    WeisfeilerLehmanSubtree,
)
from mpgk_core.kernels.baselines import (
    DeepGraphKernel,
    GraphHopperKernel,
    GraphInvariantKernel,
    GraphletKernel,
    GraphSizeKernel,
    HashGraphKernel,
    PropagationKernel,
    ShortestPathKernel,
    WassersteinWeisfeilerLehman,
)
from mpgk_core.kernels.baselines.attributed_vertices import attributed_features
from mpgk_core.kernels.estimator import Estimator
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.kernels.update import derived_seed
from mpgk_core.text import counted

_LEAST = {"n_folds": 2, "n_repeats": 1, "inner_folds": 2, "random_state": 0}
LEVELS = ("last", "sum")
"""Compare graphs by k^T alone, or by the sum of the graph kernels of t = 0..T."""


@dataclass(frozen=True)
class Protocol:
    """Repeated stratified cross-validation with everything chosen on the training folds.

    The defaults are the paper's: 10 folds, 10 repetitions with different shuffles, C from 10⁻³
    to 10³ and T from 1 to 4. In every fold, the values of C, T and levels with the most right
    predictions in a cross-validation of the training part alone are taken; of equally good ones
    the smallest C, then the smallest T, then ``"last"``. The test fold is looked at once, with
    these values.

    Parameters
    ----------
    n_folds : int
        Folds of the outer cross-validation; at least 2.
    n_repeats : int
        Repetitions, each with a shuffle of its own; at least 1.
    C : tuple of float
        Costs of the SVM to choose from.
    iterations : tuple of int
        Numbers of rounds T to choose from.
    levels : tuple of {"last", "sum"}
        Ways to use the rounds to choose from.
    inner_folds : int
        Folds of the cross-validation inside the training part; at least 2.
    random_state : int
        Seed of all shuffles.
    inductive : bool
        False is the paper's protocol: features and trees are learnt from all graphs, without
        their classes. True learns them from the training graphs of each fold alone.
    solver : {"kernel", "linear"}
        C-SVM on kernel matrices, or a linear SVM on explicit features, which needs no N × N
        matrix.

    Examples
    --------
    >>> Protocol().quick().n_repeats
    1
    >>> Protocol(n_folds=1)
    Traceback (most recent call last):
        ...
    mpgk_core.errors.InvalidParameterError: The 'n_folds' parameter of Protocol must be a whole
    number of at least 2. Got 1 instead.
    """

    n_folds: int = 10
    n_repeats: int = 10
    C: tuple[float, ...] = (1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3)
    iterations: tuple[int, ...] = (1, 2, 3, 4)
    levels: tuple[str, ...] = LEVELS
    inner_folds: int = 5
    random_state: int = 0
    inductive: bool = False
    solver: str = "kernel"

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            check_whole(getattr(self, name), least, name, "Protocol")
        check_choice(self.inductive, (False, True), "inductive", "Protocol")
        check_choice(self.solver, ("kernel", "linear"), "solver", "Protocol")
        for name in ("C", "iterations", "levels"):
            values = distinct_values(getattr(self, name), name, "Protocol")
            object.__setattr__(self, name, tuple(sorted(values)))
        for cost in self.C:
            if not isfinite(cost) or cost <= 0:
                raise InvalidParameterError(
                    f"Every C of Protocol must be a finite number above 0. Got {cost!r} instead."
                )
        for T in self.iterations:
            check_whole(T, 0, "iterations", "Protocol")
        for level in self.levels:
            check_choice(level, LEVELS, "levels", "Protocol")

    def quick(self) -> Protocol:
        """Return the same protocol with one repetition."""
        return replace(self, n_repeats=1)

    def identity(self) -> dict[str, Any]:
        """Return all that the result of one fold depends on: everything but ``n_repeats``.

        A quick run is therefore a part of the full one, and need not be done again.
        """
        facts = asdict(self)
        del facts["n_repeats"]
        return facts


_SEED_BITS = 32


class Fold(NamedTuple):
    """One part of the graphs to test, and all others to learn from.

    Attributes
    ----------
    repeat, number : int
        From 0.
    train, test : ndarray of int
        Ascending.
    """

    repeat: int
    number: int
    train: IntArray
    test: IntArray


def outer_folds(classes: IntArray, protocol: Protocol) -> list[Fold]:
    """Split the graphs for every repetition.

    The folds depend on the seed, the number of the repetition and the classes alone: all
    kernels are tried on the same ones, and adding repetitions leaves the earlier ones as they
    are. Graphs are dealt out by their position, so a set in another order is another sample of
    folds; no split could distinguish equal graphs otherwise.

    Parameters
    ----------
    classes : ndarray of shape (N,)
        Numbers from 0.
    protocol : Protocol

    Returns
    -------
    list of Fold
        ``n_repeats`` times ``n_folds``.

    Examples
    --------
    >>> folds = outer_folds(np.array([0, 1] * 4), Protocol(n_folds=4, n_repeats=2))
    >>> len(folds), folds[0].test.tolist()
    (8, [0, 1])
    """
    folds = []
    for repeat in range(protocol.n_repeats):
        seed = derived_seed(protocol.random_state, "outer folds", repeat)
        for number, (train, test) in enumerate(stratified_split(classes, protocol.n_folds, seed)):
            folds.append(Fold(repeat, number, train, test))
    return folds


def inner_folds(
    classes: IntArray, fold: Fold, protocol: Protocol
) -> list[tuple[IntArray, IntArray]]:
    """Split the training part of a fold, to choose parameters on it.

    Parameters
    ----------
    classes : ndarray of shape (n,)
        Of the training graphs alone.
    fold : Fold
        Only its number and repetition count, for the seed.
    protocol : Protocol

    Returns
    -------
    list of (train, test)
        Positions among the training graphs.
    """
    place = fold.repeat * protocol.n_folds + fold.number
    seed = derived_seed(protocol.random_state, "inner folds", place)
    return stratified_split(classes, protocol.inner_folds, seed)


def stratified_split(classes: IntArray, n_parts: int, seed: int) -> list[tuple[IntArray, IntArray]]:
    """Split samples so that every class is spread evenly over the parts.

    Parameters
    ----------
    classes : ndarray of shape (n,)
    n_parts, seed : int

    Returns
    -------
    list of (train, test)
        Positions of the samples.
    """
    from sklearn.model_selection import StratifiedKFold

    splitter = StratifiedKFold(n_parts, shuffle=True, random_state=seed % (1 << _SEED_BITS))
    return list(splitter.split(np.zeros(len(classes)), classes))


def check_one_each(
    values: Sequence[Any], owners: Sequence[Any], owner: str, kind: str, remedy: str
) -> None:
    """Raise unless there is one value for each of its owners.

    Parameters
    ----------
    values : sequence
        Classes, roles or labels; None, NaN and empty texts are missing.
    owners : sequence
        Names of the graphs or vertices.
    owner : {"graph", "vertex"}
    kind : {"class", "role", "label"}
    remedy : str
        What to do about a missing value, beside giving it.
    """
    if len(values) != len(owners):
        n_owners = counted(len(owners), owner, _PLURALS.get(owner))
        n_values = counted(len(values), kind, _PLURALS.get(kind))
        raise InvalidGraphError(
            f"There are {n_owners} and {n_values}. Give every {owner} one {kind}."
        )
    for name, value in zip(owners, values, strict=True):
        if value is None or value != value or str(value) == "":
            raise InvalidGraphError(
                f"{owner.capitalize()} {shortened(str(name))} has no {kind}. Give it one, or "
                f"{remedy}."
            )


_PLURALS = {"vertex": "vertices", "class": "classes"}
FEWEST_GRAPHS = 10
"""Accuracies on fewer graphs say nothing."""


def checked_classes(
    classes: Any, n_graphs: int, protocol: Protocol
) -> tuple[tuple[Any, ...], IntArray]:
    """Return the names of the classes and the class of every graph as a number, or raise.

    Parameters
    ----------
    classes : array-like of shape (N,)
        Numbers or text.
    n_graphs : int
        The number N.
    protocol : Protocol

    Returns
    -------
    names : tuple
        In ascending order.
    codes : ndarray of shape (N,)
        Positions in ``names``.

    Examples
    --------
    >>> names, codes = checked_classes(["b", "a"] * 5, 10, Protocol(n_folds=5, inner_folds=2))
    >>> names, codes[:4].tolist()
    (('a', 'b'), [1, 0, 1, 0])
    """
    given = list(classes) if classes is not None else []
    check_one_each(given, range(n_graphs), "graph", "class", "leave the graph out")
    if n_graphs < FEWEST_GRAPHS:
        raise InvalidGraphError(
            f"There are only {n_graphs} graphs. Give at least {FEWEST_GRAPHS}: accuracies on fewer "
            "say nothing."
        )
    table, codes = np.unique(np.array(given), return_inverse=True)
    counts = np.bincount(codes)
    if len(table) < 2:
        raise InvalidGraphError(
            f"All graphs are of class {table[0]!s}. Give graphs of at least two classes."
        )
    _check_counts(table, counts, protocol)
    return tuple(table.tolist()), codes.astype(np.int64)


def _check_counts(table: NDArray[Any], counts: IntArray, protocol: Protocol) -> None:
    rarest = int(counts.argmin())
    fewest = int(counts[rarest])
    if fewest < protocol.n_folds:
        raise InvalidGraphError(
            f"Class {table[rarest]!s} has only {fewest} graphs, fewer than the {protocol.n_folds} "
            "folds. Use fewer folds, or leave this class out."
        )
    in_training = fewest - -(-fewest // protocol.n_folds)
    if in_training < protocol.inner_folds:
        raise InvalidGraphError(
            f"Class {table[rarest]!s} has only {fewest} graphs: {in_training} remain for training, "
            f"fewer than the {protocol.inner_folds} inner folds. Use fewer inner folds, or leave "
            "this class out."
        )


METHODS: Mapping[str, str] = {
    **{variant: f"Message passing, {variant}" for variant in VARIANTS},
    "size": "Graph size (vertices and edges only)",
    "VH": "Vertex histogram",
    "WL": "Weisfeiler-Lehman subtree",
    "WL-OA": "Weisfeiler-Lehman optimal assignment",
    "SP": "Shortest paths",
    "GL": "Graphlet counts",
    "GH": "GraphHopper",
    "GI": "Graph invariant kernel",
    "P2K": "Propagation kernel",
    "HGK-WL": "Hash graph kernel with Weisfeiler-Lehman",
    "DGK": "Deep graph kernel",
    "WWL": "Wasserstein Weisfeiler-Lehman",
}
"""Titles of all kernels that can be evaluated."""

_ESTIMATORS: Mapping[str, type[Estimator]] = {
    "size": GraphSizeKernel,
    "VH": WeisfeilerLehmanSubtree,
    "WL": WeisfeilerLehmanSubtree,
    "WL-OA": WeisfeilerLehmanOptimalAssignment,
    "SP": ShortestPathKernel,
    "GL": GraphletKernel,
    "GH": GraphHopperKernel,
    "GI": GraphInvariantKernel,
    "P2K": PropagationKernel,
    "HGK-WL": HashGraphKernel,
    "DGK": DeepGraphKernel,
    "WWL": WassersteinWeisfeilerLehman,
}
_WITH_ROUNDS = (*VARIANTS, "WL", "WL-OA", "GI", "P2K", "HGK-WL", "DGK", "WWL")
_ATTRIBUTED = ("GH", "GI", "P2K", "HGK-WL", "WWL")
"""Kernels that compare vertices by labels and attributes at once."""

MAJORITY = "majority"
"""The baseline without a kernel: always the most frequent class of the training samples."""

_WITHOUT_FEATURES = ("size", "GL", MAJORITY)
WITH_EDGES = (*VARIANTS, "WL", "WL-OA")
"""Kernels that can use labels, weights and directions of edges."""

Samples: TypeAlias = FloatArray | csr_array
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
    'RR', 'RA', 'AR', 'AA', 'size', 'VH', 'WL', 'WL-OA', 'SP', 'GL', 'GH', 'GI', 'P2K',
    'HGK-WL', 'DGK', 'WWL'. Got 'AB' instead.
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

    @property
    def edges(self) -> str:
        """What is used of edges, the alternatives separated by "or"; see ``EdgeUse``."""
        found = [self.parameters(s).get("edges", "ignore") for s in range(len(self.settings))]
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
        resolve = attributed_features if self.method in _ATTRIBUTED else discrete_features
        if self.method in VARIANTS:
            resolve = resolved_features
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
    iterations = protocol.iterations if spec.method in _WITH_ROUNDS else (None,)
    levels = protocol.levels if spec.method in VARIANTS else (None,)
    every = [Candidate(*one) for one in product(iterations, levels, range(len(spec.settings)))]
    first = iterations[0]
    return [one for one in every if first == one.T or _uses_rounds(spec, one.setting)]


def _uses_rounds(spec: KernelSpec, setting: int) -> bool:
    """Return whether other numbers of rounds make another kernel."""
    return str(spec.parameters(setting).get("substructures", "subtrees")) == "subtrees"


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


def square_matrices(spec: KernelSpec, protocol: Protocol, graphs: GraphSet) -> list[FloatArray]:
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
    if spec.method == "WWL":
        return _of_common_distances(spec, choices, graphs)
    if spec.method not in VARIANTS:
        return [square_matrix(spec, candidate, graphs) for candidate in choices]
    found: dict[Candidate, FloatArray] = {}
    for setting in range(len(spec.settings)):
        found.update(_rounds(spec, setting, protocol, graphs))
    return [found[candidate] for candidate in choices]


def square_matrix(spec: KernelSpec, candidate: Candidate, graphs: GraphSet) -> FloatArray:
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
    matrix: FloatArray = _estimator(spec, candidate).fit_transform(graphs)
    return matrix


def cross_matrices(
    spec: KernelSpec, protocol: Protocol, train: GraphSet, test: GraphSet
) -> list[FloatArray]:
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
    if spec.method == "WWL":
        choices = candidates(spec, protocol)
        squares = _of_common_distances(spec, choices, train)
        blocks = _of_common_distances(spec, choices, train, test)
        return [np.concatenate(parts) for parts in zip(squares, blocks, strict=True)]
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
) -> Iterator[tuple[Candidate, FloatArray]]:
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


def _of_common_distances(
    spec: KernelSpec, choices: Sequence[Candidate], train: GraphSet, test: GraphSet | None = None
) -> list[FloatArray]:
    """Return Wasserstein kernels; those that differ in λ alone share the distances."""
    found: dict[Candidate, FloatArray] = {}
    for candidate in choices:
        if candidate in found:
            continue
        kernel = _estimator(spec, candidate)
        alike = {
            other: own.decay
            for other in choices
            if repr((own := _estimator(spec, other)).unfitted(decay=kernel.decay)) == repr(kernel)
        }
        matrices = kernel.kernels(list(alike.values()), train, test)
        found.update(zip(alike, matrices, strict=True))
    return [found[candidate] for candidate in choices]


def _estimator(spec: KernelSpec, candidate: Candidate) -> Any:
    parameters = spec.parameters(candidate.setting)
    if spec.method in VARIANTS:
        levels = "all" if candidate.levels == "sum" else "last"
        return MessagePassingGraphKernel(
            spec.method, n_iterations=candidate.T or 0, levels=levels, **parameters
        )
    if spec.method == "VH" or spec.method in _WITH_ROUNDS:
        parameters["n_iterations"] = candidate.T or 0
    return _ESTIMATORS[spec.method](**parameters)
