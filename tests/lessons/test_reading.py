"""Lesson files: good ones are read, and every mistake is named with its file, step and field."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core import MPGKError
from mpgk_core.errors import InvalidParameterError, UnreadableFileError
from mpgk_core.graphs.generators import PresetGraph
from mpgk_core.lessons import (
    QUANTITIES,
    Picture,
    Question,
    checked_library,
    glossary,
    lesson_folders,
    lessons,
    read_lesson,
)
from mpgk_core.lessons.scene import own_edges, together
from mpgk_core.lessons.texts import glossary_terms, problem_with
from tests.lessons.lesson_files import LESSON, changed, lesson_of_readme, write_lesson

ENDS = 'hint = "Count."'


def refusal(tmp_path, text, name="10-mine.toml"):
    with pytest.raises(UnreadableFileError) as caught:
        read_lesson(write_lesson(tmp_path, text, name))
    return str(caught.value)


def test_a_good_file_is_read(tmp_path):
    lesson = read_lesson(write_lesson(tmp_path, LESSON))
    assert (lesson.key, lesson.title, len(lesson.steps)) == ("mine", "Mine", 3)
    assert lesson.steps[0].picture.source == PresetGraph("path", {"n": 5})
    assert lesson.steps[0].question.arguments == {"t": 1}


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('title = "A step"', 'title = ""', "title"),
        ('title = "A step"', "title = 3", "title"),
        ('todo = "Count."', "", "todo"),
        ('todo = "Count."', 'todo = "Count."\nextra = 1', "extra"),
        ("{{size}}", "{{sise}}", "text"),
        ("$k$", "$k", "text"),
        ("$k$", "<b>k</b>", "text"),
        ("$k$", "![x](y)", "text"),
        ("$k$", "[x](y)", "text"),
        ("$k$", "https://example.org", "text"),
        ("$k$", "$\\\\href{x}{y}$", "text"),
        ("$k$", "x" * 5000, "text"),
        ('graph = "path"', 'graph = "paths"', "picture.graph"),
        ('graph = "path"', 'graph = "path"\nedges = ["a b"]', "picture.graph"),
        ('graph = "path"\nparameters = {n = 5}', "", "picture.graph"),
        ('graph = "path"\nparameters = {n = 5}', 'edges = ["a a"]', "picture.edges.1"),
        ('graph = "path"\nparameters = {n = 5}', 'edges = ["a <b>"]', "picture.edges.1"),
        ('graph = "path"\nparameters = {n = 5}', 'data = "../x"', "picture.data"),
        ('graph = "path"\nparameters = {n = 5}', 'data = "MUTAG"\nnumber = 999', "picture.graph"),
        ("{n = 5}", "{n = 1}", "picture.parameters"),
        ("{n = 5}", "{m = 5}", "picture.parameters"),
        ("{n = 5}", "{n = 2000}", "picture.graph"),
        ("T = 2", "T = 13", "picture.T"),
        ("T = 2", "T = true", "picture.T"),
        ("T = 2", "T = 2\nalpha = 2", "picture.alpha"),
        ("T = 2", "T = 2\nbeta = nan", "picture.beta"),
        ("T = 2", 'T = 2\nfeatures = "size"', "picture.features"),
        ("T = 2", 'T = 2\nfeatures = "labels"', "picture.graph"),
        ("T = 2", 'T = 2\ncontrols = ["gamma"]', "picture.controls.1"),
        ("T = 2", 'T = 2\ncontrols = ["T", "T"]', "picture.controls"),
        ("T = 2", 'T = 2\ncolour = "label"', "picture.colour"),
        ("T = 2", 'T = 2\nlayout = "x"', "picture.layout"),
        ("T = 2", 'T = 2\nshows = "map"', "picture.shows"),
        ("T = 2", 'T = 2\nshows = "messages"\nkernel = "A"', "picture.shows"),
        ("T = 2", 'T = 2\nshows = "change"', "picture.remove"),
        ("T = 2", 'T = 2\nremove = "0 4"', "picture.remove"),
        ("T = 2", "T = 2\nmatrix = 1", "picture.matrix"),
        ("T = 2", 'T = 2\nmatrix = "value"', "picture.matrix"),
        ("T = 2", "T = 2\nt = 3", "picture.t"),
        ("T = 2", 'T = 2\naxes = "log"', "picture.axes"),
        ("T = 2", 'T = 2\nbeside = "word2vec"', "picture.beside"),
        ("T = 2", 'T = 2\ncontrols = ["embedding"]', "picture.beside"),
        ("T = 2", 'T = 2\ncontrols = ["C"]', "picture.controls"),
        ("T = 2", 'T = 2\ncontrols = ["t"]', "picture.controls"),
        ("T = 2", 'T = 2\nshows = "accuracies"', "picture.shows"),
        ("T = 2", 'T = 2\nmethods = ["AB"]', "picture.methods.1"),
        ("T = 2", "T = 2\nC = 0", "picture.C"),
        ("T = 2", 'T = 2\nname = ""', "picture.name"),
        ('graph = "path"\nparameters = {n = 5}', 'roles = "x"', "picture.roles"),
        ('kind = "number"', 'kind = "number"\nevidence = "sketch"', "question.evidence"),
        ('kind = "number"', 'kind = "number"\nevidence = "matrix"', "question.evidence"),
        ('kind = "number"', 'kind = "number"\ncontrol = "alpha"', "question.control"),
        ('kind = "number"', 'kind = "number"\ncontrol = "pair"', "question.control"),
        ('"n_vertices"', '"n_points"\narguments = {t = 3}', "numbers.size.arguments"),
        ('"n_vertices"', "3", "numbers.size.quantity"),
        ('"n_vertices"', '"n_vertices"\nsettings = {T = -1}', "numbers.size.settings.T"),
        ("[steps.numbers.size]", "[steps.numbers.answer]", "numbers.answer"),
        ('kind = "number"', 'kind = "number"\npick = "largest"', "question.pick"),
        ('kind = "number"', 'kind = "vertices"\ntolerance = 1', "question.tolerance"),
        ('graph = "path"\nparameters', 'edges = ["a b"]\nparameters', "picture.parameters"),
        ('graph = "path"', 'graph = "path"\nnumber = 1', "picture.number"),
        ('kind = "number"', 'kind = "word"', "question.kind"),
        ('kind = "number"', 'kind = "choice"', "question.options"),
        ('quantity = "n_points"', 'quantity = "__import__"', "question.quantity"),
        ('quantity = "n_points"', "quantity = 3", "question.quantity"),
        ('quantity = "n_points"', 'quantity = "accuracy"', "question.arguments"),
        ("{t = 1}", "{t = 3}", "question.arguments"),
        ("{t = 1}", "{x = 1}", "question.arguments"),
        ("{t = 1}", '{t = 1}\nsettings = {kernel = "B"}', "question.settings.kernel"),
        ("{t = 1}", "{t = 1}\nsettings = {gamma = 1}", "question.settings.gamma"),
        ("{t = 1}", "{t = 1}\ntolerance = -1", "question.tolerance"),
        (ENDS, 'hint = "{{answer}}"', "question.hint"),
        (ENDS, "", "question.hint"),
        ("{{answer}}", "{{answers}}", "question.explanation"),
    ],
)
def test_a_mistake_is_named_with_file_step_and_field(tmp_path, old, new, field):
    message = refusal(tmp_path, changed(old, new))
    assert message.startswith(f"10-mine.toml: Step 2, field '{field}': ")
    assert message.endswith(".")


def test_a_vertex_that_is_not_there_is_named(tmp_path):
    text = changed(
        'quantity = "n_points"\narguments = {t = 1}',
        'quantity = "degree"\narguments = {vertex = "z"}',
    )
    message = refusal(tmp_path, text)
    assert "Step 2, field 'question.arguments': There is no vertex 'z'" in message


def test_options_need_different_texts_and_values(tmp_path):
    kind = 'kind = "choice"\noptions = [{text = "a", value = 1}, {text = "a", value = 2}]'
    assert "'question.options'" in refusal(tmp_path, changed('kind = "number"', kind))
    kind = 'kind = "choice"\noptions = [{text = "a", value = 1}, {text = "b"}]'
    assert "'question.options.2.value'" in refusal(tmp_path, changed('kind = "number"', kind))


@pytest.mark.parametrize("n_steps", [0, 1, 2, 7])
def test_a_lesson_has_three_to_six_steps(tmp_path, n_steps):
    head, *steps = LESSON.split("\n[[steps]]")
    text = "\n[[steps]]".join([head] + [steps[0]] * n_steps)
    assert "'steps'" in refusal(tmp_path, text)


@pytest.mark.parametrize("name", ["Mine.toml", "10_mine.toml", "10-<b>.toml", "-.toml"])
def test_a_file_name_is_checked(tmp_path, name):
    assert "no name for a lesson" in refusal(tmp_path, LESSON, name)


def test_damaged_files_are_refused(tmp_path):
    assert "not TOML" in refusal(tmp_path, "title = ")
    assert "more than" in refusal(tmp_path, LESSON + "#" * 300_000)
    path = tmp_path / "10-mine.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UnreadableFileError, match="UTF-8"):
        read_lesson(path)


@settings(max_examples=50)
@given(st.text(max_size=300))
def test_whatever_is_written_is_read_or_refused_in_our_own_words(tmp_path_factory, text):
    path = write_lesson(tmp_path_factory.getbasetemp(), text.replace("\ud800", ""))
    with pytest.raises(MPGKError):
        read_lesson(path)


@settings(max_examples=50)
@given(st.integers(0, len(LESSON)), st.integers(0, 12), st.sampled_from(["", "{", '"', "[", "9"]))
def test_a_lesson_with_a_piece_missing_is_read_or_refused(tmp_path_factory, start, length, piece):
    text = LESSON[:start] + piece + LESSON[start + length :]
    path = write_lesson(tmp_path_factory.getbasetemp(), text, "11-cut.toml")
    try:
        n_steps = len(read_lesson(path).steps)
    except UnreadableFileError as problem:
        n_steps = 3 if problem.file == path.name else 0
    assert n_steps == 3


def test_a_teachers_folder_stands_beside_ours_and_may_replace_a_lesson(tmp_path, monkeypatch):
    ours = lessons()
    write_lesson(tmp_path, LESSON)
    write_lesson(tmp_path, LESSON, "03-how-far.toml")
    monkeypatch.setenv("MPGK_LESSONS", str(tmp_path))
    both = {lesson.key: lesson for lesson in lessons()}
    assert set(both) == {lesson.key for lesson in ours} | {"mine"}
    assert both["how-far"].title == "Mine"
    monkeypatch.setenv("MPGK_LESSONS", str(tmp_path / "nowhere"))
    with pytest.raises(InvalidParameterError, match="MPGK_LESSONS"):
        lessons()


def test_the_example_of_the_readme_is_a_lesson(tmp_path):
    path = write_lesson(tmp_path, lesson_of_readme())
    library = checked_library([tmp_path], known=lesson_folders())
    assert library.faults == ()
    questions = [step.question for step in library.lessons[path.name].steps]
    assert {question.kind for question in questions} == {"number", "vertices", "choice"}
    assert [question.evidence for question in questions] == ["plane", "plane", "accuracies"]


def test_a_teacher_finds_every_field_in_the_readme():
    readme = (lesson_folders()[0] / "README.md").read_text("utf-8")
    for model in (Picture, Question):
        for field in msgspec.structs.fields(model):
            name = field.encode_name
            assert f"`{name}`" in readme or f"\n{name} = " in readme or f"`{name} = " in readme, (
                name
            )


def test_our_lessons_are_twelve_and_link_to_known_terms():
    terms = {term.key for term in glossary()}
    steps = [step for lesson in lessons() for step in lesson.steps]
    texts = [text for step in steps for text in (step.text, step.todo)]
    linked = {term for text in texts for term in glossary_terms(text)}
    assert len(lessons()) == 12
    assert len(linked) >= 10
    assert linked <= terms


def test_a_teacher_finds_every_quantity_in_the_readme():
    readme = (lesson_folders()[0] / "README.md").read_text("utf-8")
    for name, quantity in QUANTITIES.items():
        assert f"`{name}`" in readme
        assert quantity.about in readme


def test_sources_give_the_graphs_they_name():
    bull = own_edges([("a", "b"), ("b", "c"), ("b", "d"), ("c", "d"), ("d", "e")]).build()
    assert (bull.names, bull.n_edges) == (["a", "b", "c", "d", "e"], 5)
    rings = together([PresetGraph("cycle", {"n": 3}), PresetGraph("cycle", {"n": 4})])
    assert (rings.build().n_vertices, rings.build().n_edges) == (7, 7)


@pytest.mark.parametrize("text", ["a < b", "$a<1$", "50 % of {x}", "[words](glossary:orbit)"])
def test_harmless_texts_pass(text):
    assert problem_with(text) is None
