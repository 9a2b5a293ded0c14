"""However a command ends, its exit code says how, and standard error says why."""

import errno
import io
import os
import subprocess
import sys

import pytest

from mpgk_core.cli import main
from tests.cli.running import fail, run

KARATE = ["info", "karate_club.gml"]
GML = b"graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]"


class Raising(io.BytesIO):
    """A stream that fails at every read and write."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def fail(self, *_):
        raise self.error

    read = write = writelines = fail


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), 141, ""),
        (OSError(errno.ENOSPC, "No space left on device"), 1, "mpgk: No space left on device.\n"),
        (KeyboardInterrupt(), 130, "mpgk: interrupted.\n"),
        (MemoryError(), 1, "mpgk: There is not enough memory. Give a smaller graph.\n"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_trouble_while_writing_or_reading(error, code, said):
    err = io.StringIO()
    assert main(KARATE, io.BytesIO(), Raising(error), err) == code
    assert err.getvalue() == said
    err = io.StringIO()
    assert main(["info", "-"], Raising(error), io.BytesIO(), err) == code
    assert err.getvalue() == said


def test_wrong_usage_is_explained():
    assert "invalid choice" in fail("dance", code=2)
    assert "COMMAND" in fail(code=2)
    assert "--colour" in fail("info", "karate_club.gml", "--colour", code=2)
    assert "npz" in fail("info", "petersen", "--format", "npz", code=2)


def test_options_cannot_be_abbreviated_as_new_ones_may_come():
    assert run("embed", "karate_club.gml", "--comp", "2").code == 2


def test_a_bug_is_not_mistaken_for_bad_input():
    with pytest.raises(ZeroDivisionError):
        main(KARATE, io.BytesIO(), Raising(ZeroDivisionError()), io.StringIO())


def command(*arguments):
    return [sys.executable, "-m", "mpgk_core", *arguments]


def test_help_as_a_program():
    done = subprocess.run(command("--help"), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"usage: mpgk")


def test_a_pipe_that_closes_early():
    """Nobody reads: the program ends quietly, with the code that a shell gives for this."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command("info", "-"), input=GML, stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")
