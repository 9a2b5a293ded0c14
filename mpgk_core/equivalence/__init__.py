"""Which vertices are alike: automorphism orbits and colour refinement."""

from mpgk_core.equivalence.colour_refinement import colour_refinement
from mpgk_core.equivalence.orbits import Orbits, orbits

__all__ = ["Orbits", "colour_refinement", "orbits"]
