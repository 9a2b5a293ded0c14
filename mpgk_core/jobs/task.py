"""Long work as a list of units that can be done alone, in any order, and how a worker does them."""

from __future__ import annotations

import json
import os
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import mpgk_core
from mpgk_core.activity import Listener, in_words, listening
from mpgk_core.content_key import content_key
from mpgk_core.errors import MPGKError
from mpgk_core.jobs.store import Store

if TYPE_CHECKING:
    from mpgk_core.jobs.engine import Engine

ENGINE = 5
"""Raised whenever the same key could give other results: old results are then left alone."""

Progress = Callable[[int, int, float], None]
"""Called with the number of units done, the number of all units, and the seconds left."""


class Unit(NamedTuple):
    """The smallest part of long work: a fold, a portion of a sweep, a trial.

    Attributes
    ----------
    key : str
        Content key of all that the results of the run depend on.
    place : str
        Which part of the run.
    """

    key: str
    place: str


def run_key(kind: str, *parts: Any) -> str:
    """Return the key under which the results of a run are kept.

    Parameters
    ----------
    kind : str
        What is done.
    *parts
        All that the results depend on, beside the program itself.

    Returns
    -------
    str
    """
    return content_key(kind, ENGINE, mpgk_core.__version__, *parts)


class Task(ABC):
    """Long work as data: made in one process, done in others.

    A task can be pickled, and its units depend on nothing but the task and, where :meth:`ready`
    says so, on results of earlier units. ``memory`` lives as long as the process that does the
    work: what several units share (a kernel matrix) is computed by the first of them and kept
    there for the next.
    """

    kind: str
    """What is done, in a word: the name of its results in the store."""

    unit_name: str
    """What is counted: "folds"."""

    @abstractmethod
    def units(self) -> list[Unit]:
        """Return all units in the order in which they are best done, or raise an MPGKError."""

    @abstractmethod
    def run(self, unit: Unit, memory: dict[Any, Any]) -> Any:
        """Do one unit and return its result as a JSON value."""

    def ready(self, waiting: Sequence[Unit], results: Mapping[Unit, Any]) -> list[tuple[Unit, Any]]:
        """Return those of the waiting units that can be done now, in the order that is best.

        Parameters
        ----------
        waiting : sequence of Unit
            In the order of :meth:`units`.
        results : mapping from Unit to JSON values
            All that is known.

        Returns
        -------
        list of (Unit, JSON value)
            With each unit what it needs of the results: it finds that in ``memory``, under the
            unit. By default all are ready, and need nothing. While units wait, some are ready or
            under way.
        """
        return [(unit, None) for unit in waiting]

    @cached_property
    def key(self) -> str:
        """Content key of the whole task: equal tasks have the same units."""
        return content_key(type(self), self.units())


def known_results(task: Task, store: Store | None) -> dict[Unit, Any]:
    """Return the results of a task that are in the store.

    Parameters
    ----------
    task : Task
    store : Store or None

    Returns
    -------
    dict from Unit to JSON values
        In the order of the units.
    """
    if store is None:
        return {}
    units = task.units()
    kept = {key: store.read(key) for key in dict.fromkeys(unit.key for unit in units)}
    return {unit: kept[unit.key][unit.place] for unit in units if unit.place in kept[unit.key]}


