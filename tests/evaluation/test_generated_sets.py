"""Generated sets: same seed same bytes, and the classes differ in what they should."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from mpgk_core.content_key import content_key
from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation.generated_sets import RECIPES, generate
from mpgk_core.evaluation.methods import KernelSpec
from mpgk_core.evaluation.nested_cv import evaluate
from mpgk_core.evaluation.protocol import Protocol

PROTOCOL = Protocol(n_folds=5, n_repeats=1, C=(1.0, 100.0), iterations=(2,), inner_folds=3)


def digest(made):
    return content_key(made.graphs, list(made.classes))


@pytest.mark.parametrize("name", list(RECIPES))
def test_same_seed_same_bytes_and_another_seed_others(name):
    assert digest(generate(name, 4, 1)) == digest(generate(name, 4, 1))
    assert digest(generate(name, 4, 1)) != digest(generate(name, 4, 2))


@pytest.mark.parametrize("name", list(RECIPES))
def test_larger_set_begins_with_the_smaller_one(name):
    few, many = generate(name, 2), generate(name, 4)
    n_classes = len(RECIPES[name].classes)
    kept = [4 * c + g for c in range(n_classes) for g in range(2)]
    assert [many.classes[g] for g in kept] == list(few.classes)
    shared = many.graphs[kept]
    assert np.array_equal(shared.adjacency.toarray(), few.graphs.adjacency.toarray())


def test_rings_have_one_ring_and_trees_none():
    made = generate("rings", 10)
    for graph, kind in zip(made.graphs.to_networkx(), made.classes, strict=True):
        assert nx.is_connected(graph)
        assert graph.number_of_edges() - len(graph) == (0 if kind == "ring" else -1)


def test_motif_set_has_houses_in_one_class_only_and_equal_sizes():
    made = generate("motif", 10)
    for graph, kind in zip(made.graphs.to_networkx(), made.classes, strict=True):
        assert sum(nx.triangles(graph).values()) == (3 if kind == "house" else 0)
        assert graph.number_of_edges() == len(graph) + 1


def test_skip_links_are_regular_without_triangles_and_not_isomorphic():
    made = generate("skip-links", 1)
    members = made.graphs.to_networkx()
    for graph in members:
        assert {degree for _, degree in graph.degree} == {4}
        assert not any(nx.triangles(graph).values())
    for a, b in combinations(members, 2):
        assert not nx.is_isomorphic(a, b)


@pytest.mark.parametrize("method", ["AA", "RR", "WL-OA", "size"])
def test_message_passing_fails_on_skip_links(method):
    made = generate("skip-links", 10)
    assert evaluate(made.graphs, made.classes, method, PROTOCOL).mean <= 0.25


def test_shortest_paths_succeed_on_skip_links():
    made = generate("skip-links", 10)
    assert evaluate(made.graphs, made.classes, "SP", PROTOCOL).mean == 1.0


@pytest.mark.parametrize(("name", "least"), [("rings", 0.9), ("families", 0.9), ("motif", 0.8)])
def test_structure_is_found(name, least):
    made = generate(name, 20)
    features = "degree+triangles+core-number"
    spec = KernelSpec.of("AA", features=features)
    assert evaluate(made.graphs, made.classes, spec, PROTOCOL).mean >= least


def test_synthie_like_needs_structure_and_attributes():
    made = generate("synthie", 20)
    assert made.graphs.attributes.shape[1] == 15
    both = evaluate(made.graphs, made.classes, KernelSpec.of("RA", beta=0.01), PROTOCOL).mean
    structure = evaluate(
        made.graphs, made.classes, KernelSpec.of("RA", features="degree"), PROTOCOL
    )
    assert both > 0.7
    assert structure.mean < 0.6


def test_size_says_nothing_about_the_motif():
    made = generate("motif", 25)
    assert evaluate(made.graphs, made.classes, "size", PROTOCOL).mean < 0.7


@pytest.mark.parametrize("options", [{"name": "none"}, {"n_per_class": 0}, {"random_state": -1}])
def test_bad_requests_are_refused(options):
    with pytest.raises(InvalidParameterError):
        generate(**{"name": "rings", **options})
