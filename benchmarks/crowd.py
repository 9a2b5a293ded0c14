"""How many reruns a second the server does for twenty users at once, and whether each is right."""

from __future__ import annotations

import hashlib
import json
import logging
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from benchmarks.report import Table
from tests.browser.serving import served
from ui.cached import preset_graph
from ui.choices import KernelChoice, PictureChoice
from ui.study import study_of

CLIENTS = 20
RERUNS = 12
TURNS = 3


@dataclass
class Answer:
    """What one rerun put on the page."""

    formula: str = ""
    stamp: str = ""


def measure() -> Table:
    """Compare the playground with a bare page of two charts."""
    table = Table(
        f"Reruns a second with {CLIENTS} users at once, B(10,10)",
        "Every user moves the alpha slider as fast as answers come, always to values that nobody "
        f"has asked for before; median of {TURNS} turns. Every answer is compared with the "
        "library's own. The bare page is served as Streamlit comes (with a full garbage collection "
        "after every rerun), and without that collection, as the playground is. Targets: at least "
        "0.7 of the bare page as it comes, none wrong.",
        ["playground (1/s)", "bare page (1/s)", "ratio", "bare, no collection (1/s)", "ratio",
         "answers", "wrong answers"],
    )  # fmt: skip
    logging.disable(logging.WARNING)  # the library is used here without a page around it
    bare = "benchmarks/apps/bare.py"
    with (
        served("benchmarks/apps/playground.py") as ours,
        served(bare, "--runner.postScriptGC", "true") as as_it_comes,
        served(bare, "--runner.postScriptGC", "false") as without_collection,
    ):
        rates: list[list[float]] = []
        wrong = 0
        for turn in range(TURNS):
            rate, answers = _crowd(ours, turn)
            rates.append(
                [rate, *(_crowd(url, turn)[0] for url in (as_it_comes, without_collection))]
            )
            wrong += sum(answer != _expected(alpha) for alpha, answer in answers)
    paces = [statistics.median(column) for column in zip(*rates, strict=True)]
    table.add(
        paces[0],
        *(paces[1], statistics.median(a / b for a, b, _ in rates)),
        *(paces[2], statistics.median(a / b for a, _, b in rates)),
        TURNS * CLIENTS * RERUNS,
        wrong,
    )
    return table


def _crowd(url: str, turn: int) -> tuple[float, list[tuple[float, Answer]]]:
    """Let all users work; return reruns a second and what each alpha was answered with."""
    with ThreadPoolExecutor(CLIENTS) as pool, ExitStack() as stack:
        users = [stack.enter_context(_User(url)) for _ in range(CLIENTS)]
        start = time.perf_counter()
        work = pool.map(lambda c: users[c].move([_alpha(turn, c, r) for r in range(RERUNS)]),
                        range(CLIENTS))  # fmt: skip
        answers = [answer for some in work for answer in some]
        seconds = time.perf_counter() - start
    return len(answers) / seconds, answers


def _alpha(turn: int, client: int, rerun: int) -> float:
    return (1 + rerun + RERUNS * (client + CLIENTS * turn)) / 1000


def _expected(alpha: float) -> Answer:
    graph = preset_graph("barbell", {"h": 10, "k": 10})
    kernel = KernelChoice("R", alpha, 0.2, 5, "degree", False, 0, 4, 8)
    study = study_of(graph, kernel, PictureChoice("spring", "orbit", 2, False))
    return Answer(f"{alpha:g}", hashlib.sha256(study.encode()).hexdigest()[:12])


class _User:
    """A browser's part of the conversation, without a browser."""

    def __init__(self, url: str) -> None:
        self.address = url.replace("http://", "ws://") + "/_stcore/stream"
        self.slider = ""

    def __enter__(self) -> _User:
        self.connection = connect(self.address, subprotocols=["streamlit"], max_size=None)
        self.socket = self.connection.__enter__()
        self._rerun(None)
        return self

    def __exit__(self, *problem: object) -> None:
        self.connection.__exit__(*problem)

    def move(self, alphas: list[float]) -> list[tuple[float, Answer]]:
        return [(alpha, self._rerun(alpha)) for alpha in alphas]

    def _rerun(self, alpha: float | None) -> Answer:
        message = BackMsg()
        message.rerun_script.query_string = ""
        if alpha is not None:
            state = message.rerun_script.widget_states.widgets.add()
            state.id = self.slider
            state.double_array_value.data.append(alpha)
        self.socket.send(message.SerializeToString())
        answer = Answer()
        while True:
            received = ForwardMsg()
            received.ParseFromString(self.socket.recv(timeout=120))
            if received.WhichOneof("type") == "script_finished":
                return answer
            if received.WhichOneof("type") == "delta":
                self._read(received.delta.new_element, answer)

    def _read(self, element: Any, answer: Answer) -> None:
        kind = element.WhichOneof("type")
        if kind == "slider" and element.slider.id.endswith("-alpha"):
            self.slider = element.slider.id
        elif kind == "markdown" and element.markdown.body.startswith("$$"):
            answer.formula = _first_number(element.markdown.body)
        elif kind == "bidi_component":
            answer.stamp = json.loads(element.bidi_component.json)["stamp"]


def _first_number(formula: str) -> str:
    after = formula.split("=", 1)[1].split()
    return after[0].rstrip("\\;")
