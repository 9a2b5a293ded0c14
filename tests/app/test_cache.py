"""The server's cache: keyed by all that a result depends on, and bounded in bytes."""

import importlib
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ui.state.cache
from mpgk_core import GraphSet, MessagePassingGraphKernel, MessagePassingNodeKernel
from mpgk_core.edits import History
from mpgk_core.evaluation import NodeProtocol, checked_roles, learning_curve
from mpgk_core.export import GivenGraph, GivenRoles, GivenSet, Session, load_session, save_session
from mpgk_core.formats import read_many
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.memory_store import MemoryStore, size_of
from tests.app.shown import study
from ui.classification import nodes as node_views
from ui.classification.graphs import _kernel
from ui.playground import edits as edit_history
from ui.shared.computed import kernel_of
from ui.sources import sets as data_set_source
from ui.sources.graphs import graph_of_file
from ui.sources.roles import ChosenRoles
from ui.sources.uploads import Uses, read_once
from ui.state.cache import cached, cached_functions
from ui.state.choices import ChosenGraph, key_of_data
from ui.variants.views import _pairs

UI = Path(__file__).parents[2] / "ui"
VERTICES = b"id,kind,weight\na,x,0.1\nb,y,2.5\nc,x,1e-9\n"
(OWN,) = read_many([("vertices.csv", VERTICES), ("edges.csv", b"source,target\na,b\nb,c\n")])
GRAPH = OWN.graph_set({"kind": "label", "weight": "attribute"})
PATH = GraphSet.from_networkx(nx.path_graph(["a", "b", "c", "d"]))
BARE = OWN.graph_set({"kind": "ignore", "weight": "ignore"})
DATA = [
    GivenGraph("own", GRAPH),
    GivenGraph("other", GRAPH),
    GivenGraph("own", BARE),
    GivenGraph("own", GraphSet.from_networkx(nx.path_graph(3))),
    GivenSet("own", GraphSet.concatenate([GRAPH, GRAPH]), (1, -1)),
    GivenSet("own", GraphSet.concatenate([GRAPH, GRAPH]), ("1", "-1")),
    GivenRoles("own", PATH, checked_roles(["x", "y", "x", "y"], 4)),
    GivenRoles("own", PATH, checked_roles(["x", "y", "y", "x"], 4)),
]


@pytest.mark.parametrize("data", DATA)
def test_data_have_the_same_key_after_a_session_file(data):
    saved = save_session(Session("tuning", {}, data))
    assert key_of_data(load_session(saved).data) == key_of_data(data)


def test_other_data_have_other_keys():
    assert len(set(map(key_of_data, DATA))) == len(DATA)


def every_cached_function():
    """Return the cached functions of all modules of the user interface."""
    for file in UI.rglob("*.py"):
        importlib.import_module(".".join(file.relative_to(UI.parent).with_suffix("").parts))
    return {name: one for name, one in cached_functions().items() if name.startswith("ui.")}


def test_no_argument_is_left_out_of_a_key_without_a_reason():
    functions = every_cached_function()
    assert len(functions) > 20
    for name, one in functions.items():
        arguments = one.__wrapped__.__code__.co_varnames[: one.__wrapped__.__code__.co_argcount]
        for left_out, reason in one.apart_from.items():
            assert left_out in arguments, f"{name} has no argument {left_out}"
            assert len(reason.split()) > 5, f"{name} does not say why {left_out} may be left out"
        assert not one.__wrapped__.__closure__, f"{name} depends on more than its arguments"


def test_no_cached_function_looks_at_the_page_or_the_settings_of_the_server():
    hidden = {"st", "session_state", "query_params", "environ", "bounds", "available", "now"}
    for name, one in every_cached_function().items():
        assert hidden.isdisjoint(one.__wrapped__.__code__.co_names), name


def test_there_is_no_other_cache():
    for file in UI.rglob("*.py"):
        assert not re.search(r"\bst\.cache_(data|resource)", file.read_text()), file


