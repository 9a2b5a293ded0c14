"""Every question can be answered by looking: what shows the answer, and that nothing states it."""

import json
import re
from base64 import b64decode

import numpy as np
import pytest

from mpgk_core.lessons import answer_of, lessons
from tests.app.shown import components, study
from tests.app.test_lessons import opened

STEPS = [(lesson, number) for lesson in lessons() for number in range(1, len(lesson.steps) + 1)]
NAMES = [f"{lesson.key}-{number}" for lesson, number in STEPS]
FIGURES = {"graph": "graph", "plane": "embedding", "second-plane": "other", "matrix": "matrix"}
VIEWS = {"planes": {"embedding", "other"}, "matrix": {"matrix"}, "graph": set()}
FEW = 0.05
"""The share of its width by which a picture must change, for the change to be visible."""

# Numbers that name vertices and rounds, or say where something lies, are no answers.
NO_ANSWERS = [
    r"Edges: [^.]*\.",
    r"Vertices of equal colour: [^.]*\.",
    r"[^;:]* at \([^)]*\)",
    r"(?:vert(?:ex|ices)|hub|leaf|row|rows) \d+(?:(?:,| and| or) \d+)*",
    r"[tT] = \d+(?: of \d+)?",
    r"[aA]fter \d+ rounds?",
    r"[tT] (?:from \d+ )?to \d+",
    r"×\d+|\d+ vertices on this point",
    r"&nbsp; \d+ of \d+",
    r"v\+\d",
    r"fold \d+",
    r"degree \d+",
    r"\b[A-Zdp]\d+\b",
    r"\^\{?\d\}?",
    r"\^0",
]
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w])")


@pytest.fixture(params=STEPS, ids=NAMES)
def step(request):
    lesson, number = request.param
    app = opened(lesson=lesson.key, step=str(number))
    return app, lesson.steps[number - 1], f"{lesson.key}-{number}"


def texts(app, said):
    """Return all that a reader sees, hears, or is shown by the mouse."""
    found = [
        element.value
        for kind in ("markdown", "caption", "info", "text", "latex", "success", "warning")
        for element in getattr(app, kind)
    ]
    found += [f"{metric.label} {metric.value}" for metric in app.metric]
    found += [option for radio in app.radio for option in radio.options]
    found += said.values()
    for component in components(app):
        shown = json.loads(json.loads(component.json)["study"])
        found += shown["rounds"]
        found += [words for plane in shown["under"].values() for words in plane]
        found += [word for row in shown["colourWords"] for word in row]
        for words in shown["words"].values():
            found += [words] if isinstance(words, str) else words
        graph = shown["figures"]["graph"]
        for figure in shown["figures"].values():
            traces = figure["data"] + [one for frame in figure["frames"] for one in frame["data"]]
            for trace in traces:
                hover = trace.get("hovertext")
                if isinstance(hover, list):  # without the names of vertices, first or last
                    at = slice(1, None) if "mode" in trace and figure is graph else slice(-1)
                    found += [" ".join(text.split("<br>")[at]) for text in hover]
    return found


def stated(texts, answer, tolerance):
    """Return the texts in which a number stands that would be accepted as the answer."""
    return [
        text
        for text in texts
        if any(abs(float(number) - answer) <= tolerance for number in NUMBER.findall(bare(text)))
    ]


def bare(text):
    """Return a text without numbers that are no answers."""
    for pattern in NO_ANSWERS:
        text = re.sub(pattern, " ", text)
    return text


def test_no_answer_is_stated_before_it_is_given(step, charts):
    app, one, _ = step
    answer = answer_of(one.question, one.picture)
    seen = texts(app, charts)
    assert not any(text == "?" for text in seen)
    if isinstance(answer, frozenset):
        listed = ", ".join(sorted(answer))
        assert not [text for text in seen if listed in bare(text)]
    elif one.question.kind == "number":
        assert stated(seen, float(answer), one.question.tolerance) == []


def test_small_changes_count_as_none():
    points = np.array([[0.0, 0.1], [0.5, -0.4]])
    assert not differ(points, points + 0.01)
    assert differ(points, points + 0.1)
    assert differ(np.array(["#fff", "#000"]), np.array(["#fff", "#111"]))


def test_stated_answers_are_found():
    assert stated(["7 of 7 orbits recovered"], 7.0, 0.0)
    assert stated(["WL colour changed 67 %"], 66.67, 0.5)
    assert not stated(["vertices 7 and 8, t = 7 of 7, after 7 rounds, 7.5 %, A7"], 7.0, 0.0)


