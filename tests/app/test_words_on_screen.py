"""All words on screen stand in one file, so that they can be read at once and changes show.

After a change of words, ``python -m tests.app.test_words_on_screen`` writes the file anew.
"""

import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qsl

from streamlit.testing.v1 import AppTest

APP = Path(__file__).parents[2] / "app.py"
WORDS = Path(__file__).with_name("words_on_screen.txt")
STATES = (
    "playground",
    "playground?kernel=A&colour=clusters",
    "playground?source=sample",
    "playground?source=file",
    "playground?panel=explain&sel=9,10",
    "playground?panel=tree&graph=houses-on-a-ring",
    "playground?panel=edit&sel=0,1",
    "playground?panel=change",
    "playground?panel=perturb&graph=cycle",
    "lessons",
    "lessons?done=how-far.1",
    "lessons?lesson=how-far&step=2",
    "lessons?lesson=how-far&step=end",
    "lessons?lesson=how-far&print=questions",
    "lessons?glossary=orbit",
    "lessons?class=",
    "tuning",
    "tuning?tune-subject=graphs",
    "variants",
    "variants?four-view=set",
    "variants?four-view=nystroem",
    "graph_classification",
    "graph_classification?set-source=made",
    "graph_classification?set-source=file",
    "graph_classification?set-source=web",
    "graph_classification?scope=own",
    "node_classification",
    "node_classification?roles-source=file",
    "graph_regression",
    "graph_regression?set-source=server",
)
"""Pages at rest in their main states: the file of the page, and its settings."""

FIELDS = ("label", "title", "body", "help", "placeholder", "alt", "options", "content")
"""Fields of Streamlit's messages that hold words, in the order in which they are written."""


def words_of(message):
    """Return the words of an element, each with the numbers in it as #."""
    found = []
    for field in FIELDS:
        value = getattr(message, field, "")
        for one in [value] if isinstance(value, str) else value:
            text = one if isinstance(one, str) else getattr(one, "content", "")
            text = re.sub(r'<img[^>]* alt="([^"]*)">', r" \1 ", text)
            flat = re.sub(r"-?\d[\d,.]*(e-?\d+)?", "#", " ".join(text.split()))
            if re.search(r"[A-Za-z]{2}", flat) and not flat.startswith(
                ("<style>", '<div class="mpgk-answer-line')
            ):
                found.append(flat)
    return found


def words_under(node):
    """Return all words below a node of the page, from top to bottom."""
    found = []
    for child in node.children.values():
        message = getattr(child, "proto", None)
        if message is not None:
            kind = message.WhichOneof("type") if "type" in message.DESCRIPTOR.oneofs_by_name else ""
            found += words_of(getattr(message, kind) if kind else message)
        if hasattr(child, "children"):
            found += words_under(child)
    return found


def words_on_screen():
    """Return one text with the words of all states; each line once for every page."""
    lines, seen = [], set()
    for state in STATES:
        page, _, query = state.partition("?")
        app = AppTest.from_file(str(APP), default_timeout=300)
        if page != "playground":
            app.run()
            app.switch_page(f"pages/{page}.py")
        for key, value in parse_qsl(query, keep_blank_values=True):
            app.query_params[key] = value
        app.run()
        while any(button.label == "Stop" and not button.disabled for button in app.button):
            app.run()
        assert not app.exception, state
        new = [line for line in words_under(app._tree) if (page, line) not in seen]
        seen.update((page, line) for line in new)
        lines += [f"== {state}", *dict.fromkeys(new), ""]
    return "\n".join(lines)


def test_the_words_on_screen_are_those_of_the_file(monkeypatch, tmp_path):
    monkeypatch.setenv("MPGK_CACHE", str(tmp_path))
    monkeypatch.delenv("MPGK_DATA", raising=False)
    assert words_on_screen() == WORDS.read_text(encoding="utf-8")


if __name__ == "__main__":
    with TemporaryDirectory() as folder:  # results that this computer has kept are no words
        os.environ["MPGK_CACHE"] = folder
        os.environ.pop("MPGK_DATA", None)
        WORDS.write_text(words_on_screen(), encoding="utf-8")
