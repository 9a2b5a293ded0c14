"""The playground's graphs: valid for every setting, as described, and refused when wrong."""

import json
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import InvalidParameterError, colour_refinement, orbits
from mpgk_core.errors import UnreadableFileError
from mpgk_core.graphs.generators import PRESETS, build_graph, read_presets

ORDER = [
    *["barbell", "path", "cycle", "complete", "star", "wheel", "grid", "balanced-tree"],
    *["lollipop", "circular-ladder", "circular-skip-links", "petersen", "caveman"],
    *["erdos-renyi", "barabasi-albert", "watts-strogatz", "random-regular"],
    *["stochastic-block-model", "houses-on-a-ring"],
    *["karate-club", "les-miserables", "florentine-families"],
    *["pond-food-web", "ring-line", "aspirin"],
]
LARGE = {"grid", "erdos-renyi", "barabasi-albert"}
NAMED = {"grid", "les-miserables", "florentine-families", "pond-food-web", "aspirin"}
RANDOM = {
    *["erdos-renyi", "barabasi-albert", "watts-strogatz", "random-regular"],
    "stochastic-block-model",
}
HALF = {"default": 0.5, "step": 0.5}
every_preset = pytest.mark.parametrize("key", ORDER)


@st.composite
def chosen_settings(draw):
    """A preset with values anywhere in its ranges."""
    preset = PRESETS[draw(st.sampled_from(ORDER))]
    values = {}
    for p in preset.parameters:
        kind = st.integers if p.is_whole else st.floats
        values[p.key] = draw(kind(p.minimum, p.maximum))
    return preset.key, values


def check_valid(key, graph):
    assert type(graph) is (nx.DiGraph if key == "pond-food-web" else nx.Graph)
    assert 1 <= len(graph) <= (20_000 if key in LARGE else 2_000)
    assert nx.number_of_selfloops(graph) == 0
    if key not in NAMED:
        assert list(graph) == list(range(len(graph)))
    label = PRESETS[key].node_label
    if label is not None:
        assert len(nx.get_node_attributes(graph, label)) == len(graph)


def same_graph(one, other):
    return list(one.nodes.data()) == list(other.nodes.data()) and list(one.edges.data()) == list(
        other.edges.data()
    )


def test_presets_are_listed_in_the_order_of_the_playground():
    assert list(PRESETS) == ORDER
    assert {key for key, preset in PRESETS.items() if preset.is_random} == RANDOM
    groups = [preset.group for preset in PRESETS.values()]
    assert sum(a != b for a, b in pairwise(groups)) == len(set(groups)) - 1


def test_presets_cannot_be_changed():
    with pytest.raises(TypeError):
        PRESETS["mine"] = PRESETS["path"]
    with pytest.raises(AttributeError):
        PRESETS["path"].title = "Line"


@every_preset
def test_every_text_is_a_sentence(key):
    preset = PRESETS[key]
    sentences = [preset.explanation, *(parameter.help for parameter in preset.parameters)]
    for sentence in sentences:
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert "\n" not in sentence
    assert len(preset.explanation) <= 160


@every_preset
@pytest.mark.parametrize("which", ["default", "minimum", "maximum"])
def test_graphs_are_valid_at_defaults_and_at_both_ends_of_all_ranges(key, which):
    values = {p.key: getattr(p, which) for p in PRESETS[key].parameters}
    graph = build_graph(key, **values)
    check_valid(key, graph)
    if which == "default":
        assert same_graph(graph, build_graph(key))


@given(chosen_settings())
@settings(max_examples=150)
def test_every_setting_gives_a_valid_graph_and_always_the_same(chosen):
    key, values = chosen
    graph = build_graph(key, **values)
    check_valid(key, graph)
    assert same_graph(graph, build_graph(key, **values))


@every_preset
def test_a_built_graph_is_new_and_free_to_change(key):
    build_graph(key).clear()
    assert len(build_graph(key)) > 0


@pytest.mark.parametrize("key", sorted(RANDOM))
def test_the_seed_matters(key):
    drawn = [build_graph(key, seed=seed) for seed in range(3)]
    assert not nx.utils.graphs_equal(drawn[0], drawn[1])
    assert not nx.utils.graphs_equal(drawn[1], drawn[2])


