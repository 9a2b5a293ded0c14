"""Lessons for a class without a browser: links, progress, summaries, answers and handouts."""

import json
import re
from base64 import b64decode
from urllib.parse import parse_qs

import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest

from mpgk_core.embedding.methods import VERTEX_METHODS
from mpgk_core.export.class_answers import save_answers
from mpgk_core.lessons import Progress, answer_of, kept_text
from mpgk_core.lessons.answers import shown_value
from mpgk_core.lessons.scene import DataSource
from tests.app.shown import study
from tests.app.test_lessons import APP, LESSONS, give, opened

HOW_FAR = LESSONS["how-far"]
STEPS = [
    pytest.param(lesson, number, id=f"{lesson.key}-{number}")
    for lesson in LESSONS.values()
    for number, step in enumerate(lesson.steps, start=1)
    if not isinstance(step.picture.source, DataSource)
]


def keeper(app):
    (found,) = (
        one.proto for one in app.get("bidi_component") if '"kind": "lesson"' in one.proto.json
    )
    return found


def kept(app):
    """Return the text that the browser is asked to keep."""
    return json.loads(keeper(app).json)["kept"]


def tell(app, text):
    """Send what the browser has kept."""
    states = app._tree.get_widget_states()
    event = states.widgets.add()
    event.id = _make_trigger_id(keeper(app).id, "events")
    event.json_trigger_value = json.dumps([{"event": "kept", "value": {"text": text, "at": 1}}])
    app._run(states)
    assert not app.exception
    return app


def captions(app):
    return [caption.value for caption in app.caption]


def answered(app, *numbers):
    for number in numbers:
        step = HOW_FAR.steps[number - 1]
        app.query_params["lesson"], app.query_params["step"] = "how-far", str(number)
        app.run()
        answer = answer_of(step.question, step.picture)
        give(app, step.question, f"answer-how-far-{number}", answer)
    return app


def playground_of(app):
    """Follow the link to the playground in a new window."""
    (link,) = (one.proto for one in app.get("page_link") if "playground" in one.proto.label)
    other = AppTest.from_file(APP, default_timeout=120)
    other.query_params = parse_qs(link.query_string, keep_blank_values=True)
    other.run()
    assert not other.exception
    return other


@pytest.mark.parametrize(("lesson", "number"), STEPS)
def test_the_playground_opens_with_the_graph_and_kernel_of_a_step(lesson, number):
    picture = lesson.steps[number - 1].picture
    there = playground_of(opened(lesson=lesson.key, step=str(number)))
    assert there.session_state["kernel now"] == picture.kernel
    graph = picture.source.build()
    n_edges = graph.n_edges - (picture.removed is not None)
    names = study(there)["links"]["names"]
    assert names == [str(name) for name in graph.names]
    assert any(f"{graph.n_vertices} vertices" in one.value for one in there.text)
    assert any(f"{n_edges} edge" in one.value for one in there.text)
    assert not [warning.value for warning in there.warning if "link" in warning.value]


def test_the_playground_follows_the_controls_whatever_was_set_there_before():
    app = opened(lesson="alpha-and-beta", step="1")
    app.slider(key="alpha-and-beta-1-beta").set_value(0.35).run()
    (link,) = (one.proto for one in app.get("page_link") if "playground" in one.proto.label)
    there = AppTest.from_file(APP, default_timeout=120)
    there.query_params = {"graph": "lollipop", "alpha": "0.1", "T": "2", "kernel": "A"}
    there.run()
    there.query_params = parse_qs(link.query_string, keep_blank_values=True)
    there.switch_page("pages/lessons.py").run()
    there.query_params = parse_qs(link.query_string, keep_blank_values=True)
    there.switch_page("pages/playground.py").run()
    assert not there.exception
    kernel = there.session_state["kernel now"]
    start = LESSONS["alpha-and-beta"].steps[0].picture.kernel
    assert (kernel.beta, kernel.alpha, kernel.n_iterations, kernel.neighbourhood) == (
        0.35,
        start.alpha,
        start.n_iterations,
        start.neighbourhood,
    )


def test_numbers_of_a_lesson_are_predicted_further_on_their_own_page():
    app = opened(lesson="predicting-a-property", step="4")
    (link,) = (one.proto for one in app.get("page_link") if "Open this" in one.proto.label)
    there = AppTest.from_file(APP, default_timeout=120)
    there.switch_page(f"pages/{link.page}.py")
    there.query_params = parse_qs(link.query_string)
    there.run()
    assert not there.exception
    assert there.selectbox(key="regress-target").value == "gap"


