"""What every study has in common, and the programs that repeat it: a script and a notebook."""

from __future__ import annotations

import json
import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mpgk_core import __version__
from mpgk_core.errors import InvalidParameterError, shortened
from mpgk_core.export.sources import ClassifiedGraphs, OneGraph, RoleSource, data_step
from mpgk_core.export.steps import Step, comment, import_lines, step_of_cell
from mpgk_core.parameters import check_choice

MAX_FILE_NAME = 120
"""Characters of a file name, its extension included."""

_MAX_PART = 40
_OTHER = re.compile(r"[^A-Za-z0-9.]+")
_IS_EXTENSION = re.compile(r"[a-z0-9]{1,10}(?:\.[a-z0-9]{1,10})?\Z").match
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\Z)", re.IGNORECASE).match
_MAX_HEADING = 200
_MARKS = re.compile(r"[^\w\s.,?’–-]")
_ONE_THREAD = """

# Linear algebra in one thread: the matrices are small, and threads would wait for each other.
threadpool_limits(1)"""
_PATH_AND_THREADS = ["from pathlib import Path", "from threadpoolctl import threadpool_limits"]
_REQUIREMENTS = (
    f"This needs Python 3.11 or newer and mpgk-core; it was written by version {__version__}."
)
_UPDATE = r"k^{t+1}(v, u) = \alpha\, k^t(v, u) + \beta\, k_N(N(v), N(u))"
_WRITE = """for file, content in files.items():
    Path(file).write_bytes(content)
    print("saved", file)"""


@dataclass(frozen=True, eq=False)
class Study(ABC):
    """A result, described so fully that anyone can compute it again.

    Attributes
    ----------
    data : OneGraph, ClassifiedGraphs or RoleSource
        Where the graphs come from.
    question : str
        Heading of programs and reports, before the name of the data.
    is_long : bool
        Whether the program takes long on small matrices, and so uses one thread.
    """

    data: OneGraph | ClassifiedGraphs | RoleSource

    question: ClassVar[str]
    is_long: ClassVar[bool] = True

    @property
    def title(self) -> str:
        """The question, and the name of the data."""
        return f"{self.question} {self.data.name}"

    @abstractmethod
    def file_parts(self) -> list[str]:
        """Return what tells its files from those of other studies, the general first."""

    @abstractmethod
    def program(self) -> tuple[str, dict[str, str]]:
        """Return the program in cells, and what stands in its places ``$name``.

        See :mod:`mpgk_core.export.steps`.
        """

    def file_name(self, what: str, extension: str) -> str:
        """Name a file with a result.

        Parameters
        ----------
        what : str
            What is inside: "embedding".
        extension : str
            Without the first point.

        Returns
        -------
        str

        Examples
        --------
        >>> from mpgk_core.export import KernelParameters, NodeStudy, PresetGraph
        >>> study = NodeStudy(PresetGraph("barbell"), KernelParameters(features="degree"))
        >>> study.file_name("embedding", "csv")
        'barbell-10-10_R_alpha0.8_beta0.2_T5_embedding.csv'
        """
        return file_name(*self.file_parts(), what, extension=extension)

    def steps(self) -> list[Step]:
        """Return the steps that a script and a notebook consist of.

        Examples
        --------
        >>> from mpgk_core.export import KernelParameters, NodeStudy, PresetGraph
        >>> NodeStudy(PresetGraph("barbell"), KernelParameters()).steps()[2].code
        "graph = as_graph_set(build_graph('barbell', h=10, k=10))"
        """
        program, values = self.program()
        start, *cells, files = program.strip().split("# %% ")
        about = [line.removeprefix("# ") for line in start.splitlines() if line.startswith("#")]
        needed, data = data_step(self.data)
        needed += [line for line in start.splitlines() if not line.startswith("#")]
        needed += _PATH_AND_THREADS if self.is_long else _PATH_AND_THREADS[:1]
        saved = [line.split(": ") for line in files.splitlines()[1:]]
        entries = [f"    {self.file_name(*what.split('.'))!a}: {code},\n" for what, code in saved]
        values = {"update": _UPDATE, **values}
        return [
            Step(f"{' '.join(about)} {_REQUIREMENTS}", heading=self.title),
            Step(code=import_lines(needed) + (_ONE_THREAD if self.is_long else "")),
            data,
            *(step_of_cell(cell, values) for cell in cells),
            Step(
                "Save the numbers. Files of the same names in this folder are replaced.",
                f"files = {{\n{''.join(entries)}}}\n{_WRITE}",
            ),
        ]


