"""The jobs of the engine: what is wanted, by whom, how far it is, and whose turn comes next."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from mpgk_core.activity import in_words
from mpgk_core.jobs.task import MOMENT, Task, Unit

_MAX_AT_ONCE = 16


@dataclass(frozen=True)
class JobStatus:
    """How far a job is.

    Attributes
    ----------
    key : str
    title : str
        For people.
    unit_name : str
        What is counted.
    state : {"waiting", "running", "finished", "stopped", "failed"}
    problem : str
        Why it ended early, or nothing.
    total, done : int
        Units.
    seconds_left : float
        Estimated from the units done so far; infinite before that.
    place : int
        How many jobs begin before this one, while it waits.
    log : str
        Details for repairing it.
    activity : str
        What is being computed, with the share done of it, or nothing.
    """

    key: str
    title: str
    unit_name: str
    state: str
    problem: str
    total: int
    done: int
    seconds_left: float
    place: int
    log: str
    activity: str = ""

    @property
    def is_live(self) -> bool:
        """Whether it waits or runs."""
        return self.state in ("waiting", "running")


class Job:
    """A task that users want done, and its results so far.

    Parameters
    ----------
    task : Task
    title : str
        For people; by default the kind of the task.
    user : str
        The first user who wants it.
    results : dict
        Of the units that are in the store already.

    Attributes
    ----------
    task : Task or None
        None once the job has ended.
    key, kind, title, unit_name, state, problem, total
        As in the task and in :class:`JobStatus`.
    run_keys : set of str
        Of all units.
    results : dict
        Of finished units; their values are None once the job has ended and they are in the store.
    users : set of str
        All who want it.
    lines : list of str
        Of the log.
    waiting : list of Unit
        Not handed out yet, because they need results of others.
    needed : dict
        What every unit needs of the results of others, as JSON.
    tries : dict
        How often a worker died of each unit.
    unsaved : set of Unit
        Finished units that could not be written to the store.
    begun : float or None
        When its first unit was handed out.
    pace : dict
        Seconds that a unit took recently, by the key of its run.
    """

    def __init__(self, task: Task, title: str, user: str, results: dict[Unit, Any]) -> None:
        units = task.units()
        self.task: Task | None = task
        self.key, self.kind, self.unit_name = task.key, task.kind, task.unit_name
        self.title = title or task.kind
        self.state, self.problem, self.total = "waiting", "", len(units)
        self.run_keys = {unit.key for unit in units}
        self.results, self._n_known = results, len(results)
        self.users = {user}
        self.lines: list[str] = []
        self.waiting: list[Unit] = []
        self.needed: dict[Unit, str] = {}
        self.tries: dict[Unit, int] = {}
        self.unsaved: set[Unit] = set()
        self.begun: float | None = None
        self.pace: dict[str, float] = {}

    @property
    def is_live(self) -> bool:
        """Whether it waits or runs."""
        return self.state in ("waiting", "running")

    def n_at_once(self, unit: Unit) -> int:
        """Return how many units like this one a worker may do in one go.

        As many as last a moment. Before the first of a run is done this is unknown, so it gets
        many, and gives back those that it has not begun by then.
        """
        pace = self.pace.get(unit.key, 0.0)
        return max(1, min(int(MOMENT / max(pace, 1e-3)), _MAX_AT_ONCE))

    def take_ready(self) -> list[Unit]:
        """Return the waiting units that can be done now; they wait no longer."""
        assert self.task is not None
        ready = self.task.ready(self.waiting, self.results)
        self.needed |= {unit: json.dumps(needed) for unit, needed in ready}
        self.waiting = [unit for unit in self.waiting if unit not in self.needed]
        return [unit for unit, _ in ready]

    def note(self, line: str) -> None:
        """Add a line to the log."""
        self.lines.append(f"{time.strftime('%H:%M:%S')} {line}")

    def status(
        self, place: int, now: float, activity: tuple[str, float] | None = None
    ) -> JobStatus:
        """Return how far the job is.

        Parameters
        ----------
        place : int
            How many jobs begin before this one.
        now : float
            On the clock of ``begun``.
        activity : (str, float), optional
            What a worker does, and the share done of it.

        Returns
        -------
        JobStatus
        """
        done = len(self.results)
        left = float("inf")
        if self.begun is not None and done > self._n_known:
            left = (now - self.begun) / (done - self._n_known) * (self.total - done)
        facts = self.key, self.title, self.unit_name, self.state, self.problem, self.total
        words = "" if activity is None else in_words(*activity)
        return JobStatus(*facts, done, left, place, "\n".join(self.lines), words)


class FairQueue:
    """Units of jobs that wait, handed out by turns.

    The next unit belongs to the user whose turn is longest ago, and to the first of the user's
    jobs that still has units. So one user's thousand units never keep another user waiting for
    more than one unit a turn.

    Examples
    --------
    >>> queue = FairQueue()
    >>> queue.add("ann", "long", [Unit("a", "1"), Unit("a", "2"), Unit("a", "3")])
    >>> queue.add("bob", "short", [Unit("b", "1")])
    >>> [queue.next()[1].place for _ in range(4)], queue.next() is None
    (['1', '1', '2', '3'], True)
    """

    def __init__(self) -> None:
        self._turns: deque[str] = deque()
        self._jobs: dict[str, dict[str, deque[Unit]]] = {}

    def add(self, user: str, job: str, units: Iterable[Unit]) -> None:
        """Let units of a job wait behind all others of the user."""
        waiting = deque(units)
        if not waiting:
            return
        if user not in self._jobs:
            self._jobs[user] = {}
            self._turns.append(user)
        self._jobs[user].setdefault(job, deque()).extend(waiting)

    def put_back(self, user: str, job: str, unit: Unit) -> None:
        """Let a unit be the next one of its job again."""
        if user in self._jobs and job in self._jobs[user]:
            self._jobs[user][job].appendleft(unit)
        else:
            self.add(user, job, [unit])

    def next(self) -> tuple[str, Unit] | None:
        """Hand out the next unit; None if nothing waits."""
        if not self._turns:
            return None
        user = self._turns[0]
        self._turns.rotate(-1)
        job, waiting = next(iter(self._jobs[user].items()))
        unit = waiting.popleft()
        if not waiting:
            self._drop(user, job)
        return job, unit

    def more_of(self, job: str, count: int, fits: Callable[[Unit], bool]) -> list[Unit]:
        """Hand out further units of a job in the same turn: up to so many, while they fit.

        Examples
        --------
        >>> queue = FairQueue()
        >>> queue.add("ann", "long", [Unit("a", "1"), Unit("a", "2"), Unit("a", "3")])
        >>> queue.next()
        ('long', Unit(key='a', place='1'))
        >>> queue.more_of("long", 5, lambda unit: unit.place < "3"), len(queue)
        ([Unit(key='a', place='2')], 1)
        """
        for user, jobs in self._jobs.items():
            if job in jobs:
                waiting = jobs[job]
                units: list[Unit] = []
                while waiting and len(units) < count and fits(waiting[0]):
                    units.append(waiting.popleft())
                if not waiting:
                    self._drop(user, job)
                return units
        return []

    def remove(self, job: str) -> None:
        """Forget all units of a job."""
        for user in list(self._turns):
            self._drop(user, job)

    def place_of(self, job: str) -> int:
        """Return how many jobs begin before a job that waits: 0 means that it is the next.

        Other users' first jobs count as far as their turn is earlier, and earlier jobs of the same
        user; 0 too for a job that does not wait.
        """
        for turn, user in enumerate(self._turns):
            jobs = list(self._jobs[user])
            if job in jobs:
                return turn + jobs.index(job)
        return 0

    def _drop(self, user: str, job: str) -> None:
        self._jobs[user].pop(job, None)
        if not self._jobs[user]:
            del self._jobs[user]
            self._turns.remove(user)

    def __len__(self) -> int:
        return sum(len(units) for jobs in self._jobs.values() for units in jobs.values())
