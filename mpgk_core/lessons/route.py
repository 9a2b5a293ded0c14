"""Routes: which steps of which lessons fit into a lesson of so many minutes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, structs

from mpgk_core.errors import UnreadableFileError
from mpgk_core.lessons.lesson import Lesson, Text, Title, check_texts
from mpgk_core.schema import Table, require


class Stop(Table, frozen=True):
    """One part of a route.

    Attributes
    ----------
    note : str
        What to do, or what to look for.
    minutes : int or None
        None for as long as a class needs for the steps.
    lesson : str or None
        The key of a lesson; None for a talk without one.
    steps : tuple of int
        Its steps, from 1; all of them if empty.
    """

    note: Text
    minutes: Annotated[int, Meta(ge=1, le=180)] | None = None
    lesson: Annotated[str, Meta(max_length=60)] | None = None
    steps: Annotated[tuple[Annotated[int, Meta(ge=1, le=6)], ...], Meta(max_length=6)] = ()

    def __post_init__(self) -> None:
        check_texts({"note": self.note})
        is_fine = self.lesson is not None or not self.steps
        require(is_fine, "steps", "This field belongs to 'lesson'.", "Name the lesson.")
        is_fine = self.lesson is not None or self.minutes is not None
        require(is_fine, "minutes", "This field is missing.", "Give it, or name a lesson.")


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
        """How long all parts take together whose minutes are known."""
        return sum(stop.minutes or 0 for stop in self.stops)

    def __post_init__(self) -> None:
        check_texts({"title": self.title, "summary": self.summary})


class RouteFile(Table, frozen=True):
    """The content of a file of routes."""

    routes: Annotated[tuple[Route, ...], Meta(min_length=1, max_length=20)]


def planned(
    route: Route, number: int, file: str, lesson_of: Callable[[str], Lesson | None]
) -> tuple[Route, list[UnreadableFileError]]:
    """Return a route with the minutes of all its parts, and what is wrong with its lessons.

    Parameters
    ----------
    route : Route
    number : int
        Of the route in its file, from 1.
    file : str
        Its name.
    lesson_of : callable
        Returns the lesson of a key, and None for an unknown one.

    Returns
    -------
    route : Route
    faults : list of UnreadableFileError
        Each names file, route and field, and says what to do.

    Examples
    --------
    >>> from mpgk_core.lessons import lessons
    >>> lesson_of = {lesson.key: lesson for lesson in lessons()}.get
    >>> stop = Stop(note="Look.", lesson="how-far", steps=(1,))
    >>> route = Route(title="One", summary="Short.", stops=(stop,))
    >>> planned(route, 1, "routes.toml", lesson_of)[0].minutes
    4
    >>> stop = Stop(note="Look.", lesson="how-far", steps=(4,))
    >>> route = Route(title="One", summary="Short.", stops=(stop,))
    >>> print(planned(route, 1, "routes.toml", lesson_of)[1][0])
    routes.toml: Route 1, field 'stops.1.steps': The lesson 'how-far' has 3 steps. Name others.
    """
    stops, faults = [], []
    for place, stop in enumerate(route.stops, start=1):
        if stop.lesson is None:
            stops.append(stop)
            continue
        lesson, where = lesson_of(stop.lesson), f"Route {number}, field 'stops.{place}."
        if lesson is None:
            problem = f"{where}lesson': There is no lesson {stop.lesson!r}."
            faults.append(UnreadableFileError(file, problem, "Use the link of a lesson."))
        elif max(stop.steps, default=1) > len(lesson.steps):
            problem = f"{where}steps': The lesson {stop.lesson!r} has {len(lesson.steps)} steps."
            faults.append(UnreadableFileError(file, problem, "Name others."))
        else:
            minutes = stop.minutes or lesson.minutes_for(stop.steps)
            stops.append(structs.replace(stop, minutes=minutes))
    return (route if faults else structs.replace(route, stops=tuple(stops))), faults
