"""A small lesson file to damage, and words for doing so."""

from __future__ import annotations

from mpgk_core.lessons import lesson_folders

STEP = """
[[steps]]
title = "A step"
text = "Look at $k$ and at {{size}} vertices."
todo = "Count."

[steps.picture]
graph = "path"
parameters = {n = 5}
T = 2

[steps.numbers.size]
quantity = "n_vertices"

[steps.question]
kind = "number"
ask = "How many points?"
quantity = "n_points"
arguments = {t = 1}
hint = "Count."
explanation = "Yes, {{answer}}."
"""

LESSON = 'title = "Mine"\nsummary = "A sentence."\n' + 3 * STEP


def write_lesson(folder, text, name="10-mine.toml"):
    """Write a lesson file and return its path."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def changed(old, new, step=2):
    """Return the lesson with one step changed."""
    assert old in STEP
    steps = [STEP.replace(old, new) if i == step else STEP for i in (1, 2, 3)]
    return 'title = "Mine"\nsummary = "A sentence."\n' + "".join(steps)


def lesson_of_readme():
    """Return the lesson that the README for teachers spells out."""
    readme = (lesson_folders()[0] / "README.md").read_text("utf-8")
    return readme.split("```toml\n")[1].split("```")[0]
