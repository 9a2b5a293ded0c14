"""TU archives: what is packed comes out, and whatever is wrong is named with file and line."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidGraphError
from mpgk_core.datasets import load
from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats import read_graphs, read_tables, write_graphs
from mpgk_core.formats.text_rows import line_of_row
from mpgk_core.formats.tu_archive import merged_edges
from tests.strategies import graph_lists

TRIANGLE_AND_EDGE = {
    "A": "1, 2\n2, 1\n2, 3\n3, 2\n1, 3\n3, 1\n4, 5\n5, 4\n",
    "graph_indicator": "1\n1\n1\n2\n2\n",
    "graph_labels": "1\n-1\n",
    "node_labels": "6\n6\n8\n1\n1\n",
    "node_attributes": "0.5, 1\n0.25, 2\n1e-3, 3\n-4, 4\n5, 0\n",
}


def packed(parts, folder="DS/", name="DS", method=zipfile.ZIP_DEFLATED, extra=()):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for part, text in parts.items():
            data = text if isinstance(text, bytes) else text.encode()
            archive.writestr(f"{folder}{name}_{part}.txt", data)
        for path in extra:
            archive.writestr(path, "Ceci n'est pas un graphe.")
    return content.getvalue()


def read(parts, **options):
    return read_tables("DS.zip", packed(parts, **options))


def changed(**parts):
    return {key: text for key, text in {**TRIANGLE_AND_EDGE, **parts}.items() if text is not None}


def tables_of(graphs, reorder=lambda lines: lines):
    """Write networkx graphs as the format is described, with loops."""
    lines, ids, labels, attributes = [], [], [], []
    start = 1
    for g, graph in enumerate(graphs, start=1):
        number = {v: start + i for i, v in enumerate(graph)}
        start += len(graph)
        for _, data in graph.nodes(data=True):
            ids.append(g)
            labels.append("CNO".index(data["label"]))
            attributes.append(", ".join(map(repr, data["attributes"])))
        for u, v in graph.edges:
            lines += [f"{number[u]}, {number[v]}", f"{number[v]}, {number[u]}"]
    parts = {
        "A": reorder(lines),
        "graph_indicator": ids,
        "node_labels": labels,
        "node_attributes": attributes,
        "graph_labels": [g % 2 for g in range(len(graphs))],
    }
    return {part: "".join(f"{line}\n" for line in rows) for part, rows in parts.items()}


def assert_same_graphs(graphs, expected):
    assert graphs.offsets.tolist() == expected.offsets.tolist()
    assert (graphs.adjacency != expected.adjacency).nnz == 0
    assert np.array_equal(graphs.attributes, expected.attributes)


@given(graph_lists())
def test_every_graph_comes_back_as_it_was(graphs):
    tables = read(tables_of(graphs))
    graph_set = tables.graph_set()
    assert_same_graphs(graph_set, GraphSet.from_networkx(graphs))
    assert ["CNO"[label] for label in graph_set.labels] == [
        label for graph in graphs for _, label in graph.nodes("label")
    ]
    assert tables.classes.tolist() == [g % 2 for g in range(len(graphs))]
    assert tables.notes == ()


@given(graph_lists(), st.data())
def test_order_repeats_and_missing_directions_do_not_matter(graphs, data):
    def reorder(lines):
        kept = [line for i, line in enumerate(lines) if i % 2 == 0 or data.draw(st.booleans())]
        repeats = data.draw(st.lists(st.sampled_from(kept), max_size=4)) if kept else []
        return data.draw(st.permutations(kept + repeats))

    tables = read(tables_of(graphs, reorder))
    assert_same_graphs(tables.graph_set(), GraphSet.from_networkx(graphs))


@given(st.integers(1, 6), st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=20))
def test_merging_equals_counting_with_sets(n, pairs):
    pairs = [(u % n, v % n) for u, v in pairs]
    edges = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    merged, n_repeated, n_one_way = merged_edges(edges, n)
    assert merged.tolist() == sorted(map(list, {(min(pair), max(pair)) for pair in pairs}))
    assert n_repeated == len(pairs) - len(set(pairs))
    assert n_one_way == sum(u != v and (v, u) not in set(pairs) for u, v in set(pairs))


def test_notes_count_what_was_unusual():
    lines = TRIANGLE_AND_EDGE["A"].replace("5, 4\n", "") + "1, 2\n1, 2\n3, 3\n"
    notes = read(changed(A=lines)).losses()
    assert notes == (
        "1 edge is listed in one direction only, and counted.",
        "2 repeated edges count once.",
        "1 self-loop is dropped.",
    )


def test_attributes_of_graphs_are_their_targets():
    targets = read(changed(graph_attributes="1.5, 2\n-3, 4\n")).targets
    assert {key: column.tolist() for key, column in targets.items()} == {
        "target_1": [1.5, -3.0],
        "target_2": [2.0, 4.0],
    }
    with pytest.raises(UnreadableFileError, match="1 lines for 2 graphs"):
        read(changed(graph_attributes="1\n"))


def test_columns_are_labels_and_attributes():
    tables = read(changed(node_labels="6, 0\n6, 1\n8, 0\n1, 0\n1, 1\n"))
    assert list(tables.columns) == ["label", "label_2", "attribute_1", "attribute_2"]
    assert tables.columns["label_2"].tolist() == [0, 1, 0, 0, 1]
    assert tables.columns["attribute_1"].tolist() == [0.5, 0.25, 0.001, -4, 5]
    assert tables.graph_set().label_values == (1, 6, 8)


def test_vertices_of_interleaved_graphs_are_sorted():
    tables = read(
        {
            "A": "1, 3\n3, 1\n2, 4\n4, 2\n",
            "graph_indicator": "2\n1\n2\n1\n1\n",
            "node_labels": "10\n20\n30\n40\n50\n",
        }
    )
    assert tables.offsets.tolist() == [0, 3, 5]
    assert tables.edges.tolist() == [[3, 4], [0, 1]]
    assert tables.columns["label"].tolist() == [20, 40, 50, 10, 30]
    assert tables.notes == ("The vertices of every graph were put next to each other.",)


def test_a_graph_with_a_class_needs_no_vertices():
    tables = read({"A": "1, 2\n2, 1\n", "graph_indicator": "2\n2\n", "graph_labels": "0\n1\n0\n"})
    assert tables.offsets.tolist() == [0, 0, 2, 2]


@pytest.mark.parametrize("folder", ["", "DS/", "some/where/"])
def test_the_folder_and_stray_files_do_not_matter(folder):
    extra = ("README.md", "DS/.DS_Store", "__MACOSX/DS/._DS_A.txt", "DS/DS_notes.txt")
    tables = read(TRIANGLE_AND_EDGE, folder=folder, extra=extra)
    assert repr(tables.graph_set()) == "GraphSet(2 graphs, 5 vertices, 4 edges)"


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_every_usual_packing_is_read(method):
    assert read(TRIANGLE_AND_EDGE, method=method).edges.tolist() == [[0, 1], [0, 2], [1, 2], [3, 4]]


def test_line_ends_marks_spaces_and_blank_lines_do_not_matter():
    plain = read(TRIANGLE_AND_EDGE)
    odd = {
        part: b"\xef\xbb\xbf" + text.replace(", ", " ,\t").replace("\n", " \r\n\r\n").encode()
        for part, text in TRIANGLE_AND_EDGE.items()
    }
    other = read(odd)
    assert_same_graphs(other.graph_set(), plain.graph_set())
    assert other.classes.tolist() == plain.classes.tolist()


MISTAKES = {
    "edge beyond": (
        {"A": "1, 2\n\n1, 6\n"},
        "DS_A.txt in DS.zip, line 3: Vertex 6 does not exist. .* numbered from 1 to 5",
    ),
    "edge at zero": ({"A": "0, 2\n"}, "line 1: Vertex 0 does not exist"),
    "edge between graphs": (
        {"A": "1, 2\n3, 4\n"},
        "line 2: Vertex 3 is in graph 1, and vertex 4 in graph 2. An edge must stay within one",
    ),
    "three ends": ({"A": "1, 2\n1, 2, 3\n"}, "line 2: .*cell"),
    "one end": ({"A": "1\n"}, "line 1: .*cell"),
    "text in edges": ({"A": "1, 2\n2, x\n"}, "DS_A.txt in DS.zip, line 2: 'x'"),
    "huge number": ({"A": "1, 99999999999999999999\n"}, "line 1: .*too large"),
    "no indicator": ({"graph_indicator": None}, "DS_graph_indicator.txt is missing"),
    "graph zero": ({"graph_indicator": "0\n0\n0\n1\n1\n"}, "line 1: There is no graph 0"),
    "too few classes": (
        {"graph_labels": "1\n"},
        "DS_graph_indicator.txt in DS.zip, line 4: This vertex is in graph 2. Give it a class",
    ),
    "gap among graphs": (
        {"graph_labels": None, "graph_indicator": "1\n1\n1\n3\n3\n"},
        "line 4: This vertex is in graph 3. There is no graph 2; number the graphs without gaps",
    ),
    "a billion graphs": (
        {"graph_labels": None, "graph_indicator": "1\n1\n1\n1000000000\n1000000000\n"},
        "line 4: .*without gaps",
    ),
    "no graphs": ({"graph_labels": None, "graph_indicator": "", "A": ""}, "There are no graphs"),
    "two classes": ({"graph_labels": "1, 0\n1, 1\n"}, "DS_graph_labels.txt in DS.zip, line 1"),
    "labels missing": (
        {"node_labels": "6\n6\n"},
        "DS_node_labels.txt in DS.zip: There are 2 lines for 5 vertices",
    ),
    "no labels": ({"node_labels": ""}, "There are 0 lines for 5 vertices"),
    "ragged attributes": (
        {"node_attributes": "1, 2\n1, 2\n1\n1, 2\n1, 2\n"},
        "DS_node_attributes.txt in DS.zip, line 3: .*2 cells",
    ),
    "attributes missing": ({"node_attributes": "1\n1\n"}, "There are 2 lines for 5 vertices"),
    "not a number": (
        {"node_attributes": "1, 2\n1, nan\n1, 2\n1, 2\n1, 2\n"},
        "line 2: Attribute 2 is nan. Replace it by a finite number",
    ),
    "infinite": ({"node_attributes": "1\n2\n\n3\n-inf\n5\n"}, "line 5: Attribute 1 is -inf"),
    "binary noise": ({"A": b"\x00\xff\xfe\x01\x80"}, "DS_A.txt"),
    "not UTF-8": ({"node_labels": b"\xe9\n1\n1\n1\n1\n"}, "DS_node_labels.txt in DS.zip, line 1"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_its_file_and_line(mistake):
    parts, message = MISTAKES[mistake]
    with pytest.raises(UnreadableFileError, match=message):
        read(changed(**parts))


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("MPGK_MAX_EDGES", "5", "DS_A.txt.* edges, and at most 5"),
        ("MPGK_MAX_VERTICES", "3", "vertices, and at most 3"),
        ("MPGK_MAX_COLUMNS", "1", "2 columns, and at most 1"),
        ("MPGK_MAX_UNPACKED_BYTES", "50", "50 bytes"),
        ("MPGK_MAX_ARCHIVE_MEMBERS", "2", "more than 2"),
    ],
)
def test_bounds_hold(monkeypatch, setting, value, message):
    monkeypatch.setenv(setting, value)
    with pytest.raises(UnreadableFileError, match=message):
        read(TRIANGLE_AND_EDGE)


def test_two_data_sets_in_one_archive_are_refused():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("a/a_A.txt", "")
        archive.writestr("b/b_A.txt", "")
    with pytest.raises(UnreadableFileError, match=r"a/a_A\.txt and b/b_A\.txt"):
        read_tables("DS.zip", content.getvalue())


def test_an_archive_cut_anywhere_is_refused():
    content = packed(TRIANGLE_AND_EDGE)
    for length in range(len(b"PK\x03\x04"), len(content)):
        with pytest.raises((UnreadableFileError, InvalidGraphError)):
            read_tables("DS.zip", content[:length])


def test_a_changed_byte_is_refused_or_harmless():
    content = packed(TRIANGLE_AND_EDGE, method=zipfile.ZIP_STORED)
    for position in range(len(content)):
        noisy = content[:position] + bytes([content[position] ^ 0x55]) + content[position + 1 :]
        with suppress(UnreadableFileError, InvalidGraphError):
            read_tables("DS.zip", noisy).graph_set()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@given(st.lists(st.sampled_from(["1, 2", " 1, 2", "\t2, 1 ", "", "  ", "# 1", "% 1", " #"])))
def test_rows_are_found_on_their_lines(end, lines):
    content = "".join(line + end for line in lines).encode()
    expected = [
        i for i, line in enumerate(lines, start=1) if line.strip() and line.strip()[0] in "12"
    ]
    assert [line_of_row(content, row) for row in range(len(expected))] == expected


def test_a_self_loop_can_be_kept():
    tables = read({"A": "1, 1\n1, 2\n2, 1\n", "graph_indicator": "1\n1\n"})
    assert tables.graph_set(self_loops="keep").n_edges == 2
    assert nx.number_of_selfloops(tables.graph_set().to_networkx()[0]) == 0


FLOATS = st.floats(allow_nan=False, allow_infinity=False)


def with_labels(graphs, labels, attributes=None):
    stacked = GraphSet.from_networkx(graphs, node_label=None, node_attributes=None)
    return GraphSet(stacked.adjacency, stacked.offsets, labels=labels, attributes=attributes)


@given(graph_lists(), st.data())
def test_numbers_come_back_exactly(graphs, data):
    n = sum(map(len, graphs))
    labels = data.draw(st.lists(st.integers(-(2**63) + 1, 2**63 - 1), min_size=n, max_size=n))
    rows = data.draw(st.lists(st.tuples(FLOATS, FLOATS), min_size=n, max_size=n))
    written = with_labels(graphs, labels, rows)
    classes = np.arange(len(graphs)) - 1
    tables = read_tables("graphs.zip", write_graphs(written, "tu", classes))
    again = tables.graph_set()
    assert again.offsets.tolist() == written.offsets.tolist()
    assert (again.adjacency != written.adjacency).nnz == 0
    assert again.labels == labels
    assert again.attributes.tobytes() == written.attributes.tobytes()
    assert tables.classes.tolist() == classes.tolist()
    assert tables.notes == ()


def test_tuples_of_numbers_become_columns():
    written = with_labels([nx.path_graph(2)], [(6, 1), (8, 2)])
    tables = read_tables("graphs.zip", write_graphs(written, "tu"))
    assert tables.graph_set({"label": "label", "label_2": "label"}).labels == [(6, 1), (8, 2)]


@pytest.mark.parametrize("labels", [["C", "O", "C"], [3, (3,), 3], [0.5, 1.5, 0.5], [2**70, 1, 2]])
def test_other_labels_are_numbered_and_explained(labels):
    content = write_graphs(with_labels([nx.path_graph(3)], labels), "tu")
    codes = read_tables("graphs.zip", content).graph_set().labels
    assert all(
        (codes[i] == codes[j]) == (labels[i] == labels[j]) for i in range(3) for j in range(3)
    )
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        meanings = archive.read("graphs/README.txt").decode().splitlines()
    for code, label in zip(codes, labels, strict=True):
        assert f"Node label {code}: {label}" in meanings


def test_classes_of_text_are_numbered_in_their_order():
    graphs = with_labels([nx.path_graph(2), nx.path_graph(3), nx.path_graph(2)], None)
    tables = read_tables("a.zip", write_graphs(graphs, "tu", np.array(["ring", "chain", "ring"])))
    assert tables.classes.tolist() == [1, 0, 1]


def test_self_loops_that_were_kept_are_written():
    loop = GraphSet.from_networkx(nx.Graph([(0, 0), (0, 1)]), self_loops="keep")
    tables = read_tables("a.zip", write_graphs(loop, "tu"))
    assert tables.graph_set(self_loops="keep").n_edges == 2


def test_the_same_graphs_give_the_same_bytes():
    graphs = with_labels([nx.karate_club_graph()], list(range(34)))
    content = write_graphs(graphs, "tu")
    assert content == write_graphs(graphs, "tu")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_graph_without_vertices_needs_a_class():
    graphs = with_labels([nx.path_graph(2), nx.empty_graph(0)], None)
    with pytest.raises(InvalidGraphError, match="Graph 1 has no vertices"):
        write_graphs(graphs, "tu")
    tables = read_tables("a.zip", write_graphs(graphs, "tu", np.array([0, 1])))
    assert tables.offsets.tolist() == [0, 2, 2]


def test_a_readme_names_the_labels_and_its_names_are_written_again():
    graphs = load("MUTAG").graphs[:4]
    assert graphs.label_names.vertices[0] == "C"
    assert graphs.label_names.edges == {0: "aromatic", 1: "single", 2: "double", 3: "triple"}
    again = read_graphs("a.zip", write_graphs(graphs, "tu", np.zeros(4, dtype=np.int64)))
    assert again.label_names == graphs.label_names
    assert again.labels == graphs.labels
