"""The engine for long work: users take turns, results are kept, nothing runs without an owner."""

from __future__ import annotations

import atexit
import os
import queue
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from mpgk_core.checks import whole_setting
from mpgk_core.errors import MPGKError
from mpgk_core.jobs.job import FairQueue, Job, JobStatus
from mpgk_core.jobs.store import Store
from mpgk_core.jobs.task import Ended, Progress, Task, Ticket, Unit, known_results

if TYPE_CHECKING:
    from mpgk_core.jobs.cluster import Cluster

PATIENCE = 600.0
"""Seconds after which a job whose users have gone is stopped."""

MAX_JOBS = 4
"""Jobs that one user may have waiting or running."""

_TICK = 1.0
_HOLD = 300.0
_HOUR = 3600.0
_KEPT = 64
_UNSTAFFED = 120.0
_GRACE = 5.0
"""Seconds after an intended end of a worker in which another loss is not counted."""


class JobLimitError(MPGKError):
    """A user has too many jobs."""


class Engine:
    """Does tasks for many users at once, on a cluster that starts with the first of them.

    Parameters
    ----------
    store : Store
        Where results are kept. Units found in it are not done again.
    address : str, optional
        Of an existing Dask scheduler. Default: ``MPGK_SCHEDULER``; without it, workers of this
        machine.
    n_workers, worker_bytes : int, optional
        Of this machine; see :class:`~mpgk_core.jobs.cluster.Cluster`.
    patience : float, optional
        Seconds after which a job whose users have gone is stopped; None never stops it.
    workers : callable, optional
        Makes the workers, by default a :class:`~mpgk_core.jobs.cluster.Cluster`; any object with
        its methods will do.
    clock : callable
        Steady time in seconds.

    Examples
    --------
    ::

        with Store() as store, Engine(store) as engine:
            results = engine.run(task)
    """

    def __init__(
        self,
        store: Store,
        *,
        address: str | None = None,
        n_workers: int | None = None,
        worker_bytes: int | None = None,
        patience: float | None = PATIENCE,
        workers: Callable[[], Cluster] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store = store
        address = address or os.environ.get("MPGK_SCHEDULER") or None
        self._make_workers = workers or partial(_cluster, address, n_workers, worker_bytes)
        self._patience, self._clock = patience, clock
        self._max_jobs = whole_setting("MPGK_MAX_JOBS", MAX_JOBS, "jobs")
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._events: queue.SimpleQueue[Ended | None] = queue.SimpleQueue()
        self._queue = FairQueue()
        self._jobs: dict[str, Job] = {}
        self._seen: dict[str, float] = {}
        self._under_way: set[Ticket] = set()
        self._workers: Cluster | None = None
        self._thread: threading.Thread | None = None
        self._notice = store.notice
        self._is_closed = False
        self._dropped_at = self._staffed_at = float("-inf")
        self._held_at = self._pruned_at = float("-inf")

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_idle(self) -> bool:
        """Whether no job waits or runs."""
        with self._lock:
            return not any(job.is_live for job in self._jobs.values())

    def start(self, task: Task, user: str, title: str = "") -> str:
        """Begin a task, or go on where it was stopped; a task that runs already gets another user.

        Parameters
        ----------
        task : Task
        user : str
            The user who wants it; see :meth:`seen`.
        title : str
            For people.

        Returns
        -------
        str
            The key of the job, which is that of the task.

        Raises
        ------
        JobLimitError
            If the user has too many jobs already.
        MPGKError
            If the task cannot be done at all.
        """
        key, units = task.key, task.units()
        with self._changed:
            self._seen[user] = self._clock()
            old = self._jobs.get(key)
            if old is not None and old.is_live:
                old.users.add(user)
                return key
            if sum(job.is_live for job in self._of(user)) >= self._max_jobs:
                raise JobLimitError(
                    f"You have {self._max_jobs} jobs that wait or run. Stop one of them, or wait "
                    "until one is finished."
                )
            unsaved = {} if old is None else {unit: old.results[unit] for unit in old.unsaved}
            results = {**unsaved, **known_results(task, self.store)}
            job = Job(task, title, user, results)
            self._jobs.pop(key, None)
            self._jobs[key] = job
            self._save(job, unsaved)
            job.waiting = [unit for unit in units if unit not in results]
            if job.waiting and job.is_live:
                self._queue.add(user, key, job.take_ready())
                self._wake()
            elif job.is_live:
                self._finish(job, "finished")
            self._forget_old()
        return key

    def stop(self, key: str, user: str) -> None:
        """Stop a job for a user; it ends at once unless another user wants it.

        Parameters
        ----------
        key : str
        user : str
        """
        with self._changed:
            job = self._jobs.get(key)
            if job is not None and job.is_live:
                job.users.discard(user)
                if not job.users:
                    self._finish(job, "stopped")

    def seen(self, user: str) -> None:
        """Say that a user is still there.

        Parameters
        ----------
        user : str
        """
        with self._lock:
            self._seen[user] = self._clock()

    def status(self, key: str) -> JobStatus | None:
        """Return how far a job is; None if it was never started here, or long ago.

        Parameters
        ----------
        key : str

        Returns
        -------
        JobStatus or None
        """
        with self._lock:
            job = self._jobs.get(key)
            return None if job is None else self._status(job)

    def jobs_of(self, user: str) -> list[JobStatus]:
        """Return the jobs of a user that wait or run, the oldest first.

        Parameters
        ----------
        user : str

        Returns
        -------
        list of JobStatus
        """
        with self._lock:
            return [self._status(job) for job in self._of(user) if job.is_live]

    def is_wanted_by(self, key: str, user: str) -> bool:
        """Return whether a job runs for this user, and not only for others."""
        with self._lock:
            job = self._jobs.get(key)
            return job is not None and job.is_live and user in job.users

    def results(self, task: Task) -> dict[Unit, Any]:
        """Return what is known of a task, from this engine and from the store.

        Parameters
        ----------
        task : Task

        Returns
        -------
        dict from Unit to JSON values
            In the order of the units.
        """
        with self._lock:
            job = self._jobs.get(task.key)
            here = {} if job is None else dict(job.results)
        if job is not None and (job.is_live or job.unsaved):
            return {unit: here[unit] for unit in task.units() if unit in here}
        return known_results(task, self.store)

    def wait(self, key: str, seconds: float | None = None) -> JobStatus | None:
        """Wait until a job has ended, or for so many seconds, and return how far it is."""
        end = None if seconds is None else time.monotonic() + seconds
        with self._changed:
            while (job := self._jobs.get(key)) is not None and job.is_live:
                left = _TICK if end is None else min(end - time.monotonic(), _TICK)
                if left <= 0:
                    break
                self._changed.wait(left)
            return self.status(key)

    def run(
        self,
        task: Task,
        *,
        user: str = "here",
        title: str = "",
        progress: Progress | None = None,
        stop: Callable[[], bool] | None = None,
        activity: Callable[[str], None] | None = None,
    ) -> dict[Unit, Any]:
        """Do a task, and wait for it.

        Parameters
        ----------
        task : Task
        user, title : str
        progress : callable, optional
            Told whenever units have been done.
        stop : callable, optional
            Once it returns True, what is done is returned.
        activity : callable, optional
            Told in words what is being computed, with the share done of it.

        Returns
        -------
        dict from Unit to JSON values
        """
        key = self.start(task, user, title)
        reported, told = 0, ""
        try:
            while True:
                status = self.wait(key, 0.2)
                assert status is not None
                self.seen(user)
                if progress is not None and status.done > reported:
                    reported = status.done
                    progress(status.done, status.total, status.seconds_left)
                words = status.activity or ("starting" if not status.done else "")
                if activity is not None and words and words != told:
                    told = words
                    activity(words)
                if not status.is_live:
                    break
                if stop is not None and stop():
                    self.stop(key, user)
        except BaseException:
            self.stop(key, user)
            raise
        if status.state == "failed":
            raise MPGKError(status.problem)
        return self.results(task)

    def close(self) -> None:
        """Stop all jobs and end the workers; finished results are in the store."""
        with self._changed:
            if self._is_closed:
                return
            self._is_closed = True
            for job in self._jobs.values():
                if job.is_live:
                    self._finish(job, "stopped")
        thread = self._thread
        if thread is not None:
            self._events.put(None)
            thread.join(timeout=30)
        atexit.unregister(self.close)

    def _of(self, user: str) -> Iterable[Job]:
        return [job for job in self._jobs.values() if user in job.users]

    def _owner(self, key: str) -> str:
        """Return the user whose turn the units of a job take."""
        return min(self._jobs[key].users, default="")

    def _status(self, job: Job) -> JobStatus:
        place = self._queue.place_of(job.key) if job.state == "waiting" else 0
        workers = self._workers if job.is_live else None
        activity = None if workers is None else workers.activity(job.key)
        return job.status(place, self._clock(), activity)

    def _wake(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="mpgk jobs", daemon=True)
            self._thread.start()
            atexit.register(self.close)
        self._events.put(None)

    def _work(self) -> None:
        """Hand out units and take in results until the engine is closed."""
        while not self._is_closed:
            try:
                event = self._events.get(timeout=_TICK)
            except queue.Empty:
                event = None
            try:
                if event is not None:
                    self._take_in(event)
                self._look_after()
                self._hand_out()
            except Exception as error:
                self._fail_all(error)
        if self._workers is not None:
            self._workers.close()

    def _hand_out(self) -> None:
        """Begin units while workers are free."""
        with self._lock:
            if not len(self._queue):
                return
        if self._workers is None:
            self._workers = self._make_workers()
            self._staffed_at = self._clock()
        n_slots = self._workers.n_slots
        if n_slots:
            self._staffed_at = self._clock()
        elif self._clock() - self._staffed_at > _UNSTAFFED:
            raise TimeoutError("no worker has come for two minutes")
        while (begun := self._next_ticket(n_slots)) is not None:
            task, ticket = begun
            try:
                self._workers.submit(task, ticket, self._events.put)
            except (OSError, TimeoutError):  # the worker went in this moment
                with self._lock:
                    self._under_way.discard(ticket)
                    if self._jobs[ticket.job].is_live:
                        self._put_back(ticket.units, ticket.job)
                return
            with self._lock:
                if ticket not in self._under_way:  # stopped meanwhile
                    self._workers.drop(ticket)

    def _next_ticket(self, n_slots: int) -> tuple[Task, Ticket] | None:
        """Take the next units out of the queue, if a worker is free."""
        with self._changed:
            found = self._queue.next() if len(self._under_way) < n_slots else None
            if found is None:
                return None
            job = self._jobs[found[0]]
            assert job.task is not None
            if job.begun is None:
                job.begun, job.state = self._clock(), "running"
            unit = found[1]
            n_more = 0 if unit in job.tries else job.n_at_once(unit) - 1
            fair = (job.total - len(job.results)) // n_slots  # other workers have nothing else
            more = self._queue.more_of(
                job.key, min(n_more, fair), lambda other: other.key == unit.key
            )
            together = (unit, *more)
            ticket = Ticket(job.key, together, tuple(job.needed[one] for one in together))
            self._under_way.add(ticket)
            self._changed.notify_all()
            return job.task, ticket

    def _put_back(self, units: tuple[Unit, ...], job: str) -> None:
        for unit in reversed(units):
            self._queue.put_back(self._owner(job), job, unit)

    def _take_in(self, ended: Ended) -> None:
        """Keep what units have given, or try them once more, or give their job up."""
        ticket, outcomes, reason = ended
        with self._changed:
            if ticket not in self._under_way:
                return
            self._under_way.remove(ticket)
            job = self._jobs[ticket.job]
            if outcomes is None:
                if job.is_live:
                    self._died(job, ticket, reason)
                self._changed.notify_all()
                return
            last = outcomes[-1]
            if job.is_live and not last.problem:
                self._put_back(ticket.units[len(outcomes) :], job.key)
        if not last.problem:
            self._hand_out()  # the worker need not wait until the results are on the disk
        given = zip(ticket.units, outcomes, strict=False)  # a part may not be done
        done = {unit: outcome.value for unit, outcome in given if not outcome.problem}
        with self._changed:
            job = self._jobs[ticket.job]
            seconds = sum(outcome.seconds for outcome in outcomes)
            job.pace[ticket.units[0].key] = seconds / len(outcomes)
            # Where it was stopped in this moment, what is finished is kept all the same.
            job.results.update(done if job.is_live else dict.fromkeys(done))
            self._save(job, done)
            if job.is_live and last.problem:
                job.note(f"{ticket.units[len(done)].place}: {last.problem}")
                job.lines += last.log.splitlines()
                self._fail(job, last.problem)
            elif job.is_live and len(job.results) == job.total:
                self._finish(job, "finished")
            elif job.is_live and job.waiting:
                for unit in reversed(job.take_ready()):
                    self._queue.put_back(self._owner(job.key), job.key, unit)
            self._changed.notify_all()

    def _died(self, job: Job, ticket: Ticket, reason: str) -> None:
        """Do units again whose worker has died: one by one, and each of them twice at most."""
        first = ticket.units[0]
        is_ours = self._clock() - self._dropped_at < _GRACE
        is_alone = len(ticket.units) == 1
        for unit in ticket.units:
            job.tries[unit] = job.tries.get(unit, 0) + (is_alone and not is_ours)
        if not is_alone:
            job.note(
                f"{first.place} and {len(ticket.units) - 1} more: {reason} "
                "They are done again, one by one."
            )
        elif job.tries[first] < 2:
            job.note(f"{first.place}: {reason} It is tried once more.")
        else:
            job.note(f"{first.place}: {reason}")
            self._fail(
                job, f"One part of the work failed twice. {reason} Finished results are kept."
            )
            return
        self._put_back(ticket.units, ticket.job)

    def _save(self, job: Job, values: dict[Unit, Any]) -> None:
        """Write results; where that fails they stay in memory, and the job ends with the reason."""
        by_run: dict[str, dict[str, Any]] = {}
        for unit, value in values.items():
            by_run.setdefault(unit.key, {})[unit.place] = value
        for key, rows in by_run.items():
            units = {Unit(key, place) for place in rows}
            try:
                self.store.write(job.kind, key, rows)
                job.unsaved -= units
                self._repair()
            except MPGKError as problem:
                job.unsaved |= units
                job.note(str(problem))
                self._fail(job, str(problem))

    def _repair(self) -> None:
        """After the store had to be salvaged, write again what live jobs have done."""
        if self.store.notice != self._notice:
            self._notice = self.store.notice
            for job in self._jobs.values():
                if job.is_live:
                    self._save(job, dict(job.results))

    def _fail(self, job: Job, problem: str) -> None:
        job.problem = problem
        if self._workers is not None:
            job.lines += ["", "Workers:", *self._workers.log().splitlines()]
        self._finish(job, "failed")

    def _finish(self, job: Job, state: str) -> None:
        """End a job: its units under way are dropped, and its data forgotten."""
        job.state = state
        self._queue.remove(job.key)
        for ticket in [t for t in self._under_way if t.job == job.key]:
            self._under_way.remove(ticket)
            if self._workers is not None and self._workers.drop(ticket):
                self._dropped_at = self._clock()
        if self._workers is not None:
            self._workers.forget(job.key)
        job.task = None
        if not job.unsaved:
            job.results = dict.fromkeys(job.results)  # the values are in the store
        self._events.put(None)
        self._changed.notify_all()

    def _fail_all(self, error: Exception) -> None:
        """Tell all users that the workers cannot be used; the next job tries again."""
        with self._changed:
            for job in self._jobs.values():
                if job.is_live:
                    job.lines += traceback.format_exception(error)
                    self._fail(
                        job,
                        f"The workers could not be used ({type(error).__name__}: {error}). Start "
                        "again; if this happens again, restart the server.",
                    )
            workers, self._workers = self._workers, None
        if workers is not None:
            workers.close()

    def _look_after(self) -> None:
        """Stop jobs whose users have gone, keep results that are in use, remove old ones."""
        now = self._clock()
        with self._changed:
            live = [job for job in self._jobs.values() if job.is_live]
            patience = float("inf") if self._patience is None else self._patience
            for job in live:
                gone = {user for user in job.users if now - self._seen.get(user, now) > patience}
                job.users -= gone
                if not job.users:
                    job.note("Stopped: its users have gone.")
                    self._finish(job, "stopped")
            keys = {key for job in live if job.is_live for key in job.run_keys}
            wanted = {user for job in live for user in job.users}
            self._seen = {user: at for user, at in self._seen.items() if user in wanted}
        if keys and now - self._held_at > _HOLD / 5:
            self._held_at = now
            self.store.hold(keys, _HOLD)
        if now - self._pruned_at > _HOUR:
            self._pruned_at = now
            self.store.prune()

    def _forget_old(self) -> None:
        ended = [key for key, job in self._jobs.items() if not job.is_live]
        for key in ended[:-_KEPT]:
            del self._jobs[key]


def _cluster(address: str | None, n_workers: int | None, worker_bytes: int | None) -> Cluster:
    from mpgk_core.jobs.cluster import Cluster  # takes a second, and is seldom needed

    return Cluster(address, n_workers, worker_bytes)
