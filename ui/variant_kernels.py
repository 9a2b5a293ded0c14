"""The four kernels of a set, under one choice of parameters."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mpgk_core import GraphSet, MessagePassingGraphKernel
from mpgk_core.kernels.graph_kernel import VARIANTS

Parameters: TypeAlias = tuple[tuple[str, Any], ...]
"""Of a kernel, by name, as a value that can key a cache."""


def four_kernels(graphs: GraphSet, parameters: Parameters) -> dict[str, NDArray[np.float64]]:
    """Return the matrices of RR, RA, AR and AA."""
    return {
        variant: MessagePassingGraphKernel(variant, **dict(parameters)).fit_transform(graphs)
        for variant in VARIANTS
    }
