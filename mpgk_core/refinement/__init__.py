"""Colour refinement: which vertices look alike from their surroundings, round by round."""

from mpgk_core.refinement.colour_refinement import colour_refinement

__all__ = ["colour_refinement"]
