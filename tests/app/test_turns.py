"""Threads take turns at computing, and nobody waits for one that takes long."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread

from ui.state.cache import Turns


def test_one_thread_computes_at_a_time():
    turns, inside, most = Turns(patience=60), [], []

    def compute(number):
        with turns:
            inside.append(number)
            most.append(len(inside))
            sum(range(2_000))
            inside.remove(number)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(compute, range(200)))
    assert set(most) == {1}


def test_a_thread_that_takes_long_is_not_waited_for():
    turns, is_inside, may_end = Turns(patience=0.01), Event(), Event()

    def take_long():
        with turns:
            is_inside.set()
            may_end.wait(60)

    slow = Thread(target=take_long)
    slow.start()
    is_inside.wait(60)
    with turns:
        assert slow.is_alive()
    may_end.set()
    slow.join()
    with turns:
        pass


def test_a_turn_holds_for_all_that_is_computed_within_it():
    turns = Turns(patience=60)
    with turns, turns:
        pass
    with ThreadPoolExecutor(1) as pool, turns:
        assert pool.submit(lambda: "other threads are free").result()
    with turns:
        pass
