"""The figures of the paper's Table 1 that ours are shown beside."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType


@dataclass(frozen=True)
class Published:
    """Accuracies that others reported.

    Attributes
    ----------
    source : str
        Where they stand.
    caveat : str
        How far they can be compared.
    best : mapping
        From the name of a data set to the best accuracy of any method there, in per cent.
    """

    source: str
    caveat: str
    best: Mapping[str, float]


def _read() -> Published:
    text = files("mpgk_core.evaluation").joinpath("published.json").read_text(encoding="utf-8")
    facts = json.loads(text)
    return Published(facts["source"], facts["caveat"], MappingProxyType(facts["best"]))


PUBLISHED: Published = _read()
"""What the paper reports, read from data.

>>> PUBLISHED.best["MUTAG"]
88.95
"""
