"""What a writer says that it loses is what does not come back, and nothing else."""

import networkx as nx
import numpy as np
import pytest

from mpgk_core import GraphSet
from mpgk_core.formats import read_tables
from mpgk_core.writers import WRITERS, losses_of_writing, write_graphs


def graph_with_everything():
    graph = nx.Graph([("a", "b"), ("b", "c"), ("c", "d")])
    for place, vertex in enumerate(graph):
        graph.nodes[vertex].update(label="CO"[place % 2], attributes=[0.5 * place, 1.5])
    return GraphSet.from_networkx(graph)


@pytest.mark.parametrize("key", WRITERS)
def test_what_is_said_to_be_lost_is_lost_and_the_rest_comes_back(key):
    writer, graphs, classes = WRITERS[key], graph_with_everything(), np.array(["x"])
    tables = read_tables(f"a{writer.extension}", write_graphs(graphs, key, classes))
    back = tables.graph_set()
    said = " ".join(losses_of_writing(writer, graphs, classes))
    is_lost = {
        "names of vertices": list(back.names) != list(graphs.names),
        "labels": back.label_codes is None,
        "attributes": back.attributes is None,
        "classes of graphs": tables.classes is None,
    }
    for what, lost in is_lost.items():
        assert (what in said.partition(" holds whole numbers")[0]) == lost, what
    if writer.keeps_attributes and key != "tu":
        assert writer.label_column in tables.columns
    assert ("are numbered" in said) == (back.labels != graphs.labels and writer.keeps_attributes)


def test_a_plain_graph_loses_nothing_anywhere():
    plain = GraphSet.from_networkx(nx.path_graph(4))
    assert not [key for key, writer in WRITERS.items() if losses_of_writing(writer, plain)]


def test_columns_that_are_renamed_are_named():
    roles = {"club": "label", "age": "attribute", "attribute_2": "attribute", "x": "ignore"}
    graphs = graph_with_everything()
    assert losses_of_writing(WRITERS["graphml"], graphs, roles=roles) == (
        "Column 'club' is called 'label' in the file.",
        "Column 'age' is called 'attribute_1' in the file.",
    )
    assert "'vertex_label'" in " ".join(losses_of_writing(WRITERS["gml"], graphs, roles=roles))
    two = {"a": "label", "b": "label"}
    assert losses_of_writing(WRITERS["json"], graphs, roles=two) == (
        "Columns a, b are one column 'label' in the file.",
    )
    assert (
        len(
            losses_of_writing(
                WRITERS["json"], graphs, roles={f"c{i}": "attribute" for i in range(30)}
            )
        )
        == 11
    )
