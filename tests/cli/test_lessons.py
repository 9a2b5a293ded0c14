"""``lessons`` tells file, step, field and what to do; its exit code tells if all is well."""

from tests.cli.running import fail, run, succeed
from tests.lessons.lesson_files import LESSON, changed, write_lesson


def test_good_lessons_are_listed(empty_folder):
    write_lesson(empty_folder, LESSON)
    assert succeed("lessons", empty_folder).out == b"10-mine.toml: fine, 3 steps\n"


def test_faults_are_listed_and_counted_and_good_lessons_as_well(empty_folder):
    write_lesson(empty_folder, LESSON, "11-good.toml")
    write_lesson(empty_folder, changed('kind = "number"', 'kind = "vertices"'))
    outcome = run("lessons", empty_folder)
    good, bad = outcome.out.decode().splitlines()
    assert good == "11-good.toml: fine, 3 steps"
    assert bad.startswith("10-mine.toml: Step 2, field 'question.quantity': ")
    assert bad.endswith("Change the question.")
    assert outcome.err == "mpgk: The lessons have 1 fault, listed above. Correct them.\n"
    assert outcome.code == 1


def test_what_a_file_says_cannot_command_a_terminal(empty_folder):
    write_lesson(empty_folder, LESSON.replace('"Mine"', r'"\u001b[31m"\nextra = "\u001b[31m"', 1))
    write_lesson(empty_folder, changed('"path"', r'"\u001b[31mpath"'), "12-red.toml")
    assert b"\x1b" not in run("lessons", empty_folder).out


def test_a_folder_without_lessons_is_told(empty_folder):
    assert "There is no lesson" in fail("lessons", empty_folder, code=1)
    assert "This is not a folder" in fail("lessons", empty_folder / "nowhere", code=1)


def test_links_may_lead_to_our_glossary(empty_folder):
    write_lesson(empty_folder, LESSON.replace("Look at", "An [orbit](glossary:orbit)"))
    assert b"fine" in succeed("lessons", empty_folder).out


def test_the_folder_of_the_settings_counts_as_well(empty_folder, monkeypatch):
    write_lesson(empty_folder, LESSON)
    monkeypatch.setenv("MPGK_LESSONS", str(empty_folder))
    lines = succeed("lessons").out.decode().splitlines()
    assert len(lines) == 13
    assert lines[-1] == "10-mine.toml: fine, 3 steps"
