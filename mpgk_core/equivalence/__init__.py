"""Which vertices are alike: automorphism orbits and colour refinement."""

from mpgk_core.equivalence.colour_refinement import colour_refinement
from mpgk_core.equivalence.confusion import Confusion, Reason
from mpgk_core.equivalence.orbits import Orbits, orbits
from mpgk_core.equivalence.verdict import Verdict, verdict

__all__ = [
    "Confusion",
    "Orbits",
    "Reason",
    "Verdict",
    "colour_refinement",
    "orbits",
    "verdict",
]
