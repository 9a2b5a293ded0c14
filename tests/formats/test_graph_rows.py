"""Classes, splits and kernel matrices from tables with a row for every graph."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats import classes_of_graphs, matrix_of_graphs, splits_of_graphs
from mpgk_core.formats.graph_rows import graph_rows
from mpgk_core.formats.source import Source

TITLES = ["caffeine", "water", "ring 3"]


def source(text, name="t.csv"):
    return Source(name, text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "1\n2\n1\n",
        "class\n1\n2\n1\n",
        "caffeine,1\nwater,2\nring 3,1\n",
        "graph;y\nwater;2\nring 3;1\ncaffeine;1\n",
        "file\tclass\tmass\nring 3.gml\t1\t0.5\ncaffeine.gml\t1\t3\nwater.gml.gz\t2\t18\n",
        "name,class\nother,7\ncaffeine,1\nwater,2\nring 3,1\n",
    ],
)
def test_classes_in_order_or_by_name(text):
    assert classes_of_graphs(source(text), TITLES).tolist() == [1, 2, 1]


def test_a_column_is_chosen_by_its_name():
    table = source("id,size,kind\na,1,x\nb,2,y\n")
    assert classes_of_graphs(table, ["a", "b"], "kind").tolist() == ["x", "y"]
    assert graph_rows(source("a,1\nb,2\nc,3\n"), ["b", "a"]).n_unused == 1


@given(st.permutations(range(6)), st.lists(st.integers(0, 2), min_size=6, max_size=6))
def test_the_order_of_named_rows_does_not_matter(order, folds):
    names = [f"g{g}" for g in range(6)]
    text = "".join(f"{names[g]},{folds[g]},c{folds[g]}\n" for g in order)
    plain = "".join(f"{fold},c{fold}\n" for fold in folds)
    assert graph_rows(source(text), names).cells == graph_rows(source(plain), names).cells


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("1\n2\n", "2 rows for 3 graphs"),
        ("caffeine,1\nwater,2\n", "no row for graph ring 3"),
        ("caffeine,1\nwater,2\nwater,3\nring 3,1\n", "line 3: Graph water has a row already"),
        ("caffeine,1\nwater\nring 3,1\n", "line 2: This row does not have 2 cells"),
        ("a,1\nb,2\nc,1\n", "not clear"),
        ("caffeine,1\nwater,\nring 3,1\n", "line 2: Graph water has no class"),
    ],
)
def test_errors_of_tables_of_classes_say_where(text, message):
    with pytest.raises(UnreadableFileError, match=message):
        classes_of_graphs(source(text), TITLES)
    with pytest.raises(UnreadableFileError, match="no column 'z'"):
        classes_of_graphs(source("a\n1\n2\n3\n"), TITLES, "z")


def test_splits_are_numbers_of_folds_or_words():
    table = source("graph,first,second\nwater,2,test\ncaffeine,1,Train\nring 3,,-\n")
    assert splits_of_graphs(table, TITLES) == ((0, 1, -2), (-1, 0, -2))
    assert splits_of_graphs(source("3\n07\n3\n"), TITLES) == ((0, 1, 0),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("train\nwomen\ntest\n", "line 2: 'women' is no part of a split"),
        ("1\n2\ntest\n", "with numbered folds"),
        ("1\n-2\n1\n", "'-2' is no part"),
    ],
)
def test_errors_of_splits_say_where(text, message):
    with pytest.raises(UnreadableFileError, match=message):
        splits_of_graphs(source(text), TITLES)


def test_matrices_come_as_text_or_arrays_with_or_without_names():
    matrix = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 0.5], [0.0, 0.5, 1.0]])
    file = io.BytesIO()
    np.save(file, matrix)
    as_text = "\n".join(",".join(map(repr, row)) for row in matrix.tolist())
    order = [1, 2, 0]
    named = ["graph," + ",".join(TITLES[g] for g in order)]
    named += [",".join([TITLES[g], *map(repr, matrix[g, order].tolist())]) for g in order]
    for one in (Source("k.npy", file.getvalue()), source(as_text), source("\n".join(named))):
        np.testing.assert_array_equal(matrix_of_graphs(one, TITLES), matrix)
    foreign = "k,x,y,z\nx,1,0,0\ny,0,2,0\nz,0,0,3\n"
    assert matrix_of_graphs(source(foreign), TITLES).diagonal().tolist() == [1, 2, 3]


def test_matrices_that_do_not_fit_are_refused():
    file = io.BytesIO()
    np.save(file, np.eye(2))
    pickled = io.BytesIO()
    np.save(pickled, np.array([object()] * 3), allow_pickle=True)
    for content, message in [
        (file.getvalue(), "shape 2 × 2, and there are 3 graphs"),
        (pickled.getvalue(), "Python objects"),
        (b"1,0\n0,1\n", "shape 2 × 2"),
        (b"1,0,0\n0,1,0\n0,0,x\n", "line 3: 'x' is not a number"),
        (b"g,a,b,c\na,1,0,0\nc,0,1,0\nb,0,0,1\n", "names above and beside"),
        (b"g,water,b,c\nwater,1,0,0\nb,0,1,0\nc,0,0,1\n", "no graph 'b'"),
    ]:
        with pytest.raises(UnreadableFileError, match=message):
            matrix_of_graphs(Source("k", content), TITLES)
