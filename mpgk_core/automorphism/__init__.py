"""Exact symmetries: which vertices play the same role, and which graphs are isomorphic."""

from mpgk_core.automorphism.isomorphism import IsomorphicGraphs, isomorphic_graphs
from mpgk_core.automorphism.orbit_search import Orbits, orbits

__all__ = ["IsomorphicGraphs", "Orbits", "isomorphic_graphs", "orbits"]
