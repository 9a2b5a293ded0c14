"""Graphs to try things on: named presets, read from data, with parameters that are checked.

Examples
--------
>>> from mpgk_core.graphs.generators import PRESETS, build_graph
>>> [(p.key, p.minimum, p.maximum) for p in PRESETS["barbell"].parameters]
[('h', 2, 60), ('k', 0, 200)]
>>> print(build_graph("barbell", h=10, k=10))
Graph with 30 nodes and 101 edges
"""

from mpgk_core.graphs.generators.building import PRESETS, build_graph
from mpgk_core.graphs.generators.preset import Parameter, Preset

__all__ = ["PRESETS", "Parameter", "Preset", "build_graph"]
