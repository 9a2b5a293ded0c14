"""All quantities, registered."""

from mpgk_core.lessons import data_quantities, vertex_quantities
from mpgk_core.lessons.registry import QUANTITIES, Quantity, Value, checked_arguments

__all__ = [
    "QUANTITIES",
    "Quantity",
    "Value",
    "checked_arguments",
    "data_quantities",
    "vertex_quantities",
]
