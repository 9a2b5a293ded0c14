"""What every study has in common, and the programs that repeat it: a script and a notebook.

The texts of the programs are in ``programs.toml``. Values are put into them as Python source in
which foreign text stays text.
"""

from __future__ import annotations

import json
import re
import textwrap
import tomllib
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any, ClassVar

import msgspec

from mpgk_core import __version__
from mpgk_core.errors import InvalidGraphError, InvalidParameterError, shortened
from mpgk_core.export.packed_graphs import packed, plain_value
from mpgk_core.export.sources import (
    ClassifiedGraphs,
    GeneratedSet,
    GivenRoles,
    GivenSet,
    NamedSet,
    OneGraph,
    PresetRoles,
    RoleSource,
)
from mpgk_core.graphs.generators import GivenGraph, PresetGraph
from mpgk_core.schema import Table

MAX_FILE_NAME = 120
"""Characters of a file name, its extension included."""

_MAX_PART, _MAX_HEADING, _MAX_COMMENT = 40, 200, 1_000
_WIDTH = 90
_MAX_CALL = 100 - len("evaluations = ")
_OTHER = re.compile(r"[^A-Za-z0-9.]+")
_IS_EXTENSION = re.compile(r"[a-z0-9]{1,10}(?:\.[a-z0-9]{1,10})?\Z").match
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\Z)", re.IGNORECASE).match
_MARKS = re.compile(r"[^\w\s.,?’–-]")
_REQUIREMENTS = (
    f"This needs Python 3.11 or newer and mpgk-core; it was written by version {__version__}."
)
_UPDATE = r"k^{t+1}(v, u) = \alpha\, k^t(v, u) + \beta\, k_N(N(v), N(u))"


class Step(Table, frozen=True):
    """One step of a computation.

    Attributes
    ----------
    words : str
        Sentences of our own.
    code : str
        Python.
    formula : str
        LaTeX, for notebooks.
    heading : str
        May hold foreign text; it is made safe when it is written out.
    is_picture : bool
        Whether the code ends with a figure, which only a notebook can show.
    """

    words: str = ""
    code: str = ""
    formula: str = ""
    heading: str = ""
    is_picture: bool = False

    def filled(self, values: dict[str, str]) -> Step:
        """Return the step with values in the places of their names."""
        texts = (self.words, self.code, self.formula)
        words, code, formula = (Template(text).substitute(values) for text in texts)
        return Step(words=words, code=code, formula=formula, is_picture=self.is_picture)


class _Part(Table, frozen=True):
    """A part of a program, as ``programs.toml`` describes it."""

    about: str = ""
    imports: tuple[str, ...] = ()
    setup: str = ""
    steps: tuple[Step, ...] = ()
    files: dict[str, str] = {}  # noqa: RUF012


_TEXT = (Path(__file__).parent / "programs.toml").read_text("utf-8")
_PARTS = msgspec.convert(tomllib.loads(_TEXT), dict[str, _Part])


@dataclass(frozen=True, eq=False)
class Study(ABC):
    """A result, described so fully that anyone can compute it again.

    Attributes
    ----------
    data : OneGraph, ClassifiedGraphs or RoleSource
        Where the graphs come from.
    question : str
        Heading of programs and reports, before the name of the data.
    """

    data: OneGraph | ClassifiedGraphs | RoleSource

    question: ClassVar[str]

    @property
    def title(self) -> str:
        """The question, and the name of the data."""
        return f"{self.question} {self.data.name}"

    @abstractmethod
    def file_parts(self) -> list[str]:
        """Return what tells its files from those of other studies, the general first."""

    @abstractmethod
    def program(self) -> tuple[list[str], dict[str, str]]:
        """Return the parts of ``programs.toml`` that follow the data, and their values."""

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
        names, own_values = self.program()
        parts = [_PARTS[name] for name in (type(self.data).__name__, *names, "save")]
        about = " ".join(part.about for part in parts if part.about)
        imports = _import_lines(line for part in parts for line in part.imports)
        values = {"update": _UPDATE, **_data(self.data), **own_values}
        files = [
            f"    {self.file_name(*what.split('.'))!a}: {Template(code).substitute(values)},\n"
            for part in parts
            for what, code in part.files.items()
        ]
        values["files"] = "".join(files)
        setup = [part.setup for part in parts if part.setup]
        return [
            Step(words=f"{about} {_REQUIREMENTS}", heading=self.title),
            Step(code="\n\n".join([imports, *setup])),
            *(step.filled(values) for part in parts for step in part.steps),
        ]


