"""The controls of the playground at their ends, as parts of an address."""

from mpgk_core.graphs.generators import PRESETS

__all__ = ["EXTREMES"]

_LARGEST = 120
"""Of the sizes of a graph: a test has to wait for it."""


def _ends(end):
    return {
        f"{preset.key}-{parameter.key}": _bounded(parameter, end)
        for preset in PRESETS.values()
        for parameter in preset.parameters
    }


def _bounded(parameter, end):
    value = getattr(parameter, end)
    return min(value, _LARGEST) if end == "maximum" and parameter.key != "seed" else value


EXTREMES = {
    "minima": _ends("minimum") | {"T": 0, "alpha": 0, "beta": 0, "rank": "true"},
    "maxima of A": _ends("maximum")
    | {"kernel": "A", "T": 12, "beta": 1, "branching": 8, "depth": 12, "layout": "rings"},
    "maxima of R": _ends("maximum")
    | {"T": 12, "alpha": 1, "beta": 1, "cosine": "true", "three": "true", "colour": "clusters"},
}
"""All settings by name of the address; graphs are to be chosen one after the other."""