@dataclass(frozen=True)
class Asked:
    """All that a number on the page of node classification depends on."""

    edges: tuple = ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (0, 7), (0, 4))
    labels: tuple = tuple("xxyyxxyy")
    weights: tuple = (1, 2, 3, 4, 5, 6, 7, 8)
    sizes: tuple = (3, 1, 4, 1, 5, 9, 2, 6)
    roles: tuple = tuple("aabbaabb")
    uses: tuple = (("kind", "label"), ("weight", "attribute"), ("size", "attribute"))
    alpha: float = 0.8
    rounds: int = 2
    seed: int = 0
    method: str = "R"

    def files(self):
        """Return the tables that a user uploads, always under the same names."""
        rows = zip(self.labels, self.weights, self.sizes, self.roles, strict=True)
        vertices = "id,kind,weight,size,role\n" + "".join(
            f"v{v},{','.join(map(str, row))}\n" for v, row in enumerate(rows)
        )
        edges = "source,target\n" + "".join(f"v{v},v{u}\n" for v, u in self.edges)
        return [("vertices.csv", vertices.encode()), ("edges.csv", edges.encode())]

    def all_uses(self):
        """Return the use of every column."""
        return (*self.uses, ("role", "ignore"))

    def parameters(self):
        """Return those of the kernel."""
        features = "labels+attributes" if dict(self.uses)["kind"] == "label" else "attributes"
        return {"n_iterations": self.rounds, "alpha": self.alpha, "beta": 0.5, "features": features}

    def protocol(self):
        """Return which vertices are labelled."""
        return NodeProtocol((0.5,), 1, random_state=self.seed)

    def true_numbers(self):
        """Return the predictions and the kernel that the library computes, without a cache."""
        (tables,) = read_many(self.files())
        graph = tables.graph_set(dict(self.all_uses()))
        roles = checked_roles(self.roles, len(self.roles))
        trial = next(
            learning_curve(
                graph, roles, [self.method], ["knn"], self.protocol(), **self.parameters()
            )
        )
        kernel = MessagePassingNodeKernel("A", **self.parameters(), random_state=self.seed)
        return trial, kernel.fit(graph).kernel_

    def on_the_server(self, upload):
        """Return what a user is shown, and the keys that it is found by."""
        read = read_once(upload, self.files)
        graph = graph_of_file(read, Uses(dict(self.all_uses()), {}), 0)
        chosen = ChosenRoles(graph, checked_roles(self.roles, len(self.roles)))
        call = chosen, self.method, "knn", self.protocol(), KernelParameters(**self.parameters())
        kernel = KernelParameters(
            "A", normalize=False, random_state=self.seed, branching=4, depth=8, **self.parameters()
        )
        shown = node_views._trial(*call), kernel_of(graph, kernel).kernel_
        return shown, node_views._trial.key(*call), kernel_of.key(graph, kernel)


def swapped(values, places):
    """Return the values with two unequal ones in each other's place."""
    first = places % len(values)
    second = next(v for v in range(len(values)) if values[v] != values[first])
    changed = list(values)
    changed[first], changed[second] = changed[second], changed[first]
    return tuple(changed)


CHANGES = {
    "an edge": lambda asked, i: replace(asked, edges=(*asked.edges, (1, 3 + i % 4))),
    "a label": lambda asked, i: replace(asked, labels=swapped(asked.labels, i)),
    "an attribute": lambda asked, i: replace(asked, weights=swapped(asked.weights, i)),
    "a role": lambda asked, i: replace(asked, roles=swapped(asked.roles, i)),
    "the use of a column": lambda asked, i: replace(
        asked, uses=(("kind", "ignore"), *asked.uses[1:])
    ),
    "the use of another column": lambda asked, i: replace(
        asked, uses=(*asked.uses[:2], ("size", "ignore"))
    ),
    "the order of columns": lambda asked, i: replace(
        asked, uses=(asked.uses[0], asked.uses[2], asked.uses[1])
    ),
    "a parameter": lambda asked, i: replace(asked, alpha=0.8 - 0.01 * (i + 1)),
    "the rounds": lambda asked, i: replace(asked, rounds=3 + i),
    "the seed": lambda asked, i: replace(asked, seed=1 + i),
    "the kernel": lambda asked, i: replace(asked, method=["A", "WL", "degree"][i % 3]),
}
_uploads = iter(range(10**9))


@given(st.sampled_from(sorted(CHANGES)), st.integers(0, 7))
def test_whoever_changes_one_thing_is_shown_the_numbers_of_it(change, i):
    users = [Asked(), CHANGES[change](Asked(), i), Asked()]
    keys = []
    for user in users:
        shown, *found_by = user.on_the_server(f"upload {next(_uploads)}")
        (trial, kernel), (true_trial, true_kernel) = shown, user.true_numbers()
        assert trial.predicted.tolist() == true_trial.predicted.tolist()
        assert trial.accuracy == true_trial.accuracy
        assert np.array_equal(kernel, true_kernel)
        keys.append(found_by)
    assert keys[0] == keys[2]
    assert keys[0][0] != keys[1][0]
    is_of_graph = change not in ("a role", "the kernel")
    assert (keys[0][1] != keys[1][1]) == is_of_graph


