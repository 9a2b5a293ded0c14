"""Exact automorphism orbits: which vertices play exactly the same role."""

from mpgk_core.automorphism.orbits import Orbits, orbits

__all__ = ["Orbits", "orbits"]
