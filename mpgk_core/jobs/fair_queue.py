"""Whose turn it is: users take turns, unit by unit, and each user's jobs come in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

J = TypeVar("J", bound=Hashable)
U = TypeVar("U")


class FairQueue(Generic[J, U]):
    """Units of jobs that wait, handed out by turns.

    The next unit belongs to the user whose turn is longest ago, and to the first of the user's
    jobs that still has units. So one user's thousand units never keep another user waiting for
    more than one unit a turn.

    Examples
    --------
    >>> queue = FairQueue()
    >>> queue.add("ann", "long", ["a1", "a2", "a3"])
    >>> queue.add("bob", "short", ["b1"])
    >>> [queue.next() for _ in range(4)]
    [('long', 'a1'), ('short', 'b1'), ('long', 'a2'), ('long', 'a3')]
    >>> queue.next() is None
    True
    """

    def __init__(self) -> None:
        self._turns: deque[Hashable] = deque()
        self._jobs: dict[Hashable, dict[J, deque[U]]] = {}

    def add(self, user: Hashable, job: J, units: Iterable[U]) -> None:
        """Let units of a job wait behind all others of the user."""
        waiting = deque(units)
        if not waiting:
            return
        if user not in self._jobs:
            self._jobs[user] = {}
            self._turns.append(user)
        self._jobs[user].setdefault(job, deque()).extend(waiting)

    def put_back(self, user: Hashable, job: J, unit: U) -> None:
        """Let a unit be the next one of its job again."""
        if user in self._jobs and job in self._jobs[user]:
            self._jobs[user][job].appendleft(unit)
        else:
            self.add(user, job, [unit])

    def next(self) -> tuple[J, U] | None:
        """Hand out the next unit; None if nothing waits."""
        if not self._turns:
            return None
        user = self._turns.popleft()
        jobs = self._jobs[user]
        job = next(iter(jobs))
        unit = jobs[job].popleft()
        if not jobs[job]:
            del jobs[job]
        if jobs:
            self._turns.append(user)
        else:
            del self._jobs[user]
        return job, unit

    def more_of(self, job: J, count: int, fits: Callable[[U], bool]) -> list[U]:
        """Hand out further units of a job in the same turn: up to so many, while they fit.

        Examples
        --------
        >>> queue = FairQueue()
        >>> queue.add("ann", "long", ["a1", "a2", "a3"])
        >>> queue.next(), queue.more_of("long", 5, lambda unit: unit < "a3"), len(queue)
        (('long', 'a1'), ['a2'], 1)
        """
        for user, jobs in self._jobs.items():
            if job in jobs:
                waiting = jobs[job]
                units: list[U] = []
                while waiting and len(units) < count and fits(waiting[0]):
                    units.append(waiting.popleft())
                if not waiting:
                    self._drop(user, job)
                return units
        return []

    def remove(self, job: J) -> None:
        """Forget all units of a job."""
        for user in list(self._turns):
            self._drop(user, job)

    def place_of(self, job: J) -> int:
        """Return how many jobs begin before a job that waits: 0 means that it is the next.

        Other users' first jobs count as far as their turn is earlier, and earlier jobs of the same
        user; 0 too for a job that does not wait.
        """
        for turn, user in enumerate(self._turns):
            jobs = list(self._jobs[user])
            if job in jobs:
                return turn + jobs.index(job)
        return 0

    def _drop(self, user: Hashable, job: J) -> None:
        self._jobs[user].pop(job, None)
        if not self._jobs[user]:
            del self._jobs[user]
            self._turns.remove(user)

    def __len__(self) -> int:
        return sum(len(units) for jobs in self._jobs.values() for units in jobs.values())
