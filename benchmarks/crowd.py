"""How many reruns a second the server does for twenty users at once, and whether each is right."""

from __future__ import annotations

import hashlib
import json
import logging
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import NamedTuple

from benchmarks.report import Table
from benchmarks.visitor import Answer, Visitor
from mpgk_core.kernels.update import KernelParameters
from tests.browser.serving import Server, serving
from ui.playground.study import study_of
from ui.sources.graphs import preset_graph
from ui.state.choices import PictureChoice

CLIENTS = 20
RERUNS = 12
TURNS = 3


class _Shown(NamedTuple):
    """What the page shows after a move."""

    formula: str
    stamp: str


class _Turn(NamedTuple):
    """Reruns a second, seconds of CPU per rerun, and what each alpha was answered with."""

    rate: float
    cpu: float
    answers: list[tuple[float, Answer]]


def measure() -> Table:
    """Compare the playground with a bare page of two charts."""
    table = Table(
        f"Reruns a second with {CLIENTS} users at once, B(10,10)",
        "Every user moves the alpha slider as fast as answers come, always to values that nobody "
        f"has asked for before; median of {TURNS} turns. Every answer is compared with the "
        "library's own. Both are served without watching source files and without a garbage "
        "collection after every rerun. CPU: of the server, per rerun. Targets: at least 0.5 of the "
        "bare page, none wrong.",
        [
            "playground (1/s)",
            "bare page (1/s)",
            "ratio",
            "CPU (ms)",
            "bare page, CPU (ms)",
            "ratio of CPU",
            "sent per move (kB)",
            "answers",
            "wrong answers",
        ],
    )
    logging.disable(logging.WARNING)  # the library is used here without a page around it
    no_collection = ("--runner.postScriptGC", "false")
    with serving("app.py") as ours, serving("benchmarks/apps/bare.py", *no_collection) as bare:
        turns = [(_crowd(ours, turn), _crowd(bare, turn)) for turn in range(TURNS)]
    answers = [answer for one, _ in turns for answer in one.answers]
    wrong = sum(_shown(answer) != _expected(alpha) for alpha, answer in answers)
    median = statistics.median
    table.add(
        *(median(turn[side].rate for turn in turns) for side in (0, 1)),
        median(one.rate / other.rate for one, other in turns),
        *(1000 * median(turn[side].cpu for turn in turns) for side in (0, 1)),
        median(other.cpu / one.cpu for one, other in turns),
        median(answer.n_bytes for _, answer in answers) / 1000,
        *(len(answers), wrong),
    )
    return table


def _crowd(server: Server, turn: int) -> _Turn:
    """Let all users work."""
    with ThreadPoolExecutor(CLIENTS) as pool, ExitStack() as stack:
        users = [stack.enter_context(Visitor(server.url)) for _ in range(CLIENTS)]
        start, cpu = time.perf_counter(), server.cpu_seconds()
        work = pool.map(
            lambda c: _moved(users[c], [_alpha(turn, c, r) for r in range(RERUNS)]), range(CLIENTS)
        )
        answers = [answer for some in work for answer in some]
        seconds, used = time.perf_counter() - start, server.cpu_seconds() - cpu
    return _Turn(len(answers) / seconds, used / len(answers), answers)


def _alpha(turn: int, client: int, rerun: int) -> float:
    return (1 + rerun + RERUNS * (client + CLIENTS * turn)) / 1000


def _expected(alpha: float) -> _Shown:
    graph = preset_graph("barbell", {"h": 10, "k": 10})
    kernel = KernelParameters("R", alpha, 0.2, 5, "degree-label", normalize=True)
    study = study_of(graph, kernel, PictureChoice(beside="struc2vec"))
    return _Shown(f"{alpha:g}", hashlib.sha256(f"planes {study}".encode()).hexdigest()[:12])


def _moved(user: Visitor, alphas: list[float]) -> list[tuple[float, Answer]]:
    return [(alpha, user.slide("alpha", alpha)) for alpha in alphas]


def _shown(answer: Answer) -> _Shown:
    return _Shown(_first_number(answer.formulas[0]), json.loads(answer.components[-1])["stamp"])


def _first_number(formula: str) -> str:
    after = formula.split("=", 1)[1].split()
    return after[0].rstrip("\\;")