@pytest.mark.parametrize("change", ["a class", "an edge", "another file"])
def test_sets_of_graphs_are_told_apart_by_all_that_is_in_them(change, tmp_path, monkeypatch):
    from tests.app.test_graph_classification import tu_archive

    classes = [1, 2, 1, 2, 1, 2]
    other = classes[::-1] if change == "a class" else [*classes, 1]
    sets = []
    for given_classes in (classes, other, classes):
        if change == "another file":
            monkeypatch.setenv("MPGK_DATA", str(tmp_path))
            (tmp_path / "DS.zip").write_bytes(tu_archive(given_classes))
            chosen = data_set_source._named("DS")
        else:
            content = tu_archive(given_classes)
            read = read_once(f"set {next(_uploads)}", lambda content=content: [("a.zip", content)])
            chosen = data_set_source._of_file(read, Uses({}, {}), tuple(given_classes))
        assert list(chosen.classes) == given_classes
        parameters = KernelParameters(n_iterations=1)
        pair = _pairs(chosen, 0, len(chosen.graphs) - 1, parameters)["RR"]
        exact = MessagePassingGraphKernel("RR", n_iterations=1, normalize=True)
        assert pair.similarity == pytest.approx(exact.fit_transform(chosen.graphs)[0, -1])
        sets.append(chosen)
    keys = [chosen.key for chosen in sets]
    assert keys[0] == keys[2] != keys[1]
    assert len({_pairs.key(chosen, 0, 1, ()) for chosen in sets}) == 2
    assert len({_kernel.key(chosen, "AA", None) for chosen in sets}) == 2


@pytest.fixture
def small_store(monkeypatch):
    """A store with room for a megabyte in the place of the server's."""
    store = MemoryStore(1_000_000)
    monkeypatch.setattr(ui.state.cache, "STORE", store)
    return store


_calls = []


@cached(apart_from={"salt": "It does not change the result, and the tests need such an argument."})
def _repeated(text, n=2, *, salt=None):
    _calls.append((text, n))
    if n < 0:
        raise ValueError("n is negative")
    return np.full(n, len(text))


def test_a_call_is_known_however_its_arguments_are_given(small_store):
    _calls.clear()
    first = _repeated("abc", 2)
    assert _repeated("abc") is _repeated(text="abc") is _repeated(n=2, text="abc", salt=3) is first
    assert _calls == [("abc", 2)]
    assert len(_repeated("abc", 3)) == 3


def test_a_failure_is_not_kept(small_store):
    _calls.clear()
    for _ in range(2):
        with pytest.raises(ValueError, match="negative"):
            _repeated("abc", -1)
    assert len(_calls) == 2


def test_the_cache_stays_within_its_budget_with_any_number_of_visitors(small_store):
    def visit(visitor):
        graph = ChosenGraph(f"of visitor {visitor}", PATH)
        _repeated(graph.key, 20_000 + visitor)
        assert small_store.n_bytes <= small_store.budget

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(visit, range(200)))
    _calls.clear()
    assert len(_repeated(ChosenGraph("of visitor 199", PATH).key, 20_199)) == 20_199
    assert not _calls, "the last one is still there"
    _repeated(ChosenGraph("of visitor 0", PATH).key, 20_000)
    assert _calls, "the first one is not"


def test_pages_show_the_same_numbers_with_hardly_any_memory(open_playground, monkeypatch):
    def shown(**query):
        return study(open_playground(**query))

    visits = [{}, {"T": "3"}, {"graph": "karate-club"}, {"kernel": "A"}, {}]
    usual = [shown(**query) for query in visits]
    store = MemoryStore(100_000)
    monkeypatch.setattr(ui.state.cache, "STORE", store)
    assert [shown(**query) for query in visits] == usual
    assert 0 < store.n_bytes <= store.budget


def test_a_session_forgets_old_edits_before_it_grows_large(monkeypatch):
    first, *others = (GraphSet.from_networkx(nx.path_graph(n)) for n in range(1_000, 1_040))
    long = History.of(first)
    for graph in others:
        long = long.done(graph, "one vertex more")
    size = size_of({"present": long})
    for n_bytes, names in (
        (2 * size, ["old", "present"]),
        (size + 5_000, ["present"]),
        (size // 2, ["present"]),
    ):
        monkeypatch.setattr(edit_history, "_MOST_BYTES", n_bytes)
        kept = {"old": History.of(GraphSet.from_networkx(nx.path_graph(900))), "present": long}
        edit_history._forget_the_oldest(kept)
        assert size_of(kept) <= n_bytes
        assert list(kept) == names
        assert kept["present"].graph is long.graph
        n_steps = len(kept["present"].past)
        assert kept["present"].past == long.past[len(long.past) - n_steps :]
