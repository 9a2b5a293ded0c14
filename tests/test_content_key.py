"""Laws of keys: equal content, equal key; any change, another key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core import GraphSet
from mpgk_core.content_key import content_key

PLAIN = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
)
NESTED = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@dataclass(frozen=True)
class Settings:
    alpha: float
    names: tuple[str, ...]


def _typed(value: Any) -> Any:
    """Return something that is equal only where type and value are."""
    if isinstance(value, tuple):
        return tuple(map(_typed, value))
    if isinstance(value, dict):
        return {key: _typed(item) for key, item in value.items()}
    return type(value), repr(value)


@given(NESTED, NESTED)
def test_keys_are_equal_just_where_the_values_are(first: Any, second: Any) -> None:
    assert (content_key(first) == content_key(second)) == (_typed(first) == _typed(second))


@given(st.dictionaries(st.text(), st.integers()))
def test_the_order_of_a_mapping_does_not_count(mapping: dict[str, int]) -> None:
    assert content_key(mapping) == content_key(dict(reversed(mapping.items())))


def test_a_field_of_a_dataclass_counts() -> None:
    assert content_key(Settings(0.5, ("a",))) == content_key(Settings(0.5, ("a",)))
    assert content_key(Settings(0.5, ("a",))) != content_key(Settings(0.5, ("b",)))


def test_types_and_shapes_of_arrays_count() -> None:
    keys = {
        content_key(np.zeros(shape, dtype))
        for shape in [(2, 3), (3, 2), (6,)]
        for dtype in (np.int64, np.float64, np.float32)
    }
    assert len(keys) == 9


def test_whatever_has_no_content_is_refused() -> None:
    with pytest.raises(TypeError, match="method 'content'"):
        content_key(object())


def _graphs(**changes: Any) -> GraphSet:
    facts: dict[str, Any] = {
        "edges": [(0, 1), (1, 2)],
        "labels": ["C", "C", "O"],
        "attributes": [[0.0], [1.0], [2.0]],
        "names": ["a", "b", "c"],
        **changes,
    }
    graph = nx.Graph(facts["edges"])
    return GraphSet(
        nx.to_scipy_sparse_array(graph, nodelist=[0, 1, 2]),
        [0, 3],
        names=facts["names"],
        labels=facts["labels"],
        attributes=facts["attributes"],
    )


@pytest.mark.parametrize(
    "change",
    [
        {"edges": [(0, 1), (1, 2), (0, 2)]},
        {"labels": ["C", "O", "C"]},
        {"labels": ["C", "C", "N"]},
        {"labels": None},
        {"attributes": [[0.0], [1.0], [2.5]]},
        {"attributes": [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]},
        {"attributes": None},
        {"names": ["a", "c", "b"]},
        {"names": None},
    ],
)
def test_every_part_of_a_graph_counts(change: dict[str, Any]) -> None:
    assert content_key(_graphs()) == content_key(_graphs())
    assert content_key(_graphs()) != content_key(_graphs(**change))


def test_names_that_count_from_zero_may_be_given_or_not() -> None:
    assert content_key(_graphs(names=[0, 1, 2])) == content_key(_graphs(names=None))
    assert content_key(_graphs(names=[0, 2, 1])) != content_key(_graphs(names=None))


def test_a_slice_is_known_by_its_own_content() -> None:
    several = GraphSet.from_networkx([nx.path_graph(3), nx.cycle_graph(4), nx.path_graph(3)])
    assert content_key(several[0]) == content_key(several[2])
    assert content_key(several[0]) != content_key(several[1])
