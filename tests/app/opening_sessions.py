"""Give session files to a page, and follow the links that it offers."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from streamlit.testing.v1 import AppTest

from mpgk_core.export import save_session

APP = str(Path(__file__).parents[2] / "app.py")


def given(app, content, name="mine.json"):
    """Give a session file to a page."""
    file = (name, content, "application/json")
    app.file_uploader(key="page-session").set_value(file).run()
    assert not app.exception
    return app


def opened(app, session):
    """Give a session to a page, and follow the link that it offers."""
    return followed(given(app, save_session(session)))


def followed(app):
    """Follow the link that a page offers after it was given a session."""
    (link,) = app.get("link_button")
    address = urlsplit(link.proto.url)
    other = AppTest.from_file(APP, default_timeout=300)
    if address.path != "playground":
        other.run()
        other.switch_page(f"pages/{address.path}.py")
    other.query_params.update(parse_qs(address.query))
    other.run()
    assert not other.exception
    return other


def loaded(app, content, name="mine.json"):
    """Give a session file to the playground, in its box."""
    app.session_state["load-session"] = True
    app.run()
    app.file_uploader(key="session-file").set_value((name, content, "application/json")).run()
    assert not app.exception
    return app


def saved_session(app, monkeypatch):
    """Return the file that the button "Session" of the playground saves."""
    offered = {}
    with monkeypatch.context() as patch:
        patch.setattr(
            "ui.playground.export.download_row",
            lambda _, downloads: offered.update({item.key: item for item in downloads}),
        )
        app.session_state["takeaway"] = True
        app.run()
        assert not app.exception
    return offered["take-session"].make()