def _data(data: OneGraph | ClassifiedGraphs | RoleSource) -> dict[str, str]:
    """Return the source that gives a program its graphs."""
    match data:
        case PresetGraph():
            return {"data": call("build_graph", data.preset, **data.values)}
        case NamedSet():
            return {"data": call("load", data.name)}
        case GeneratedSet():
            return {"data": call("generate", data.recipe, data.n_per_class, data.random_state)}
        case PresetRoles():
            return {"data": call("role_graph", data.preset, data.extra_edges, data.random_state)}
        case GivenGraph():
            return {"packed": text_literal("PACKED", packed(data.graph))}
        case GivenSet():
            return {"packed": text_literal("PACKED", packed(data.graphs, data.classes))}
        case GivenRoles():
            roles = {"names": data.roles.names, "of_vertex": data.roles.of_vertex.tolist()}
            return {
                "packed": text_literal("PACKED", packed(data.graph)),
                "roles": text_literal("ROLES", json.dumps(roles)),
            }


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
            comments = [_comment(words) for words in (step.heading, step.words) if words]
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


def text_literal(name: str, text: str) -> str:
    r"""Return an assignment of a long text, in lines of bounded length and ASCII only.

    Escapes stand for everything that could end the text, hide in it, or turn its direction.

    Parameters
    ----------
    name : str
        The variable.
    text : str
        Any.

    Returns
    -------
    str

    Examples
    --------
    >>> print(text_literal("GRAPH", 'one\n"two"'))
    GRAPH = (
        'one\n'
        '"two"'
    )
    """
    lines = text.splitlines(keepends=True) or [""]
    pieces = [line[at : at + _WIDTH] for line in lines for at in range(0, len(line) or 1, _WIDTH)]
    return "\n".join([f"{name} = (", *(f"    {piece!a}" for piece in pieces), ")"])


def call(function: str, /, *positional: Any, **named: Any) -> str:
    """Return a call as source, on one line where that is short.

    Parameters
    ----------
    function : str
        As it is called in the program.
    *positional, **named : None, bool, number, str, or tuples of these
        Arguments.

    Returns
    -------
    str

    Examples
    --------
    >>> call("build_graph", "barbell", h=10, k=10)
    "build_graph('barbell', h=10, k=10)"
    """
    try:
        parts = [ascii(plain_value(value)) for value in positional]
        parts += [f"{key}={plain_value(value)!a}" for key, value in named.items()]
    except InvalidGraphError as error:
        problem = f"{function} cannot be written into a program: {error}"
        raise InvalidParameterError(problem) from None
    line = f"{function}({', '.join(parts)})"
    if len(line) <= _MAX_CALL:
        return line
    return f"{function}(\n" + "".join(f"    {part},\n" for part in parts) + ")"


def _comment(words: str) -> str:
    """Return sentences as comment lines, ASCII only, which foreign text in them cannot leave."""
    plain = ascii(shortened(words, _MAX_COMMENT))[1:-1]
    return textwrap.fill(plain, _WIDTH, initial_indent="# ", subsequent_indent="# ")


def _import_lines(lines: Iterable[str]) -> str:
    """Return import statements in order, each once and those of ``mpgk_core`` last."""
    ordered = sorted(set(lines), key=lambda line: (line.startswith("from"), line))
    groups = [[line for line in ordered if ("mpgk_core" in line) is own] for own in (False, True)]
    return "\n\n".join("\n".join(group) for group in groups if group)
