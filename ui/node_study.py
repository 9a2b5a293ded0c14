"""The choices of the playground as a study that can be taken away."""

from __future__ import annotations

from dataclasses import asdict

from mpgk_core.takeaway import KernelParameters, NodeStudy, PictureParameters, Session
from ui.choices import ChosenGraph, KernelChoice, PictureChoice

__all__ = ["node_study", "session_of"]


def node_study(graph: ChosenGraph, kernel: KernelChoice, picture: PictureChoice) -> NodeStudy:
    """Describe graph, kernel and embedding so that anybody can compute them again."""
    given = graph.recipe or graph.graph
    return NodeStudy(given, KernelParameters(**asdict(kernel)), picture.n_axes, graph.title)


def session_of(
    graph: ChosenGraph, kernel: KernelChoice, picture: PictureChoice, selection: list[int]
) -> Session:
    """Describe all that is set on the playground."""
    study = node_study(graph, kernel, picture)
    drawn = PictureParameters(**asdict(picture))
    return Session(study.graph, study.kernel, drawn, tuple(selection), title=graph.title)
