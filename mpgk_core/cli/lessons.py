"""``lessons``: whether the files of a teacher can be shown."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from mpgk_core.cli.console import Console, one_line, option
from mpgk_core.errors import InvalidParameterError, UnreadableFileError
from mpgk_core.lessons import checked_library, lesson_folders

_FOLDERS = "default: the folder of this project, and the one that MPGK_LESSONS names"

OPTIONS = {"lessons": ["input", option("folder", _FOLDERS, nargs="?", type=Path, metavar="FOLDER")]}


def lessons(chosen: Namespace, console: Console) -> None:
    """Check every lesson of a folder.

    Each picture is drawn, each number and answer is computed, and each link to the
    glossary is followed. The exit code is 1 if anything is wrong. lessons/README.md
    describes the parts of a lesson.

    output:
      FILE: fine, N steps         a lesson that can be shown
      FILE: Step N, field 'F': …  a fault, and what to do about it

    example:
      $ mpgk lessons
      01-what-is-similar.toml: fine, 3 steps
    """
    own = lesson_folders()
    if chosen.folder is not None and not chosen.folder.is_dir():
        raise UnreadableFileError(
            str(chosen.folder), "This is not a folder.", "Name the folder that holds the lessons."
        )
    folders = own if chosen.folder is None else [chosen.folder]
    library = checked_library(folders, known=own)
    lines = [f"{file}: fine, {len(lesson.steps)} steps" for file, lesson in library.lessons.items()]
    lines += map(str, library.faults)
    console.stdout.write("".join(f"{one_line(line)}\n" for line in lines).encode())
    if library.faults:
        n = len(library.faults)
        raise InvalidParameterError(
            f"The lessons have {n} fault{'' if n == 1 else 's'}, listed above. Correct them."
        )
    if not library.lessons:
        raise InvalidParameterError(
            "There is no lesson. Put a file such as 10-my-lesson.toml into the folder."
        )
