"""One job of the engine: what is wanted, by whom, and how far it is."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from mpgk_core.jobs.task import Task, Unit
from mpgk_core.jobs.worker import MOMENT

_MAX_AT_ONCE = 16


@dataclass(frozen=True)
class JobStatus:
    """How far a job is.

    Attributes
    ----------
    key : str
    title : str
        For people.
    state : {"waiting", "running", "finished", "stopped", "failed"}
    done, total : int
        Units.
    unit_name : str
        What is counted.
    seconds_left : float
        Estimated from the units done so far; infinite before that.
    place : int
        How many jobs begin before this one, while it waits.
    problem : str
        Why it ended early, or nothing.
    log : str
        Details for whoever mends it.
    """

    key: str
    title: str
    state: str
    done: int
    total: int
    unit_name: str
    seconds_left: float
    place: int
    problem: str
    log: str

    @property
    def is_live(self) -> bool:
        """Whether it waits or runs."""
        return self.state in ("waiting", "running")


@dataclass(eq=False)
class Job:
    """A task that users want done, and what has come of it so far.

    Attributes
    ----------
    task : Task or None
        None once the job has ended.
    key, kind, title, unit_name : str
    total : int
        Number of all units.
    n_known : int
        Units that were in the store at the start.
    results : dict
        Of finished units; their values are None once the job has ended and they are in the store.
    users : set of str
        Who wants it.
    state, problem : str
        As in :class:`JobStatus`.
    lines : list of str
        Of the log.
    tries : dict
        How often a worker died of each unit.
    unsaved : set of Unit
        Finished units that could not be written to the store.
    run_keys : set of str
        Of all units.
    begun : float or None
        When its first unit was handed out.
    pace : dict
        Seconds that a unit took of late, by the key of its run.
    """

    task: Task | None
    key: str
    kind: str
    title: str
    unit_name: str
    total: int
    n_known: int
    results: dict[Unit, Any]
    users: set[str]
    state: str = "waiting"
    problem: str = ""
    lines: list[str] = field(default_factory=list)
    tries: dict[Unit, int] = field(default_factory=dict)
    unsaved: set[Unit] = field(default_factory=set)
    run_keys: set[str] = field(default_factory=set)
    begun: float | None = None
    pace: dict[str, float] = field(default_factory=dict)

    @property
    def is_live(self) -> bool:
        """Whether it waits or runs."""
        return self.state in ("waiting", "running")

    def n_at_once(self, unit: Unit) -> int:
        """Return how many units like this one a worker may do in one go.

        As many as last a moment. Before the first of a run is done nobody knows, so it gets many,
        and gives back what it has not begun by then.
        """
        pace = self.pace.get(unit.key, 0.0)
        return max(1, min(int(MOMENT / max(pace, 1e-3)), _MAX_AT_ONCE))

    def note(self, line: str) -> None:
        """Add a line to the log."""
        self.lines.append(f"{time.strftime('%H:%M:%S')} {line}")

    def status(self, place: int, now: float) -> JobStatus:
        """Return how far the job is.

        Parameters
        ----------
        place : int
            How many jobs begin before this one.
        now : float
            On the clock of ``begun``.

        Returns
        -------
        JobStatus
        """
        n_new = len(self.results) - self.n_known
        left = float("inf")
        if self.begun is not None and n_new:
            left = (now - self.begun) / n_new * (self.total - len(self.results))
        return JobStatus(
            key=self.key,
            title=self.title,
            state=self.state,
            done=len(self.results),
            total=self.total,
            unit_name=self.unit_name,
            seconds_left=left,
            place=place,
            problem=self.problem,
            log="\n".join(self.lines),
        )
