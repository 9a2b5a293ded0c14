"""Commands run in folders of their own, without the settings of the user."""

import pytest

from tests.datasets.conftest import archive, places, server

__all__ = ["archive", "places", "server"]


@pytest.fixture(autouse=True)
def empty_folder(monkeypatch, places):
    """Work in a folder without files; ``places`` hides the user's settings."""
    monkeypatch.chdir(places)
    return places
