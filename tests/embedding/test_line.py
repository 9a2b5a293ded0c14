"""LINE is a special case of DeepWalk."""

import networkx as nx
import numpy as np

from mpgk_core import GraphSet
from mpgk_core.embedding.deepwalk import deepwalk
from mpgk_core.embedding.line import line


def test_line_is_deepwalk_of_one_step():
    graph = GraphSet.from_networkx(nx.barbell_graph(10, 10))
    np.testing.assert_array_equal(line(graph), deepwalk(graph, window=1))