def numbers(values):
    if isinstance(values, dict):
        return np.frombuffer(b64decode(values["bdata"]), "<f4").astype(float)
    return np.array(values, dtype=float)


def drawn(app, part, t=-1):
    """Return what a picture of linked pictures shows in a round, as one array for each vertex."""
    shown = study(app)
    frame = shown["figures"][FIGURES[part]]["frames"][t]["data"][0]
    if part == "graph":
        return np.array(frame["marker"]["color"])
    if part == "matrix":
        cells = shown["figures"]["matrix"]["data"][0]
        return numbers(frame["z"]) / (cells["zmax"] - cells["zmin"])
    vertices = shown["links"]["planes"][FIGURES[part]]["classOfVertex"]
    return np.column_stack([numbers(frame[axis])[vertices] / 2 for axis in "xy"])


def differ(before, after):
    """Return whether two pictures differ by a visible amount."""
    if before.shape != after.shape:
        return True
    if before.dtype.kind == "U":
        return bool((before != after).any())
    return bool(np.abs(before - after).max() > FEW)


def move(app, key, control):
    """Move a control to another value, as far as it goes."""
    widgets = {
        "T": lambda: app.slider(key=f"{key}-T"),
        "alpha": lambda: app.slider(key=f"{key}-alpha"),
        "beta": lambda: app.slider(key=f"{key}-beta"),
        "kernel": lambda: app.segmented_control(key=f"{key}-kernel"),
        "embedding": lambda: app.selectbox(key=f"{key}-embedding"),
        "features": lambda: app.multiselect(key=f"{key}-features"),
        "methods": lambda: app.multiselect(key=f"{key}-methods"),
        "C": lambda: app.select_slider(key=f"{key}-C"),
        "pair": lambda: app.segmented_control(key=f"{key}-Second vertex"),
    }
    values = {
        "T": 4,
        "alpha": 0.0,
        "beta": 0.0,
        "kernel": "A",
        "embedding": "struc2vec",
        "features": ["degree", "triangles"],
        "methods": ["WL", "size"],
        "C": 0.001,
        "pair": 4,
    }
    widgets[control]().set_value(values[control]).run()
    assert not app.exception


def test_the_named_picture_shows_the_answer_and_follows_the_named_control(step, charts):
    app, one, key = step
    evidence, control, picture = one.question.evidence, one.question.control, one.picture
    assert evidence in picture.parts
    view = picture.view
    if view == "linked":
        (shown,) = components(app)
        figures = VIEWS[json.loads(shown.json)["view"]] | {"graph"}
        assert FIGURES[evidence] in figures & set(study(app)["figures"])
        before = drawn(app, evidence)
        if control == "t":
            rounds = range(picture.kernel.n_iterations + 1)
            assert any(differ(before, drawn(app, evidence, t)) for t in rounds)
        elif control:
            move(app, key, control)
            assert differ(before, drawn(app, evidence))
        return
    before = seen(app, charts)
    assert before
    if control:
        move(app, key, control)
        assert seen(app, charts) != before


def seen(app, said):
    """Return the tables, numbers and descriptions of charts of a step."""
    tables = [text.value for text in app.markdown if "|---" in text.value]
    metrics = [f"{metric.label} {metric.value}" for metric in app.metric]
    return [*tables, *metrics, *said.values()]


def test_the_lessons_declare_where_every_answer_is_found():
    assert all(lesson.steps[number - 1].question.evidence for lesson, number in STEPS)
    moved = [lesson.steps[number - 1].question.control for lesson, number in STEPS]
    assert sum(control is not None for control in moved) >= len(moved) / 2


def test_terms_are_explained_when_they_are_first_met():
    met = {"vertex": r"\bvert(?:ex|ices)\b", "clique": "clique", "kernel-pca": "plane"}
    met |= {"rounds": r"\$T\b", "orbit": "orbit", "kernel": r"\bkernel\b(?!-)", "degree": "degree"}
    for term, word in met.items():
        first = next(
            lesson.steps[number - 1].text
            for lesson, number in STEPS
            if re.search(word, lesson.steps[number - 1].text)
        )
        assert f"(glossary:{term})" in first, term


def test_the_values_of_r_and_a_have_one_scale():
    app = opened(lesson="the-hub", step="3")
    scales = []
    for kernel in ("R", "A"):
        app.segmented_control(key="the-hub-3-kernel").set_value(kernel).run()
        cells = study(app)["figures"]["matrix"]["data"][0]
        scales.append((cells["zmin"], cells["zmax"]))
    assert scales[0] == scales[1]
    assert scales[0][0] == 0
