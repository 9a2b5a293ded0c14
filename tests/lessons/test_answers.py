"""Answers are computed: they are accepted, others are not, and they change with the graph."""

import networkx as nx
import numpy as np
import pytest
from msgspec.structs import replace

from mpgk_core import colour_refinement
from mpgk_core.content_key import content_key
from mpgk_core.embedding.deepwalk import deepwalk
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation import generate
from mpgk_core.formats import write_graphs
from mpgk_core.graphs.generators import PresetGraph
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.lessons import (
    QUANTITIES,
    Scene,
    answer_of,
    explained,
    is_right,
    lessons,
    numbers_of,
    one_round,
    read_lesson,
)
from mpgk_core.lessons.quantities import checked_arguments
from mpgk_core.lessons.scene import DataGraph, DataSource, own_edges, quick_errors, quick_evaluation
from mpgk_core.plotting.regression_figures import error_figure
from tests.lessons.lesson_files import LESSON, changed, write_lesson

STEPS = {
    f"{lesson.key}-{i}": step for lesson in lessons() for i, step in enumerate(lesson.steps, 1)
}
EDGES = [("a", "b"), ("b", "c"), ("b", "d"), ("c", "d"), ("d", "e")]
BULL = own_edges(EDGES)


def ask(name, source, setting=None, **arguments):
    scene = Scene(source, setting or KernelParameters(n_iterations=3, features="degree"))
    return QUANTITIES[name].compute(scene, **checked_arguments(name, arguments, scene))


@pytest.mark.parametrize("name", STEPS)
def test_the_right_answer_is_accepted_and_a_wrong_one_is_not(name):
    step = STEPS[name]
    question, picture = step.question, step.picture
    answer = answer_of(question, picture)
    assert is_right(question, picture, answer)
    assert not is_right(question, picture, None)
    if question.kind == "number":
        assert not is_right(question, picture, float(answer) + question.tolerance + 0.01)
        assert is_right(question, picture, float(answer) + 0.9 * question.tolerance)
    elif question.kind == "choice":
        others = [option.text for option in question.options if option.text != answer]
        assert len(others) == len(question.options) - 1
        assert not any(is_right(question, picture, text) for text in others)
    else:
        assert is_right(question, picture, sorted(answer, reverse=True))
        assert not is_right(question, picture, sorted(answer)[1:])
        assert not is_right(question, picture, [])


@pytest.mark.parametrize("name", STEPS)
def test_texts_are_filled_with_computed_numbers(name):
    step = STEPS[name]
    assert "{{" not in explained(step)
    assert set(numbers_of(step)) == set(step.numbers)


def test_another_graph_has_another_answer(tmp_path):
    five = read_lesson(write_lesson(tmp_path, LESSON)).steps[1]
    three = read_lesson(write_lesson(tmp_path, changed("{n = 5}", "{n = 3}"))).steps[1]
    assert (numbers_of(five), numbers_of(three)) == ({"size": "5"}, {"size": "3"})
    assert [answer_of(step.question, step.picture) for step in (five, three)] == [3, 2]
    assert explained(five) == "Yes, 3."


def test_another_graph_changes_the_answers_of_our_lessons():
    changes = 0
    for step in STEPS.values():
        if isinstance(step.picture.source, PresetGraph) and step.question.kind == "number":
            other = replace(step.picture, graph="karate-club", parameters={})
            before = answer_of(step.question, step.picture)
            changes += before != answer_of(step.question, other)
    assert changes >= 8


def test_no_or_several_right_options_are_refused(tmp_path):
    for values in ((7, 8), (3, 3)):
        kind = 'kind = "choice"\noptions = [' + ", ".join(
            f'{{text = "{letter}", value = {value}}}'
            for letter, value in zip("ab", values, strict=True)
        )
        step = read_lesson(write_lesson(tmp_path, changed('kind = "number"', kind + "]"))).steps[1]
        with pytest.raises(InvalidParameterError, match="options are right"):
            answer_of(step.question, step.picture)


