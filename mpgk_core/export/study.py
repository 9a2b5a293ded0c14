"""What every study can say of itself, so that programs and file names need not know its kind."""

from __future__ import annotations

from typing import Protocol

from mpgk_core.export.steps import Step


class Study(Protocol):
    """A result, described so fully that anybody can compute it again."""

    def steps(self) -> list[Step]:
        """Return what a script and a notebook that compute it are made of."""

    def file_parts(self) -> list[str]:
        """Return what tells its files from those of other studies, the general first."""
