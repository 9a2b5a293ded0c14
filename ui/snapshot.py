"""Settings that are kept for a comparison, and what differs between several of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from mpgk_core.embedding.trajectory import Trajectory
from mpgk_core.errors import shortened
from mpgk_core.plotting import Colouring
from ui.cached import verdict_of, way_of
from ui.choices import ChosenGraph, KernelChoice, PictureChoice
from ui.study import COLOURINGS, colouring_of

__all__ = ["Snapshot", "differences"]

_WORDS = {
    "neighbourhood": "neighbourhoods",
    "n_iterations": "rounds T",
    "alpha": "α",
    "beta": "β",
    "features": "vertices start from",
    "normalize": "normalised",
    "random_state": "seed",
    "branching": "branching",
    "depth": "depth",
}


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Settings, and a number that stays with them.

    Attributes
    ----------
    number : int
        From 1.
    graph : ChosenGraph
    kernel : KernelChoice
    picture : PictureChoice
    """

    number: int
    graph: ChosenGraph
    kernel: KernelChoice
    picture: PictureChoice

    @property
    def identity(self) -> tuple[str, KernelChoice, PictureChoice]:
        """Equal for settings that are equal."""
        return self.graph.key, self.kernel, self.picture

    @property
    def way(self) -> Trajectory:
        """The embedding in the plane, in its last round."""
        way = way_of(self.graph, self.kernel, 2)
        way = way.ranked() if self.picture.is_ranked else way
        return replace(
            way,
            points=way.points[-1:],
            explained=way.explained[-1:],
            point_of_class=way.point_of_class[-1:],
        )

    @property
    def colouring(self) -> Colouring:
        """The colours of the last round."""
        whole = colouring_of(self.graph, self.kernel, self.picture)
        return Colouring(whole.title, whole.colours[-1:], whole.words[-1:])

    def settings(self) -> dict[str, Any]:
        """Return everything that can differ, and the result, by its name for people."""
        values = {} if self.graph.recipe is None else self.graph.recipe.values
        found = verdict_of(self.graph, self.kernel)
        return {
            "graph": shortened(self.graph.title),
            **{f"graph: {key}": value for key, value in values.items()},
            "vertices": self.graph.graph.n_vertices,
            "edges": self.graph.graph.n_edges,
            **{word: getattr(self.kernel, key) for key, word in _WORDS.items()},
            "colour by": COLOURINGS[self.picture.colour],
            "clusters": self.picture.n_clusters,
            "attribute": self.picture.attribute + 1,
            "points as ranks": self.picture.is_ranked,
            "axes": self.picture.n_axes,
            "layout": self.picture.layout,
            "classes recovered": f"{found.n_recovered} of {found.n_orbits}",
            "distinct points": found.n_points,
        }


def differences(kept: Sequence[Snapshot]) -> list[dict[str, str]]:
    """Return a row for every setting that is not the same in all snapshots."""
    settings = {str(one.number): one.settings() for one in kept}
    names = dict.fromkeys(name for values in settings.values() for name in values)
    rows = [
        {number: _text(values.get(name)) for number, values in settings.items()} for name in names
    ]
    return [
        {"what differs": name} | row
        for name, row in zip(names, rows, strict=True)
        if len(set(row.values())) > 1
    ]


def _text(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
