"""Edits as operations and as the text of a link: laws, and texts that were tampered with."""

from dataclasses import replace

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, MPGKError
from mpgk_core.content_key import content_key
from mpgk_core.edits import (
    History,
    Operation,
    graph_from_tables,
    tables_of,
    with_vertex,
    without_random_edges,
    without_vertices,
)
from mpgk_core.edits.graph_edits import apply_operations
from mpgk_core.edits.operations import (
    MAX_EDIT_TEXT,
    decode_operations,
    edit_text,
    edited_by_text,
    encode_operations,
    operations_between,
)
from tests.edits.versions import assert_same, editable, toggled_edge

NAMES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda parts: st.lists(parts, max_size=3).map(tuple),
    max_leaves=4,
)
ROWS = st.lists(st.floats(allow_nan=False), max_size=3).map(tuple)
NUMBERS = st.lists(st.integers(0, 10**6), max_size=3).map(tuple)
OPERATIONS = st.lists(
    st.one_of(
        st.builds(
            Operation,
            st.sampled_from(["remove-edge", "add-edge", "remove-vertices", "remove-random-edges"]),
            NUMBERS,
            st.none(),
        ),
        st.builds(
            Operation, st.sampled_from(["add-vertex", "rename", "set-label"]), NUMBERS, NAMES
        ),
        st.builds(Operation, st.just("set-attributes"), NUMBERS, ROWS),
    ),
    max_size=6,
).map(tuple)


@given(OPERATIONS)
def test_decoding_gives_back_the_operations(operations):
    text = encode_operations(operations)
    assert repr(decode_operations(text)) == repr(operations)
    assert set(text) <= set("._-") | {*map(chr, range(48, 58))} | {
        letter for letter in map(chr, range(65, 123)) if letter.isalpha()
    }


@st.composite
def edits(draw):
    """A graph, and a version of it after any edits that the page offers."""
    origin = draw(editable(min_vertices=2))
    graph = origin
    for step in draw(st.lists(st.integers(0, 4), max_size=5)):
        names = graph.names
        if step == 0 and len(names) > 1:
            graph = toggled_edge(graph, *draw(st.permutations(names))[:2])
        elif step == 1 and len(names) > 2:
            graph = without_vertices(graph, [draw(st.sampled_from(names))])
        elif step == 2:
            graph = with_vertex(
                graph, joined_to=draw(st.lists(st.sampled_from(names), unique=True))
            )
        elif step == 3:
            graph = without_random_edges(graph, graph.n_edges // 2, draw(st.integers(0, 99)))
        else:
            graph = _by_table(draw, graph)
    return origin, graph


def _by_table(draw, graph):
    vertices, edges = tables_of(graph)
    row = draw(st.integers(0, graph.n_vertices - 1))
    change = draw(st.sampled_from(["name", "label", "attribute_1", "remove", "add"]))
    if change in vertices:
        new = {"name": "new name", "label": "Cl", "attribute_1": -0.0}[change]
        if new not in vertices[change]:
            vertices[change][row] = new
    elif change == "remove" and graph.n_vertices > 1:
        vertices = {key: column[:row] + column[row + 1 :] for key, column in vertices.items()}
    elif change == "add" and "added" not in vertices["name"]:
        for key, column in vertices.items():
            column.append("added" if key == "name" else column[0])
    return graph_from_tables(vertices, edges, graph, dangling_edges="drop")


@given(edits())
def test_the_edits_of_a_link_lead_to_the_same_graph(versions):
    origin, graph = versions
    operations = operations_between(origin, graph)
    text = edit_text(operations, graph)
    found = edited_by_text(origin, text, None)
    assert_same(found, graph)
    if graph is not origin:
        assert content_key(found) == content_key(graph)
    assert decode_operations(text.split("..", 2)[2]) == operations
    assert operations_between(graph, graph) == ()


@given(edits(), edits())
def test_operations_lead_from_any_graph_to_any_other_of_its_kind(one, other):
    operations = operations_between(one[1], other[1])
    if operations is not None:
        assert_same(apply_operations(one[1], operations), other[1])


def test_random_removals_are_short_whatever_their_number():
    graph = GraphSet.from_networkx(nx.complete_graph(60))
    operation = Operation("remove-random-edges", (900, 7))
    after = without_random_edges(graph, 900, 7)
    assert_same(apply_operations(graph, [operation]), after)
    history = History.of(graph).done(after, "removed", (operation,))
    assert len(history.link_text) < 30
    assert content_key(edited_by_text(graph, history.link_text)) == content_key(after)


def test_a_history_knows_the_shortest_text_of_its_edits():
    ring = GraphSet.from_networkx(nx.cycle_graph(6))
    history = History.of(ring)
    assert history.link_text == ""
    for _ in range(9):
        history = history.done(toggled_edge(history.graph, 0, 1), "toggled")
    assert history.link_text.split("..")[2:] == ["c0.1"]
    assert history.undo().link_text == history.reset().link_text == ""
    assert edited_by_text(ring, history.link_text).n_edges == 5


def test_edits_that_no_text_can_hold_have_none():
    ring = GraphSet.from_networkx(nx.cycle_graph(6))
    after = with_vertex(ring, frozenset([1]))
    assert History.of(ring).done(after, "added").link_text is None


RING = GraphSet.from_networkx(nx.cycle_graph(6))
GOOD = edit_text([Operation("remove-edge", (0, 1))], toggled_edge(RING, 0, 1))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "version"),
        ("2" + GOOD[1:], "version '2'"),
        (GOOD + "..c0.1", "no edge between"),
        (GOOD + "..c0.999999999", "number from 0 to 5"),
        (GOOD + "..c0", "no operation"),
        (GOOD + "..j2.2", "two different vertices"),
        (GOOD + "..j2.4", "another graph"),
        (GOOD + "..d0.1.2.3.4.5", "No vertex would be left"),
        (GOOD + "..l0_tC", "lacks"),
        (GOOD + "..a0_fAAAA", "no value"),
        (GOOD + "..n0_jW1tb", "no value"),
        (GOOD + "..n0_" + "j" + "W1tb" * 340, "no value"),
        (GOOD + "..n0_je30", "no value"),
        (GOOD + "..r999.0", "n_edges"),
        (GOOD + "..<script>", "no edit"),
        (GOOD + "..", "no edit"),
        (GOOD + "..v_i7" * MAX_EDIT_TEXT, "characters"),
        (GOOD.replace("c0.1", "c1.2"), "another graph"),
        (GOOD + "..n0_i1", ""),
    ],
)
def test_texts_that_were_tampered_with_are_refused(text, words):
    with pytest.raises(MPGKError) as error:
        edited_by_text(RING, text)
    assert words in str(error.value)


@settings(max_examples=50)
@given(st.text(alphabet="1cjdvrnla0123456789._-ABCtijf", max_size=60), st.booleans())
def test_any_text_is_read_or_refused(text, is_marked):
    try:
        found = edited_by_text(RING, f"{GOOD}..{text}" if is_marked else text)
    except MPGKError:
        return
    assert found.n_vertices


def test_edits_meet_only_the_graph_they_were_made_for():
    other = GraphSet.from_networkx(nx.path_graph(6))
    with pytest.raises(MPGKError):
        edited_by_text(other, edit_text([Operation("remove-edge", (0, 5))], other))
    assert_same(edited_by_text(RING, GOOD), toggled_edge(RING, 0, 1))


def test_versions_are_equal_only_with_equal_operations():
    history = History.of(RING)
    step = history.done(toggled_edge(RING, 0, 1), "removed")
    assert replace(step.present, operations=None) != step.present