@given(h=st.integers(2, 60), k=st.integers(0, 200))
@settings(max_examples=30)
def test_barbells_count_as_defined(h, k):
    graph = build_graph("barbell", h=h, k=k)
    assert len(graph) == 2 * h + k
    assert graph.size() == h * (h - 1) + k + 1
    assert nx.utils.graphs_equal(graph, nx.barbell_graph(h, k))


@pytest.mark.parametrize(
    ("key", "values", "n_vertices", "n_edges"),
    [
        ("path", {"n": 7}, 7, 6),
        ("cycle", {"n": 7}, 7, 7),
        ("complete", {"n": 7}, 7, 21),
        ("star", {"n": 7}, 8, 7),
        ("wheel", {"n": 7}, 7, 12),
        ("grid", {"rows": 3, "columns": 5}, 15, 22),
        ("balanced-tree", {"branching": 3, "height": 2}, 13, 12),
        ("balanced-tree", {"branching": 1, "height": 4}, 5, 4),
        ("lollipop", {"h": 4, "k": 3}, 7, 9),
        ("circular-ladder", {"n": 6}, 12, 18),
        ("circular-skip-links", {"n": 9, "skip": 3}, 9, 18),
        ("circular-skip-links", {"n": 8, "skip": 4}, 8, 12),
        ("petersen", {}, 10, 15),
        ("caveman", {"cliques": 3, "size": 4}, 12, 18),
        ("erdos-renyi", {"n": 6, "mean_degree": 9.0}, 6, 15),
        ("barabasi-albert", {"n": 20, "m": 3}, 20, 3 * 17),
        ("watts-strogatz", {"n": 20, "k": 4, "p": 0.3}, 20, 40),
        ("watts-strogatz", {"n": 20, "k": 5, "p": 0.3}, 20, 40),
        ("random-regular", {"n": 14, "d": 3}, 14, 21),
        ("random-regular", {"n": 15, "d": 3}, 16, 24),
        ("stochastic-block-model", {"blocks": 2, "size": 3, "p_in": 0.0, "p_out": 1.0}, 6, 9),
        ("houses-on-a-ring", {"houses": 4, "spacing": 2}, 28, 36),
        ("karate-club", {}, 34, 78),
        ("les-miserables", {}, 77, 254),
        ("florentine-families", {}, 15, 20),
        ("pond-food-web", {}, 7, 8),
        ("ring-line", {"n": 7}, 7, 7),
        ("aspirin", {}, 13, 13),
    ],
)
def test_counts_are_known(key, values, n_vertices, n_edges):
    graph = build_graph(key, **values)
    assert (len(graph), graph.size()) == (n_vertices, n_edges)


@pytest.mark.parametrize(
    ("key", "n_classes"),
    [
        ("barbell", 7),
        ("path", 6),
        ("cycle", 1),
        ("complete", 1),
        ("star", 2),
        ("wheel", 2),
        ("balanced-tree", 5),
        ("lollipop", 12),
        ("circular-ladder", 1),
        ("circular-skip-links", 1),
        ("petersen", 1),
        ("caveman", 4),
        ("random-regular", 30),
        ("florentine-families", 15),
    ],
)
def test_equivalence_classes_are_as_explained(key, n_classes):
    found = orbits(build_graph(key))
    assert found.proven
    assert found.n_orbits == n_classes


@pytest.mark.parametrize(
    ("key", "n_without", "n_with"),
    [("pond-food-web", 3, 4), ("ring-line", 1, 7), ("aspirin", 11, 13)],
)
def test_some_presets_need_what_is_known_of_their_edges(key, n_without, n_with):
    graph = build_graph(key)
    assert orbits(graph).n_orbits == n_without
    assert orbits(graph, edges=PRESETS[key].edges).n_orbits == n_with


@every_preset
def test_presets_have_the_edges_that_they_suggest_to_use(key):
    colour_refinement(build_graph(key), 1, edges=PRESETS[key].edges)


