"""Every test gets folders of its own, and no setting of the user's."""

import networkx as nx
import numpy as np
import pytest

from mpgk_core import GraphSet
from mpgk_core.formats import write_graphs
from tests.datasets.servers import Server, serving


@pytest.fixture(autouse=True)
def places(monkeypatch, tmp_path):
    for variable in ("MPGK_DATA", "MPGK_TU_ADDRESS", "MPGK_SAMPLES", "http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("MPGK_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture(scope="session")
def archive():
    """A data set of paths and rings, larger than one block of a download."""
    graphs = [make(n) for n in range(3, 153) for make in (nx.path_graph, nx.cycle_graph)]
    return write_graphs(GraphSet.from_networkx(graphs), "tu", np.arange(300) % 2)


@pytest.fixture
def server(archive):
    with serving(Server({"/RINGS.zip": archive})) as running:
        yield running
