"""Laws of taking turns."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.jobs.job import FairQueue

JOBS = st.lists(
    st.tuples(st.sampled_from(["ann", "bob", "cleo"]), st.integers(0, 6)), max_size=6
).map(lambda jobs: [(user, f"job {n}", count) for n, (user, count) in enumerate(jobs)])


def filled(jobs):
    queue = FairQueue()
    for user, job, count in jobs:
        queue.add(user, job, [f"{job} unit {u}" for u in range(count)])
    return queue


def drained(queue):
    handed = []
    while (found := queue.next()) is not None:
        handed.append(found)
    return handed


@given(JOBS)
def test_every_unit_is_handed_out_once_and_in_the_order_of_its_job(jobs):
    handed = drained(filled(jobs))
    for _, job, count in jobs:
        assert [unit for of, unit in handed if of == job] == [
            f"{job} unit {u}" for u in range(count)
        ]
    assert len(handed) == sum(count for *_, count in jobs)


@given(JOBS)
def test_no_user_gets_two_units_more_than_another_who_still_waits(jobs):
    owner = {job: user for user, job, _ in jobs}
    total = Counter()
    for user, _, count in jobs:
        total[user] += count
    given_out = Counter()
    for job, _ in drained(filled(jobs)):
        given_out[owner[job]] += 1
        waiting = [user for user in total if given_out[user] < total[user]]
        for user in waiting:
            assert given_out[owner[job]] - given_out[user] <= 1


@given(JOBS)
def test_the_jobs_of_a_user_come_in_order(jobs):
    owner = {job: user for user, job, _ in jobs}
    handed = drained(filled(jobs))
    for user in {user for user, *_ in jobs}:
        own = [job for job, _ in handed if owner[job] == user]
        assert own == sorted(own, key=own.index)


@given(JOBS, st.integers(0, 5))
def test_a_removed_job_is_never_handed_out_and_nothing_else_is_lost(jobs, number):
    queue = filled(jobs)
    gone = f"job {number}"
    queue.remove(gone)
    handed = drained(queue)
    assert gone not in {job for job, _ in handed}
    assert len(handed) == sum(count for _, job, count in jobs if job != gone)
    assert len(queue) == 0


def test_a_unit_that_was_put_back_is_the_next_of_its_job():
    queue = filled([("ann", "job 0", 3), ("bob", "job 1", 1)])
    job, unit = queue.next()
    queue.put_back("ann", job, unit)
    assert [of for of, _ in drained(queue)] == ["job 1", "job 0", "job 0", "job 0"]
    queue.put_back("ann", job, unit)
    assert queue.next() == (job, unit)


def test_the_place_in_the_queue_counts_jobs_that_begin_earlier():
    queue = filled([("ann", "job 0", 5), ("ann", "job 1", 5), ("bob", "job 2", 1)])
    assert [queue.place_of(f"job {n}") for n in range(4)] == [0, 1, 1, 0]
    queue.next()
    assert [queue.place_of(f"job {n}") for n in range(3)] == [1, 2, 0]