def links_of(app):
    app.session_state["share-step"] = True
    app.run()
    assert not app.exception
    (shared,) = (
        json.loads(one.proto.json)
        for one in app.get("bidi_component")
        if '"kind": "copy"' in one.proto.json
    )
    return [parse_qs(one["link"].partition("?")[2]) for one in shared["links"]]


def test_a_link_brings_answers_and_controls_only_where_it_should():
    app = answered(opened(), 1, 3)
    app.slider(key="how-far-3-T").set_value(2).run()
    plain, full = links_of(app)
    assert plain == {"lesson": ["how-far"], "step": ["3"]}
    other = opened(**{key: texts[0] for key, texts in full.items()})
    answer = answer_of(HOW_FAR.steps[2].question, HOW_FAR.steps[2].picture)
    assert other.slider(key="how-far-3-T").value == 2
    assert other.number_input(key="answer-how-far-3").value == answer
    assert len(other.success) == 1
    assert kept(other) == "", "answers of somebody else are no progress"
    other.button(key="to-next").click().run()
    assert other.metric[0].value == "0 of 3"
    assert any("answered in the link" in text.value for text in other.markdown)
    fresh = opened(**{key: texts[0] for key, texts in plain.items()})
    assert fresh.slider(key="how-far-3-T").value == HOW_FAR.steps[2].picture.kernel.n_iterations
    assert fresh.number_input(key="answer-how-far-3").value is None
    assert not fresh.success


def test_a_link_brings_the_pair_whose_sums_are_written_out():
    app = opened(lesson="one-round-by-hand", step="2")
    assert "state" not in links_of(app)[1]
    app.segmented_control(key="one-round-by-hand-2-Second vertex").set_value(3).run()
    full = links_of(app)[1]
    other = opened(**{key: texts[0] for key, texts in full.items()})
    assert other.segmented_control(key="one-round-by-hand-2-Second vertex").value == 3


def test_a_handout_has_an_address_of_its_own():
    app = opened(**{"class": ""})
    app.button(key="print-answers").click().run()
    assert not app.exception
    assert app.query_params["print"] == "answers"
    assert app.query_params["lesson"] == next(iter(LESSONS))


@pytest.mark.parametrize("state", ["x", "{}", '{"T": 99}', '{"answer": "<b>"}', "[" * 2000])
def test_a_hostile_state_in_a_link_shows_the_step_as_it_begins(state):
    app = opened(lesson="how-far", step="3", state=state)
    assert app.slider(key="how-far-3-T").value == HOW_FAR.steps[2].picture.kernel.n_iterations
    assert app.number_input(key="answer-how-far-3").value is None


def test_what_the_browser_kept_comes_back_and_is_joined():
    text = kept_text(Progress().after("how-far", 1, False).after("how-far", 1, True), [HOW_FAR])
    app = tell(opened(), text)
    assert any("1 of 3 answered" in one for one in captions(app))
    answered(app, 3)
    assert json.loads(kept(app))["answers"][0][3] == 2, "tries are kept"
    later = tell(opened(), kept(app))
    assert any("2 of 3 answered" in one for one in captions(later))


@pytest.mark.parametrize("text", [None, 7, "", "{}", "x" * 200_000, {"a": 1}])
def test_a_damaged_text_of_the_browser_counts_nothing(text):
    app = tell(opened(), text)
    assert not any("✓" in one for one in captions(app))
    assert kept(app) == ""


def test_two_readers_of_one_server_share_nothing():
    one, other = answered(opened(), 1), opened()
    one.button(key="to-list").click().run()
    assert any("1 of 3 answered" in text for text in captions(one))
    assert not any("1 of 3 answered" in text for text in captions(other))
    assert kept(other) == ""


def test_a_reset_can_be_undone():
    app = answered(opened(), 1, 2)
    app.query_params["step"] = "end"
    app.run()
    app.button(key="reset-lesson").click().run()
    assert [metric.value for metric in app.metric] == ["0 of 3", "0 of 3", "0"]
    assert json.loads(keeper(app).json)["isReset"]
    app.button(key="undo-reset").click().run()
    assert [metric.value for metric in app.metric] == ["2 of 3", "2 of 3", "2"]
    app.button(key="to-list").click().run()
    app.button(key="reset-progress").click().run()
    assert any("0 of 3 answered" in one for one in captions(app))
    assert kept(app) == ""
    app.button(key="open-how-far").click().run()
    assert app.number_input(key="answer-how-far-1").value is None
    assert not app.success


