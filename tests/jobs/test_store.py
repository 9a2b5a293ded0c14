"""The store of results: many writers, sudden ends, full disks, damage, age and size."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.jobs import Store, StoreError

DAY = 86_400.0

WRITER = """
import sys
from mpgk_core.jobs import Store
path, name, count, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
with Store(path) as store:
    for number in range(count):
        store.write("test", "shared", {f"{name}/{number}": "x" * size})
        print(number, flush=True)
"""


def writer(path: Path, name: str, count: int, size: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(count), str(size)],
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "deep" / "results.sqlite") as opened:
        yield opened


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@given(st.dictionaries(st.text(), VALUES))
def test_values_come_back_as_they_were(tmp_path_factory, values):
    with Store(tmp_path_factory.mktemp("store") / "results.sqlite") as store:
        store.write("test", "key", values)
        assert store.read("key") == values


def test_a_store_that_is_only_read_makes_no_file(store):
    assert store.read("key") == {}
    assert not store.path.exists()


def test_the_first_value_of_a_place_stays(store):
    store.write("test", "key", {"a": 1})
    store.write("test", "key", {"a": 2, "b": 3})
    assert store.read("key") == {"a": 1, "b": 3}


def test_four_processes_lose_nothing(store):
    store.path.parent.mkdir()
    writers = [writer(store.path, str(number), 60, 40_000) for number in range(4)]
    ends = [process.wait() for process in writers]
    for process in writers:
        process.stdout.close()
    assert ends == [0] * 4
    assert len(store.read("shared")) == 240


def test_a_store_that_another_process_is_just_making_can_be_opened(store, monkeypatch):
    store.path.parent.mkdir()
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("CREATE TABLE begun (x)")
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr("time.sleep", lambda _: other.execute("COMMIT"))
        store.write("test", "key", {"a": 1})
    assert store.read("key") == {"a": 1}


def test_a_process_that_is_killed_loses_nothing_that_it_had_finished(store):
    store.path.parent.mkdir()
    process = writer(store.path, "a", 10_000, 5_000)
    finished = [process.stdout.readline() for _ in range(20)]
    process.send_signal(signal.SIGKILL)
    finished += process.stdout.readlines()
    process.wait()
    process.stdout.close()
    found = store.read("shared")
    assert len(found) >= len([line for line in finished if line.strip()]) >= 20
    assert set(found.values()) == {"x" * 5_000}


def test_one_process_reads_while_another_writes(store):
    store.path.parent.mkdir()
    process = writer(store.path, "a", 30, 100)
    seen = []
    while process.poll() is None:
        seen.append(len(store.read("shared")))
    process.stdout.close()
    assert seen == sorted(seen)
    assert len(store.read("shared")) == 30


def test_a_full_disk_is_told_and_leaves_nothing_half_written(store, monkeypatch):
    store.write("test", "key", {"a": 1})
    pages = store._opened().execute("PRAGMA page_count").fetchone()[0]
    store._opened().execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(StoreError, match="no space left on the disk"):
        store.write("test", "key", {"b": 2, "c": "x" * 200_000})
    assert store.read("key") == {"a": 1}
    store._opened().execute("PRAGMA max_page_count = 1000000")
    store.write("test", "key", {"b": 2})
    assert store.read("key") == {"a": 1, "b": 2}


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError, match="file"):
        Store(tmp_path / "file" / "results.sqlite").write("test", "key", {"a": 1})


def _filled(path: Path, n_runs: int = 40) -> None:
    with Store(path) as store:
        for run in range(n_runs):
            store.write("test", f"run {run:02}", {str(n): "y" * 500 for n in range(20)})
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def _count(store: Store) -> int:
    return sum(len(store.read(f"run {run:02}")) for run in range(40))


def test_a_truncated_file_is_noticed_and_what_is_left_is_kept(tmp_path):
    path = tmp_path / "results.sqlite"
    _filled(path)
    os.truncate(path, path.stat().st_size * 2 // 3)
    with Store(path) as store:
        kept = _count(store)
        assert 0 < kept < 800
        assert "damaged" in store.notice
        assert f"{kept:,} results" in store.notice
        assert (tmp_path / "results.damaged-1.sqlite").exists()
        store.write("test", "run 00", {str(n): "y" * 500 for n in range(20)})
        assert len(store.read("run 00")) == 20


def test_a_file_that_is_no_store_is_moved_aside(tmp_path):
    path = tmp_path / "results.sqlite"
    path.write_bytes(b"no database at all" * 100)
    with Store(path) as store:
        assert store.read("key") == {}
        store.write("test", "key", {"a": 1})
        assert store.read("key") == {"a": 1}
        assert "0 results" in store.notice


def test_a_changed_value_is_never_taken_for_a_result(tmp_path):
    path = tmp_path / "results.sqlite"
    _filled(path)
    with sqlite3.connect(path) as connection:
        connection.execute(
            "UPDATE results SET value = '\"z\"' WHERE key = 'run 07' AND place = '3'"
        )
    connection.close()
    with Store(path) as store:
        assert "3" not in store.read("run 07")
        assert _count(store) == 799
        assert "damaged" in store.notice


def test_a_file_that_was_moved_away_is_made_anew(store):
    store.write("test", "key", {"a": 1})
    store.path.rename(store.path.with_name("elsewhere.sqlite"))
    store.write("test", "key", {"b": 2})
    assert store.read("key") == {"b": 2}


def test_another_version_of_the_tables_is_refused_with_a_word(store):
    store.write("test", "key", {"a": 1})
    store._opened().execute("PRAGMA user_version = 99")
    store.close()
    with pytest.raises(StoreError, match="another version"):
        store.read("key")


def test_old_results_go_and_recent_ones_stay(tmp_path):
    clock = Clock()
    with Store(tmp_path / "results.sqlite", clock) as store:
        store.write("test", "old", {"a": 1})
        clock.now += 100 * DAY
        store.write("test", "recent", {"a": 1})
        clock.now += 100 * DAY
        assert store.prune(max_bytes=10**9, max_days=180) == 1
        assert (store.read("old"), store.read("recent")) == ({}, {"a": 1})


def test_the_least_recently_used_go_until_the_rest_is_small_enough(tmp_path):
    clock = Clock()
    with Store(tmp_path / "results.sqlite", clock) as store:
        for name in "abc":
            store.write("test", name, {"0": "x" * 1_000})
            clock.now += 1
        store.hold(["a"], 0)
        assert store.prune(max_bytes=2_500, max_days=180) == 1
        assert [bool(store.read(name)) for name in "abc"] == [True, False, True]


def test_what_is_in_use_stays_whatever_its_age_and_size(tmp_path):
    clock = Clock()
    with Store(tmp_path / "results.sqlite", clock) as store:
        store.write("test", "old", {"a": 1})
        clock.now += 400 * DAY
        store.hold(["old"], 60)
        assert store.prune(max_bytes=0, max_days=1) == 0
        clock.now += 61
        assert store.prune(max_bytes=0, max_days=1) == 1


def test_a_clock_set_back_removes_nothing(tmp_path):
    clock = Clock()
    with Store(tmp_path / "results.sqlite", clock) as store:
        store.write("test", "key", {"a": 1})
        clock.now -= 1_000 * DAY
        store.write("test", "key", {"b": 2})
        assert store.prune(max_bytes=10**9, max_days=180) == 0
        clock.now += 1_000 * DAY
        assert store.prune(max_bytes=10**9, max_days=180) == 0
        assert store.read("key") == {"a": 1, "b": 2}


def test_the_limits_are_settings_of_the_environment(store, monkeypatch):
    store.write("test", "key", {"a": "x" * 1_000})
    monkeypatch.setenv("MPGK_STORE_BYTES", "500")
    assert store.prune() == 1
    monkeypatch.setenv("MPGK_STORE_DAYS", "ten")
    with pytest.raises(ValueError, match="MPGK_STORE_DAYS must be a whole number of days"):
        store.prune()


def test_removing_results_makes_the_file_smaller(store):
    store.write("test", "large", {str(n): "x" * 10_000 for n in range(100)})
    store._opened().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    before = store.path.stat().st_size
    store.prune(max_bytes=0)
    store._opened().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    assert store.path.stat().st_size < before / 2


def test_pickles_of_the_first_release_are_removed(store):
    left = store.path.parent / "runs" / "set" / "user" / "data.pickle"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"left behind")
    store.prune()
    assert not left.exists()
