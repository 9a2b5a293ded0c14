"""Sessions come back as they were; one changed character, and they are refused."""

import hashlib
import json
import re
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import GraphSet, InvalidGraphError, InvalidParameterError
from mpgk_core.errors import UnreadableFileError
from mpgk_core.evaluation import checked_roles
from mpgk_core.export import (
    GivenGraph,
    GivenRoles,
    GivenSet,
    NamedSet,
    Session,
    load_session,
    save_session,
)
from mpgk_core.export.session import PAGES
from tests.export.studies import NASTY, NASTY_SET, large_graph, nasty_graph
from tests.export.test_packed_graphs import assert_identical
from tests.formats import mutations

ROLES = checked_roles([NASTY[v % 2 * 4] for v in range(13)], 13)
DATA = {
    "none": None,
    "named": NamedSet(NASTY[3]),
    "graph": GivenGraph(NASTY[0], nasty_graph()),
    "large": GivenGraph("Grid", large_graph()),
    "set": NASTY_SET,
    "roles": GivenRoles("half \ud800", nasty_graph(), ROLES),
}
SETTINGS = {"tune-last": ("4",), "features": ("degree", NASTY[9]), "empty": ()}
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.sampled_from(NASTY)
MUTATIONS = (
    mutations.flip_bits,
    mutations.change_bytes,
    mutations.truncate,
    mutations.cut,
    mutations.repeat,
    mutations.blow_up_number,
    mutations.swap_tokens,
)


def assert_same(found, session):
    assert (found.page, dict(found.settings)) == (session.page, dict(session.settings))
    data, other = found.data, session.data
    assert type(data) is type(other)
    if isinstance(other, NamedSet):
        assert data == other
    elif isinstance(other, GivenSet):
        assert_identical(data.graphs, other.graphs)
        assert (data.title, data.classes) == (other.title, other.classes)
    elif other is not None:
        assert_identical(data.graph, other.graph)
        assert data.title == other.title.replace("\ud800", "?")
    if isinstance(other, GivenRoles):
        assert data.roles.names == other.roles.names
        assert data.roles.of_vertex.tolist() == other.roles.of_vertex.tolist()


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("page", PAGES)
def test_a_session_comes_back(page, data):
    session = Session(page, SETTINGS, DATA[data])
    content = save_session(session)
    assert_same(load_session(content), session)
    assert save_session(load_session(content)) == content


@settings(max_examples=50)
@given(kept=st.dictionaries(TEXT, st.lists(TEXT, max_size=3).map(tuple), max_size=5))
def test_any_settings_come_back(kept):
    session = Session("tuning", kept)
    assert_same(load_session(save_session(session)), session)


def test_edits_may_be_longer_than_any_other_setting():
    session = Session("playground", {"edits": ("x" * 5_000,)})
    assert_same(load_session(save_session(session)), session)
    with pytest.raises(InvalidParameterError, match="1,000,000 characters"):
        Session("playground", {"edits": ("x" * 1_000_001,)})


@pytest.mark.parametrize("mutate", MUTATIONS)
def test_a_damaged_file_is_refused_or_says_the_same(mutate):
    session = Session("node_classification", SETTINGS, DATA["roles"])
    content = save_session(session)
    n_refused = 0
    for seed in range(30):
        damaged = bytearray(content)
        mutate(Random(seed), damaged)
        try:
            found = load_session(bytes(damaged), "my.json")
        except UnreadableFileError:
            n_refused += 1
        else:
            assert json.loads(damaged) == json.loads(content)
            assert_same(found, session)
    assert n_refused > 20


def forged(session, **changes):
    """Return the file of a session with other fields, and the digest that belongs to them."""
    saved = json.loads(save_session(session)) | changes
    saved = {key: value for key, value in saved.items() if value is not Ellipsis}
    saved.pop("digest", None)
    text = json.dumps(saved, sort_keys=True).encode()
    return json.dumps({**saved, "digest": hashlib.sha256(text).hexdigest()}).encode()