def test_a_quantity_of_another_kind_is_refused(tmp_path):
    step = read_lesson(
        write_lesson(tmp_path, changed('kind = "number"', 'kind = "vertices"'))
    ).steps[1]
    with pytest.raises(InvalidParameterError, match="vertices"):
        answer_of(step.question, step.picture)


@pytest.mark.parametrize("preset", ["barbell", "karate-club", "grid", "florentine-families"])
def test_counts_agree_with_networkx(preset):
    source = PresetGraph(preset)
    graph = source.build().to_networkx()[0]
    names = list(graph)
    first, last = names[0], names[-1]
    assert ask("n_vertices", source) == len(graph)
    assert ask("n_edges", source) == graph.number_of_edges()
    assert ask("degree", source, vertex=str(last)) == graph.degree[last]
    assert ask("triangles", source, vertex=str(last)) == nx.triangles(graph, last)
    assert ask("neighbours", source, vertex=str(last)) == {str(v) for v in graph[last]}
    steps = nx.shortest_path_length(graph, first, last)
    assert ask("distance", source, vertex=str(first), other=str(last)) == steps


def test_kernel_values_are_those_of_the_formula():
    setting = KernelParameters(alpha=0.3, beta=0.7, n_iterations=2, features="degree")
    graph = nx.Graph(EDGES)
    A = nx.to_numpy_array(graph, nodelist="abcde")
    x = A.sum(axis=0)
    kernel = np.outer(x, x)
    for t in range(3):
        for v in "abcde":
            for u in "abcde":
                i, j = "abcde".index(v), "abcde".index(u)
                found = ask("kernel_value", BULL, setting, vertex=v, other=u, t=t)
                assert found == pytest.approx(kernel[i, j])
                around = sum(
                    kernel["abcde".index(a), "abcde".index(b)] for a in graph[v] for b in graph[u]
                )
                assert ask(
                    "neighbourhood_value", BULL, setting, vertex=v, other=u, t=t
                ) == pytest.approx(around)
        kernel = 0.3 * kernel + 0.7 * A @ kernel @ A


def test_one_round_by_hand_adds_up():
    found = one_round(
        Scene(BULL, KernelParameters(alpha=0.5, beta=0.25, n_iterations=1, features="degree"))
    )
    assert np.allclose(found.end, 0.5 * found.start + 0.25 * found.sums)
    for (v, u), pairs in found.terms.items():
        assert found.sums[v, u] == pytest.approx(sum(found.start[a, b] for a, b in pairs))
    parameters = KernelParameters(alpha=0.5, beta=0.25, n_iterations=1, features="degree")
    assert found.written_out(0, 1, parameters, found.tables()).endswith("= 6")
    assert "3 + 6 + 9 = 18" in found.written_out(0, 1, parameters, found.tables(2))
    assert found.written_out(0, 1, parameters, found.tables(1)) == ""
    hidden = found.written_out(0, 1, parameters, found.tables(2, hidden=18))
    assert hidden.endswith(r"k^0(b, d) \\ & = ?\end{aligned}")


def test_other_embeddings_are_measured_in_their_own_distances():
    source, vertices = PresetGraph("barbell", {"h": 4, "k": 3}), range(11)
    vectors = deepwalk(source.build())
    distances = [float(np.sqrt(((vectors[0] - vectors[v]) ** 2).sum())) for v in vertices]
    for v in vertices:
        given = {"vertex": 0, "other": v, "embedding": "deepwalk"}
        assert ask("embedding_distance", source, **given) == pytest.approx(distances[v])
        closer = sum(distances[u] < distances[v] - 1e-9 for u in vertices if u != 0)
        assert ask("n_closer", source, **given) == closer
    near = {str(v) for v in vertices[1:] if distances[v] <= min(distances[1:]) + 1e-9}
    assert ask("nearest", source, vertex=0, embedding="deepwalk") == near
    assert ask("recovered_by", source, embedding="wl") == ask("n_orbits", source)


