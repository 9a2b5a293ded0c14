"""Routes: which steps of which lessons fit into a lesson of so many minutes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta

from mpgk_core.errors import UnreadableFileError
from mpgk_core.lessons.lesson import Text, Title, check_texts
from mpgk_core.schema import Table, require


class Stop(Table, frozen=True):
    """One part of a route.

    Attributes
    ----------
    minutes : int
    note : str
        What to do, or what to look for.
    lesson : str or None
        The key of a lesson; None for a talk without one.
    steps : tuple of int
        Its steps, from 1; all of them if empty.
    """

    minutes: Annotated[int, Meta(ge=1, le=180)]
    note: Text
    lesson: Annotated[str, Meta(max_length=60)] | None = None
    steps: Annotated[tuple[Annotated[int, Meta(ge=1, le=6)], ...], Meta(max_length=6)] = ()

    def __post_init__(self) -> None:
        check_texts({"note": self.note})
        is_fine = self.lesson is not None or not self.steps
        require(is_fine, "steps", "This field belongs to 'lesson'.", "Name the lesson.")


class Route(Table, frozen=True):
    """A way through some lessons.

    Attributes
    ----------
    title, summary : str
    stops : tuple of Stop
    """

    title: Title
    summary: Text
    stops: Annotated[tuple[Stop, ...], Meta(min_length=1, max_length=20)]

    @property
    def minutes(self) -> int:
        """How long all parts take together."""
        return sum(stop.minutes for stop in self.stops)

    def __post_init__(self) -> None:
        check_texts({"title": self.title, "summary": self.summary})


class RouteFile(Table, frozen=True):
    """The content of a file of routes."""

    routes: Annotated[tuple[Route, ...], Meta(min_length=1, max_length=20)]


def faults_of_route(
    route: Route, number: int, file: str, n_steps: Callable[[str], int]
) -> list[UnreadableFileError]:
    """Return what is wrong with the lessons that a route names.

    Parameters
    ----------
    route : Route
    number : int
        Of the route in its file, from 1.
    file : str
        Its name.
    n_steps : callable
        Returns the number of steps of a lesson, and 0 for an unknown one.

    Returns
    -------
    list of UnreadableFileError
        Each names file, route and field, and says what to do.

    Examples
    --------
    >>> stop = Stop(minutes=5, note="Look.", lesson="how-far", steps=(4,))
    >>> route = Route(title="One", summary="Short.", stops=(stop,))
    >>> print(faults_of_route(route, 1, "routes.toml", lambda key: 3)[0])
    routes.toml: Route 1, field 'stops.1.steps': The lesson 'how-far' has 3 steps. Name others.
    """
    found = []
    for place, stop in enumerate(route.stops, start=1):
        if stop.lesson is None:
            continue
        n, where = n_steps(stop.lesson), f"Route {number}, field 'stops.{place}."
        if n == 0:
            problem = f"{where}lesson': There is no lesson {stop.lesson!r}."
            found.append(UnreadableFileError(file, problem, "Use the link of a lesson."))
        elif max(stop.steps, default=1) > n:
            problem = f"{where}steps': The lesson {stop.lesson!r} has {n} steps."
            found.append(UnreadableFileError(file, problem, "Name others."))
    return found
