"""The functions that presets may name: nothing else can be called from data.

Most are networkx's own. Each accepts the parameters of its preset as keywords and returns a
valid graph for every combination within their ranges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import networkx as nx

from mpgk_core.graphs.generators.houses import houses_on_a_ring
from mpgk_core.graphs.generators.random_graphs import (
    erdos_renyi,
    random_regular,
    stochastic_blocks,
)
from mpgk_core.graphs.generators.real_networks import karate_club
from mpgk_core.graphs.generators.shapes import (
    balanced_tree,
    barbell,
    circular_skip_links,
    connected_caveman,
    grid,
    lollipop,
)

__all__ = ["CONSTRUCTORS"]

CONSTRUCTORS: Mapping[str, Callable[..., nx.Graph]] = MappingProxyType(
    {
        "balanced_tree": balanced_tree,
        "barbell": barbell,
        "circular_skip_links": circular_skip_links,
        "connected_caveman": connected_caveman,
        "erdos_renyi": erdos_renyi,
        "grid": grid,
        "houses_on_a_ring": houses_on_a_ring,
        "karate_club": karate_club,
        "lollipop": lollipop,
        "networkx.barabasi_albert_graph": nx.barabasi_albert_graph,
        "networkx.circular_ladder_graph": nx.circular_ladder_graph,
        "networkx.complete_graph": nx.complete_graph,
        "networkx.cycle_graph": nx.cycle_graph,
        "networkx.florentine_families_graph": nx.florentine_families_graph,
        "networkx.les_miserables_graph": nx.les_miserables_graph,
        "networkx.path_graph": nx.path_graph,
        "networkx.petersen_graph": nx.petersen_graph,
        "networkx.star_graph": nx.star_graph,
        "networkx.watts_strogatz_graph": nx.watts_strogatz_graph,
        "networkx.wheel_graph": nx.wheel_graph,
        "random_regular": random_regular,
        "stochastic_blocks": stochastic_blocks,
    }
)
