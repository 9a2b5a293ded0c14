"""All commands, in the order in which the help lists them. A new one is added here."""

from __future__ import annotations

from mpgk_core.cli import classify, convert, embed, fetch, info, kernel, lessons, orbits, reproduce
from mpgk_core.cli.command import Command

__all__ = ["COMMANDS"]

COMMANDS: tuple[Command, ...] = (
    info.COMMAND,
    embed.COMMAND,
    kernel.COMMAND,
    orbits.COMMAND,
    convert.COMMAND,
    fetch.COMMAND,
    classify.COMMAND,
    reproduce.COMMAND,
    lessons.COMMAND,
)
