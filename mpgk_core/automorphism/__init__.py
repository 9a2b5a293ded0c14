"""Exact automorphism orbits: which vertices play exactly the same role."""

from mpgk_core.automorphism.orbit_search import Orbits, orbits

__all__ = ["Orbits", "orbits"]
