"""Lessons are tried out: what would fail before a class is told at the start, with its place."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpgk_core.lessons import QUANTITIES, checked_library, lesson_folders, lessons
from tests.lessons.lesson_files import LESSON, changed, write_lesson

ASKED = 'quantity = "n_points"\narguments = {t = 1}'


def faults(folder, text, name="10-mine.toml"):
    write_lesson(folder, text, name)
    return [str(fault) for fault in checked_library([folder], known=lesson_folders()).faults]


def options(*values):
    listed = ", ".join(f'{{text = "{i}", value = {value}}}' for i, value in enumerate(values))
    return f'kind = "choice"\noptions = [{listed}]'


def test_our_own_lessons_are_fine():
    library = checked_library(lesson_folders())
    assert library.faults == ()
    assert tuple(library.lessons.values()) == lessons()
    assert next(iter(library.lessons)) == "01-what-is-similar.toml"


def test_a_good_file_has_no_faults(tmp_path):
    assert faults(tmp_path, LESSON) == []


@pytest.mark.parametrize(
    ("old", "new", "field", "said"),
    [
        ('kind = "number"', options(7, 8), "question.options", "0 options are right"),
        ('kind = "number"', options(3, 3), "question.options", "2 options are right"),
        ('kind = "number"', 'kind = "vertices"', "question.quantity", "no answer"),
        (
            ASKED,
            'quantity = "orbits_after"\narguments = {one = 0, other = 4}',
            "question.arguments",
            "edge",
        ),
        (
            '"n_vertices"',
            '"orbits_after"\narguments = {one = 0, other = 4}',
            "numbers.size.arguments",
            "edge",
        ),
        ("Look at", "A [word](glossary:nowhere)", "text", "'nowhere'"),
        ('"Count."\n\n', '"A [word](glossary:nowhere)"\n\n', "todo", "'nowhere'"),
        ("Yes, ", "A [word](glossary:nowhere)", "question.explanation", "'nowhere'"),
    ],
)
def test_what_only_a_reader_would_meet_is_told(tmp_path, old, new, field, said):
    (fault,) = faults(tmp_path, changed(old, new))
    assert fault.startswith(f"10-mine.toml: Step 2, field '{field}': ")
    assert said in fault
    assert fault.endswith(".")


def test_the_option_that_cannot_be_computed_is_named(tmp_path):
    compared = """kind = "choice"
pick = "largest"
quantity = "orbits_after"
options = [{text = "a", arguments = {one = 0, other = 1}},
           {text = "b", arguments = {one = 0, other = 4}}]"""
    text = changed(f'kind = "number"\nask = "How many points?"\n{ASKED}', compared + '\nask = "?"')
    (fault,) = faults(tmp_path, text)
    assert "Step 2, field 'question.options.2.arguments'" in fault


def test_a_map_that_cannot_be_drawn_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("MPGK_DATA", str(tmp_path))
    (tmp_path / "alone").mkdir()
    files = {
        "A": "1, 2\n2, 1\n3, 4\n4, 3\n",
        "graph_indicator": "1\n1\n2\n2\n",
        "graph_labels": "1\n1\n",
    }
    for part, content in files.items():
        (tmp_path / "alone" / f"alone_{part}.txt").write_text(content)
    picture = 'data = "alone"'
    text = changed('graph = "path"\nparameters = {n = 5}', picture).replace("{{size}}", "some")
    found = faults(tmp_path, text)
    assert len(found) == 1
    assert "10-mine.toml: Step 2, field '" in found[0]


def test_all_faults_of_a_file_and_of_all_files_are_told(tmp_path):
    twice = LESSON.replace('kind = "number"', options(7, 8))
    write_lesson(tmp_path, "title = ", "05-torn.toml")
    found = faults(tmp_path, twice)
    assert [fault.split(", field")[0] for fault in found[1:]] == [
        f"10-mine.toml: Step {i}" for i in (1, 2, 3)
    ]
    assert found[0].startswith("05-torn.toml: ")


def test_two_files_with_one_link_are_told(tmp_path):
    write_lesson(tmp_path, LESSON)
    (fault,) = faults(tmp_path, LESSON, "11-mine.toml")
    assert fault.startswith("11-mine.toml: The lesson in 10-mine.toml has the same link.")


def test_good_lessons_stay_beside_bad_ones_and_a_glossary_of_ones_own_counts(tmp_path):
    write_lesson(tmp_path, LESSON.replace("Look at", "A [word](glossary:mine)"), "12-good.toml")
    (tmp_path / "glossary.toml").write_text(
        '[[terms]]\nkey = "mine"\nterm = "Mine"\ntext = "A word."\n'
    )
    write_lesson(tmp_path, changed("T = 2", "T = 99"), "11-bad.toml")
    library = checked_library([tmp_path])
    assert list(library.lessons) == ["12-good.toml"]
    assert [term.key for term in library.terms] == ["mine"]
    assert [fault.file for fault in library.faults] == ["11-bad.toml"]
    (tmp_path / "glossary.toml").write_text("terms = 3")
    library = checked_library([tmp_path])
    assert {fault.file for fault in library.faults} == {
        "glossary.toml",
        "11-bad.toml",
        "12-good.toml",
    }


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(sorted(name for name, one in QUANTITIES.items() if not one.on_data)),
    st.sampled_from(["number", "vertices"]),
    st.lists(st.integers(-1, 5), min_size=3, max_size=3),
    st.sampled_from(["path", "cycle", "star", "karate-club"]),
)
def test_whatever_is_asked_is_answered_or_told(tmp_path_factory, name, kind, values, graph):
    kinds = QUANTITIES[name].arguments
    arguments = ", ".join(f"{key} = {value}" for key, value in zip(kinds, values, strict=False))
    size = "" if graph == "karate-club" else "\nparameters = {n = 5}"
    text = changed(ASKED, f'quantity = "{name}"\narguments = {{{arguments}}}')
    text = text.replace('kind = "number"', f'kind = "{kind}"')
    text = text.replace('graph = "path"\nparameters = {n = 5}', f'graph = "{graph}"{size}')
    found = faults(tmp_path_factory.mktemp("asked"), text, "13-asked.toml")
    assert all(" field '" in fault for fault in found)
