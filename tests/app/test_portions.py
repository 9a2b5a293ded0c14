"""Work in portions: it rests when told to, keeps its results, and pictures change calmly."""

import pytest

from mpgk_core import MPGKError
from ui.portions import Work


def running(steps, total):
    return Work(iter(steps), total, is_running=True)


def test_a_portion_gives_at_least_one_result_however_short_it_is():
    work = running("abc", 3)
    work.advance(seconds=-1)
    assert work.results == ["a"]
    assert work.is_running


def test_work_that_rests_does_nothing_and_goes_on_where_it_was():
    work = running("abc", 3)
    work.advance(seconds=-1)
    work.rest()
    work.advance()
    assert work.results == ["a"]
    work.go_on()
    work.advance(seconds=60)
    assert work.results == ["a", "b", "c"]
    assert work.is_done
    assert not work.is_running


def test_a_problem_ends_the_work_and_keeps_what_is_done():
    def steps():
        yield "a"
        raise MPGKError("Too large.")

    work = running(steps(), 3)
    work.advance(seconds=60)
    assert (work.results, work.problem) == (["a"], "Too large.")
    assert not work.is_running


@pytest.mark.parametrize(("later", "seen"), [(0.9, 1), (1.1, 2)])
def test_a_picture_changes_once_a_second_while_work_runs(later, seen):
    work = running("abc", 3)
    work.advance(seconds=-1)
    assert work.to_picture(10.0) == ["a"]
    work.advance(seconds=-1)
    assert len(work.to_picture(10.0 + later)) == seen


def test_a_picture_shows_everything_once_work_rests():
    work = running("abc", 3)
    work.advance(seconds=-1)
    work.to_picture(10.0)
    work.advance(seconds=-1)
    work.rest()
    assert work.to_picture(10.1) == ["a", "b"]
