"""Words for those who cannot see a figure: the numbers in them are those that are drawn."""

import re

import networkx as nx
import numpy as np
import pytest

from mpgk_core import GraphSet, MessagePassingNodeKernel, kernel_pca
from mpgk_core.edits import compare, without_edge
from mpgk_core.embedding.trajectory import trajectory
from mpgk_core.evaluation import (
    Candidate,
    KernelSpec,
    LearningCurve,
    NodeProtocol,
    Protocol,
    evaluate,
    generate,
    learning_curve,
    role_graph,
)
from mpgk_core.evaluation.nystroem_quality import nystroem_quality
from mpgk_core.evaluation.samples import square_matrix
from mpgk_core.plotting.change_figure import movement_figure, movement_words
from mpgk_core.plotting.embedding_figure import embedding_words
from mpgk_core.plotting.evaluation_figures import (
    accuracy_figure,
    accuracy_words,
    class_sizes_words,
    confusion_figure,
    confusion_words,
)
from mpgk_core.plotting.graph_figure import graph_words
from mpgk_core.plotting.matrix_figure import matrix_words
from mpgk_core.plotting.node_figures import (
    learning_curve_figure,
    learning_curve_words,
    role_map_figure,
    role_map_words,
)
from mpgk_core.plotting.set_maps_figure import (
    error_figure,
    error_words,
    graph_map_words,
    neighbour_words,
    overlay_words,
    set_maps_words,
)
from mpgk_core.plotting.sweep_figures import rounds_figure, rounds_words
from mpgk_core.tuning import Grid, sweep

MADE = generate("motif", n_per_class=12)
PROTOCOL = Protocol(n_folds=4, n_repeats=1, iterations=(1,), inner_folds=2)


@pytest.fixture(scope="module")
def evaluations():
    return [evaluate(MADE.graphs, MADE.classes, name, PROTOCOL) for name in ("size", "RR")]


def test_accuracies_are_those_of_the_points(evaluations):
    words = accuracy_words(evaluations, "MUTAG")
    figure = accuracy_figure(evaluations, "MUTAG")
    points, published = figure.data
    methods = figure.layout.yaxis.ticktext[:2]
    for method, text, bar in zip(methods, points.text, points.error_x.array, strict=True):
        assert f"{method} {text} % ± {bar:.1f}" in words
    assert f"Best: {methods[int(np.argmax(points.x))]}." in words
    told = words.split("Published for MUTAG: ")[1]
    assert [float(text) for text in re.findall(r" (\d+\.\d+) %", told)] == list(published.x)


def test_confusions_are_those_of_the_cells(evaluations):
    words = confusion_words(evaluations[0])
    counts = confusion_figure(evaluations[0]).data[0].text
    for c, name in enumerate(evaluations[0].names):
        assert f"judged in class {name}, {counts[c][c]} found" in words
    if counts[0][1]:
        assert f"{counts[0][1]} taken for {evaluations[0].names[1]}" in words


def test_the_map_of_graphs_counts_the_crosses(evaluations):
    gram = square_matrix(KernelSpec.of("RR"), Candidate(1, "last"), MADE.graphs)
    words = graph_map_words(kernel_pca(gram, n_components=2), evaluations[1])
    n_wrong = int(evaluations[1].is_mostly_wrong.sum())
    assert words.startswith(f"24 graphs of 2 classes; {n_wrong} of them mostly misclassified")


def test_nearest_points_are_found_as_by_looking_at_all():
    rng = np.random.default_rng(0)
    points, classes = rng.normal(size=(40, 2)), rng.integers(0, 3, 40)
    agreeing = 0
    for i in range(40):
        distances = [np.inf if j == i else np.linalg.norm(points[i] - points[j]) for j in range(40)]
        agreeing += classes[int(np.argmin(distances))] == classes[i]
    share = f"{100 * agreeing / 40:.0f} %"
    assert share in neighbour_words(points, classes)
    assert f"RR {share}" in set_maps_words({"RR": points}, classes.tolist())


