"""Sessions of pages come back as they were; one changed character, and they are refused."""

import hashlib
import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import InvalidParameterError
from mpgk_core.errors import UnreadableFileError
from mpgk_core.evaluation import checked_roles
from mpgk_core.export import (
    GivenGraph,
    GivenRoles,
    GivenSet,
    NamedSet,
    PageSession,
    load_page_session,
    save_page_session,
)
from mpgk_core.export.page_session import PAGES
from tests.export.studies import NASTY, NASTY_SET, nasty_graph
from tests.export.test_packed_graphs import assert_identical
from tests.formats import mutations

ROLES = checked_roles([NASTY[v % 2 * 4] for v in range(13)], 13)
DATA = {
    "none": None,
    "named": NamedSet(NASTY[3]),
    "graph": GivenGraph(NASTY[0], nasty_graph()),
    "set": NASTY_SET,
    "roles": GivenRoles("half \ud800", nasty_graph(), ROLES),
}
SETTINGS = {"tune-last": ("4",), "features": ("degree", NASTY[9]), "empty": ()}
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.sampled_from(NASTY)


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
    session = PageSession(page, SETTINGS, DATA[data])
    content = save_page_session(session)
    assert_same(load_page_session(content), session)
    assert save_page_session(load_page_session(content)) == content


@settings(max_examples=50)
@given(kept=st.dictionaries(TEXT, st.lists(TEXT, max_size=3).map(tuple), max_size=5))
def test_any_settings_come_back(kept):
    session = PageSession("tuning", kept)
    assert_same(load_page_session(save_page_session(session)), session)


@pytest.mark.parametrize(
    "mutate",
    [
        mutations.flip_bits,
        mutations.change_bytes,
        mutations.truncate,
        mutations.cut,
        mutations.repeat,
        mutations.blow_up_number,
        mutations.swap_tokens,
    ],
)
def test_a_damaged_file_is_refused_or_says_the_same(mutate):
    session = PageSession("node_classification", SETTINGS, DATA["roles"])
    content = save_page_session(session)
    n_refused = 0
    for seed in range(30):
        damaged = bytearray(content)
        mutate(Random(seed), damaged)
        try:
            found = load_page_session(bytes(damaged), "my.json")
        except UnreadableFileError:
            n_refused += 1
        else:
            assert json.loads(damaged) == json.loads(content)
            assert_same(found, session)
    assert n_refused > 20


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("page", "garden"),
        ("page", None),
        ("settings", []),
        ("settings", {"a": 1}),
        ("settings", {"a": [1]}),
        ("settings", {"a": ["x" * 2000]}),
        ("data", []),
        ("data", {}),
        ("data", {"title": "x", "packed": "{}"}),
        ("data", {"title": "x", "packed": 7}),
        ("data", {"title": "x", "packed": "eNo="}),
    ],
)
def test_a_forged_file_is_refused(key, value):
    """The digest of a forged file is right; what it says is checked all the same."""
    saved = json.loads(save_page_session(PageSession("tuning", SETTINGS)))
    forged = {**saved, key: value}
    del forged["digest"]
    text = json.dumps(forged, sort_keys=True).encode()
    forged["digest"] = hashlib.sha256(text).hexdigest()
    with pytest.raises(UnreadableFileError, match="Save the session again"):
        load_page_session(json.dumps(forged).encode())


@pytest.mark.parametrize("place", [-1, 2, 1.5, "x", None])
def test_forged_roles_are_refused(place):
    session = PageSession("node_classification", {}, DATA["roles"])
    forged = json.loads(save_page_session(session))
    forged["data"]["roles"]["of_vertex"] = [0, 1] * 6 + [place]
    del forged["digest"]
    text = json.dumps(forged, sort_keys=True).encode()
    forged["digest"] = hashlib.sha256(text).hexdigest()
    with pytest.raises(UnreadableFileError, match="A role is not a number from 0 to 1"):
        load_page_session(json.dumps(forged).encode())


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"mpgk_session": 1}', b"\xff"])
def test_other_files_are_refused(content):
    with pytest.raises(UnreadableFileError):
        load_page_session(content)


def test_wrong_sessions_are_refused():
    for make, match in (
        (lambda: PageSession("garden", {}), "page"),
        (lambda: PageSession("tuning", {str(n): () for n in range(201)}), "201 settings"),
        (lambda: PageSession("tuning", {"a": ["b"]}), "must be a tuple"),
        (lambda: PageSession("tuning", {"a": ("\ud800",)}), "must be text"),
    ):
        with pytest.raises(InvalidParameterError, match=match):
            make()
