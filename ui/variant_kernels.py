"""The four kernels of a set, under one choice of parameters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mpgk_core import GraphSet, MessagePassingGraphKernel
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.kernels.parameters import KernelParameters


def four_kernels(graphs: GraphSet, kernel: KernelParameters) -> dict[str, NDArray[np.float64]]:
    """Return the matrices of RR, RA, AR and AA."""
    return {
        variant: MessagePassingGraphKernel(variant, **kernel.passing()).fit_transform(graphs)
        for variant in VARIANTS
    }