def run_task(
    task: Task,
    store: Store | None = None,
    *,
    engine: Engine | None = None,
    title: str = "",
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
    activity: Callable[[str], None] | None = None,
) -> dict[Unit, Any]:
    """Do a task, by an engine or in this process, one unit after the other.

    Parameters
    ----------
    task : Task
    store : Store, optional
        Without an engine: results found in it are not computed again, and new ones are kept in it.
    engine : Engine, optional
        Works on several units at a time, and keeps results in its own store.
    title : str
        Of the job of the engine.
    progress : callable, optional
        Called after every unit.
    stop : callable, optional
        Asked before every unit; once it returns True, what is done is returned.
    activity : callable, optional
        Told in words what is being computed, with the share done of it.

    Returns
    -------
    dict from Unit to JSON values
    """
    if engine is not None:
        return engine.run(task, title=title, progress=progress, stop=stop, activity=activity)

    def tell(what: str, share: float) -> None:
        if activity is not None:
            activity(in_words(what, share))

    wanted = task.units()
    found = known_results(task, store)
    n_known = len(found)
    memory: dict[Any, Any] = {}
    begin = perf_counter()
    while ready := task.ready([unit for unit in wanted if unit not in found], found):
        for unit, needed in ready:
            if stop is not None and stop():
                return found
            memory[unit] = needed
            with listening(tell):
                found[unit] = task.run(unit, memory)
            del memory[unit]
            if store is not None:
                store.write(task.kind, unit.key, {unit.place: found[unit]})
            if progress is not None:
                pace = (perf_counter() - begin) / (len(found) - n_known)
                progress(len(found), len(wanted), pace * (len(wanted) - len(found)))
    return found


_PATIENCE = 5
"""The niceness of a worker, so that pages are computed first."""

MOMENT = 0.4
"""Seconds after which a worker reports and leaves the rest of a ticket to the next one. Handing a
ticket out takes some milliseconds: too much for every quick unit."""

_memory: dict[str, dict[Any, Any]] = {}
"""What the units of the last task share, under the key of the task."""


@dataclass(frozen=True)
class Outcome:
    """What came of a unit.

    Attributes
    ----------
    value : JSON value
        The result, if there is one.
    problem : str
        Why there is none, in words for the user, or nothing.
    log : str
        The same with details for repairing it.
    seconds : float
    """

    value: Any
    problem: str
    log: str
    seconds: float


class Ticket(NamedTuple):
    """Units under way: one, or several that a worker does in one go as far as it gets in a moment.

    Attributes
    ----------
    job : str
        The key of their task.
    units : tuple of Unit
    needed : tuple of str
        What each unit needs of earlier results, as JSON.
    """

    job: str
    units: tuple[Unit, ...]
    needed: tuple[str, ...]


class Ended(NamedTuple):
    """How units ended.

    Attributes
    ----------
    ticket : Ticket
    outcomes : list of Outcome, or None
        In the order of the units, up to the first problem, or as far as the worker got in a
        moment; None where it died.
    reason : str
        Why the worker died, in words.
    """

    ticket: Ticket
    outcomes: list[Outcome] | None
    reason: str


def run_units(
    task: Task, ticket: Ticket, listener: Listener = lambda _what, _share: None
) -> list[Outcome]:
    """Do units one after the other for a moment; problems are returned in words.

    Parameters
    ----------
    task : Task
    ticket : Ticket
    listener : callable
        Told what is being done; see :mod:`mpgk_core.activity`.

    Returns
    -------
    list of Outcome
        One at least; none after a problem.
    """
    if ticket.job not in _memory:
        _memory.clear()
        _memory[ticket.job] = {}
    outcomes: list[Outcome] = []
    end = perf_counter() + MOMENT
    memory = _memory[ticket.job]
    for unit, needed in zip(ticket.units, ticket.needed, strict=True):
        memory[unit] = json.loads(needed)
        with listening(listener):
            outcomes.append(_run(task, unit, memory))
        del memory[unit]
        if outcomes[-1].problem or perf_counter() > end:
            break
    return outcomes


def _run(task: Task, unit: Unit, memory: dict[Any, Any]) -> Outcome:
    begin = perf_counter()
    value, problem, log = None, "", ""
    try:
        value = task.run(unit, memory)
    except MPGKError as error:
        problem = str(error)
    except Exception as error:
        problem, log = f"{type(error).__name__}: {error}", traceback.format_exc()
    return Outcome(value, problem, log, perf_counter() - begin)


def dask_setup(_worker: Any) -> None:
    """Lower the priority of a worker, where the system can; called when a worker starts."""
    if hasattr(os, "nice"):
        os.nice(_PATIENCE)
