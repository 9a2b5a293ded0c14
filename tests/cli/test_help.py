"""The help tells the truth: its examples are run."""

import csv
import re
import shlex

import pytest

from mpgk_core import __version__
from mpgk_core.cli.main import COMMANDS
from tests.cli.running import succeed
from tests.datasets.servers import Server, serving


def examples(command):
    """Return the examples of a help text: arguments, standard input, first lines of the output."""
    text = succeed(command, "--help").out.decode().partition("example:\n")[2]
    for example in text.rstrip().split("\n\n"):
        shown, *output = [line.removeprefix("  ") for line in example.splitlines()]
        piped, line = re.fullmatch(r"\$ (?:printf '(.*)' \| )?mpgk (.*)", shown).groups()
        yield shlex.split(line), (piped or "").replace("\\n", "\n"), output


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_explains_its_output_and_gives_an_example(command):
    text = succeed(command, "--help").out.decode()
    assert re.search(r"^output:\n  \S.*  \S", text, re.MULTILINE)
    assert list(examples(command))
    assert COMMANDS[command][1] in succeed("--help").out.decode()


@pytest.mark.parametrize("command", COMMANDS)
def test_an_example_does_what_the_help_shows(command, archive, monkeypatch):
    for arguments, stdin, output in examples(command):
        with serving(Server({"/PROTEINS.zip": archive})) as server:
            monkeypatch.setenv("MPGK_TU_ADDRESS", server.address)
            outcome = succeed(*arguments, stdin=stdin.encode())
        assert arguments[0] == command
        shown = list(csv.reader(output))
        for row, promised in zip(outcome.rows, shown, strict=False):
            for cell, text in zip(row, promised, strict=True):
                assert cell.startswith(text[:-1]) if text.endswith("…") else cell == text
        assert len(outcome.rows) >= len(shown)


def test_info_lists_the_formats_that_are_read():
    text = succeed("info", "--help").out.decode()
    assert "formats:\n" in text
    assert "GraphML" in text


def test_the_version_is_told():
    assert succeed("--version").out == f"mpgk {__version__}\n".encode()
