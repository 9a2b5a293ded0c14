"""Where results go: nothing but data on standard output, and no harm to whoever opens it."""

import json

import pytest

from mpgk_core.formats import WRITERS, read_graphs, write_graphs
from tests.cli.running import fail, run, succeed

HOSTILE = json.dumps(
    {
        "nodes": [{"id": "=1+1"}, {"id": 'a,"b"\nc'}, {"id": "\x1b[31m"}, {"id": "-3"}],
        "links": [{"source": "=1+1", "target": "-3"}],
    }
).encode()


def test_formulas_are_escaped_in_csv_and_exact_in_json():
    rows = succeed("orbits", "-", stdin=HOSTILE).rows
    assert [row[0] for row in rows[1:]] == ["'=1+1", 'a,"b"\nc', "\x1b[31m", "-3"]
    header = succeed("kernel", "-", stdin=HOSTILE).rows[0]
    assert header[1] == "'=1+1"
    found = succeed("orbits", "-", "--format", "json", stdin=HOSTILE).json
    assert found["names"] == ["=1+1", 'a,"b"\nc', "\x1b[31m", "-3"]


def test_complaints_are_one_line_that_no_terminal_obeys():
    said = fail("info", "two\nlines\x1b[2J", code=1)
    assert said.isprintable()
    assert said.startswith("mpgk: two")


def test_the_extension_of_the_file_chooses_the_format(empty_folder):
    for name, start in (("a.json", b"{"), ("a.npz", b"PK"), ("a.csv", b"name"), ("a.x", b"name")):
        assert succeed("orbits", "petersen", "--out", name).out == b""
        assert (empty_folder / name).read_bytes().startswith(start)
    succeed("orbits", "petersen", "--out", "b.json", "--format", "csv")
    assert (empty_folder / "b.json").read_bytes().startswith(b"name")


def test_binary_is_refused_on_a_terminal_before_any_work():
    said = fail("kernel", "no such file", "--format", "npz", code=2, terminal=True)
    assert "--out FILE" in said
    assert "--out FILE" in fail("convert", "petersen", "--to", "tu", code=2, terminal=True)
    assert run("kernel", "petersen", "--format", "json", terminal=True).code == 0


def test_a_place_that_cannot_be_written_is_named_before_any_work(empty_folder):
    assert "no folder 'x'" in fail("info", "no such file", "--out", "x/y.csv", code=2)
    assert "is a folder" in fail("info", "no such file", "--out", empty_folder, code=2)


def test_a_failure_leaves_the_file_of_before(empty_folder):
    (empty_folder / "old.csv").write_bytes(b"old")
    fail("info", "no such file", "--out", "old.csv", code=1)
    assert (empty_folder / "old.csv").read_bytes() == b"old"


@pytest.mark.parametrize("key", WRITERS)
def test_convert_writes_what_the_writers_write(key):
    petersen = succeed("convert", "petersen", "--to", "npz").out
    expected = write_graphs(read_graphs("p.npz", petersen), key)
    assert succeed("convert", "-", "--to", key, stdin=petersen).out == expected


def test_convert_keeps_classes_and_knows_formats_by_extension(empty_folder):
    assert run("convert", "MUTAG", "--to", "tu", "--out", "copy.zip").code == 0
    before, after = succeed("info", "MUTAG").rows, succeed("info", "copy.zip").rows
    classes = [row for row in before if row[0] == "class"]
    assert len(classes) == 2
    assert classes == [row for row in after if row[0] == "class"]
    assert run("convert", "caffeine", "--out", "caffeine.gml").code == 0
    assert ["format", "", "GML"] in succeed("info", "./caffeine.gml").rows
    assert "tables or tu" in fail("convert", "caffeine", "--out", "x.zip", code=2)
    assert "--to FORMAT" in fail("convert", "caffeine", code=2)


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        (("-", "--to", "g6"), b"0 1\n1 2\n", []),
        (
            ("-", "--to", "edgelist"),
            b"a b 3\nb a 3\nb b 1\n",
            [
                "Every edge is listed in both directions, and counts once.",
                "1 self-loop is dropped.",
            ],
        ),
        (
            ("-", "--to", "mtx"),
            b"digraph { a -> b }",
            ["Matrix Market cannot hold names of vertices."],
        ),
        (("caffeine", "--to", "net"), b"", ["Pajek cannot hold labels."]),
        (("karate_club", "--to", "graphml"), b"", ["Column 'club' is called 'label' in the file."]),
        (("karate_club", "--to", "gml", "--ignore", "club"), b"", ["Column not used: club."]),
    ],
)
def test_convert_says_what_is_lost_or_renamed_though_nobody_watches(arguments, stdin, said):
    outcome = run("convert", *arguments, stdin=stdin)
    assert (outcome.code, outcome.err.splitlines()) == (0, said)


def test_remarks_are_made_only_if_someone_watches_or_asks():
    assert run("info", "les_miserables.net").err == ""
    watched = run("info", "les_miserables.net", terminal=True)
    asked = run("info", "les_miserables.net", "--verbose")
    assert "Kernels ignore edge weights by default." in watched.err
    assert watched.err == asked.err
    assert watched.out == asked.out == run("info", "les_miserables.net").out
