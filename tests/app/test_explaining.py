"""Explain and hierarchy: the numbers are the engine's, also after edits and uploads."""

import networkx as nx
import pytest

from mpgk_core import GraphSet, MessagePassingNodeKernel
from mpgk_core.explain import explain_vertices, instructive_pair
from mpgk_core.export import PresetGraph
from tests.app.shown import without_edges


def explained(app):
    (line,) = [text.value for text in app.text if ":   k" in text.value]
    return line


USUAL = {"n_iterations": 5, "features": "degree-label", "normalize": True}
"""What the page is opened with."""


@pytest.mark.parametrize("way", ["R", "A"])
@pytest.mark.parametrize("settings", [USUAL, {**USUAL, "features": "degree", "normalize": False}])
def test_the_number_explained_is_that_of_the_kernel(way, settings, open_playground):
    query = {} if settings is USUAL else {"features": "degree", "cosine": "false"}
    app = open_playground("explain", sel="9,10", **query)
    app.segmented_control(key="kernel").set_value(way).run()
    kernel = MessagePassingNodeKernel(way, **settings)
    value = kernel.fit(nx.barbell_graph(10, 10)).kernel_[9, 10]
    assert explained(app).endswith(f"= {value:.5g}")


def test_edits_change_the_explanation(open_playground, draw):
    app = open_playground(sel="9,10")
    draw(app, "remove-edge", vertices=["9", "10"])
    app.segmented_control(key="panel").set_value("explain").run()
    graph = nx.barbell_graph(10, 10)
    graph.remove_edge(9, 10)
    kernel = MessagePassingNodeKernel("R", **USUAL).fit(graph)
    assert explained(app).endswith(f"= {kernel.kernel_[9, 10]:.5g}")


NAMES = "abcdef"
EDGES = ["ab", "bc", "cd", "de", "ef", "fa", "ad"]
LABELS = dict(zip(NAMES, "CNCOCN", strict=True))
NUMBERS = dict(zip(NAMES, (0.5, 2.0, -1.0, 0.25, 4.0, 1.5), strict=True))


def uploaded_file():
    nodes = "".join(
        f'<node id="{v}"><data key="l">{LABELS[v]}</data><data key="x">{NUMBERS[v]}</data></node>'
        for v in NAMES
    )
    edges = "".join(f'<edge source="{v}" target="{u}"/>' for v, u in EDGES)
    return f"""<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="l" for="node" attr.name="label" attr.type="string"/>
<key id="x" for="node" attr.name="weight" attr.type="double"/>
<graph edgedefault="undirected">{nodes}{edges}</graph></graphml>""".encode()


def same_graph():
    graph = nx.Graph(tuple(edge) for edge in EDGES)
    nx.set_node_attributes(graph, LABELS, "label")
    nx.set_node_attributes(graph, {v: [x] for v, x in NUMBERS.items()}, "attributes")
    return GraphSet.from_networkx(graph)


@pytest.mark.parametrize("way", ["R", "A"])
@pytest.mark.parametrize(
    "features", ["labels", "attributes-standardised", "labels+attributes-standardised"]
)
def test_an_uploaded_graph_is_explained_by_the_numbers_of_the_engine(
    way, features, open_playground
):
    app = open_playground(source="Own file")
    file = ("own.graphml", uploaded_file(), "application/octet-stream")
    app.file_uploader(key="upload").set_value([file]).run()
    app.segmented_control(key="kernel").set_value(way).run()
    app.multiselect(key="features").set_value(features.split("+")).run()
    app.segmented_control(key="panel").set_value("explain").run()
    assert not app.exception
    graph = same_graph()
    kernel = MessagePassingNodeKernel(way, **{**USUAL, "features": features}).fit(graph)
    for first, second in ("ad", "bb", "fc"):
        v, u = graph.names.index(first), graph.names.index(second)
        boxes = {box.label: box for box in app.selectbox}
        boxes["First vertex"].set_value(NAMES.index(first))
        boxes["Second vertex"].set_value(NAMES.index(second)).run()
        assert explained(app).startswith(f"{first} and {second}, t = 5, {way}:")
        assert explained(app).endswith(f"= {kernel.kernel_[v, u]:.5g}")
        pair = explain_vertices(kernel, graph, v, u, 5)
        (table,) = [d.value for d in app.dataframe if "contributes" in d.value]
        values = sorted(pair.contributions.values)
        assert sorted(table["contributes"]) == pytest.approx(values, abs=1e-6)
        assert any(f"sum is {pair.contributions.total:.6g}." in c.value for c in app.caption)


