"""A report is one page that needs nothing else, and in which foreign text stays text."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import numpy as np
import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs

from mpgk_core.export import ReportFigure, ReportTable, report
from mpgk_core.plotting import Drawing
from tests.export.studies import NASTY

EVIL = "\ud800".join(NASTY)


class Page(HTMLParser):
    """What a browser would find: elements with their attributes, and the text between."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.inside = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.inside = tag

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        self.texts.append((self.inside, data))


@pytest.fixture(scope="module")
def text():
    drawing = Drawing([{"type": "scatter", "x": np.array([1.5]), "text": [EVIL]}], {}, [])
    return report(
        EVIL,
        [
            ReportFigure(drawing, EVIL, EVIL),
            ReportFigure(go.Figure(go.Bar(x=NASTY, y=[1] * len(NASTY))), "bars", "alike bars"),
        ],
        {EVIL: EVIL, "alpha": 0.8, "normalised": True},
        [ReportTable(EVIL, [EVIL, "n"], [[EVIL, 7], ["none", None]])],
        [EVIL],
    )


def test_foreign_text_makes_no_elements(text):
    page = Page(text)
    known = {
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "h1",
        "h2",
        "p",
        "figure",
        "div",
        "script",
        "noscript",
        "figcaption",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "footer",
    }
    assert {tag for tag, _ in page.elements} == known
    attributes = {key for _, attrs in page.elements for key in attrs}
    assert not any(key.startswith("on") or key in ("src", "href") for key in attributes)
    assert [tag for tag, _ in page.elements].count("script") == 4


def test_foreign_text_is_all_there(text):
    shown = EVIL.replace("\ud800", "?").replace("\r\n", "\n").replace("\r", "\n")
    cells = [data.replace("\r\n", "\n") for tag, data in Page(text).texts if tag == "td"]
    assert cells == [shown, "7", "none", shown, shown, "alpha", "0.8", "normalised", "True"]


def test_every_figure_has_a_text_alternative(text):
    plots = [attrs for tag, attrs in Page(text).elements if attrs.get("class") == "plot"]
    assert [plot["role"] for plot in plots] == ["img", "img"]
    assert plots[1]["aria-label"] == "alike bars"
    assert "<noscript><p>alike bars</p></noscript>" in text


def test_the_policy_allows_two_scripts_and_no_request(text):
    meta = [attrs for tag, attrs in Page(text).elements if "http-equiv" in attrs]
    policy = dict(part.strip().split(" ", 1) for part in meta[0]["content"].split(";"))
    assert policy["default-src"] == "'none'"
    assert set(policy) == {
        "default-src",
        "base-uri",
        "form-action",
        "img-src",
        "style-src",
        "script-src",
    }
    assert "http" not in meta[0]["content"]
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert scripts[0] == get_plotlyjs()
    hashes = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts]
    assert policy["script-src"] == " ".join(f"'sha256-{digest}'" for digest in hashes)


def test_plotly_is_there_once_or_not_at_all(text):
    assert text.count("* plotly.js v") == 1
    bare = report("No figures", [], {"alpha": 1})
    assert "<script" not in bare
    assert "script-src 'none'" in bare


def test_the_same_result_makes_the_same_page():
    figures = [ReportFigure(go.Figure(go.Bar(y=[1])), "a", "b")]
    assert report("x", figures, {"a": 1}) == report("x", figures, {"a": 1})
