"""Compile the inner loops once, so that nobody waits for it later.

Run as ``python -m mpgk_core.warm_up`` after installation, or call :func:`warm_up` in a thread
of its own when an app starts.
"""

from __future__ import annotations

import networkx as nx

from mpgk_core import (
    MessagePassingGraphKernel,
    MessagePassingNodeKernel,
    WeisfeilerLehmanOptimalAssignment,
    orbits,
)

__all__ = ["warm_up"]


def warm_up() -> None:
    """Run every kernel on two tiny graphs."""
    graphs = [nx.barbell_graph(3, 1), nx.cycle_graph(4)]
    for variant in ("RR", "RA", "AR", "AA"):
        kernel = MessagePassingGraphKernel(
            variant, n_iterations=1, features="triangles+core-number"
        )
        kernel.fit(graphs)
        kernel.transform(graphs)
    for neighbourhood in ("R", "A"):
        MessagePassingNodeKernel(neighbourhood, n_iterations=1).fit_transform(graphs)
    WeisfeilerLehmanOptimalAssignment(n_iterations=1).fit_transform(graphs)
    for graph in graphs:
        orbits(graph)


if __name__ == "__main__":
    warm_up()
