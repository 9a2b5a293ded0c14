"""The kernels that can be evaluated, and the choices that each of them leaves to the folds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from mpgk_core.arrays import FloatArray
from mpgk_core.checks import check_choice
from mpgk_core.content_key import content_key
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation.protocol import Protocol
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
SHAPED = (*VARIANTS, "HGK-WL")
"""Kernels whose matrix may be shaped by choice; the others have lengths one."""

_ATTRIBUTED = ("GH", "GI", "P2K", "HGK-WL", "WWL")
"""Kernels that compare vertices by labels and attributes at once."""

MAJORITY = "majority"
"""The baseline without a kernel: always the most frequent class of the training samples."""

OWN = "own"
"""A kernel matrix that the user has made."""

_WITHOUT_FEATURES = ("size", "GL", MAJORITY, OWN)
WITH_EDGES = (*VARIANTS, "WL", "WL-OA")
"""Kernels that can use labels, weights and directions of edges."""


class Shape(NamedTuple):
    """What is done to a kernel matrix before an SVM learns from it.

    Attributes
    ----------
    normalize : bool
        Divide by the lengths of the graphs; else by their mean squared length, so that C means
        the same.
    gaussian : float or None
        The factor g of the Gaussian exp(-γ ‖φ - φ'‖²) of the distance in feature space, where
        γ is g divided by the median of the squared distances that are not 0; None for the kernel
        itself. A standard step, not in the paper.
    """

    normalize: bool = True
    gaussian: float | None = None


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
            ``n_iterations`` and ``levels``, which belong to the protocol. For those of ``SHAPED``
            also ``normalize`` and ``gaussian``; see :class:`Shape`.

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

    @classmethod
    def of_matrix(cls, matrix: FloatArray) -> KernelSpec:
        """Describe a kernel matrix that the user has made, by a key of its content."""
        return cls(OWN, (_text({"matrix": content_key(matrix)}, OWN),))

    @property
    def title(self) -> str:
        """The method in words."""
        others = {MAJORITY: "Majority class", OWN: "Own kernel matrix"}
        return others.get(self.method) or METHODS[self.method]

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

    def shape(self, setting: int) -> Shape:
        """Return what is done to the matrix of one of the alternatives."""
        known = self.parameters(setting)
        return Shape(known.get("normalize", True), known.get("gaussian"))

    def for_rows(self) -> KernelSpec:
        """Return the spec without Gaussians and lengths as they are, which rows cannot have."""
        plain = [s for s in range(len(self.settings)) if self.shape(s) == Shape()]
        if not plain:
            raise InvalidParameterError(
                f"The kernel {self.method!r} has no explicit features of length one. Leave out "
                "gaussian and normalize, or use solver='kernel'."
            )
        return KernelSpec(self.method, tuple(self.settings[s] for s in plain))

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """(n_settings,) Equal numbers for settings that differ in their :class:`Shape` alone.

        One run of the kernel serves a group.

        Examples
        --------
        >>> spec = KernelSpec.of("AA", [{}, {"gaussian": 1.0}, {"beta": 0.1}])
        >>> spec.groups
        (0, 0, 1)
        """
        kernels = [_text(self.kernel_parameters(s), self.method) for s in range(len(self.settings))]
        number = {text: i for i, text in enumerate(dict.fromkeys(kernels))}
        return tuple(number[text] for text in kernels)

    def kernel_parameters(self, setting: int) -> dict[str, Any]:
        """Return the parameters of one of the alternatives that change the kernel itself."""
        known = self.parameters(setting)
        return {name: value for name, value in known.items() if name not in Shape._fields}


def _text(parameters: Mapping[str, Any], method: str) -> str:
    reserved = {"n_iterations", "levels", "variant"} & set(parameters)
    if method not in SHAPED:
        reserved |= set(Shape._fields) & set(parameters)
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


def estimator_of(spec: KernelSpec, candidate: Candidate) -> Any:
    """Return the kernel of a candidate, to be fitted to graphs; its :class:`Shape` is up to you."""
    parameters = spec.kernel_parameters(candidate.setting)
    if spec.method in VARIANTS:
        levels = candidate.levels or "last"
        return MessagePassingGraphKernel(
            spec.method, n_iterations=candidate.T or 0, levels=levels, **parameters
        )
    if spec.method == "VH" or spec.method in _WITH_ROUNDS:
        parameters["n_iterations"] = candidate.T or 0
    return _ESTIMATORS[spec.method](**parameters)
