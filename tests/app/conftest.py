"""Pages without a browser; whatever they have started ends with the test."""

import re
import sys
from itertools import count
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import ui.playground.edits
from mpgk_core.jobs import Engine, Store
from tests.jobs.hand_workers import HandWorkers

APP = str(Path(__file__).parents[2] / "app.py")


@pytest.fixture(autouse=True)
def _own_main(monkeypatch):
    """Streamlit calls its page the main module; processes of later tests would run that page."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture(autouse=True)
def charts(monkeypatch):
    """What every chart says to those who cannot see it, by key; one without numbers is a fault."""
    said = {}
    show = st.plotly_chart

    def show_told(figure, *, key, alt, **options):
        assert re.search(r"\d", alt), f"the chart {key!r} says no more than {alt!r}"
        said[key] = alt
        return show(figure, key=key, alt=alt, **options)

    monkeypatch.setattr(st, "plotly_chart", show_told)
    return said


@pytest.fixture(autouse=True)
def workers(tmp_path, monkeypatch):
    """The workers of the server, in this process: at once, or step by step when told to rest."""
    hands = HandWorkers()
    monkeypatch.setattr("mpgk_core.jobs.job._MAX_AT_ONCE", 1)  # so that steps can be counted
    with (
        Store(tmp_path / "results.sqlite") as store,
        Engine(store, workers=lambda: hands) as engine,
    ):
        monkeypatch.setattr("ui.shared.jobs.engine", lambda: engine)
        yield hands


@pytest.fixture
def open_page(tmp_path, monkeypatch):
    """A function that opens a page, with a cache of its own and no data sets but the samples."""
    monkeypatch.setenv("MPGK_CACHE", str(tmp_path))
    monkeypatch.delenv("MPGK_DATA", raising=False)

    def open_one(page):
        app = AppTest.from_file(APP, default_timeout=300).run()
        app.switch_page(page).run()
        assert not app.exception
        return app

    return open_one


@pytest.fixture
def open_playground():
    """A function that opens the playground at an address, and then one of its panels."""

    def open_one(panel=None, **query):
        app = AppTest.from_file(APP, default_timeout=300)
        for key, value in query.items():
            app.query_params[key] = value
        app.run()
        if panel is not None:
            app.segmented_control(key="panel").set_value(panel).run()
        assert not app.exception
        return app

    return open_one


@pytest.fixture
def draw(monkeypatch):
    """A function that runs the playground as if an edit had been drawn in the browser.

    The message of the browser is taken just before the page reads the history of its graph.
    """
    waiting, serials = [], count(1)
    follow = ui.playground.edits.follow_edits

    def follow_and_draw(source, kind):
        while waiting:
            step = {"serial": next(serials), **waiting.pop()}
            ui.playground.edits.apply_drawn(source, {"key": source.key, "edits": [step]})
        follow(source, kind)

    monkeypatch.setattr(ui.playground.edits, "follow_edits", follow_and_draw)

    def draw_one(app, kind, **step):
        waiting.append({"kind": kind, **step})
        app.run()
        assert not app.exception
        return app

    return draw_one