def test_random_regular_graphs_hide_their_classes_from_message_passing():
    assert len(set(colour_refinement(build_graph("random-regular")).tolist())) == 1


def test_no_ring_is_told_from_another_by_its_skip():
    rings = [build_graph("circular-skip-links", n=13, skip=skip) for skip in range(2, 7)]
    assert not nx.is_isomorphic(rings[0], rings[1])
    assert len(set(colour_refinement(rings).tolist())) == 1


def test_a_skip_beyond_half_the_ring_is_half_the_ring():
    half = build_graph("circular-skip-links", n=11, skip=5)
    assert same_graph(half, build_graph("circular-skip-links", n=11, skip=900))


@given(houses=st.integers(3, 12), spacing=st.integers(1, 10))
@settings(max_examples=25)
def test_house_roles_are_exactly_the_orbits_and_found_by_refinement(houses, spacing):
    graph = build_graph("houses-on-a-ring", houses=houses, spacing=spacing)
    roles = [role for _, role in graph.nodes("label")]
    found = orbits(graph)
    assert found.proven
    for classes in (found.of_vertex.tolist(), colour_refinement(graph).tolist()):
        pairs = set(zip(roles, classes, strict=True))
        assert len(pairs) == len(set(roles)) == len(set(classes))
    assert len(set(roles)) == 4 + spacing // 2


def test_blocks_are_filled_as_likely_as_asked():
    graph = build_graph("stochastic-block-model", blocks=4, size=50, p_in=0.5, p_out=0.1)
    block = np.array([number for _, number in graph.nodes("block")])
    inside = sum(block[v] == block[u] for v, u in graph.edges)
    assert inside / (4 * 50 * 49 / 2) == pytest.approx(0.5, abs=0.03)
    assert (graph.size() - inside) / (6 * 50 * 50) == pytest.approx(0.1, abs=0.01)


def test_a_tiny_probability_is_fine():
    graph = build_graph("stochastic-block-model", p_in=1e-300, p_out=5e-324)
    assert graph.size() == 0


def test_the_karate_club_is_labelled_by_side():
    labels = nx.get_node_attributes(build_graph("karate-club"), "label")
    assert set(labels.values()) == {"Mr. Hi", "Officer"}


@pytest.mark.parametrize(
    ("key", "values", "message"),
    [
        ("barbell", {"h": 1}, "'h' parameter of the preset 'barbell' .* from 2 to 60. Got 1"),
        ("barbell", {"h": 61}, "from 2 to 60. Got 61"),
        ("barbell", {"h": 10.0}, "whole number"),
        ("barbell", {"k": True}, "whole number"),
        ("barbell", {"k": "3"}, "whole number"),
        ("barbell", {"k": None}, "whole number"),
        ("barbell", {"n": 3}, "'barbell' has no parameter 'n'. It takes 'h', 'k'"),
        ("barbell", {"seed": 3}, "no parameter 'seed'"),
        ("petersen", {"n": 3}, "It takes no parameters"),
        ("watts-strogatz", {"p": 1.1}, "a number from 0.0 to 1.0"),
        ("watts-strogatz", {"p": float("nan")}, "Got nan"),
        ("erdos-renyi", {"seed": 10000}, "from 0 to 9999"),
        ("dumbbell", {}, "'preset' parameter of build_graph must be one of 'barbell', 'path'"),
    ],
)
def test_what_is_not_allowed_is_refused_with_what_is(key, values, message):
    with pytest.raises(InvalidParameterError, match=message):
        build_graph(key, **values)


def test_numbers_of_numpy_are_numbers():
    graph = build_graph("erdos-renyi", n=np.int64(9), mean_degree=np.float32(2), seed=np.int32(1))
    assert same_graph(graph, build_graph("erdos-renyi", n=9, mean_degree=2, seed=1))


def text_with(preset=(), parameter=(), without=None):
    """One preset as JSON text, with fields replaced or left out."""
    number = {"key": "n", "label": "Vertices", "help": "How many."}
    number |= {"minimum": 1, "maximum": 9, "default": 5, "step": 1} | dict(parameter)
    entry = {"key": "line", "title": "Line", "explanation": "A line.", "group": "Shapes"}
    entry |= {"constructor": "path", "is_random": False, "node_label": None}
    entry |= {"parameters": [number]} | dict(preset)
    for fields in (entry, number):
        fields.pop(without, None)
    return json.dumps([entry])


