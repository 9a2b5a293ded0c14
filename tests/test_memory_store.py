"""A store keeps what was used last, within its budget, whoever asks at the same time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier, Event

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mpgk_core.checks import cache_bytes
from mpgk_core.errors import InvalidParameterError
from mpgk_core.memory_store import MemoryStore, size_of

UNIT = size_of(np.zeros(1_000))


def _large(n_units: int = 1) -> Callable[[], NDArray[np.float64]]:
    return lambda: np.zeros(1_000 * n_units)


def _refused() -> None:
    raise AssertionError("computed again")


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 6), st.integers(1, 14))))
def test_the_budget_holds_whatever_is_kept(asked: list[tuple[str, int, int]]) -> None:
    store = MemoryStore(10 * UNIT)
    for group, key, n_units in asked:
        value = store.get_or_make(group, f"{key} {n_units}", _large(n_units))
        assert len(value) == 1_000 * n_units
        assert store.n_bytes <= store.budget
        assert (f"{key} {n_units}" in store.keys(group)) == (n_units <= 10)


def test_the_least_recently_used_value_goes_first() -> None:
    store = MemoryStore(3 * UNIT)
    for key in "abc":
        store.put("group", key, _large()())
    store.find("group", "a")
    store.put("group", "d", _large()())
    assert store.keys("group") == ["c", "a", "d"]


def test_a_flood_of_one_group_spares_the_others() -> None:
    store = MemoryStore(10 * UNIT)
    store.put("quiet", "old", _large(2)())
    for number in range(100):
        store.put("flood", str(number), _large()())
    assert store.keys("quiet") == ["old"]
    assert store.keys("flood") == [str(number) for number in range(92, 100)]


def test_values_of_other_groups_go_where_they_take_more_than_their_part() -> None:
    store = MemoryStore(10 * UNIT)
    for number in range(10):
        store.put("first", str(number), _large()())
    for number in range(10):
        store.put("second", str(number), _large()())
    assert (len(store.keys("first")), len(store.keys("second"))) == (2, 8)


def test_the_newest_value_is_kept_even_if_nothing_else_fits() -> None:
    store = MemoryStore(10 * UNIT)
    for group in "abcde":
        store.put(group, "small", _large()())
    store.put("f", "large", _large(9)())
    assert store.keys("f") == ["large"]


def test_a_value_beyond_the_budget_is_computed_and_not_kept() -> None:
    store = MemoryStore(10 * UNIT)
    store.put("group", "small", 1)
    assert len(store.get_or_make("group", "huge", _large(11))) == 11_000
    assert store.keys("group") == ["small"]


def test_a_value_that_grows_is_measured_again() -> None:
    store = MemoryStore(10 * UNIT)
    growing: dict[str, NDArray[np.float64]] = {}
    store.put("group", "growing", growing)
    store.put("group", "other", _large(2)())
    growing["more"] = _large(9)()
    for _ in range(3):
        store.find("group", "growing")
    assert store.n_bytes > 8 * UNIT
    assert store.keys("group") == ["growing"]


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_is_quick_to_compute_is_forgotten_when_nobody_asks_for_it() -> None:
    clock = Clock()
    store = MemoryStore(10 * UNIT, idle=100, clock=clock)

    def slow() -> str:
        clock.now += 5
        return "slow"

    store.get_or_make("group", "slow", slow)
    store.put("group", "put", "by its owner")
    store.get_or_make("group", "lasting", lambda: 0, lasts=True)
    store.get_or_make("group", "unused", lambda: 1)
    store.get_or_make("group", "used", lambda: 2)
    clock.now += 90
    assert store.find("group", "used") == 2
    clock.now += 90
    store.put("other", "newer", 3)
    assert store.keys("group") == ["slow", "put", "lasting", "used"]
    clock.now += 20
    store.put("other", "newest", 4)
    assert store.keys("group") == ["slow", "put", "lasting"]
    assert store.get_or_make("group", "used", lambda: 5) == 5


def test_what_is_raised_is_not_kept() -> None:
    store = MemoryStore(UNIT)
    with pytest.raises(AssertionError, match="again"):
        store.get_or_make("group", "key", _refused)
    assert store.get_or_make("group", "key", lambda: None) is None
    assert store.get_or_make("group", "key", _refused) is None


def test_what_is_discarded_is_computed_anew() -> None:
    store = MemoryStore(UNIT)
    store.put("group", "key", 1)
    store.discard("group", "key")
    store.discard("group", "key")
    assert store.get_or_make("group", "key", lambda: 2) == 2
    store.clear()
    assert store.find("group", "key", "gone") == "gone"
    assert store.n_bytes == 0


def test_threads_that_ask_for_the_same_value_compute_it_once() -> None:
    store, calls, begun, goes_on = MemoryStore(10 * UNIT), count(), Event(), Event()

    def slow() -> int:
        begun.set()
        goes_on.wait(60)
        return next(calls)

    with ThreadPoolExecutor(8) as threads:
        asked = [threads.submit(store.get_or_make, "group", "key", slow) for _ in range(8)]
        begun.wait(60)
        assert store.get_or_make("group", "other", lambda: "at once") == "at once"
        goes_on.set()
        found = [one.result(60) for one in asked]
    assert set(found) == {0}


def test_those_who_wait_for_what_fails_try_themselves() -> None:
    store, calls, begun = MemoryStore(UNIT), count(), Barrier(2)

    def first_fails() -> str:
        if next(calls) == 0:
            begun.wait(60)
            raise KeyboardInterrupt
        return "found"

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(store.get_or_make, "group", "key", first_fails)
        second = threads.submit(store.get_or_make, "group", "key", first_fails)
        begun.wait(60)
        assert isinstance(first.exception(60) or second.exception(60), KeyboardInterrupt)
        assert "found" in [one.result() for one in (first, second) if one.exception() is None]


def test_many_threads_leave_the_books_in_order() -> None:
    store = MemoryStore(20 * UNIT)

    def work(seed: int) -> None:
        draw = np.random.default_rng(seed)
        for _ in range(300):
            group, key = str(draw.integers(4)), int(draw.integers(1, 12))
            value = store.get_or_make(group, str(key), _large(key))
            assert len(value) == 1_000 * key
            if draw.integers(20) == 0:
                store.discard(group, str(key))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    kept = [(group, key) for group in map(str, range(4)) for key in store.keys(group)]
    assert store.n_bytes == sum(size_of(store.find(group, key)) for group, key in kept)
    assert store.n_bytes <= store.budget


def test_the_budget_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MPGK_CACHE_BYTES", raising=False)
    assert cache_bytes() == 1_000_000_000
    monkeypatch.setenv("MPGK_CACHE_BYTES", "5000")
    assert cache_bytes() == 5_000
    monkeypatch.setenv("MPGK_CACHE_BYTES", "1 GB")
    with pytest.raises(InvalidParameterError, match="MPGK_CACHE_BYTES must be a whole number"):
        cache_bytes()
