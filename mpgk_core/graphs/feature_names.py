"""The texts that name initial features, such as "labels,degree+0.5*triangles", and their parts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs.graph_set import GraphSet
from mpgk_core.graphs.local_features import LOCAL_FEATURES

FeatureSpec: TypeAlias = str | Callable[[GraphSet], Any]

OF_ATTRIBUTES = (
    "attributes",
    "attributes-scaled",
    "attributes-standardised",
    "attributes-gaussian",
    "labels*attributes",
)
"""What can be made of attributes; a text names at most one of these."""

FEATURE_NAMES = ("labels", *OF_ATTRIBUTES, *LOCAL_FEATURES)
"""What the parts of a features text can be, besides "auto"."""


def summands_of(features: FeatureSpec) -> list[FeatureSpec]:
    """Return the features whose kernels are balanced and averaged.

    Examples
    --------
    >>> summands_of("labels,degree+triangles")
    ['labels', 'degree+triangles']
    """
    if callable(features):
        return [features]
    if not isinstance(features, str):
        raise InvalidParameterError(
            f"The 'features' parameter must be a text or a callable. Got {features!r} instead."
        )
    return [summand.strip() for summand in features.split(",")]


def check_features(features: FeatureSpec) -> None:
    """Raise unless ``features`` is "auto", a callable, or names of features."""
    for summand in summands_of(features) if features != "auto" else ():
        parts_of(summand)


def parts_of(features: FeatureSpec) -> list[tuple[FeatureSpec, ...]]:
    """Return the parts of every summand, or raise if one is unknown or occurs twice.

    Examples
    --------
    >>> parts_of("labels,degree+0.5*triangles")
    [('labels',), ('degree', 'triangles')]
    """
    summands = [tuple(weighed_parts(summand)) for summand in summands_of(features)]
    parts = [part for summand in summands for part in summand]
    of_attributes = [part for part in parts if part in OF_ATTRIBUTES]
    if any(len(set(s)) < len(s) for s in summands) or len(set(of_attributes)) > 1:
        raise InvalidParameterError(f"A part of features={features!r} occurs twice. Name it once.")
    return summands


def weighed_parts(summand: FeatureSpec) -> dict[FeatureSpec, float]:
    """Return the parts of a sum with their weights.

    Examples
    --------
    >>> weighed_parts("labels + 0.5*attributes")
    {'labels': 1.0, 'attributes': 0.5}
    """
    if callable(summand):
        return {summand: 1.0}
    weights: dict[FeatureSpec, float] = {}
    for text in map(str.strip, summand.split("+")):
        factor, _, name = (part.strip() for part in text.partition("*"))
        part, weight = text, 1.0
        if name in FEATURE_NAMES and text not in FEATURE_NAMES:
            part, weight = name, _weight(factor)
        if part not in FEATURE_NAMES or not 0 < weight < math.inf:
            raise InvalidParameterError(
                "The 'features' parameter must be 'auto', a callable, or one or more of "
                f"{', '.join(FEATURE_NAMES)}, joined by '+' or ',', each perhaps with a factor "
                f"above 0 such as '0.5*degree'. Got {text!r} in {summand!r}."
            )
        if part in weights:
            raise InvalidParameterError(
                f"A part of features={summand!r} occurs twice. Name it once."
            )
        weights[part] = weight
    return weights


def _weight(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
