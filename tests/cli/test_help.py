"""The help tells the truth: its examples are run."""

import csv

import pytest

from mpgk_core import __version__
from mpgk_core.cli.commands import COMMANDS, command_named
from tests.cli.running import succeed
from tests.datasets.servers import Server, serving

ALL = [command_named(name) for name in COMMANDS]
EXAMPLES = [(command, example) for command in ALL for example in command.examples]


def test_commands_are_listed_by_their_names():
    assert [command.name for command in ALL] == list(COMMANDS)


@pytest.mark.parametrize("command", ALL, ids=lambda command: command.name)
def test_the_help_of_a_command_explains_its_output_and_gives_an_example(command):
    text = succeed(command.name, "--help").out.decode()
    assert all(name in text for name, _ in command.output)
    assert all(example.text() in text for example in command.examples)
    assert command.examples
    assert command.output
    assert COMMANDS[command.name] in succeed("--help").out.decode()


@pytest.mark.parametrize(("command", "example"), EXAMPLES, ids=lambda item: type(item).__name__)
def test_an_example_does_what_the_help_shows(command, example, archive, monkeypatch):
    with serving(Server({"/PROTEINS.zip": archive})) as server:
        monkeypatch.setenv("MPGK_TU_ADDRESS", server.address)
        outcome = succeed(*example.arguments, stdin=example.stdin.encode())
    assert example.arguments[0] == command.name
    shown = list(csv.reader(example.output.splitlines()))
    for row, promised in zip(outcome.rows, shown, strict=False):
        for cell, text in zip(row, promised, strict=True):
            assert cell.startswith(text[:-1]) if text.endswith("…") else cell == text
    assert len(outcome.rows) >= len(shown)


def test_the_version_is_told():
    assert succeed("--version").out == f"mpgk {__version__}\n".encode()
