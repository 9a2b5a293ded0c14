"""Many users for a long time: is every answer right, is it quick, and does memory stay in bounds.

``python -m benchmarks.soak --minutes 30 --users 30`` starts a server of its own, on this machine
only and with a cache folder of its own, and writes its table into ``benchmarks/RESULTS.md``.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

import networkx as nx

from benchmarks.__main__ import record
from benchmarks.report import Table
from benchmarks.visitor import Answer, Visitor
from mpgk_core import GraphSet, MessagePassingNodeKernel
from mpgk_core.edits import without_random_edges
from mpgk_core.formats import read_graphs
from mpgk_core.graphs.generators import build_graph
from mpgk_core.plotting.embedding_figure import recovery_words
from mpgk_core.recovery import verdicts
from tests.browser.serving import Server, serving

MOST_MINUTES = 120.0
MOST_USERS = 100
SECONDS_BETWEEN_MOVES = 3.0
ARRIVAL = 10.0
RUN_SECONDS = 8.0
PAUSE_BETWEEN_RUNS = 30.0
EVERY = 10
UPLOAD, EDIT = 2, 5
"""Which of the sources and of the panels it is, counted from 0."""


@dataclass
class Log:
    """What all users have seen; any thread may add to it."""

    first_pages: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    moves_beside_a_run: list[float] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    n_answers: Iterator[int] = field(default_factory=lambda: count(1))
    n_checked: int = 0
    n_visitors: int = 0
    n_uploads: int = 0
    n_edits: int = 0
    n_runs: int = 0
    is_running: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    last_run: float = float("-inf")


def measure(minutes: float = 30.0, users: int = 30) -> Table:
    """Let users come, work and leave, always as many at once."""
    log = Log()
    with _server() as server:
        with Visitor(server.url) as first:
            cold = first.first.seconds
        start = time.perf_counter()
        end = start + 60 * minutes
        with ThreadPoolExecutor(users + 1) as pool:
            pool.submit(_watch, server, log, start, end)
            seats = [pool.submit(_seat, server.url, log, s, users, end) for s in range(users)]
            for seat in seats:
                seat.result()
    table = Table(
        f"Soak: {users} users at once for {minutes:g} minutes",
        f"All open the page within {ARRIVAL:.0f} s. Each then moves sliders "
        f"({SECONDS_BETWEEN_MOVES:.0f} s between moves), uploads a graph, edits it, starts and "
        "stops a run (one at a time on the server), leaves, and the next one comes. Every "
        f"{EVERY}th answer is compared with the library's own numbers. Targets: no error, none "
        "wrong; 95 % of moves within 0.7 s, 1 s beside a run; 95 % of first pages of the crowd "
        "within 3 s; memory at the end within 10 % of that after 5 minutes.",
        [
            "visitors",
            "answers",
            "checked",
            "wrong",
            "errors",
            "uploads",
            "edits",
            "runs",
            "first page, cold server (s)",
            "first page, p95 (s)",
            "move, p50 (s)",
            "move, p95 (s)",
            "beside a run, p95 (s)",
            "memory after 5 min (GB)",
            "at the end (GB)",
            "ratio",
        ],
    )
    early, late = _memory(log, 300.0), _memory(log, float("inf"))
    table.add(
        log.n_visitors,
        next(log.n_answers) - 1,
        log.n_checked,
        len(log.wrong),
        len(log.errors),
        log.n_uploads,
        log.n_edits,
        log.n_runs,
        cold,
        _percentile(log.first_pages[:users], 95),
        _percentile(log.moves, 50),
        _percentile(log.moves, 95),
        _percentile(log.moves_beside_a_run, 95),
        early,
        late,
        late / early,
    )
    for problem in sorted({*log.errors, *log.wrong})[:20]:
        print(problem, flush=True)
    return table


@contextmanager
def _server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        settings = {"MPGK_CACHE": folder, "XDG_CACHE_HOME": folder}
        with serving("app.py", "--server.enableXsrfProtection", "false", **settings) as server:
            yield server


def _seat(url: str, log: Log, number: int, users: int, end: float) -> None:
    """Receive one visitor after the other; the first ones come within the same seconds."""
    time.sleep(ARRIVAL * number / users)
    for visit in count():
        if time.perf_counter() > end:
            return
        draw = random.Random(1_000_003 * number + visit)
        try:
            _visit(url, log, draw, end)
        except Exception as problem:
            log.errors.append(f"{type(problem).__name__}: {problem}")
            time.sleep(1)


def _visit(url: str, log: Log, draw: random.Random, end: float) -> None:
    """Do what a user does, until there is no time left."""
    graph = _preset(h=10, k=10)
    with Visitor(url) as visitor:
        log.n_visitors += 1
        log.first_pages.append(visitor.first.seconds)
        state = _Page(visitor, log, draw, end)
        state.check(visitor.first, graph)
        for _ in range(draw.randint(3, 8)):
            state.move(graph)
        h, k = draw.randint(3, 15), draw.randint(1, 15)
        visitor.slide("barbell-h", h)
        graph = _preset(h=h, k=k)
        state.move_to("barbell-k", k, graph)
        state.move(graph)
        graph = state.upload()
        state.move(graph)
        graph = state.edit(graph)
        state.move(graph)
        state.move(graph)
        if time.perf_counter() < end:
            _run_and_stop(url, log)


class _Page:
    """The playground of one visitor, and what is set there."""

    def __init__(self, visitor: Visitor, log: Log, draw: random.Random, end: float) -> None:
        self.visitor, self.log, self.draw, self.end = visitor, log, draw, end
        self.alpha, self.beta, self.n_iterations = 0.8, 0.2, 5

    def move(self, graph: GraphSet) -> None:
        """Move one of the sliders of the kernel, unless the time is over."""
        if time.perf_counter() > self.end:
            return
        key = self.draw.choice(["alpha", "alpha", "beta", "T"])
        if key == "T":
            value: float = self.draw.randint(0, 12)
            self.n_iterations = int(value)
        else:
            value = self.draw.randint(1, 1000) / 1000
            setattr(self, key, value)
        self.move_to(key, value, graph)

    def move_to(self, key: str, value: float, graph: GraphSet) -> None:
        """Wait as a user does, move a slider, and compare the answer."""
        self.visitor.wait(SECONDS_BETWEEN_MOVES * self.draw.uniform(0.8, 1.2))
        is_beside = self.log.is_running.is_set()
        answer = self.visitor.slide(key, value)
        beside = self.log.moves_beside_a_run if is_beside else self.log.moves
        beside.append(answer.seconds)
        self.check(answer, graph)

    def upload(self) -> GraphSet:
        """Upload a graph that nobody else has."""
        graph = nx.gnm_random_graph(24, 40, seed=self.draw.randrange(10**9))
        graph.remove_nodes_from(list(nx.isolates(graph)))
        lines = "".join(f"{a} {b}\n" for a, b in graph.edges)
        self.visitor.choose("source", UPLOAD)
        answer = self.visitor.upload("upload", "graph.edgelist", lines.encode())
        read = read_graphs("graph.edgelist", lines.encode())
        self.log.n_uploads += 1
        self.check(answer, read)
        return read

    def edit(self, graph: GraphSet) -> GraphSet:
        """Remove an edge at random."""
        self.visitor.choose("panel", EDIT)
        answer = self.visitor.press("remove-random")
        edited = without_random_edges(graph, 1, 0)
        self.log.n_edits += 1
        self.check(answer, edited)
        return edited

    def check(self, answer: Answer, graph: GraphSet) -> None:
        """Count an answer, and compare every tenth with the library."""
        self.log.errors += answer.errors
        if next(self.log.n_answers) % EVERY:
            return
        kernel = MessagePassingNodeKernel(
            "R", self.alpha, self.beta, self.n_iterations, features="degree-label", normalize=True
        ).fit(graph)
        wanted = [recovery_words(found) for found in verdicts(graph, kernel)]
        shown = json.loads(json.loads(answer.components[-1])["study"])["under"]["embedding"]
        self.log.n_checked += 1
        if shown != wanted:
            what = f"alpha {self.alpha}, beta {self.beta}, T {self.n_iterations}"
            self.log.wrong.append(f"{what}: {shown} instead of {wanted}")


def _run_and_stop(url: str, log: Log) -> None:
    """Start a run on the page of graph classification and stop it, if nobody else does so now."""
    with log.lock:
        if log.is_running.is_set() or time.perf_counter() < log.last_run + PAUSE_BETWEEN_RUNS:
            return
        log.is_running.set()
    try:
        query = f"cv-seed={log.n_runs}"  # else the results would be known
        with Visitor(url, "graph_classification", query) as visitor:
            log.errors += visitor.press("classify-run").errors
            visitor.wait(RUN_SECONDS)
            log.errors += visitor.press("classify-stop").errors
            log.n_runs += 1
    finally:
        log.last_run = time.perf_counter()
        log.is_running.clear()


def _watch(server: Server, log: Log, start: float, end: float) -> None:
    """Note the memory of the server every few seconds."""
    while (now := time.perf_counter()) < end:
        log.memory.append((now - start, server.memory()))
        time.sleep(2)


def _memory(log: Log, at: float) -> float:
    """Return the memory at a time, or at the end: the median of 30 s before."""
    last = min(at, log.memory[-1][0])
    return statistics.median(used for when, used in log.memory if last - 30 <= when <= last)


def _percentile(values: list[float], percent: int) -> float:
    if len(values) < 2:
        return float("nan")
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def _preset(**parameters: float) -> GraphSet:
    return GraphSet.from_networkx(build_graph("barbell", **parameters))


def main() -> None:
    """Read the options, measure, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--users", type=int, default=30)
    given = parser.parse_args()
    if not 0 < given.minutes <= MOST_MINUTES or not 0 < given.users <= MOST_USERS:
        parser.error(f"at most {MOST_MINUTES:g} minutes and {MOST_USERS} users")
    record(measure(given.minutes, given.users))


if __name__ == "__main__":
    main()
