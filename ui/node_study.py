"""The choices of the playground as a study that can be taken away."""

from __future__ import annotations

from dataclasses import asdict

from mpgk_core.edits import History
from mpgk_core.export import KernelParameters, NodeStudy, PictureParameters, Session
from ui.choices import ChosenGraph, KernelChoice, PictureChoice


def node_study(graph: ChosenGraph, kernel: KernelChoice, picture: PictureChoice) -> NodeStudy:
    """Describe graph, kernel and embedding so that anybody can compute them again."""
    given = graph.recipe or graph.graph
    return NodeStudy(given, KernelParameters(**asdict(kernel)), picture.n_axes, graph.title)


def session_of(
    graph: ChosenGraph, kernel: KernelChoice, picture: PictureChoice, selection: list[int]
) -> Session:
    """Describe all that is set on the playground; edits stay apart from the graph as it came."""
    text = None
    if graph.origin is not None:
        text = History.of(graph.origin.graph).done(graph.graph, "edited").link_text
    origin = graph.origin if graph.origin is not None and text else graph
    study = node_study(origin, kernel, picture)
    drawn = PictureParameters(**asdict(picture))
    return Session(
        study.graph, study.kernel, drawn, tuple(selection), title=origin.title, edits=text or ""
    )
