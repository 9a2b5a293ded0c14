"""Where graphs come from: files, standard input, data sets at hand, and the web on demand."""

import pytest

from mpgk_core.datasets import sample_folder
from tests.cli.running import fail, run, succeed

TABLE = b"id,kind,size,weight\na,x,1.5,2\nb,y,2.5,3\nc,x,3.5,4\n"
EDGES = b"source,target\na,b\nb,c\n"


def items(*arguments, **streams):
    return succeed("info", *arguments, **streams).rows[1:]


@pytest.fixture
def pair(empty_folder):
    (empty_folder / "vertices.csv").write_bytes(TABLE)
    (empty_folder / "edges.csv").write_bytes(EDGES)
    return ("vertices.csv", "edges.csv")


def test_standard_input_is_read_and_its_name_tells_the_format():
    matrix = b"0 1\n1 0\n"
    assert ["format", "", "Edge list"] in items("-", "--name", "a.edges", stdin=b"0 1\n1 2\n")
    assert ["file", "x.csv", ""] in items("-", "--name", "x.csv", stdin=matrix)
    assert "only once" in fail("info", "-", "-", code=2)


def test_standard_input_that_is_too_long_is_refused(monkeypatch):
    monkeypatch.setenv("MPGK_MAX_FILE_BYTES", "10")
    assert "MPGK_MAX_FILE_BYTES" in fail("info", "-", stdin=b"1 2\n" * 3, code=1)


def test_a_vertex_table_and_an_edge_table_make_one_graph(pair):
    rows = items(*pair)
    assert ["graphs", "", "1"] in rows
    assert ["column", "kind", "label"] in rows


def test_several_files_are_reported_one_by_one_unless_they_are_joined():
    rows = items("MUTAG", "petersen")
    assert [row[2] for row in rows if row[0] == "graphs"] == ["188", "1"]
    assert [row[1] for row in rows if row[0] == "file"] == ["MUTAG.zip", "petersen.mtx"]
    assert ["graphs", "", "189"] in items("MUTAG", "petersen", "--join")
    twice = items("MUTAG", "MUTAG", "--join")
    (copies,) = (int(row[2]) for row in twice if row[0] == "identical graphs")
    assert copies >= 188
    for command in ("kernel", "embed", "orbits", "convert"):
        options = ("--to", "g6") if command == "convert" else ()
        assert "Add --join" in fail(command, "petersen", "karate_club", *options, code=1)


def test_a_reading_can_be_chosen():
    matrix = b"0 1\n1 0\n"
    rows = items("-", stdin=matrix)
    assert ["reading", "adjacency-matrix"] in [row[:2] for row in rows]
    assert ["other reading", "edge-list"] in [row[:2] for row in rows]
    rows = items("-", "--reading", "edge-array", stdin=b"0 1\n2 3\n")
    assert ["edges", "", "2"] in rows
    assert "invalid choice" in run("info", "-", "--reading", "no", stdin=matrix).err


def test_roles_can_be_chosen(pair):
    def roles(*options):
        return {row[1]: row[2] for row in items(*pair, *options) if row[0] == "column"}

    guessed = roles()
    assert guessed == {"kind": "label", "size": "ignore", "weight": "attribute"}
    assert roles("--label", "size") == {"kind": "ignore", "size": "label", "weight": "attribute"}
    assert roles("--attribute", "size") == guessed | {"size": "attribute", "weight": "ignore"}
    assert roles("--ignore", "kind") == guessed | {"kind": "ignore"}
    assert "'kind'" in fail("info", *pair, "--label", "kind", "--ignore", "kind", code=2)
    assert "kind, size, weight" in fail("info", *pair, "--label", "colour", code=1)
    assert "holds text" in fail("embed", *pair, "--attribute", "kind", code=1)


def test_self_loops_are_kept_on_demand():
    loop = b"a a\na b\n"
    assert ["edges", "", "1"] in items("-", stdin=loop)
    assert ["edges", "", "2"] in items("-", "--self-loops", "keep", stdin=loop)


def test_a_file_comes_before_a_data_set_and_mpgk_data_before_the_samples(
    empty_folder, archive, monkeypatch
):
    assert ["graphs", "", "188"] in items("MUTAG")
    folder = empty_folder / "data"
    folder.mkdir()
    (folder / "MUTAG.zip").write_bytes(archive)
    monkeypatch.setenv("MPGK_DATA", str(folder))
    assert ["graphs", "", "300"] in items("MUTAG")
    (empty_folder / "MUTAG").write_bytes(b"1 2\n")
    assert ["graphs", "", "1"] in items("MUTAG")


def test_a_data_set_is_downloaded_only_on_demand(server, monkeypatch):
    monkeypatch.setenv("MPGK_TU_ADDRESS", server.address)
    assert "--fetch" in fail("info", "RINGS", code=1)
    assert server.requests == []
    assert ["graphs", "", "300"] in items("RINGS", "--fetch")
    assert len(server.requests) == 1
    assert ["class", "0", "150"] in items("RINGS")
    assert len(server.requests) == 1


def test_fetch_tells_where_the_file_lies(server, monkeypatch, empty_folder):
    monkeypatch.setenv("MPGK_TU_ADDRESS", server.address)
    rows = succeed("fetch", "RINGS").rows
    assert rows[1][:2] == ["RINGS", str(empty_folder / "cache" / "RINGS.zip")]
    server.requests.clear()
    assert succeed("fetch", "RINGS", "--format", "json").json["names"] == ["RINGS"]
    assert server.requests == []
    assert "no data set RING " in fail("fetch", "RING", code=1)


def test_progress_is_shown_to_those_who_watch(server, monkeypatch):
    monkeypatch.setenv("MPGK_TU_ADDRESS", server.address)
    shown = run("fetch", "RINGS", terminal=True).err
    assert shown.startswith("\rRINGS: 0 bytes (0 %)")
    assert "(100 %)\x1b[K\n" in shown


def test_progress_in_a_file_is_made_of_lines(server, monkeypatch):
    monkeypatch.setenv("MPGK_TU_ADDRESS", server.address)
    lines = run("fetch", "RINGS", "--verbose").err.splitlines()
    assert 2 <= len(lines) <= 11
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize("path", sorted(sample_folder().glob("*.*")), ids=lambda path: path.name)
def test_every_sample_is_known_by_its_name(path):
    if path.name in ("samples.json", "README.md"):
        assert "no such file" in fail("info", path.name, code=1)
    else:
        assert items(path.name) == items(path.stem) == items(path)


def test_what_is_not_there_is_said(empty_folder):
    assert "There is no such file" in fail("info", "nothing.gml", code=1)
    assert "This is a folder" in fail("info", empty_folder, code=1)
    (empty_folder / "bad.graphml").write_bytes(b"<graphml>")
    assert fail("info", "bad.graphml", code=1).startswith("mpgk: bad.graphml")
    assert "empty" in fail("info", "-", code=1)
