"""Run the program inside this process, and keep what it says."""

import csv
import io
import json
from dataclasses import dataclass

import numpy as np

from mpgk_core.cli import main


class TerminalBytes(io.BytesIO):
    def isatty(self):
        return True


class TerminalText(io.StringIO):
    def isatty(self):
        return True


@dataclass
class Outcome:
    code: int
    out: bytes
    err: str

    @property
    def rows(self):
        return list(csv.reader(io.StringIO(self.out.decode())))

    @property
    def matrix(self):
        return np.array([[float(cell) for cell in row[1:]] for row in self.rows[1:]])

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def npz(self):
        return np.load(io.BytesIO(self.out), allow_pickle=False)


def run(*arguments, stdin=b"", terminal=False):
    out, err = (TerminalBytes(), TerminalText()) if terminal else (io.BytesIO(), io.StringIO())
    code = main([str(argument) for argument in arguments], io.BytesIO(stdin), out, err)
    return Outcome(code, out.getvalue(), err.getvalue())


def succeed(*arguments, stdin=b""):
    outcome = run(*arguments, stdin=stdin)
    assert (outcome.code, outcome.err) == (0, "")
    return outcome


def fail(*arguments, code, stdin=b"", terminal=False):
    """Run what must fail, and return the last line of what it says; no data may come."""
    outcome = run(*arguments, stdin=stdin, terminal=terminal)
    assert (outcome.code, outcome.out) == (code, b"")
    lines = outcome.err.splitlines()
    assert code != 1 or len(lines) == 1
    return lines[-1]
