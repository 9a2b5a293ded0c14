"""What all sweeps share: long work whose results fill a grid."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from mpgk_core.graphs import GraphSet
from mpgk_core.jobs import Engine, Progress, Task, Unit, run_here
from mpgk_core.tuning.grid import Grid
from mpgk_core.tuning.result import Sweep


class SweepTask(Task):
    """All cells of a grid; the subclasses know how to score them.

    Attributes
    ----------
    graphs : GraphSet
    grid : Grid
    """

    kind = "sweep"
    unit_name = "parts"
    graphs: GraphSet
    grid: Grid

    @property
    @abstractmethod
    def titles(self) -> Mapping[str, str]:
        """The names of the scores in words."""

    @abstractmethod
    def sweep(self, results: Mapping[Unit, Any]) -> Sweep:
        """Return what is known of all cells.

        Parameters
        ----------
        results : mapping from Unit to JSON values
            As many as there are.

        Returns
        -------
        Sweep
        """

    def done(
        self,
        engine: Engine | None = None,
        progress: Progress | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Sweep:
        """Do the work, with an engine or in this process, and return what was found."""
        if engine is None:
            return self.sweep(run_here(self, progress=progress, stop=stop))
        return self.sweep(engine.run(self, title="Sweep", progress=progress, stop=stop))

    @cached_property
    def _lines(self) -> list[tuple[int, int, int, int]]:
        return list(self.grid.lines())
