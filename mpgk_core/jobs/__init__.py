"""Long work: cut into units, done by many workers for many users, kept in one store."""

from mpgk_core.jobs.engine import Engine, JobLimitError
from mpgk_core.jobs.job import JobStatus
from mpgk_core.jobs.store import Store, StoreError
from mpgk_core.jobs.task import Progress, Task, Unit, known_results, run_key, run_task

__all__ = [
    "Engine",
    "JobLimitError",
    "JobStatus",
    "Progress",
    "Store",
    "StoreError",
    "Task",
    "Unit",
    "known_results",
    "run_key",
    "run_task",
]
