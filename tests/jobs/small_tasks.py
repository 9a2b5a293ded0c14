"""Tasks that do nothing useful, and what can go wrong in them."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mpgk_core.content_key import content_key
from mpgk_core.errors import InvalidGraphError
from mpgk_core.jobs import Task, Unit
from mpgk_core.jobs.task import MOMENT

SLOW = MOMENT + 0.02
"""Seconds of a pause after which a worker reports, so that such units are handed out one by one."""


@dataclass(frozen=True)
class Squares(Task):
    """Squares of numbers; ``trouble`` says what happens at number 3.

    With a pause, units last long enough to be handed out one by one.
    """

    name: str
    count: int = 5
    trouble: str = ""
    folder: str = ""
    pause: float = 0.0

    kind = "squares"
    unit_name = "numbers"

    def units(self) -> list[Unit]:
        key = content_key("squares", self.name, self.trouble)
        return [Unit(key, str(number)) for number in range(self.count)]

    def run(self, unit: Unit, memory: dict[Any, Any]) -> Any:
        number = int(unit.place)
        memory["seen"] = memory.get("seen", 0) + 1
        time.sleep(self.pause)
        if self.trouble and number == 3:
            self._fail()
        return {"square": number * number}

    def _fail(self) -> None:
        if self.trouble == "problem":
            raise InvalidGraphError("Number 3 cannot be squared. Choose another.")
        if self.trouble == "bug":
            raise ZeroDivisionError("a mistake in the program")
        if self.trouble == "memory":
            held = []
            while True:
                held.append(bytearray(b"x") * 30_000_000)
                time.sleep(0.02)
        if self.trouble == "wait":
            self._mark("begun")
            time.sleep(60)
        if self.trouble == "dies" or (self.trouble == "dies once" and not self._is_marked("died")):
            self._mark("died")
            os.kill(os.getpid(), signal.SIGKILL)

    def _mark(self, name: str) -> None:
        (Path(self.folder) / name).touch()

    def _is_marked(self, name: str) -> bool:
        return (Path(self.folder) / name).exists()


def squares(count: int = 5) -> list[dict[str, int]]:
    return [{"square": number * number} for number in range(count)]
