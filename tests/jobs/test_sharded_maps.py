"""Maps in shards against the maps of kernels that are fitted as usual."""

import json

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import vstack

from mpgk_core import GraphSet, InvalidParameterError, MessagePassingGraphKernel
from mpgk_core.errors import NotFittedError
from mpgk_core.jobs import Engine, Store
from mpgk_core.jobs.sharded_maps import MANIFEST, ShardedMap, write_maps
from mpgk_core.refinement.colour_refinement import VertexTypes

VARIANTS = ["RR", "RA", "AR", "AA"]


def molecules(n_graphs, seed=0):
    rng = np.random.default_rng(seed)
    graphs = []
    for _ in range(n_graphs):
        graph = nx.gnp_random_graph(int(rng.integers(1, 9)), 0.4, seed=int(rng.integers(1 << 30)))
        nx.set_node_attributes(graph, {v: "CNO"[rng.integers(3)] for v in graph}, "label")
        nx.set_edge_attributes(graph, {e: "-="[rng.integers(2)] for e in graph.edges}, "label")
        graphs.append(graph)
    return GraphSet.from_networkx(graphs)


@pytest.fixture
def small_portions(monkeypatch):
    """Portions so small that a few graphs have several."""
    monkeypatch.setattr("mpgk_core.kernels.feature_maps.PORTION", 3)
    monkeypatch.setattr("mpgk_core.kernels.graph_kernel.PORTION", 3)
    portions = VertexTypes.portions
    monkeypatch.setattr(VertexTypes, "portions", lambda types, size=5: portions(types, size))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("features", ["labels", "labels,degree"])
@pytest.mark.parametrize("options", [{}, {"levels": "sum"}, {"edges": "labels"}])
@pytest.mark.usefixtures("small_portions")
def test_shards_are_the_rows_of_the_whole_map(tmp_path, variant, features, options):
    graphs = molecules(14)
    kernel = MessagePassingGraphKernel(variant, n_iterations=3, features=features, **options)
    maps = write_maps(kernel, graphs, tmp_path, n_per_shard=5)
    assert [rows.shape[0] for rows in maps] == [5, 5, 4]
    rows, expected = vstack(list(maps)).tocsr(), kernel.fit(graphs).fitted_features()
    for part in (rows, expected):
        part.sum_duplicates()
        part.eliminate_zeros()
    assert rows.shape == expected.shape
    np.testing.assert_array_equal(rows.indptr, expected.indptr)
    np.testing.assert_array_equal(rows.indices, expected.indices)
    np.testing.assert_array_equal(rows.data, expected.data)


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_workers_write_the_same_bytes(tmp_path):
    graphs = molecules(9)
    kernel = MessagePassingGraphKernel("AA", n_iterations=2, features="labels")
    write_maps(kernel, graphs, tmp_path / "here", n_per_shard=3)
    with Store(tmp_path / "store.sqlite") as store, Engine(store, n_workers=1) as engine:
        write_maps(kernel, graphs, tmp_path / "there", n_per_shard=3, engine=engine)
    assert files(tmp_path / "here") == files(tmp_path / "there")


def test_stopped_work_goes_on_with_the_shards_that_are_there(tmp_path):
    graphs, kernel = molecules(9), MessagePassingGraphKernel("RA", features="labels")
    answers = iter([False, True])
    assert write_maps(kernel, graphs, tmp_path, n_per_shard=3, stop=lambda: next(answers)) is None
    assert not (tmp_path / MANIFEST).exists()
    (first,) = tmp_path.iterdir()
    before = first.stat().st_mtime_ns
    write_maps(kernel, graphs, tmp_path, n_per_shard=3)
    assert first.stat().st_mtime_ns == before
    write_maps(kernel, graphs, tmp_path / "again", n_per_shard=3)
    assert files(tmp_path / "again") == files(tmp_path)


def test_other_graphs_or_parameters_never_take_the_same_shard(tmp_path):
    kernel = MessagePassingGraphKernel("RR", n_iterations=1, features="labels")
    first = write_maps(kernel, molecules(4), tmp_path).manifest
    others = [
        write_maps(kernel, molecules(4, seed=1), tmp_path).manifest,
        write_maps(kernel.unfitted(alpha=0.5), molecules(4), tmp_path).manifest,
        write_maps(kernel, molecules(4), tmp_path, n_per_shard=2).manifest,
    ]
    names = {shard["file"] for manifest in (first, *others) for shard in manifest["shards"]}
    assert len(names) == 5


def test_a_folder_is_opened_again(tmp_path):
    kernel = MessagePassingGraphKernel("AA", n_iterations=1, features="labels")
    written = write_maps(kernel, molecules(5), tmp_path, n_per_shard=2)
    opened = ShardedMap.open(tmp_path)
    assert len(opened) == 3
    assert json.dumps(opened.manifest, sort_keys=True) == json.dumps(
        written.manifest, sort_keys=True
    )
    assert sum(rows.shape[0] for rows in opened) == opened.manifest["n_graphs"] == 5


def test_a_folder_without_maps_is_refused(tmp_path):
    with pytest.raises(InvalidParameterError, match=r"manifest\.json cannot be read"):
        ShardedMap.open(tmp_path)
    with pytest.raises(InvalidParameterError, match="n_per_shard"):
        write_maps(MessagePassingGraphKernel(), molecules(2), tmp_path, n_per_shard=0)


def test_a_kernel_that_learnt_for_maps_alone_compares_nothing():
    graphs = molecules(4)
    kernel = MessagePassingGraphKernel("AA", features="labels").fit_map(graphs)
    for call in (kernel.fitted_features, lambda: kernel.transform(graphs)):
        with pytest.raises(NotFittedError, match="call fit, or use feature_map"):
            call()
