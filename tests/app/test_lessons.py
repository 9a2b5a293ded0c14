"""The page of lessons without a browser: all lessons to their ends, wrong answers first."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from mpgk_core.lessons import answer_of, lessons, read_lesson
from mpgk_core.lessons.answers import shown_value
from tests.app.shown import components, study
from tests.lessons.lesson_files import LESSON, changed, lesson_of_readme, write_lesson

APP = str(Path(__file__).parents[2] / "app.py")
LESSONS = {lesson.key: lesson for lesson in lessons()}


def opened(**query):
    app = AppTest.from_file(APP, default_timeout=120)
    app.switch_page("pages/lessons.py")
    app.query_params.update(query)
    app.run()
    assert not app.exception
    return app


def give(app, question, key, answer):
    if question.kind == "number":
        app.number_input(key=key).set_value(answer)
    elif question.kind == "choice":
        app.radio(key=key).set_value(answer)
    else:
        app.multiselect(key=key).set_value(sorted(answer))
    app.button(key=f"check-{key}").click().run()
    assert not app.exception


def wrong(question, answer):
    if question.kind == "number":
        return float(answer) + question.tolerance + 1
    if question.kind == "choice":
        return next(option.text for option in question.options if option.text != answer)
    return sorted(answer)[1:]


@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_is_walked_to_its_end(name):
    walk(LESSONS[name])


def test_the_lesson_of_the_readme_is_walked_to_its_end(tmp_path, monkeypatch):
    path = write_lesson(tmp_path, lesson_of_readme(), "20-mine.toml")
    monkeypatch.setenv("MPGK_LESSONS", str(tmp_path))
    walk(read_lesson(path))


def walk(lesson):
    """Answer every question, wrongly at first."""
    name = lesson.key
    app = opened(lesson=name)
    for number, step in enumerate(lesson.steps, start=1):
        assert app.query_params.get("step", "1") == str(number)
        assert any(step.title in text.value for text in app.markdown)
        key = f"answer-{name}-{number}"
        answer = answer_of(step.question, step.picture)
        give(app, step.question, key, wrong(step.question, answer))
        assert len(app.warning) == 1
        assert not app.success
        give(app, step.question, key, answer)
        assert len(app.success) == 1
        assert not app.warning
        if "{{answer}}" in step.question.explanation:
            assert shown_value(answer) in app.success[0].value
        assert not any("{{" in text.value for text in [*app.markdown, *app.success])
        app.button(key="to-next").click().run()
        assert not app.exception
    n = len(lesson.steps)
    assert app.query_params["step"] == "end"
    assert [metric.value for metric in app.metric] == [f"{n} of {n}", f"0 of {n}", str(2 * n)]
    app.button(key="to-list").click().run()
    assert "lesson" not in app.query_params
    assert any("✓ all answered" in caption.value for caption in app.caption)
    assert "done" not in app.query_params, "a link that is copied brings no answers"


def test_no_answer_is_a_wrong_answer():
    app = opened(lesson="how-far")
    app.button(key="check-answer-how-far-1").click().run()
    assert len(app.warning) == 1


def test_controls_start_where_the_file_says_and_move_the_picture():
    app = opened(lesson="alpha-and-beta", step="1")
    assert app.slider(key="alpha-and-beta-1-beta").value == 0.2
    app.slider(key="alpha-and-beta-1-beta").set_value(0.0).run()
    assert not app.exception
    app = opened(lesson="brittle", step="2")
    assert app.selectbox(key="brittle-2-remove").value == ("0", "1")
    app.selectbox(key="brittle-2-remove").set_value(("4", "5")).run()
    assert not app.exception


def test_controls_stay_as_they_are_left():
    app = opened(lesson="alpha-and-beta", step="1")
    app.slider(key="alpha-and-beta-1-beta").set_value(0.3).run()
    app.button(key="to-next").click().run()
    app.button(key="to-previous").click().run()
    assert app.slider(key="alpha-and-beta-1-beta").value == 0.3
    app = opened(lesson="brittle", step="2")
    app.selectbox(key="brittle-2-remove").set_value(("4", "5")).run()
    app.button(key="to-previous").click().run()
    app.button(key="to-next").click().run()
    assert app.selectbox(key="brittle-2-remove").value == ("4", "5")
    app = opened(lesson="one-round-by-hand", step="2")
    app.segmented_control(key="one-round-by-hand-2-Second vertex").set_value(2).run()
    app.button(key="to-next").click().run()
    app.button(key="to-previous").click().run()
    assert "k^0(b, a) + k^0(b, b)" in app.latex[0].value


def test_the_tables_of_one_round_follow_the_chosen_pair():
    app = opened(lesson="one-round-by-hand", step="2")
    assert "= 6 + 9 + 6 + 6 + 9 + 6 = 42" in app.latex[0].value
    app.segmented_control(key="one-round-by-hand-2-Second vertex").set_value(0).run()
    assert "= 9 + 9 + 9 + 9 = 36" in app.latex[0].value


def test_the_asked_value_of_a_table_is_shown_after_the_answer():
    app = opened(lesson="one-round-by-hand", step="2")
    app.segmented_control(key="one-round-by-hand-2-Second vertex").set_value(3).run()
    assert r"k^0(c, e) \\ & = ?\end{aligned}" in app.latex[0].value
    assert len(tables(app)) == 2
    assert "| ? |" in tables(app)[1]
    app.number_input(key="answer-one-round-by-hand-2").set_value(30)
    app.button(key="check-answer-one-round-by-hand-2").click().run()
    assert r"= 9 + 6 + 9 + 6 = 30\end{aligned}" in app.latex[0].value
    assert len(tables(app)) == 2, "the next table belongs to the next step"
    assert not any("?" in table for table in tables(app))


def tables(app):
    return [text.value for text in app.markdown if "|---" in text.value]


def test_counts_and_orbits_are_shown_after_the_answer():
    app = opened(lesson="orbits", step="1")
    before = study(app)
    assert before["rounds"] == ["t = 0 of 0"]
    assert before["links"]["orbit"][1] != before["links"]["orbit"][2]
    assert before["links"]["orbit"][3] == before["links"]["orbit"][4], "what is not asked for"
    assert len(set(before["figures"]["graph"]["data"][1]["marker"]["color"])) == 1
    give(app, LESSONS["orbits"].steps[0].question, "answer-orbits-1", ["1", "2"])
    after = study(app)
    assert after["rounds"][0].endswith("orbits recovered")
    assert after["links"]["orbit"][1] == after["links"]["orbit"][2]
    assert len(set(after["figures"]["graph"]["data"][1]["marker"]["color"])) == 3
    app = opened(lesson="orbits", step="1", done="orbits.1")
    assert study(app)["rounds"][0].endswith("recovered"), "as when the link has the answer"


def test_a_changed_number_is_shown_after_the_answer():
    app = opened(lesson="brittle", step="2")
    assert [metric.value for metric in app.metric if metric.label == "WL colour changed"] == ["?"]
    give(app, LESSONS["brittle"].steps[1].question, "answer-brittle-2", 8)
    app.slider(key="brittle-2-T").set_value(4).run()
    assert [one.value for one in app.metric if one.label == "WL colour changed"] == ["67 %"]


def test_terms_are_explained_beside_the_text():
    app = opened(lesson="what-is-similar")
    explained = [text.value for text in app.markdown if " — " in text.value]
    assert [text.split("**")[1] for text in explained] == ["Vertex", "Graph", "Clique", "Orbit"]
    assert any("[cliques](#term-clique) joined by a path" in text.value for text in app.markdown)


def test_atoms_are_named_by_their_elements():
    app = opened(lesson="molecules")
    drawn = study(app)["figures"]["graph"]["data"][1]
    assert sorted(set(drawn["text"])) == ["C", "N", "O"]
    assert "Labels: C, C, C" in study(app)["words"]["graph"][0]


def test_the_accuracies_of_a_lesson_follow_kernels_and_costs():
    app = opened(lesson="what-an-accuracy-means", step="4")
    assert len(tables(app)[0].splitlines()) == 3
    app.multiselect(key="what-an-accuracy-means-4-methods").set_value(["AA", "size"]).run()
    app.select_slider(key="what-an-accuracy-means-4-C").set_value(1000.0).run()
    assert "| **size** |" in tables(app)[0]
    assert "| 87.8 |" in tables(app)[0]
    app.multiselect(key="what-an-accuracy-means-4-methods").set_value([]).run()
    assert "| **AA** |" in tables(app)[0], "without a choice, that of the lesson"


@pytest.mark.parametrize("step", ["0", "99", "x", "-1", "²", ""])
def test_a_link_to_no_step_opens_some_step(step):
    app = opened(lesson="how-far", step=step)
    assert any(f" of {len(LESSONS['how-far'].steps)}" in text.value for text in app.markdown)


@pytest.mark.parametrize("done", ["x", "how-far.", "how-far.9~x.1", "how-far.²", "~" * 500])
def test_hostile_progress_counts_nothing(done):
    app = opened(done=done)
    assert not any("✓" in caption.value for caption in app.caption)
    assert any("0 of 3 answered" in caption.value for caption in app.caption)


def test_progress_comes_back_with_the_link():
    app = opened(done="how-far.13")
    assert any("2 of 3 answered" in caption.value for caption in app.caption)
    app.button(key="open-how-far").click().run()
    assert app.query_params["step"] == "2"


def away_and_back(app):
    """Visit another page; the links of the navigation have an address without settings."""
    for page in ("pages/tuning.py", "pages/lessons.py"):
        app.query_params.clear()
        app.switch_page(page).run()
        assert not app.exception


def test_a_visit_elsewhere_keeps_progress_and_place_in_the_address():
    app = opened(lesson="how-far", step="2", done="how-far.1")
    away_and_back(app)
    assert app.query_params == {"lesson": "how-far", "step": "2", "done": "how-far.1"}
    assert any(LESSONS["how-far"].steps[1].title in text.value for text in app.markdown)


def test_a_lesson_that_was_left_stays_left():
    app = opened(lesson="how-far", step="2", done="how-far.1")
    app.button(key="to-list").click().run()
    away_and_back(app)
    assert "lesson" not in app.query_params
    assert app.query_params["done"] == "how-far.1"
    assert app.button(key="open-how-far")


def test_going_back_to_the_list_in_the_browser_opens_no_lesson():
    app = opened()
    app.button(key="open-how-far").click().run()
    app.query_params.clear()
    app.run()
    assert app.button(key="open-how-far")
    away_and_back(app)
    assert app.button(key="open-how-far")


def test_another_address_is_opened_rather_than_the_last_lesson():
    app = opened(lesson="how-far", step="2", done="how-far.1")
    app.switch_page("pages/tuning.py").run()
    app.query_params = {"lesson": "brittle", "step": "1"}
    app.switch_page("pages/lessons.py").run()
    assert app.query_params == {"lesson": "brittle", "step": "1"}
    app.button(key="to-list").click().run()
    assert any("1 of 3 answered" in caption.value for caption in app.caption)
    app.switch_page("pages/tuning.py").run()
    app.query_params = {"glossary": "orbit"}
    app.switch_page("pages/lessons.py").run()
    assert app.text_input(key="glossary-search")


def test_the_glossary_opens_at_a_term_and_can_be_searched():
    app = opened(glossary="orbit")
    entries = [text.value for text in app.markdown if text.value.startswith("**")]
    assert sum(entry.startswith("**Orbit**") for entry in entries) == 2
    app.text_input(key="glossary-search").set_value("Nyström").run()
    entries = [text.value for text in app.markdown if " — " in text.value]
    assert len(entries) == 1
    app.text_input(key="glossary-search").set_value("zebra").run()
    assert app.info


def test_the_lessons_are_chosen_for_good_after_a_link_to_a_term():
    app = opened(glossary="orbit")
    app.segmented_control(key="lessons-view").set_value("lessons").run()
    assert "glossary" not in app.query_params
    app.button(key="open-how-far").click().run()
    app.button(key="to-list").click().run()
    assert app.button(key="open-how-far")


def test_a_lesson_opened_beside_a_term_leads_back_to_the_lessons():
    app = opened(glossary="orbit", lesson="how-far", step="3")
    app.button(key="to-list").click().run()
    assert app.button(key="open-how-far")


def test_the_address_says_whether_lessons_or_terms_are_shown():
    app = opened()
    app.segmented_control(key="lessons-view").set_value("glossary").run()
    assert app.query_params == {"glossary": ""}
    app.query_params.clear()
    app.run()
    assert app.button(key="open-how-far"), "as after going back in the browser"


def test_an_unknown_term_is_said():
    assert "no such term" in opened(glossary="<b>").warning[0].value


def test_a_broken_file_of_a_teacher_is_named_and_the_others_are_shown(tmp_path, monkeypatch):
    (tmp_path / "20-mine.toml").write_text('title = "Mine"\nsummary = "S."\nsteps = []\n')
    monkeypatch.setenv("MPGK_LESSONS", str(tmp_path))
    app = opened()
    assert any("20-mine.toml: Field 'steps'" in text.value for text in app.text)
    assert any(button.key == "open-how-far" for button in app.button)
    step = opened(lesson="how-far")
    assert not any("20-mine.toml: " in text.value for text in step.text), "students read the step"


def test_faults_that_only_a_reader_would_meet_are_told_at_the_start(tmp_path, monkeypatch, caplog):
    write_lesson(tmp_path, changed('kind = "number"', 'kind = "vertices"'), "20-mine.toml")
    monkeypatch.setenv("MPGK_LESSONS", str(tmp_path))
    app = AppTest.from_file(APP, default_timeout=120).run()
    place = "20-mine.toml: Step 2, field 'question.quantity'"
    app.switch_page("pages/lessons.py").run()
    assert any(place in text.value for text in app.text)
    assert {"open-how-far"} <= {button.key for button in app.button if button.key}
    assert not any(button.key == "open-mine" for button in app.button)
    assert [record.getMessage() for record in caplog.records if place in record.getMessage()]
    app = AppTest.from_file(APP, default_timeout=120).run()
    assert not app.exception
    assert any("have errors" in warning.value for warning in app.warning)
    assert any(text.value == "20-mine.toml" for text in app.text)
    assert components(app), "the playground works"
    write_lesson(tmp_path, LESSON, "20-mine.toml")
    app.switch_page("pages/lessons.py").run()
    assert any(button.key == "open-mine" for button in app.button), "a mended file is read anew"


def test_a_folder_that_is_not_there_is_told_on_every_page(tmp_path, monkeypatch):
    monkeypatch.setenv("MPGK_LESSONS", str(tmp_path / "nowhere"))
    app = AppTest.from_file(APP, default_timeout=120).run()
    assert any("The page Lessons shows the reason" in warning.value for warning in app.warning)
    assert components(app)
    app.switch_page("pages/lessons.py").run()
    assert any("MPGK_LESSONS must be a folder" in text.value for text in app.text)


def test_a_lesson_of_a_teacher_appears_beside_ours(tmp_path, monkeypatch):
    ours = Path(APP).parent / "lessons" / "03-how-far.toml"
    (tmp_path / "20-mine.toml").write_text(ours.read_text("utf-8"), "utf-8")
    monkeypatch.setenv("MPGK_LESSONS", str(tmp_path))
    app = opened()
    assert any(button.key == "open-mine" for button in app.button)
    assert any(button.key == "open-how-far" for button in app.button)
