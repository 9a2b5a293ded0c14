"""The processes that do the work: a Dask cluster on this machine, or an existing one."""

from __future__ import annotations

import logging
import os
import signal
from collections import deque
from collections.abc import Callable

import dask
from distributed import Client, Future, KilledWorker, LocalCluster, Nanny, get_worker

from mpgk_core.checks import total_memory, whole_setting
from mpgk_core.jobs.task import Ended, Outcome, Task, Ticket, run_units

_SETTINGS = {
    "distributed.scheduler.allowed-failures": 0,  # the engine itself tries once more
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,  # data of users are never written to the disk
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": 0.95,
    "distributed.comm.timeouts.connect": "10s",
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.nanny.pre-spawn-environ.DASK_LOGGING__DISTRIBUTED": "error",
}
_LOST_WORKER = {"distributed.deploy.lost-worker-timeout": "1h"}
"""How long a worker may take to come back; Dask reads this whenever one is lost."""

_LOGGERS = ("distributed.nanny", "distributed.worker.memory", "distributed.scheduler")
_MEMORY_WORDS = "memory budget"
_LINES_KEPT = 200
_TOPIC = "mpgk activity"


class Cluster:
    """Workers that do one ticket at a time each.

    Parameters
    ----------
    address : str, optional
        Of an existing scheduler. Without it, a cluster starts on this machine.
    n_workers : int, optional
        On this machine. Default: one less than there are cores, at least one.
    worker_bytes : int, optional
        Memory that each of them may use. Default: ``MPGK_WORKER_BYTES``, or an equal part of half
        of the memory of the machine.
    """

    def __init__(
        self,
        address: str | None = None,
        n_workers: int | None = None,
        worker_bytes: int | None = None,
    ) -> None:
        self._log: deque[str] = deque(maxlen=_LINES_KEPT)
        self._handler = _Lines(self._log)
        for name in _LOGGERS:
            logging.getLogger(name).addHandler(self._handler)
        for handler in logging.getLogger("distributed").handlers:
            handler.setLevel(logging.ERROR)  # the rest is in the log of a job that fails
        n = n_workers or max((os.cpu_count() or 2) - 1, 1)
        self._worker_bytes = worker_bytes or whole_setting(
            "MPGK_WORKER_BYTES", total_memory() // 2 // n, "bytes"
        )
        self._local: LocalCluster | None = None
        if address is None:
            dask.config.set(_LOST_WORKER)
            with dask.config.set(_SETTINGS):
                self._local = LocalCluster(
                    n_workers=n,
                    threads_per_worker=1,
                    memory_limit=self._worker_bytes,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",
                    preload=["mpgk_core.jobs.task"],
                    config={**dask.config.config},
                    security=True,  # others with an account here must not give our workers work
                    silence_logs=False,
                )
        self._client = Client(self._local or address, set_as_default=False, timeout=10)
        self._data: dict[str, Future] = {}
        self._under_way: dict[Ticket, Future] = {}
        self._ended: list[Future] = []
        self._ending: set[str] = set()
        self._activity: dict[str, tuple[str, float]] = {}
        self._client.subscribe_topic(_TOPIC, self._hear)

    @property
    def n_slots(self) -> int:
        """How many tickets can be worked on at a time; none while no worker is there."""
        if self._local is not None:
            known = set(self._local.scheduler.workers)
            self._ending &= known
            return len(known - self._ending)
        return sum(map(int, self._client.nthreads().values()))

    def submit(self, task: Task, ticket: Ticket, done: Callable[[Ended], None]) -> None:
        """Begin units.

        Parameters
        ----------
        task : Task
        ticket : Ticket
        done : callable
            Called from another thread when they have ended, unless they were dropped before.
        """
        if ticket.job not in self._data:
            self._data[ticket.job] = self._client.scatter(task, hash=False)
        future = self._client.submit(_run_and_tell, self._data[ticket.job], ticket, pure=False)
        self._under_way[ticket] = future
        self._ended.clear()  # only now: for 10 ms after each message Dask's client sends no other
        n_lines = len(self._log)
        future.add_done_callback(lambda ended: self._tell(ended, ticket, done, n_lines))

    def drop(self, ticket: Ticket) -> bool:
        """Give units up at once; return whether a worker of this machine was ended for it."""
        future = self._under_way.pop(ticket, None)
        if future is None or self._client.status == "closed":  # as at the end of the program
            return False
        nanny = self._nanny_of(future)
        future.cancel()
        if nanny is None or nanny.pid is None:
            return False
        self._ending.add(nanny.worker_address)
        os.kill(nanny.pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
        return True

    def forget(self, job: str) -> None:
        """Let the workers forget the data of a job."""
        self._activity.pop(job, None)
        data = self._data.pop(job, None)
        if data is not None:
            data.release()

    def activity(self, job: str) -> tuple[str, float] | None:
        """Return what was last heard of a job: what a worker does, and the share done of it."""
        return self._activity.get(job)

    def log(self) -> str:
        """Return the last lines that schedulers and workers have written."""
        return "\n".join(self._log)

    def close(self) -> None:
        """End all workers of this machine, and leave others alone."""
        for kept in (self._under_way, self._ended, self._data):
            kept.clear()
        for part in (self._client, self._local):
            try:
                if part is not None:
                    part.close(timeout=30)
            except (OSError, TimeoutError):
                logging.getLogger(__name__).exception("A cluster did not end as it should.")
        for name in _LOGGERS:
            logging.getLogger(name).removeHandler(self._handler)

    def _hear(self, event: tuple[float, tuple[str, str, float]]) -> None:
        job, what, share = event[1]
        if job in self._data:
            self._activity[job] = (what, share)

    def _tell(
        self, future: Future, ticket: Ticket, done: Callable[[Ended], None], n_lines: int
    ) -> None:
        if ticket not in self._under_way or self._under_way[ticket] is not future:
            return  # dropped
        self._ended.append(self._under_way.pop(ticket))
        self._activity.pop(ticket.job, None)
        if future.status == "finished":
            done(Ended(ticket, future.result(), ""))
            return
        error = future.exception() if future.status == "error" else None
        self._data.pop(ticket.job, None)  # may have gone with the worker
        if error is None or isinstance(error, KilledWorker):
            done(Ended(ticket, None, self._reason(list(self._log)[n_lines:])))
        else:
            failed = Outcome(None, f"{type(error).__name__}: {error}", "", 0.0)
            done(Ended(ticket, [failed], ""))

    def _reason(self, lines: list[str]) -> str:
        if any(_MEMORY_WORDS in line for line in lines):
            return (
                f"It needed more than the {self._worker_bytes / 1e9:,.1f} GB of memory that a "
                "worker may use. Choose fewer graphs or rounds, or set MPGK_WORKER_BYTES."
            )
        words = next((line for line in reversed(lines) if "killed by signal" in line), "")
        return f"Its worker process ended unexpectedly{': ' + words if words else ''}."

    def _nanny_of(self, future: Future) -> Nanny | None:
        """Return who looks after the process that works on units, where it is one of ours."""
        if self._local is None:
            return None
        state = self._local.scheduler.tasks.get(future.key)
        worker = None if state is None else state.processing_on
        for nanny in self._local.workers.values():
            if worker is not None and nanny.worker_address == worker.address:
                return nanny
        return None


def _run_and_tell(task: Task, ticket: Ticket) -> list[Outcome]:
    """Do units, and tell the scheduler what is being done."""
    worker = get_worker()
    return run_units(
        task, ticket, lambda what, share: worker.log_event(_TOPIC, (ticket.job, what, share))
    )


class _Lines(logging.Handler):
    """Keeps the last lines."""

    def __init__(self, lines: deque[str]) -> None:
        super().__init__(logging.INFO)
        self._lines = lines
        self.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one line."""
        self._lines.append(self.format(record))
