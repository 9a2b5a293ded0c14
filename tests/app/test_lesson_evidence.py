"""Every question can be answered by looking: what shows the answer, and that nothing states it."""

import json
import re
from base64 import b64decode

import networkx as nx
import numpy as np
import pytest

from mpgk_core.lessons import answer_of, lessons, measured
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


def places(words):
    """Return the vertices of every point that a description names."""
    listed = words.partition(": ")[2].split("; ")
    return [frozenset(place.partition(" at (")[0].split(", ")) for place in listed]


def worked_out(measure, evidence, words, t):
    """Return a number as a listener finds it in the words of a picture, None if not in these."""
    quantity, given = measure.quantity, {key: str(x) for key, x in measure.arguments.items()}
    if evidence == "plane":
        rounds = [places(said) for said in words["embedding"]]
        if quantity == "n_points":
            return len(rounds[t])
        own = [
            next((point for point in found if given.get("vertex") in point), frozenset())
            for found in rounds
        ]
        return {
            "point_of": lambda: own[t],
            "orbit_of": lambda: own[t],
            "same_point": lambda: given["other"] in own[t],
            "first_round_apart": lambda: [given["other"] in point for point in own].index(False),
        }.get(quantity, lambda: None)()
    if quantity == "n_colours":
        return len(words["graph"][t].rpartition("Vertices of equal colour: ")[2].split("; "))
    if quantity in ("kernel_value", "cosine"):
        row = re.search(rf"row {given['vertex']}: ([^;]*)", words["matrix"][t])[1].rstrip(".")
        return pytest.approx(float(row.split(", ")[int(given["other"])]), rel=1e-3)
    listed = words["graph"][-1].partition("Edges: ")[2].partition(".")[0].split(", ")
    graph = nx.Graph(re.split("–| → ", edge.partition(" (")[0]) for edge in listed)
    return {
        "n_edges": lambda: len(listed),
        "degree": lambda: graph.degree[given["vertex"]],
        "distance": lambda: nx.shortest_path_length(graph, given["vertex"], given["other"]),
    }.get(quantity, lambda: None)()


def test_the_answer_can_be_worked_out_from_the_words_of_the_pictures(step):
    app, one, key = step
    if one.picture.view != "linked":
        return  # tables and lists of numbers are read as they are
    for measure in one.question.measures.values():
        set_as_asked(app, one, key, measure.settings)
        shown = study(app)
        t = measure.arguments.get("t", shown["last"])
        found = worked_out(measure, one.question.evidence, shown["words"], t)
        assert found in (None, measured(measure, one.picture))


def set_as_asked(app, one, key, settings):
    for name, field in (("T", "n_iterations"), ("alpha", "alpha"), ("beta", "beta")):
        value = getattr(settings, field)
        if value is not None and name in one.picture.controls:
            app.slider(key=f"{key}-{name}").set_value(value).run()
    if settings.neighbourhood is not None:
        app.segmented_control(key=f"{key}-kernel").set_value(settings.neighbourhood).run()
    if settings.features is not None:
        app.multiselect(key=f"{key}-features").set_value(settings.features.split("+")).run()


def test_every_setting_that_is_asked_about_can_be_set(step):
    app, one, key = step
    start = one.picture.applied_to(one.picture.kernel)
    asked = [measure.settings for measure in one.question.measures.values()]
    for name in ("T", "alpha", "beta", "kernel", "features", "C"):
        field = {"T": "n_iterations", "kernel": "neighbourhood", "C": "cost"}.get(name, name)
        shown = one.picture.cost if name == "C" else getattr(start, field)
        for value in {getattr(settings, field) for settings in asked} - {None, shown}:
            assert name in one.picture.controls, f"{name} = {value} is asked about"
            widget = next(found for found in widgets(app) if found.key == f"{key}-{name}")
            widget.set_value(value.split("+") if name == "features" else value).run()
            assert not app.exception
            if widget.type == "slider":
                assert widget.min <= value <= widget.max
    for option in one.question.options:
        embedding = option.arguments.get("embedding")
        assert embedding in {None, one.picture.beside} or "embedding" in one.picture.controls
        method = option.arguments.get("method")
        assert method in {None, *one.picture.methods} or "methods" in one.picture.controls


def widgets(app):
    kinds = ("slider", "select_slider", "segmented_control", "multiselect", "selectbox")
    return [widget for kind in kinds for widget in getattr(app, kind)]


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
