"""What runs inside a worker process: one unit at a time; what units share is kept between them."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple, Protocol

from mpgk_core.errors import MPGKError
from mpgk_core.jobs.task import Task, Unit

__all__ = ["Ended", "Outcome", "Ticket", "Workers", "run_unit"]

_PATIENCE = 5
"""How far a worker steps back behind whoever waits for a page."""

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
        The same for whoever mends it.
    seconds : float
    """

    value: Any
    problem: str
    log: str
    seconds: float


class Ticket(NamedTuple):
    """A unit under way.

    Attributes
    ----------
    job : str
        The key of its task.
    unit : Unit
    """

    job: str
    unit: Unit


class Ended(NamedTuple):
    """How a unit ended.

    Attributes
    ----------
    ticket : Ticket
    outcome : Outcome or None
        None where its worker died.
    reason : str
        Why the worker died, in words.
    """

    ticket: Ticket
    outcome: Outcome | None
    reason: str


class Workers(Protocol):
    """Whoever does units; :class:`~mpgk_core.jobs.cluster.Cluster` does them in processes."""

    @property
    def n_slots(self) -> int:
        """How many units can be worked on at a time; none while no worker is there."""

    def submit(self, task: Task, ticket: Ticket, done: Callable[[Ended], None]) -> None:
        """Begin a unit; ``done`` is called from any thread when it has ended."""

    def drop(self, ticket: Ticket) -> bool:
        """Give a unit up at once; return whether a worker had to be ended for it."""

    def forget(self, job: str) -> None:
        """Forget the data of a job."""

    def log(self) -> str:
        """Return the last lines that were written."""

    def close(self) -> None:
        """End the work."""


def run_unit(task: Task, ticket: Ticket) -> Outcome:
    """Do one unit; whatever goes wrong comes back in words.

    Parameters
    ----------
    task : Task
    ticket : Ticket

    Returns
    -------
    Outcome
    """
    if ticket.job not in _memory:
        _memory.clear()
        _memory[ticket.job] = {}
    begin = perf_counter()
    value, problem, log = None, "", ""
    try:
        value = task.run(ticket.unit, _memory[ticket.job])
    except MPGKError as error:
        problem = str(error)
    except Exception as error:
        problem, log = f"{type(error).__name__}: {error}", traceback.format_exc()
    return Outcome(value, problem, log, perf_counter() - begin)


def dask_setup(_worker: Any) -> None:
    """Let everybody else go first, where the system knows how; called when a worker starts."""
    if hasattr(os, "nice"):
        os.nice(_PATIENCE)
