"""Names that want to be more than names: shown, cut, never markup."""

import json

import networkx as nx
import pytest

from mpgk_core.plotting import safe_names
from tests.plotting.three_figures import EVERY_FIGURE, figures_of

SCRIPT = "<img src=x onerror=alert(1)>"
HOSTILE_NAMES = {
    "script": SCRIPT,
    "closing tag": "</script><script>alert(1)</script>",
    "link": '<a href="javascript:alert(1)">click</a>',
    "quotes": "\"><b>'",
    "endless": "x" * 10_000,
    "endless script": SCRIPT * 400,
    "endless ampersands": "&" * 10_000,
    "right to left": "مرحبا بالعالم",
    "endless right to left": "שלום" * 2_500,
    "emoji": "👩‍👩‍👧‍👦",
    "endless emoji": "😀" * 10_000,
    "template": "%{customdata}",
    "control characters": "a\x00b\nc\td",
}


@pytest.fixture(scope="module")
def hostile():
    return figures_of(
        nx.relabel_nodes(nx.path_graph(len(HOSTILE_NAMES)), dict(enumerate(HOSTILE_NAMES.values())))
    )


def texts_in(value):
    """Return all texts anywhere in decoded JSON, except arrays of numbers written as text."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        parts = [part for key, part in value.items() if key != "bdata"]
        return [*value, *(text for part in parts for text in texts_in(part))]
    return [text for part in value for text in texts_in(part)] if isinstance(value, list) else []


@EVERY_FIGURE
def test_hostile_names_cannot_bring_markup(hostile, name):
    for text in texts_in(json.loads(getattr(hostile, name).to_json())):
        own = text.replace("<br>", "").replace("<extra></extra>", "")
        assert "<" not in own
        assert ">" not in own


@EVERY_FIGURE
def test_endless_names_are_cut(hostile, name):
    text = "\n".join(texts_in(json.loads(getattr(hostile, name).to_json())))
    for run in ["x" * 61, "😀" * 61, "&amp;" * 61, "שלום" * 16]:
        assert run not in text
    longest = max(map(len, texts_in(json.loads(getattr(hostile, name).to_json()))))
    assert longest < 1_000


@EVERY_FIGURE
def test_foreign_names_are_shown_as_they_are(hostile, name):
    text = "\n".join(texts_in(json.loads(getattr(hostile, name).to_json())))
    assert HOSTILE_NAMES["right to left"] in text
    assert HOSTILE_NAMES["emoji"] in text


@EVERY_FIGURE
def test_hostile_names_leave_the_json_valid_and_small(hostile, name):
    text = getattr(hostile, name).to_json()
    assert set(json.loads(text)) == {"data", "layout", "frames"}
    assert len(text.encode()) < 300_000


@pytest.mark.parametrize("name", HOSTILE_NAMES.values(), ids=HOSTILE_NAMES)
def test_safe_names_are_escaped_and_short(name):
    (safe,) = safe_names([name])
    assert not set("<>\"'") & set(safe)
    assert len(safe) <= 60 * len("&quot;")
    if len(name) > 60:
        assert safe.endswith("…")


def test_safe_names_keep_names_of_sixty_characters():
    assert safe_names(["y" * 60, "y" * 61]) == ["y" * 60, "y" * 59 + "…"]
