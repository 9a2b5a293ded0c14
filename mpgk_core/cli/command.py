"""What a command of the command line offers, and how its help is told."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import fill

from mpgk_core.cli.console import Console

PROGRAM = "mpgk"
"""The name of the program, in its help."""

HELP_WIDTH = 88
"""The longest line of running text in the help."""


@dataclass(frozen=True)
class Example:
    """A command line to try, and what comes of it.

    Attributes
    ----------
    arguments : tuple of str
        What follows the name of the program.
    output : str
        The first lines of the output. A cell that ends in "…" goes on.
    stdin : str
        What standard input holds.
    """

    arguments: tuple[str, ...]
    output: str
    stdin: str = ""

    def text(self) -> str:
        """Return the example as it looks in a terminal.

        Examples
        --------
        >>> print(Example(("orbits", "-"), "name,graph", stdin="a b").text())
          $ printf 'a b' | mpgk orbits -
          name,graph
        """
        escaped = self.stdin.replace("\n", "\\n")
        piped = f"printf '{escaped}' | " if self.stdin else ""
        lines = [f"$ {piped}{PROGRAM} {shlex.join(self.arguments)}", *self.output.splitlines()]
        return "\n".join(f"  {line}" for line in lines)


@dataclass(frozen=True)
class Command:
    """A command, as the registry lists it.

    Attributes
    ----------
    name : str
        What the user types.
    description : str
        What it does, in a few sentences.
    output : tuple of pairs of str
        The columns or fields of the output, and what each means.
    examples : tuple of Example
        To try; tests run them.
    configure : callable
        Adds the options to a parser.
    run : callable
        Does the work and writes the result. It raises ``argparse.ArgumentError`` where the
        arguments contradict each other, and ``MPGKError`` where the work cannot be done.
    """

    name: str
    description: str
    output: tuple[tuple[str, str], ...]
    examples: tuple[Example, ...]
    configure: Callable[[ArgumentParser], None]
    run: Callable[[Namespace, Console], None]

    def epilogue(self) -> str:
        """Return what stands below the options in the help."""
        margin = 4 + max(len(name) for name, _ in self.output)
        columns = [
            fill(
                meaning,
                HELP_WIDTH,
                initial_indent=f"  {name}".ljust(margin),
                subsequent_indent=" " * margin,
            )
            for name, meaning in self.output
        ]
        examples = "\n\n".join(example.text() for example in self.examples)
        return "output:\n" + "\n".join(columns) + "\n\nexample:\n" + examples
