"""Undo, redo and reset as laws."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidParameterError
from mpgk_core.edits import History
from mpgk_core.edits.history import MAX_STEPS

GRAPHS = [GraphSet.from_networkx(nx.path_graph(n)) for n in range(1, 5)]


@st.composite
def histories(draw, max_steps=12):
    """Histories reached by any steps that were possible."""
    history = History.of(GRAPHS[0])
    for step in draw(st.lists(st.integers(0, len(GRAPHS) + 2), max_size=max_steps)):
        if step < len(GRAPHS):
            history = history.done(GRAPHS[step], f"made a path of {step + 1}")
        elif step == len(GRAPHS) and history.can_undo:
            history = history.undo()
        elif step == len(GRAPHS) + 1 and history.can_redo:
            history = history.redo()
        elif step == len(GRAPHS) + 2:
            history = history.reset()
    return history


NEXT = GraphSet.from_networkx(nx.star_graph(3))


@given(histories())
def test_undo_after_a_step_leads_back(history):
    done = history.done(NEXT, "made a star")
    assert done.graph is NEXT
    assert not done.can_redo
    back = done.undo()
    assert (back.past, back.present) == (history.past, history.present)
    assert back.future == (done.present,)


@given(histories())
def test_redo_after_undo_and_undo_after_redo_are_identities(history):
    if history.can_undo:
        assert history.undo().redo() == history
    if history.can_redo:
        assert history.redo().undo() == history


@given(histories())
def test_undoing_everything_and_redoing_everything_visits_all_versions(history):
    first = history
    while first.can_undo:
        first = first.undo()
    seen = [first.present]
    while first.can_redo:
        first = first.redo()
        seen.append(first.present)
    assert tuple(seen) == (*history.past, history.present, *history.future)
    assert set(seen) <= set(history.versions)
    assert history.origin in history.versions


@given(histories())
def test_reset_leads_to_the_origin_and_can_be_undone(history):
    reset = history.reset()
    assert reset.graph is history.origin.graph is GRAPHS[0]
    assert reset.reset() is reset
    if history.graph is GRAPHS[0]:
        assert reset is history
    else:
        assert reset.undo().present == history.present
        assert reset.present.words == "back to the original graph"


def test_the_past_is_bounded_and_the_origin_stays():
    history = History.of(GRAPHS[0])
    for step in range(3 * MAX_STEPS):
        history = history.done(GRAPHS[1 + step % 2], f"step {step}")
    assert len(history.past) == MAX_STEPS
    while history.can_undo:
        history = history.undo()
    assert history.present.words == f"step {2 * MAX_STEPS - 1}"
    assert history.reset().graph is GRAPHS[0]


def test_there_must_be_a_step_to_undo_or_redo():
    history = History.of(GRAPHS[0])
    with pytest.raises(InvalidParameterError, match="no step to undo"):
        history.undo()
    with pytest.raises(InvalidParameterError, match="no step to redo"):
        history.redo()


def test_a_history_never_changes():
    history = History.of(GRAPHS[0]).done(GRAPHS[1], "one more")
    one, other = history.done(GRAPHS[2], "mine"), history.done(GRAPHS[3], "yours")
    assert (one.graph, other.graph, history.graph) == (GRAPHS[2], GRAPHS[3], GRAPHS[1])
    with pytest.raises(AttributeError):
        history.present = one.present