def check_choices(values: Sequence[str], known: Sequence[str], name: str, owner: str) -> None:
    """Raise unless there is at least one value and all are known."""
    if not values:
        raise InvalidParameterError(
            f"The {name!r} parameter of {owner} is empty. Give at least one."
        )
    for value in values:
        check_choice(value, known, name, owner)


def file_name(*parts: object, extension: str) -> str:
    """Join parts into a name of safe characters and bounded length.

    Letters lose their accents, and whatever is not a letter, a digit or a point becomes a
    hyphen. Where the name would be too long, parts in the middle are left out.

    Parameters
    ----------
    *parts : object
        From the general to the particular; empty ones are left out.
    extension : str
        Without the first point.

    Returns
    -------
    str

    Examples
    --------
    >>> file_name("Les Misérables", "R", "T5", "kernel", extension="npz")
    'Les-Miserables_R_T5_kernel.npz'
    >>> file_name("../../etc/passwd", extension="csv")
    'etc-passwd.csv'
    """
    if not _IS_EXTENSION(extension):
        raise InvalidParameterError(
            f"The 'extension' parameter of file_name must be like 'csv'. Got {extension!r} instead."
        )
    words = [word for word in map(_word, parts) if word] or ["graph"]
    if _RESERVED(words[0]):
        words[0] = f"graph-{words[0]}"
    while len("_".join(words)) + len(extension) + 1 > MAX_FILE_NAME:
        del words[len(words) // 2]
    return f"{'_'.join(words)}.{extension}"


def _word(part: object) -> str:
    text = "" if part is None else str(part)
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return _OTHER.sub("-", plain)[:_MAX_PART].strip("-.")


def script(study: Study) -> str:
    """Return a program that computes the numbers of a study, saves them and prints a summary.

    Parameters
    ----------
    study : Study
        Of any kind.

    Returns
    -------
    str
        Python, ASCII only. It uses nothing but the standard library, ``mpgk_core``, and, where
        work is long, ``threadpoolctl``, which comes with it.

    Examples
    --------
    >>> from mpgk_core.export import KernelParameters, NodeStudy, PresetGraph
    >>> text = script(NodeStudy(PresetGraph("barbell"), KernelParameters(features="degree")))
    >>> [line for line in text.splitlines() if line.startswith("graph =")]
    ["graph = as_graph_set(build_graph('barbell', h=10, k=10))"]
    """
    parts = []
    for step in study.steps():
        if not step.is_picture:
            comments = [comment(words) for words in (step.heading, step.words) if words]
            parts.append("\n".join([*comments, *([step.code] if step.code else [])]))
    return "\n\n".join(parts) + "\n"


def notebook(study: Study) -> str:
    """Return a notebook that computes the numbers of a study and draws its figures.

    Parameters
    ----------
    study : Study
        Of any kind.

    Returns
    -------
    str
        JSON, notebook format 4.5. The same study gives the same text.

    Examples
    --------
    >>> from mpgk_core.export import KernelParameters, NodeStudy, PresetGraph
    >>> text = notebook(NodeStudy(PresetGraph("barbell"), KernelParameters(features="degree")))
    >>> [cell["cell_type"] for cell in json.loads(text)["cells"]][:4]
    ['markdown', 'code', 'markdown', 'code']
    """
    cells: list[dict[str, Any]] = []
    for step in study.steps():
        heading = f"# {_safe_markdown(step.heading)}" if step.heading else ""
        formula = f"$${step.formula}$$" if step.formula else ""
        words = "\n\n".join(part for part in (heading, step.words, formula) if part)
        for kind, text in (("markdown", words), ("code", step.code)):
            if text:
                lines = text.splitlines(keepends=True)
                number = f"step-{len(cells) + 1}"
                cell: dict[str, Any] = {
                    "id": number,
                    "cell_type": kind,
                    "metadata": {},
                    "source": lines,
                }
                if kind == "code":
                    cell |= {"execution_count": None, "outputs": []}
                cells.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    content = {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, indent=1) + "\n"


def _safe_markdown(text: str) -> str:
    """Return a line in which no mark means anything: no HTML, links, pictures or formulas."""
    line = shortened(text, _MAX_HEADING)
    return _MARKS.sub(lambda mark: f"&#{ord(mark[0])};", line)
