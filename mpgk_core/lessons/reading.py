"""Read lessons from TOML files, and name every mistake with its file, step and field."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

from mpgk_core.datasets.local import shipped_folder
from mpgk_core.errors import InvalidParameterError, UnreadableFileError, shortened
from mpgk_core.lessons.lesson import Lesson, LessonFile
from mpgk_core.schema import checked

GLOSSARY_FILE = "glossary.toml"
"""The one file of a folder that is no lesson."""

_FILE_NAME = re.compile(r"(?:[0-9]{1,3}-)?([a-z][a-z0-9-]{0,40})\.toml")
_MAX_BYTES = 200_000


def lesson_folders() -> list[Path]:
    """Return the folders of lessons: that of the package, and ``MPGK_LESSONS``."""
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
    found = checked(LessonFile, content_of(path), path.name, "step")
    return Lesson(key=name[1], title=found.title, summary=found.summary, steps=found.steps)


def content_of(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file of bounded size, without blanks around its texts.

    Parameters
    ----------
    path : Path

    Returns
    -------
    dict

    Raises
    ------
    UnreadableFileError
        If it is too large, not UTF-8, or not TOML.
    """
    if path.stat().st_size > _MAX_BYTES:
        problem = f"It has more than {_MAX_BYTES:,} bytes."
        raise UnreadableFileError(path.name, problem, "Make it smaller.")
    try:
        return {key: _stripped(x) for key, x in tomllib.loads(path.read_text("utf-8")).items()}
    except UnicodeDecodeError:
        problem, remedy = "This is not UTF-8 text.", "Save it as UTF-8."
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        problem, remedy = f"This is not TOML ({shortened(str(error), 120)}).", "Correct it."
    raise UnreadableFileError(path.name, problem, remedy)


def _stripped(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _stripped(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_stripped(inner) for inner in value]
    return value.strip() if isinstance(value, str) else value
