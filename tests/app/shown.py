"""What the linked pictures of the playground show, and what is done in them."""

import json
import re
from typing import NamedTuple

from streamlit.components.v2.bidi_component.main import _make_trigger_id

_ROUND = re.compile(r"t = (\d+) of (\d+): ([\d,]+) points?, ([\d,]+) of ([\d,]+) orbits? recovered")


class Numbers(NamedTuple):
    """What is said of a round."""

    t: int
    last: int
    points: int
    recovered: int
    orbits: int


def components(app):
    """Return the components with linked pictures; the one that loads their library is none."""
    return [one.proto for one in app.get("bidi_component") if '"study"' in one.proto.json]


def given(app):
    """Return what the page gives to its pictures."""
    (pictures,) = components(app)
    return json.loads(pictures.json)


def study(app):
    """Return figures, frames and words of the pictures."""
    return json.loads(given(app)["study"])


def drawing(app):
    """Return what the editor in the browser is told of the graph; None for a still picture."""
    text = given(app)["drawing"]
    return text and json.loads(text)


def numbers(app):
    """Return what is said of every round."""
    return [_numbers(words) for words in study(app)["rounds"]]


def _numbers(words):
    found = _ROUND.fullmatch(words)
    assert found, words
    return Numbers(*(int(text.replace(",", "")) for text in found.groups()))


def recovered(app):
    """Return how many orbits are recovered after the last round, and of how many."""
    last = numbers(app)[-1]
    return f"{last.recovered} of {last.orbits}"


def send(app, *steps):
    """Send edits of the graph as the browser reports them."""
    (pictures,) = components(app)
    told = drawing(app)
    numbered = [{"serial": told["answered"] + 1 + i, **step} for i, step in enumerate(steps)]
    states = app._tree.get_widget_states()
    event = states.widgets.add()
    event.id = _make_trigger_id(pictures.id, "events")
    value = {"key": told["key"], "edits": numbered}
    event.json_trigger_value = json.dumps([{"event": "edit", "value": value}])
    app._run(states)
    assert not app.exception
    return app


def without_edges(names):
    """Return a GraphML file of vertices that nothing joins."""
    vertices = "".join(f'<node id="{name}"/>' for name in names)
    space = "http://graphml.graphdrawing.org/xmlns"
    text = f'<graphml xmlns="{space}"><graph edgedefault="undirected">{vertices}</graph></graphml>'
    return "apart.graphml", text.encode(), "application/octet-stream"