def test_landmarks_and_their_errors_are_named():
    exact, *others = nystroem_quality(MADE.graphs, (3, 6), "RR", n_iterations=1)
    line = error_figure([exact, *others]).data[0]
    for n, error in zip(line.x, line.y, strict=True):
        assert f"{n} landmarks {error:.3g} %" in error_words([exact, *others])
    assert error_words([exact]) == "No approximation is measured yet."
    assert overlay_words(exact, exact).endswith("by 0 % at most.")
    assert "24 graphs; with 6 landmarks" in overlay_words(exact, others[1])


def test_learning_curves_begin_and_end_as_drawn():
    graph, roles = role_graph("barbell")
    protocol = NodeProtocol((0.2, 0.5, 0.8), 2)
    trials = tuple(learning_curve(graph, roles, ["R", "WL"], ["svm"], protocol))
    curve = LearningCurve(roles, trials)
    words = learning_curve_words(curve)
    for line in learning_curve_figure(curve).data:
        assert f"{line.y[0]:.1f} % with {line.x[0]:.0f} % labelled" in words
        assert f"{line.y[-1]:.1f} % with {line.x[-1]:.0f} % labelled" in words


def test_a_map_of_roles_counts_its_crosses():
    graph, roles = role_graph("barbell")
    trial = next(learning_curve(graph, roles, ["WL"], ["svm"], NodeProtocol((0.1,), 1)))
    symbols = list(
        role_map_figure(graph, np.zeros((graph.n_vertices, 2)), roles, trial).data[1].marker.symbol
    )
    words = role_map_words(roles, trial)
    assert f"{symbols.count('square')} of {len(symbols)} vertices were labelled" in words
    assert f"{symbols.count('circle')} of {len(symbols) - symbols.count('square')} others" in words
    assert ("Missed most often" in words) == ("x" in symbols)


def test_rounds_begin_end_and_peak_as_drawn():
    grid = Grid(variants=("R", "A"), alphas=(0.5,), betas=(0.2, 0.5), iterations=(1, 2, 3))
    found = sweep(nx.barbell_graph(4, 3), grid, scores=("points",))
    cell = grid.cell((0, 0, 0, 1, 0))
    words = rounds_words(found, "points", cell)
    for line in rounds_figure(found, "points", cell).data:
        best = int(np.argmax(line.y))
        assert (
            f"{line.name}: from {line.y[0]:.4g} at T = 1, best {line.y[best]:.4g} at "
            f"T = {line.x[best]}, last {line.y[-1]:.4g} at T = 3."
        ) in words


def test_the_vertices_that_move_farthest_are_those_of_the_longest_bars():
    before = GraphSet.from_networkx(nx.krackhardt_kite_graph())
    change = compare(
        before,
        without_edge(before, 0, 1),
        MessagePassingNodeKernel(features="degree", n_iterations=2),
    )
    words = movement_words(change)
    for bars, way in zip(movement_figure(change).data, ("R", "A"), strict=True):
        assert f"({max(bars.x):.3g})" in words.split(f"under {way}: ")[1].split(",")[0]


def test_a_graph_is_told_by_size_degrees_and_labels():
    graph = nx.star_graph(3)
    nx.set_node_attributes(graph, {0: "C", 1: "H", 2: "H", 3: "<b>"}, "label")
    words = graph_words(GraphSet.from_networkx(graph))
    assert words == "4 vertices and 3 edges; degrees from 1 to 3; labels H (2), C (1), <b> (1)."


def test_a_matrix_of_one_orbit_or_one_vertex_is_told():
    assert matrix_words(np.ones((2, 2)), np.zeros(2, int)) == "Inside an orbit it is 1 on average."
    assert matrix_words(np.ones((1, 1)), np.zeros(1, int)) == "There is one vertex only."


def test_one_is_followed_by_a_singular():
    graph = nx.path_graph(2)
    kernel = MessagePassingNodeKernel(features="degree", n_iterations=1).fit(graph)
    assert graph_words(GraphSet.from_networkx(graph)).startswith("2 vertices and 1 edge;")
    assert graph_words(GraphSet.from_networkx(nx.empty_graph(1))).startswith("1 vertex and 0 edges")
    words = embedding_words(trajectory(graph, kernel))
    assert words.startswith("After 1 round 2 vertices lie on 1 point, at most 2 on one;")
    assert class_sizes_words({"a": 1}) == "Graphs in each of 1 class: a 1."