def test_the_summary_offers_what_is_missing():
    app = answered(opened(), 1, 3)
    app.button(key="to-next").click().run()
    assert [metric.value for metric in app.metric] == ["2 of 3", "2 of 3", "2"]
    app.button(key="to-missing").click().run()
    assert app.query_params["step"] == "2"


def class_file(name, progress):
    return f"{name}.json", save_answers(name, progress, LESSONS.values()), "application/json"


def test_a_teacher_reads_the_files_of_a_class():
    good = Progress().after("how-far", 1, True)
    slow = Progress().after("how-far", 1, False).after("how-far", 1, True)
    files = [class_file("Ada", good), class_file("Emmy", slow)]
    hostile = [("bad.json", b'{"mpgk_answers": 1}', "application/json"), ("x.json", b"\x00", "")]
    app = opened(**{"class": ""})
    app.get("file_uploader")[0].set_value([*files, *hostile]).run()
    assert not app.exception
    students, questions = (table.value for table in app.dataframe)
    assert students["student"].tolist() == ["Ada", "Emmy"]
    assert students["right at first try"].tolist() == [1, 0]
    assert questions["tried by"].tolist() == [2]
    assert questions["mean tries"].tolist() == [1.5]
    assert any("bad.json: The file is damaged" in text.value for text in app.text)
    assert len(app.error) == 2


def test_teachers_find_routes_whose_steps_open():
    app = opened(**{"class": ""})
    tables = [text.value for text in app.markdown if text.value.startswith("| Minute")]
    assert tables
    assert any("?lesson=how-far&step=1" in table for table in tables)
    assert all(
        table.rstrip(" |").splitlines()[-1].split("|")[1].strip().endswith("–45")
        for table in tables
    )


def b64decoded(body):
    """Return the pictures of a piece of HTML as SVG."""
    codes = re.findall(r"base64,([^\"]+)", body)
    return "".join(b64decode(code).decode() for code in codes)


def asked_settings(step):
    """Return what a picture of linked pictures or of a change must be set to for the answer."""
    if isinstance(step.picture.source, DataSource):
        return
    for measure in step.question.measures.values():
        settings = measure.settings
        if settings.n_iterations not in {None, step.picture.kernel.n_iterations}:
            yield f"T = {settings.n_iterations}"
        if settings.beta not in {None, step.picture.kernel.beta}:
            yield f"β = {settings.beta:g}"
        if settings.features is not None:
            yield f"features = {settings.features.replace('+', ', ')}"
        if settings.neighbourhood is not None:
            yield f"kernel = {settings.neighbourhood}"


@pytest.mark.parametrize("name", LESSONS)
def test_a_handout_asks_everything_and_its_key_answers_it(name):
    lesson = LESSONS[name]
    handout, key = opened(lesson=name, print="questions"), opened(lesson=name, print="answers")
    for app in (handout, key):
        texts = [text.value for text in app.markdown]
        assert sum(text.startswith("**Question.**") for text in texts) == len(lesson.steps)
        assert not any("{{" in text for text in texts)
    images = [one.proto.body for one in handout.get("html") if "mpgk-printed" in one.proto.body]
    tables = [text.value for text in handout.markdown if "|---" in text.value]
    assert len(images) + len(tables) >= len(lesson.steps)
    asked = "\n".join(text.value for text in handout.markdown)
    assert "**Answer:" not in asked
    assert "☒" not in asked
    for step in lesson.steps:  # what cannot be switched on paper is printed for every option
        options = step.question.options
        if step.question.pick and step.question.quantity.startswith(
            ("accuracy", "prediction_error")
        ):
            assert any(all(f"**{one.text}**" in table for one in options) for table in tables)
        for words in asked_settings(step):
            assert any(words in shown for shown in [*tables, *map(b64decoded, images)]), words
        titles = [
            VERTEX_METHODS[one.arguments["embedding"]].title
            for one in options
            if "embedding" in one.arguments
        ]
        assert any(all(title in b64decoded(body) for title in titles) for body in images or [""])
        answer = shown_value(answer_of(step.question, step.picture))
        assert any(text.value == f"**Answer: {answer}**" for text in key.markdown)


@pytest.mark.parametrize("word", ["", "x", "answers<b>"])
def test_another_word_prints_nothing(word):
    app = opened(lesson="how-far", print=word)
    assert app.button(key="to-next")