def test_accuracies_have_a_spread_and_a_cost():
    source = DataSource("MUTAG")
    plain, cheap = (Scene(source, KernelParameters(n_iterations=1), C) for C in (10.0, 0.001))
    folds = [100 * record.accuracy for record in quick_evaluation(source, "AA", 1, 10.0).records]
    assert QUANTITIES["accuracy"].compute(plain, method="AA") == pytest.approx(np.mean(folds))
    assert QUANTITIES["accuracy_spread"].compute(plain, method="AA") == pytest.approx(np.std(folds))
    chance = QUANTITIES["chance"].compute(cheap)
    assert QUANTITIES["accuracy"].compute(cheap, method="AA") == pytest.approx(chance, abs=0.1)
    assert ask("class_size", source, of=1) + ask("class_size", source, of="-1") == 188


def test_roles_of_the_barbell():
    source = PresetGraph("barbell")
    assert ask("n_orbits", source) == 7
    assert ask("orbit_of", source, vertex=9) == {"9", "20"}
    assert ask("same_orbit", source, vertex=0, other=29)
    assert not ask("same_orbit", source, vertex=0, other=9)
    assert [ask("n_points", source, t=t) for t in range(4)] == [3, 4, 5, 6]
    assert [ask("n_colours", source, t=t) for t in range(4)] == [1, 3, 4, 5]
    assert ask("same_colour", source, vertex=0, other=9, t=0)
    assert not ask("same_colour", source, vertex=0, other=9, t=1)
    assert ask("first_round_apart", source, vertex=10, other=11) == 1
    assert ask("first_round_apart", source, vertex=0, other=29) == -1
    assert ask("most_similar", source, vertex=9) == {"20"}
    assert ask("point_of", source, vertex=9) == {"9", "20"}
    assert ask("n_recovered", source) == 5


def test_removing_an_edge_of_a_ring():
    ring = PresetGraph("cycle", {"n": 10})
    before, after = nx.cycle_graph(10), nx.path_graph(10)
    for t in range(4):
        colours = colour_refinement([before, after], t)
        found = ask("n_colours_changed", ring, one=0, other=9, t=t)
        assert found == np.count_nonzero(colours[:10] != colours[10:])
        assert ask("colours_changed", ring, one=0, other=9, t=t) == pytest.approx(10 * found)
    assert ask("orbits_after", ring, one=0, other=9) == 5
    assert 0.9 < ask("similar_to_before", ring, one=0, other=9) < 1


def test_data_sets_can_be_asked_about():
    rings = DataSource("rings")
    assert ask("n_graphs", rings) == 40
    assert ask("n_classes", rings) == 2
    assert ask("chance", rings) == 50
    assert ask("class_of_graph", rings, graph=0) == "ring"
    assert ask("graph_cosine", rings, graph=3, other=3, method="RR") == pytest.approx(1)
    assert ask("accuracy", rings, method="AA") > ask("chance", rings)


def test_a_data_set_that_has_changed_is_read_again(tmp_path, monkeypatch):
    monkeypatch.setenv("MPGK_DATA", str(tmp_path))
    source, found = DataSource("DS"), []
    for n_per_class in (5, 6):
        made = generate("rings", n_per_class)
        archive = write_graphs(made.graphs, "tu", np.array(made.classes))
        (tmp_path / "DS.zip").write_bytes(archive)
        found.append(
            (ask("n_graphs", source), content_key(source), content_key(DataGraph("DS", 1)))
        )
    assert [n for n, *_ in found] == [10, 12]
    assert all(before != after for before, after in zip(*found, strict=True))


def test_the_errors_of_a_lesson_are_drawn_as_the_answers_are_given():
    step = STEPS["predicting-a-property-2"]
    found = [quick_errors(step.picture.source, model, 2) for model in step.picture.models]
    source = step.picture.source
    asked = [ask("prediction_error", source, model=model) for model in step.picture.models]
    drawn = error_figure(found, in_percent=True).data[0]
    assert list(drawn.x) == pytest.approx(asked)
    assert list(drawn.text) == [f"{answer:.1f} %" for answer in asked]
