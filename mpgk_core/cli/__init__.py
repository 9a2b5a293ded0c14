"""The command line."""

from mpgk_core.cli.main import main, run

__all__ = ["main", "run"]
