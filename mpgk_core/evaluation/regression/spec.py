"""The models of regression as data: names, parameters, and what they learn from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any, NamedTuple

from mpgk_core.checks import check_choice, check_flag, check_whole
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation.regression.landmarks import KernelRidge
from mpgk_core.evaluation.regression.models import Boosting, Mean, Model, Ridge, made
from mpgk_core.evaluation.regression.network import Network
from mpgk_core.evaluation.regression.rows import (
    EnvironmentCounts,
    GraphRows,
    KernelMaps,
    LandmarkNumbers,
)
from mpgk_core.kernels import (
    MessagePassingGraphKernel,
    WeisfeilerLehmanOptimalAssignment,
    WeisfeilerLehmanSubtree,
)
from mpgk_core.kernels.baselines import ShortestPathKernel
from mpgk_core.kernels.graph_kernel import VARIANTS


class ModelKind(NamedTuple):
    """A model that can be evaluated.

    Attributes
    ----------
    title : str
    kind : type
    source : {"kernel", "counts", "landmarks", ""}
        What it learns from.
    settings : mapping
        Parameters that differ from the defaults of ``kind``.
    """

    title: str
    kind: type[Model]
    source: str
    settings: Mapping[str, Any] = MappingProxyType({})


MODELS: Mapping[str, ModelKind] = {
    "mean": ModelKind("Mean of the training part", Mean, ""),
    "linear-counts": ModelKind("Linear on counts", Ridge, "counts"),
    "boosting-counts": ModelKind("Gradient boosting on counts", Boosting, "counts"),
    "ridge": ModelKind("Ridge on the explicit map", Ridge, "kernel"),
    "kernel-ridge": ModelKind("Kernel ridge", KernelRidge, "kernel"),
    "gaussian-process": ModelKind(
        "Gaussian process", KernelRidge, "kernel", {"with_deviations": True}
    ),
    "network": ModelKind("Network on landmark numbers (the paper's)", Network, "landmarks"),
}
"""All models by their keys."""

KERNELS = (*VARIANTS, "WL", "WL-OA", "SP")
"""Kernels with explicit maps."""


@dataclass(frozen=True)
class RegressionSpec:
    """A model and what it learns from, as data. Make it with :meth:`of`.

    Attributes
    ----------
    model : str
        A key of ``MODELS``.
    kernels : tuple of str
        Of ``KERNELS``; their maps are put side by side.
    composition : bool
        Whether a linear model of the counts of vertex labels is learnt first; the model learns
        what remains.
    settings : str
        Parameters of kernels and model, as a JSON object with "kernel" and "model".

    Examples
    --------
    >>> spec = RegressionSpec.of("ridge", kernel="AA", kernel_parameters={"edges": "labels"})
    >>> spec.title
    'Ridge on the explicit map, AA'
    >>> RegressionSpec.of("forest")
    Traceback (most recent call last):
        ...
    mpgk_core.errors.InvalidParameterError: The 'model' parameter of RegressionSpec must be one of
    'mean', 'linear-counts', 'boosting-counts', 'ridge', 'kernel-ridge', 'gaussian-process',
    'network'. Got 'forest' instead.
    """

    model: str
    kernels: tuple[str, ...]
    composition: bool
    settings: str

    @classmethod
    def of(
        cls,
        model: str,
        kernel: str | Sequence[str] = "AA",
        composition: bool = False,
        kernel_parameters: Mapping[str, Any] | None = None,
        **model_parameters: Any,
    ) -> RegressionSpec:
        """Describe a model.

        Parameters
        ----------
        model : str
            A key of ``MODELS``.
        kernel : str or sequence of str
            Of ``KERNELS``; ignored by models that learn from counts. The paper's network takes a
            message passing kernel.
        composition : bool
        kernel_parameters : mapping, optional
            JSON values. Those that a kernel does not have are ignored by it, so that several can
            share them. By default ``levels="all"``: the maps of all rounds.
        **model_parameters : JSON values
            Of the model: see :mod:`mpgk_core.evaluation.regression.models`.

        Returns
        -------
        RegressionSpec
        """
        owner = "RegressionSpec"
        check_choice(model, list(MODELS), "model", owner)
        check_flag(composition, "composition", owner)
        kind = MODELS[model]
        if kind.source == "landmarks":
            n_landmarks = model_parameters.get("landmarks_per_round", 200)
            check_whole(n_landmarks, 1, "landmarks_per_round", owner)
        known = [item.name for item in fields(kind.kind)]  # type: ignore[arg-type]
        if kind.source == "landmarks":
            known.append("landmarks_per_round")
        for name in model_parameters:
            if name not in known or name in kind.settings:
                raise InvalidParameterError(
                    f"The model {model!r} has no parameter {name!r}. "
                    f"Available: {', '.join(n for n in known if n not in kind.settings) or 'none'}."
                )
        kernels = (kernel,) if isinstance(kernel, str) else tuple(kernel)
        uses_kernel = kind.source in ("kernel", "landmarks")
        if uses_kernel:
            allowed = KERNELS if kind.source == "kernel" else VARIANTS
            for one in kernels:
                check_choice(one, allowed, "kernel", owner)
            if not kernels or (kind.source == "landmarks" and len(kernels) > 1):
                raise InvalidParameterError(f"The model {model!r} learns from one kernel.")
        settings = {
            "kernel": dict(kernel_parameters or {}) if uses_kernel else {},
            "model": model_parameters,
        }
        try:
            text = json.dumps(settings, sort_keys=True)
        except TypeError as error:
            raise InvalidParameterError(
                f"A parameter of the model {model!r} is not a JSON value ({error}). Use names, "
                "numbers, lists and truth values."
            ) from error
        spec = cls(model, kernels if uses_kernel else (), composition, text)
        spec.new_model()  # wrong parameters are refused now, not in the middle of a run
        if uses_kernel:
            spec.graph_rows(0)
        return spec

    @property
    def title(self) -> str:
        """The model in words."""
        if self.model == "mean" and self.composition:
            return "Linear on counts of labels"
        parts = [MODELS[self.model].title]
        if self.kernels:
            *others, last = self.kernels
            parts.append(f"{', '.join(others)} and {last}" if others else last)
        return ", ".join(parts) + (" after composition" if self.composition else "")

    @property
    def kernel_parameters(self) -> dict[str, Any]:
        """Parameters of the kernels."""
        return dict(json.loads(self.settings)["kernel"])

    @property
    def model_parameters(self) -> dict[str, Any]:
        """Parameters of the model."""
        return dict(json.loads(self.settings)["model"])

    def new_model(self) -> Model:
        """Return the model, which has learnt nothing."""
        kind = MODELS[self.model]
        parameters = {**kind.settings, **self.model_parameters}
        parameters.pop("landmarks_per_round", None)
        return made(kind.kind, parameters)

    def graph_rows(self, random_state: int) -> GraphRows | None:
        """Return what writes graphs as rows; None for a model without."""
        source, parameters = MODELS[self.model].source, self.kernel_parameters
        if source == "counts":
            return EnvironmentCounts()
        if source == "landmarks":
            n_landmarks = self.model_parameters.get("landmarks_per_round", 200)
            return LandmarkNumbers(self.kernels[0], parameters, n_landmarks, random_state)
        if source == "kernel":
            return KernelMaps([_kernel(one, parameters, self.kernels) for one in self.kernels])
        return None

    @property
    def rows_key(self) -> tuple[Any, ...]:
        """What tells the rows of two specs apart."""
        n_landmarks = self.model_parameters.get("landmarks_per_round")
        return MODELS[self.model].source, self.kernels, str(self.kernel_parameters), n_landmarks

    def content(self) -> tuple[Any, ...]:
        """Return what makes the spec what it is."""
        return self.model, self.kernels, self.composition, self.settings


_OTHERS: Mapping[str, Any] = {
    "WL": WeisfeilerLehmanSubtree,
    "WL-OA": WeisfeilerLehmanOptimalAssignment,
    "SP": ShortestPathKernel,
}


def _kernel(name: str, parameters: Mapping[str, Any], together: Sequence[str]) -> Any:
    made_here = _new_kernel(name)
    own = made_here.get_params()
    for key in parameters:
        if not any(key in _new_kernel(other).get_params() for other in together):
            raise InvalidParameterError(
                f"The kernel {name!r} has no parameter {key!r}. Available: {', '.join(own)}."
            )
    return made_here.set_params(**{k: v for k, v in parameters.items() if k in own})


def _new_kernel(name: str) -> Any:
    if name in VARIANTS:
        return MessagePassingGraphKernel(name, levels="all")
    return _OTHERS[name]()
