"""The command line: one file per command, and what the commands share."""

from mpgk_core.cli.main import main, run

__all__ = ["main", "run"]
