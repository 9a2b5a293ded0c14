"""Which kernel is evaluated: a method by name, its parameters, and what may be chosen among."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.initial_features import discrete_features, resolved_features
from mpgk_core.parameters import check_choice

VARIANTS = ("RR", "RA", "AR", "AA")

RIVALS: Mapping[str, str] = MappingProxyType(
    {
        "size": "Graph size (vertices and edges only)",
        "VH": "Vertex histogram",
        "WL": "Weisfeiler-Lehman subtree",
        "WL-OA": "Weisfeiler-Lehman optimal assignment",
        "SP": "Shortest paths",
    }
)
"""Titles of the kernels that are not message passing kernels."""

METHODS: Mapping[str, str] = MappingProxyType(
    {variant: f"Message passing, {variant}" for variant in VARIANTS} | dict(RIVALS)
)
"""Titles of all kernels that can be evaluated."""

MAJORITY = "majority"
"""The baseline that needs no kernel; see :func:`~mpgk_core.evaluation.results.with_majority`."""

_WITHOUT_FEATURES = ("size", MAJORITY)


class Candidate(NamedTuple):
    """One kernel among those that a fold chooses from.

    Attributes
    ----------
    T : int or None
        Number of rounds; None for kernels without rounds.
    levels : str or None
        ``"last"`` or ``"sum"``; None for kernels that know no difference.
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
        """What vertices start with, the alternatives separated by "or"; empty for kernels without.

        ``"auto"`` as long as no graphs have decided on it; see :meth:`resolved`.
        """
        if self.method in _WITHOUT_FEATURES:
            return ""
        found = [self.parameters(s).get("features", "auto") for s in range(len(self.settings))]
        return " or ".join(dict.fromkeys(found))

    def resolved(self, graphs: GraphSet) -> KernelSpec:
        """Return the spec with what ``features="auto"`` stands for with these graphs.

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
        known = [self.parameters(setting) for setting in range(len(self.settings))]
        found = [resolve(parameters.get("features", "auto"), graphs) for parameters in known]
        return KernelSpec.of(
            self.method,
            [{**one, "features": features} for one, features in zip(known, found, strict=True)],
        )

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
            f"A parameter of the kernel {method!r} is no JSON value ({error}). Results are kept "
            "by the content of the parameters: use names, numbers and truth values."
        ) from error