@pytest.mark.parametrize(
    ("key", "value", "match"),
    [
        ("page", "garden", "'page' parameter of Session"),
        ("page", None, "Field 'page': This is None. It must be a text."),
        ("page", ..., "Field 'page': This field is missing. Add it."),
        ("extra", 1, "Field 'extra': This field is unknown. The fields here are engine, page"),
        ("settings", [], "Field 'settings': This is .*. It must be a table."),
        ("settings", {"a": 1}, "Field 'settings'"),
        ("settings", {"a": [1]}, "Field 'settings'"),
        ("settings", {"a": ["x" * 2000]}, "setting 'a' must be .* of at most 1,000 characters"),
        ("settings", {"x" * 2000: []}, "of at most 1,000 characters"),
        ("settings", {"a": ["b"] * 201}, "setting 'a' must be a tuple of at most 200"),
        ("settings", {str(n): [] for n in range(201)}, "201 settings"),
        ("data", [], "Field 'data': This is .*. It must be a table."),
        ("data", {}, "neither 'set' nor 'packed'"),
        ("data", {"title": "x", "packed": "{}"}, "Field 'graphs': This field is missing."),
        ("data", {"title": "x", "packed": 7}, "Field 'data.packed': This is 7. It must be a text."),
        ("data", {"title": "x", "packed": "eNo="}, "damaged"),
        ("data", {"set": "MUTAG", "more": 1}, "Field 'data.more': This field is unknown."),
    ],
)
def test_a_forged_file_is_refused_with_the_field_and_what_to_do(key, value, match):
    """The digest of a forged file is right; what it says is checked all the same."""
    with pytest.raises(UnreadableFileError, match=match) as caught:
        load_session(forged(Session("tuning", SETTINGS), **{key: value}), "my.json")
    assert str(caught.value).startswith("my.json: ")
    assert re.search(r"\. [A-Z][^.]*\.$", str(caught.value)), "the last sentence tells what to do"


@pytest.mark.parametrize("place", [-1, 2, 1.5, "x", None])
def test_forged_roles_are_refused(place):
    session = Session("node_classification", {}, DATA["roles"])
    data = json.loads(save_session(session))["data"]
    data["roles"]["of_vertex"] = [0, 1] * 6 + [place]
    match = "A role is not a number from 0 to 1|'data.roles.of_vertex.13'"
    with pytest.raises(UnreadableFileError, match=match):
        load_session(forged(session, data=data))


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\0", b"[]", b"{}", b"{", b"3", b"\xff", b"PK\x03\x04", b"[" * 10**5),
        *(b'{"mpgk_session": 1}', b'{"mpgk_page_session": 1}', b'{"mpgk_session": 2}'),
    ],
)
def test_other_files_are_no_sessions(content):
    with pytest.raises(UnreadableFileError):
        load_session(content)


@pytest.mark.parametrize("version", [True, 0, 3, "1", None, 10**400])
def test_other_versions_are_refused(version):
    with pytest.raises(UnreadableFileError, match=r"of version .*, and this program reads"):
        load_session(forged(Session("tuning", {}), mpgk_session=version))


def test_large_files_are_not_read(monkeypatch):
    content = save_session(Session("tuning", {}))
    monkeypatch.setenv("MPGK_MAX_FILE_BYTES", "10")
    with pytest.raises(UnreadableFileError, match="at most 10 are read"):
        load_session(content)


def test_wrong_sessions_are_never_made():
    for make, match in (
        (lambda: Session("garden", {}), "page"),
        (lambda: Session("tuning", {str(n): () for n in range(201)}), "201 settings"),
        (lambda: Session("tuning", {"a": ["b"]}), "must be a tuple"),
        (lambda: Session("tuning", {"a": ("\ud800",)}), "must be a tuple of at most 200 texts"),
        (lambda: Session("tuning", {"a": (1,)}), "must be a tuple of at most 200 texts"),
        (lambda: Session("tuning", {1: ("a",)}), "must be a tuple of at most 200 texts"),
    ):
        with pytest.raises(InvalidParameterError, match=match):
            make()
    empty = GivenGraph("x", GraphSet.from_networkx(nx.Graph()))
    with pytest.raises(InvalidGraphError, match="no vertices"):
        Session("playground", {}, empty)
