"""The node kernel of a picture or a question, as a small value."""

from __future__ import annotations

from dataclasses import dataclass

from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel

MOST_ROUNDS = 12
"""The largest T of a lesson."""


@dataclass(frozen=True)
class KernelSetting:
    """Parameters of a node kernel.

    Attributes
    ----------
    neighbourhood : {"R", "A"}
    alpha, beta : float
    T : int
    features : str
        What vertices start from.

    Examples
    --------
    >>> import networkx as nx
    >>> KernelSetting(T=0).unfitted().fit(nx.path_graph(3)).kernel_.tolist()
    [[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]
    """

    neighbourhood: str = "R"
    alpha: float = 0.8
    beta: float = 0.2
    T: int = 5
    features: str = "degree"

    def unfitted(self) -> MessagePassingNodeKernel:
        """Return the estimator."""
        return MessagePassingNodeKernel(
            self.neighbourhood,
            alpha=self.alpha,
            beta=self.beta,
            n_iterations=self.T,
            features=self.features,
        )
