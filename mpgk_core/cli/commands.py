"""All commands, in the order in which the help lists them. A new one is added here."""

from __future__ import annotations

from importlib import import_module

from mpgk_core.cli.command import Command

COMMANDS = {
    "info": "what a file holds, and how it is understood",
    "embed": "a point for every vertex, by kernel PCA",
    "kernel": "the matrix of similarities between vertices, or between graphs",
    "orbits": "which vertices play exactly the same role",
    "convert": "write graphs in another format",
    "fetch": "download data sets by name",
    "classify": "how well kernels predict the classes of graphs",
    "reproduce": "the paper's table of accuracies, on all available data sets",
    "lessons": "check the files of lessons before a class sees them",
}
"""Their names, and a sentence on each. What a command needs is imported when it is used."""


def command_named(name: str) -> Command:
    """Return the command of the module with this name.

    Parameters
    ----------
    name : str
        One of ``COMMANDS``.

    Returns
    -------
    Command
    """
    found: Command = import_module(f"mpgk_core.cli.{name}").COMMAND
    return found
