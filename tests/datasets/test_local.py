"""Data sets at hand, where they lie, and the catalogue."""

import json
from pathlib import Path

import numpy as np
import pytest

from mpgk_core import InvalidParameterError
from mpgk_core.datasets import available, cache_folder, catalogue, citation_of, load, recognised


def test_the_nearest_copy_counts(archive, monkeypatch, places):
    (places / "samples").mkdir()
    for name in ("A", "B", "C"):
        (places / "samples" / f"{name}.zip").write_bytes(archive)
    entries = [
        {"file": f"{name}.zip", "title": name, "teaches": "Rings.", "source": f"Folk {name}"}
        for name in ("A", "B", "C")
    ]
    (places / "samples" / "samples.json").write_text(json.dumps(entries))
    cache_folder().mkdir()
    for name in ("B", "C"):
        (cache_folder() / f"{name}.zip").write_bytes(archive)
    (places / "data").mkdir()
    (places / "data" / "C.zip").write_bytes(archive)
    monkeypatch.setenv("MPGK_DATA", str(places / "data"))
    monkeypatch.setenv("MPGK_SAMPLES", str(places / "samples"))
    assert {name: found.path.parent for name, found in available().items()} == {
        "A": places / "samples",
        "B": cache_folder(),
        "C": places / "data",
    }
    assert len(load("C").graphs) == 300
    assert load("A").citation == "Folk A"
    assert load("B").citation == citation_of("B")


def test_other_files_are_not_listed(archive, monkeypatch, places):
    (places / "data").mkdir()
    (places / "data" / "bad name.zip").write_bytes(archive)
    (places / "data" / "damaged.zip").write_bytes(archive[:1000])
    (places / "data" / "text.zip").write_text("no")
    (places / "data" / "good.txt").write_text("no")
    (places / "data" / "folder.zip").mkdir()
    monkeypatch.setenv("MPGK_DATA", str(places / "data"))
    (places / "data" / "samples.json").write_text("[]")
    monkeypatch.setenv("MPGK_SAMPLES", str(places / "data"))
    assert available() == {}
    with pytest.raises(InvalidParameterError, match=r"'damaged' not found.*fetch_tu"):
        load("damaged")


def test_mutag_comes_along_with_its_citation():
    found = load("MUTAG")
    assert (len(found.graphs), found.graphs.n_vertices, found.graphs.n_edges) == (188, 3371, 3721)
    assert found.graphs.label_values == (0, 1, 2, 3, 4, 5, 6)
    assert sorted(set(found.classes.tolist())) == [-1, 1]
    assert "Debnath" in found.citation


def test_the_cache_lies_where_the_settings_say(monkeypatch, tmp_path):
    assert cache_folder() == tmp_path / "cache"
    monkeypatch.delenv("MPGK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "mpgk"
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    assert cache_folder() == Path.home() / ".cache" / "mpgk"


def test_the_catalogue_names_its_sources():
    assert next(iter(catalogue())) == "MUTAG"
    for name, entry in catalogue().items():
        assert entry.name == name
        assert entry.n_classes < entry.n_graphs
        assert entry.about.endswith(".")
        assert entry.citation in citation_of(name)
        assert round(entry.mean_vertices, 2) == entry.mean_vertices
    assert citation_of("unheard-of").startswith("Morris")


def test_sets_are_recognised_by_their_sizes_and_not_by_their_names():
    mutag = load("MUTAG")
    entry = recognised(mutag.graphs, mutag.classes)
    assert entry is catalogue()["MUTAG"]
    assert recognised(mutag.graphs[::-1], mutag.classes[::-1]) is entry
    assert recognised(mutag.graphs[1:], mutag.classes[1:]) is None
    assert recognised(mutag.graphs, [0] * 188) is None
    smallest = int(mutag.graphs.sizes.argmin())
    assert recognised(mutag.graphs[[smallest] * 188], mutag.classes) is None
    assert recognised(mutag.graphs[:0], []) is None


def test_labels_get_words_and_keep_their_codes():
    graphs = load("MUTAG").graphs
    named = graphs.named()
    assert set(named.labels) == {"C", "N", "O", "F", "I", "Cl", "Br"}
    np.testing.assert_array_equal(named.label_codes, graphs.label_codes)
    assert set(graphs.labels) == set(range(7))
    assert named.edges.labels.count("aromatic") == graphs.edges.labels.count(0) > 0
    np.testing.assert_array_equal(named.edges.label_codes, graphs.edges.label_codes)
    assert named.named() is named
