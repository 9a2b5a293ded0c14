"""What runs inside a worker process: units one after the other; they share a memory."""

from __future__ import annotations

import os
import traceback
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

from mpgk_core.errors import MPGKError
from mpgk_core.jobs.task import Task, Unit

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
    """

    job: str
    units: tuple[Unit, ...]


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


def run_units(task: Task, ticket: Ticket) -> list[Outcome]:
    """Do units one after the other for a moment; problems are returned in words.

    Parameters
    ----------
    task : Task
    ticket : Ticket

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
    for unit in ticket.units:
        outcomes.append(_run(task, unit, _memory[ticket.job]))
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
