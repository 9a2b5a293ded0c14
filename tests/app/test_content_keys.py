"""Keys of data: the same after a session file, and others for other data."""

import networkx as nx
import pytest

from mpgk_core import GraphSet
from mpgk_core.node_classification import checked_roles
from mpgk_core.readers import read_many
from mpgk_core.takeaway import (
    GivenGraph,
    GivenRoles,
    GivenSet,
    PageSession,
    load_page_session,
    save_page_session,
)
from ui.content_keys import key_of_data

VERTICES = b"id,kind,weight\na,x,0.1\nb,y,2.5\nc,x,1e-9\n"
OWN = read_many([("vertices.csv", VERTICES), ("edges.csv", b"source,target\na,b\nb,c\n")])
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
    saved = save_page_session(PageSession("tuning", {}, data))
    assert key_of_data(load_page_session(saved).data) == key_of_data(data)


def test_other_data_have_other_keys():
    assert len(set(map(key_of_data, DATA))) == len(DATA)
