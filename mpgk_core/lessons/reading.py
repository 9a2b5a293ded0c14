"""Read lessons from TOML files, and name every mistake with its file, step and field."""

from __future__ import annotations

import os
import re
from pathlib import Path

from mpgk_core.datasets.local import shipped_folder
from mpgk_core.errors import InvalidParameterError, MPGKError, UnreadableFileError
from mpgk_core.lessons.fields import Fields, fields_of_file
from mpgk_core.lessons.lesson import Lesson, Measure, Option, Picture, Question, Step
from mpgk_core.lessons.picture_fields import kernel_of_fields, picture_of_fields
from mpgk_core.lessons.quantities import QUANTITIES, checked_arguments
from mpgk_core.lessons.scene import Scene
from mpgk_core.lessons.setting import KernelSetting

GLOSSARY_FILE = "glossary.toml"
"""The one file of a folder that is no lesson."""

_KINDS = ("number", "choice", "vertices")
_FILE_NAME = re.compile(r"(?:[0-9]{1,3}-)?([a-z][a-z0-9-]{0,40})\.toml")
_MEASURE_FIELDS = ("quantity", "arguments", "settings")
_QUESTION_FIELDS = ("kind", "ask", "options", "pick", "tolerance", "hint", "explanation")
_STEP_FIELDS = ("title", "text", "todo", "picture", "numbers", "question")


def lesson_folders() -> list[Path]:
    """Return where lessons lie: those of the package, and those in ``MPGK_LESSONS``."""
    folders = [shipped_folder("lessons")]
    setting = os.environ.get("MPGK_LESSONS")
    if setting:
        if not Path(setting).is_dir():
            raise InvalidParameterError(
                f"MPGK_LESSONS must be a folder. Got {setting!r} instead: correct it, or unset it."
            )
        folders.append(Path(setting))
    return folders


def lesson_files(folder: Path) -> list[Path]:
    """Return the lesson files of a folder, in the order of their names."""
    return sorted(path for path in folder.glob("*.toml") if path.name != GLOSSARY_FILE)


def lessons(folder: Path | None = None) -> tuple[Lesson, ...]:
    """Read all lessons of a folder.

    Parameters
    ----------
    folder : Path, optional
        Default: all of :func:`lesson_folders`. A lesson of a later folder replaces one with the
        same key.

    Returns
    -------
    tuple of Lesson

    Raises
    ------
    UnreadableFileError
        Naming file, step and field.
    """
    folders = lesson_folders() if folder is None else [folder]
    found = [read_lesson(path) for place in folders for path in lesson_files(place)]
    return tuple({lesson.key: lesson for lesson in found}.values())


def read_lesson(path: Path) -> Lesson:
    """Read one lesson and check all that can be checked without an answer.

    Parameters
    ----------
    path : Path
        Such as ``03-how-far.toml``; the number orders the lessons, the rest is the key.

    Returns
    -------
    Lesson

    Raises
    ------
    UnreadableFileError
        Naming file, step and field.
    """
    name = _FILE_NAME.fullmatch(path.name)
    if name is None:
        raise UnreadableFileError(
            path.name,
            "This is no name for a lesson.",
            "Use small letters, digits and hyphens, such as 10-my-lesson.toml.",
        )
    fields = fields_of_file(path)
    title, summary = fields.title("title"), fields.text("summary")
    steps = tuple(map(_step, fields.tables("steps", "step", 3, 6)))
    fields.finish(("title", "summary", "steps"))
    return Lesson(name[1], title, summary, steps)


def _step(fields: Fields) -> Step:
    title = fields.title("title")
    picture = picture_of_fields(fields.table("picture"))
    numbers = {}
    for name, inner in fields.named_tables("numbers").items():
        if not name.isidentifier() or name == "answer":
            fields.fail(f"numbers.{name}", "This is no name for a number.", "Use letters.")
        numbers[name] = _measure(inner, picture)
        inner.finish(_MEASURE_FIELDS)
    step = Step(
        title=title,
        text=fields.text("text", numbers),
        todo=fields.text("todo", numbers),
        picture=picture,
        question=_question(fields.table("question"), picture, [*numbers, "answer"]),
        numbers=numbers,
    )
    fields.finish(_STEP_FIELDS)
    return step


def _question(fields: Fields, picture: Picture, names: list[str]) -> Question:
    kind = fields.choice("kind", _KINDS)
    pick = fields.choice("pick", ("largest", "smallest")) if "pick" in fields else None
    if pick is not None and kind != "choice":
        fields.fail("pick", "Only options can be compared.", "Remove it, or ask for a choice.")
    default = None if pick is None else fields.take("quantity")
    measure = _measure(fields, picture) if pick is None else None
    options: tuple[Option, ...] = ()
    if kind == "choice":
        options = tuple(_option(o, picture, default) for o in fields.tables("options", "", 2, 6))
        if len({option.text for option in options}) < len(options):
            fields.fail("options", "Two options have the same text.", "Change one of them.")
    question = Question(
        kind=kind,  # type: ignore[arg-type]
        ask=fields.text("ask", names[:-1]),
        measure=measure,
        options=options,
        pick=pick,  # type: ignore[arg-type]
        tolerance=fields.number("tolerance", 0, 1e6, 0) if kind == "number" else 0.0,
        hint=fields.text("hint", names[:-1]),
        explanation=fields.text("explanation", names),
    )
    fields.finish((*_QUESTION_FIELDS, *_MEASURE_FIELDS))
    return question


def _option(fields: Fields, picture: Picture, quantity: str | None) -> Option:
    text = fields.title("text")
    if quantity is not None:
        measure = _measure(fields, picture, quantity)
        fields.finish(("text", "arguments", "settings"))
        return Option(text, None, measure)
    value = fields.take("value")
    if not isinstance(value, (bool, int, float, str)):
        fields.fail("value", "This is no value.", "Give true, false, a number or a word.")
    fields.finish(("text", "value"))
    return Option(text, value, None)


def _measure(fields: Fields, picture: Picture, quantity: str | None = None) -> Measure:
    name = fields.take("quantity") if quantity is None else quantity
    arguments = fields.plain_table("arguments")
    kernel = _changed_kernel(fields, picture.kernel)
    try:
        checked_arguments(name, arguments, Scene(picture.source, kernel))
    except MPGKError as error:
        where = "arguments" if name in QUANTITIES else "quantity"
        fields.fail(where, str(error), "See the list of quantities in the README.")
    return Measure(name, arguments, kernel)


def _changed_kernel(fields: Fields, default: KernelSetting) -> KernelSetting:
    if "settings" not in fields:
        return default
    settings = fields.table("settings")
    kernel = kernel_of_fields(settings, default)
    settings.finish(("kernel", "T", "alpha", "beta", "features"))
    return kernel
