"""Every page runs without a browser and answers its controls."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

APP = str(Path(__file__).parents[2] / "app.py")


@pytest.fixture
def app():
    return AppTest.from_file(APP, default_timeout=60).run()


def test_first_page_shows_that_all_classes_are_told_apart(app):
    assert not app.exception
    assert app.metric[0].value == "7 of 7"


def test_fewer_rounds_tell_fewer_classes_apart(app):
    app.slider(key="rounds").set_value(0).run()
    assert not app.exception
    assert app.metric[0].value == "3 of 7"