def test_without_a_selection_vertices_are_chosen_from_lists(open_playground):
    app = open_playground("explain")
    boxes = [box for box in app.selectbox if box.label in ("First vertex", "Second vertex")]
    barbell = GraphSet.from_networkx(nx.barbell_graph(10, 10))
    assert tuple(box.value for box in boxes) == instructive_pair(barbell) == (10, 12)
    boxes[1].set_value(20).run()
    assert not app.exception
    assert explained(app).startswith("10 and 20")


@pytest.mark.parametrize("names", ["a", "ab", "abc"])
def test_vertices_without_neighbours_are_explained(names, open_playground):
    app = open_playground(source="file")
    app.file_uploader(key="upload").set_value([without_edges(names)]).run()
    assert not app.error
    app.segmented_control(key="panel").set_value("explain").run()
    assert not app.exception
    assert "t = 5, R:" in explained(app)
    assert any("no neighbours" in info.value for info in app.info)


def test_round_zero_is_the_product_of_features(open_playground):
    app = open_playground("explain", sel="9,10", features="degree", cosine="false")
    app.slider(key="explain-t-5").set_value(0).run()
    assert explained(app).endswith("10 · 2 = 20")
    assert any("Round 0" in caption.value for caption in app.caption)


@pytest.mark.parametrize("way", ["R", "A"])
@pytest.mark.parametrize("kind", ["bars", "sunburst"])
def test_both_trees_are_drawn(way, kind, open_playground):
    app = open_playground("tree", graph="Houses on a ring")
    app.segmented_control(key="kernel").set_value(way).run()
    app.segmented_control(key="tree-kind").set_value(kind).run()
    app.segmented_control(key="tree-colour").set_value("label").run()
    assert not app.exception
    assert sum("The tree has" in caption.value for caption in app.caption) == 2


def test_stepping_down_ends_at_round_zero_and_back_again(open_playground):
    app = open_playground("explain", sel="9,10")
    for t in (4, 3, 2, 1, 0):
        app.button(key="step-into").click().run()
        assert not app.exception
        assert f"t = {t}, R:" in explained(app)
    for t in (1, 2, 3, 4, 5):
        app.button(key="explain-back").click().run()
        assert f"t = {t}, R:" in explained(app)


def test_one_selected_vertex_is_the_first_of_the_pair(open_playground):
    for vertex in (2, 7):
        app = open_playground("explain", graph="Houses on a ring", sel=str(vertex))
        assert boxes(app, "First vertex")[0].value == vertex
        second = boxes(app, "Second vertex")[0].value
        graph = PresetGraph("houses-on-a-ring", {}).build()
        assert (vertex, second) == instructive_pair(graph, vertex)


def boxes(app, label):
    return [box for box in app.selectbox if box.label == label]


def test_a_tree_node_is_forgotten_where_the_tree_is_another(open_playground):
    app = open_playground("tree", graph="Houses on a ring")
    for change in (
        lambda: app.slider(key="T").set_value(0),
        lambda: app.slider(key="alpha").set_value(0.5),
        lambda: app.selectbox(key="graph").set_value("cycle"),
    ):
        boxes(app, "Tree node")[0].set_value(2).run()
        assert boxes(app, "Tree node")[0].value == 2
        change().run()
        assert not app.exception
        assert [box.value for box in boxes(app, "Tree node")] == [None, None]


def test_a_pair_of_neighbours_is_forgotten_where_the_pairs_are_others(open_playground):
    app = open_playground("explain", sel="9,10")
    for change in (
        lambda: app.slider(key="alpha").set_value(0.5),
        lambda: app.selectbox(key="graph").set_value("path"),
    ):
        boxes(app, "Pair of neighbours")[0].set_value(1).run()
        assert boxes(app, "Pair of neighbours")[0].value == 1
        change().run()
        assert not app.exception
        assert boxes(app, "Pair of neighbours")[0].value == 0
