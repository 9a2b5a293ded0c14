"""Workers inside the test: at once and in order, or step by step when the test says so."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Lock, Thread

from mpgk_core.jobs import Task
from mpgk_core.jobs.task import Ended, Ticket, run_units


class HandWorkers:
    """One worker, in a thread of its own; after :meth:`rest` units wait for :meth:`advance`."""

    n_slots = 1

    def __init__(self) -> None:
        self._waiting: deque[tuple[Task, Ticket, Callable[[Ended], None]]] = deque()
        self._is_resting = False
        self._lock = Lock()

    def rest(self) -> None:
        self._is_resting = True

    def go_on(self) -> None:
        self._is_resting = False
        self._do_next()

    def submit(self, task: Task, ticket: Ticket, done: Callable[[Ended], None]) -> None:
        with self._lock:
            self._waiting.append((task, ticket, done))
        if not self._is_resting:
            Thread(target=self._do_next, daemon=True).start()

    def advance(self) -> bool:
        """Do the unit that waits; return whether there was one."""
        return self._do_next()

    def drop(self, ticket: Ticket) -> bool:
        with self._lock:
            self._waiting = deque(entry for entry in self._waiting if entry[1] != ticket)
        return False

    def forget(self, job: str) -> None:
        pass

    def activity(self, job: str) -> None:
        pass

    def log(self) -> str:
        return "The worker has written nothing."

    def close(self) -> None:
        pass

    def _do_next(self) -> bool:
        with self._lock:
            if not self._waiting:
                return False
            task, ticket, done = self._waiting.popleft()
        done(Ended(ticket, run_units(task, ticket), ""))
        return True