def read(text):
    return read_presets(text, {"path": nx.path_graph, "gnp": nx.gnp_random_graph})


def test_a_preset_is_what_its_text_says():
    preset = read(text_with({"node_label": "role"}))["line"]
    assert (preset.title, preset.node_label, preset.is_random) == ("Line", "role", False)
    (parameter,) = preset.parameters
    assert (parameter.minimum, parameter.maximum, parameter.default) == (1, 9, 5)
    assert parameter.is_whole


def test_a_random_preset_gets_a_seed():
    p = json.loads(text_with(parameter={"key": "p", "minimum": 0.0, "maximum": 1.0} | HALF))
    n = json.loads(text_with())[0]["parameters"]
    text = text_with(
        {"constructor": "gnp", "is_random": True, "parameters": n + p[0]["parameters"]}
    )
    *_, seed = read(text)["line"].parameters
    assert (seed.key, seed.minimum, seed.maximum, seed.default) == ("seed", 0, 9999, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "not valid JSON"),
        ("{}", "This is {}. It must be a list"),
        ("[3]", "Preset 1: This is 3. It must be a table"),
        (text_with({"constructor": "os.system"}), "'line': There is no constructor 'os.system'"),
        (text_with({"colour": "red"}), "1, field 'colour': This field is unknown. The fields here"),
        (text_with({"title": " "}), "1, field 'title': This is ' '. It must be a text, not empty"),
        (text_with({"key": 7}), "1, field 'key': This is 7. It must be a text"),
        (text_with({"is_random": 0}), "1, field 'is_random': This is 0. It must be true or false"),
        (text_with({"is_random": True}), "'line': The parameters do not suit 'path'"),
        (text_with({"node_label": 3}), "1, field 'node_label': This is 3. It must be a text"),
        (text_with({"parameters": {}}), "1, field 'parameters': This is {}. It must be a list"),
        (text_with({"parameters": []}), "'line': The parameters do not suit 'path'"),
        (text_with({"parameters": ["n"]}), "1, field 'parameters.1': This is 'n'. It must be a"),
        (text_with(parameter={"key": "m"}), "'line': The parameters do not suit 'path'"),
        (text_with(parameter={"default": 10}), "1, field 'parameters.1.default': This is 10."),
        (text_with(parameter={"maximum": 0}), "1.maximum': This is 0. It must be at least 1"),
        (text_with(parameter={"step": 0}), "1.step': This is 0. It must be above 0"),
        (text_with(parameter={"step": "1"}), "1.step': This is '1'. It must be a number"),
        (text_with(parameter={"step": True}), "1.step': This is True. It must be a number"),
        (text_with(parameter=HALF), "1.minimum': This is 1. Write all with a decimal point"),
        (text_with(parameter={"slider_maximum": 10}), "1.slider_maximum': This is 10. It must be"),
        (text_with(parameter={"slider_maximum": 4}), "slider_maximum': .* must be from 5 to 9"),
        (text_with({"layout": "square"}), "1, field 'layout': This is 'square'. It must be one of"),
        (json.dumps(2 * json.loads(text_with())), "'line': This key occurs twice"),
        (
            text_with({"parameters": 2 * json.loads(text_with())[0]["parameters"]}),
            r"'line': A key of \['n', 'n'\] occurs twice",
        ),
    ],
)
def test_mistakes_in_the_data_are_named(text, message):
    with pytest.raises(UnreadableFileError, match=message) as caught:
        read(text)
    assert str(caught.value).startswith("presets.json: ")


@pytest.mark.parametrize(
    "field", [*json.loads(text_with())[0], *json.loads(text_with())[0]["parameters"][0]]
)
def test_a_missing_field_is_named(field):
    with pytest.raises(UnreadableFileError, match=rf"{field}': This field is missing"):
        read(text_with(without=field))
