"""What long loops say while they run."""

import networkx as nx
import pytest

from mpgk_core import MessagePassingGraphKernel, Protocol, activity, evaluate
from mpgk_core.activity import listening, steps


@pytest.fixture(autouse=True)
def without_pauses(monkeypatch):
    monkeypatch.setattr(activity, "_PAUSE", 0.0)


def told_by(work):
    told = []
    with listening(lambda what, share: told.append((what, share))):
        work()
    return told


def test_nested_steps_share_the_step_that_they_are_part_of():
    def work():
        for _ in steps(range(2), "sets"):
            for _ in steps(range(2), "graphs"):
                pass

    assert told_by(work) == [
        ("sets", 0.0),
        ("sets, graphs", 0.0),
        ("sets, graphs", 0.25),
        ("sets", 0.5),
        ("sets, graphs", 0.5),
        ("sets, graphs", 0.75),
    ]


def test_an_error_inside_leaves_no_loop_behind():
    kept = []

    def work():
        for _ in steps(range(2), "outer"):
            inner = steps(range(3), "inner")
            kept.append(inner)  # so that it is not closed
            next(inner)

    assert [what for what, _ in told_by(work)] == ["outer", "outer, inner"] * 2


def test_without_a_listener_items_come_one_by_one():
    endless = iter(int, 1)
    assert next(steps(endless, "for ever")) == 0


def test_shares_rise_while_a_kernel_is_computed():
    graphs = [nx.cycle_graph(n) for n in range(3, 9)]
    told = told_by(lambda: MessagePassingGraphKernel("AA").fit_transform(graphs))
    assert ("passing messages", 0.75) in told
    assert any("comparing all pairs" in what for what, _ in told)


def test_an_evaluation_says_what_it_computes():
    graphs = [made(n) for made in (nx.cycle_graph, nx.star_graph) for n in range(4, 14)]
    protocol = Protocol(n_folds=2, n_repeats=1, iterations=(1, 2), inner_folds=2)
    told = []
    evaluate(graphs, [0] * 10 + [1] * 10, "RA", protocol, activity=told.append)
    assert told[0] == "RA: kernels of 20 graphs, 0 % done"
    assert any(words.startswith("fold 2: SVMs of 4 candidates, 75 %") for words in told)
