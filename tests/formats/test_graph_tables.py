"""From the columns of a file to labels and attributes."""

import numpy as np
import pytest

from mpgk_core.errors import InvalidGraphError
from mpgk_core.formats import GraphTables, guess_roles

ELEMENTS = np.array(["C", "O", "C"], dtype=object)
CHARGES = np.array([0.0, -0.5, 0.5])


def tables(edges=((0, 1), (1, 2)), **columns):
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    return GraphTables(
        "a.csv", "test", np.array([0, 3]), ends, names=["x", "y", "z"], columns=columns
    )


@pytest.mark.parametrize("repeats", [1, 2, 256, 512])
def test_an_edge_counts_once_however_often_it_is_repeated(repeats):
    assert tables([(0, 1)] * repeats).graph_set().n_edges == 1


def test_columns_become_labels_and_attributes():
    graph = tables(element=ELEMENTS, charge=CHARGES).graph_set()
    assert graph.labels == ["C", "O", "C"]
    assert graph.attributes.ravel().tolist() == CHARGES.tolist()


def test_the_user_decides_what_columns_mean():
    graph = tables(element=ELEMENTS, charge=CHARGES).graph_set(
        {"element": "ignore", "charge": "label"}
    )
    assert graph.labels == CHARGES.tolist()
    assert graph.attributes is None


def test_several_labels_make_one_of_many_parts():
    graph = tables(element=ELEMENTS, charge=CHARGES).graph_set(
        {"element": "label", "charge": "label"}
    )
    assert graph.labels == [("C", 0.0), ("O", -0.5), ("C", 0.5)]


@pytest.mark.parametrize("gap", [np.array([1.0, np.nan, 2.0]), np.array(["a", None, "b"], object)])
@pytest.mark.parametrize("role", ["label", "attribute"])
def test_a_gap_is_named_with_its_vertex(gap, role):
    with pytest.raises(
        InvalidGraphError, match=r"a.csv: Column 'gap' is empty for 1 of 3 vertices.*'y'"
    ):
        tables(gap=gap).graph_set({"gap": role})
    assert guess_roles({"gap": gap}) == {"gap": "ignore"}


def test_text_is_no_attribute():
    with pytest.raises(InvalidGraphError, match="holds text"):
        tables(element=ELEMENTS).graph_set({"element": "attribute"})


def test_infinity_is_no_attribute():
    with pytest.raises(InvalidGraphError, match="not a finite number for vertex 'z'"):
        tables(far=np.array([0.0, 1.0, np.inf])).graph_set({"far": "attribute"})


@pytest.mark.parametrize(
    ("name", "column", "role"),
    [
        ("group", np.array([1, 2, 1]), "label"),
        ("weight", np.array([1, 2, 1]), "attribute"),
        ("id", np.array([1, 2, 3]), "ignore"),
        ("x", CHARGES, "ignore"),
        ("full name", ELEMENTS, "ignore"),
        ("comment", np.array(["p", "q", "r"], dtype=object), "ignore"),
        ("role", np.array(["p", "q", "r"], dtype=object), "label"),
    ],
)
def test_roles_are_guessed_from_names_and_values(name, column, role):
    assert guess_roles({name: column}) == {name: role}
