"""The steps of a program, each with words and Python source in which foreign text stays text.

A program is written down in cells, as Jupyter and editors know them::

    # What the program does.
    from mpgk_core import orbits
    # %% The words of a step.
    #$ a formula in LaTeX
    found = orbits(graph)
    # %% [picture] The words of a step that only a notebook has.
    graph_figure(graph)
    # %% [files]
    orbits.csv: csv_table(found)

``$name`` stands for a value of the study. Files are saved by the last step: the end of a file name,
and the expression for its bytes.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from string import Template
from typing import Any

import numpy as np

from mpgk_core.errors import InvalidParameterError, shortened

_WIDTH = 90
_PICTURE = "[picture] "
_MAX_COMMENT = 1_000
_MAX_CALL = 100 - len("evaluations = ")


@dataclass(frozen=True)
class Step:
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


def step_of_cell(cell: str, values: Mapping[str, str]) -> Step:
    r"""Return a cell of a program as a step, values in their places.

    Parameters
    ----------
    cell : str
        Without its mark.
    values : mapping of str to str
        Source, words or formulas by their names.

    Returns
    -------
    Step

    Examples
    --------
    >>> step_of_cell("All\n# points.\nprint($n)", {"n": "3"})
    Step(words='All points.', code='print(3)', formula='', heading='', is_picture=False)
    """
    words, *rest = cell.strip().split("\n")
    formula = ""
    while rest and rest[0].startswith("#"):
        line = rest.pop(0)
        if line.startswith("#$ "):
            formula = line.removeprefix("#$ ")
        else:
            words += line.removeprefix("#")
    is_picture, words = words.startswith(_PICTURE), words.removeprefix(_PICTURE)
    words, code, formula = (
        Template(part).substitute(values) for part in (words, "\n".join(rest), formula)
    )
    return Step(words, code, formula, is_picture=is_picture)


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
    parts = [ascii(_plain(value)) for value in positional]
    parts += [f"{key}={_plain(value)!a}" for key, value in named.items()]
    line = f"{function}({', '.join(parts)})"
    if len(line) <= _MAX_CALL:
        return line
    return f"{function}(\n" + "".join(f"    {part},\n" for part in parts) + ")"


def comment(words: str) -> str:
    r"""Return sentences as comment lines, ASCII only, which foreign text in them cannot leave.

    Parameters
    ----------
    words : str

    Returns
    -------
    str

    Examples
    --------
    >>> print(comment("One line.\nimport os"))
    # One line.\ufffdimport os
    """
    plain = ascii(shortened(words, _MAX_COMMENT))[1:-1]
    return textwrap.fill(plain, _WIDTH, initial_indent="# ", subsequent_indent="# ")


def import_lines(lines: Iterable[str]) -> str:
    """Return import statements in order, each once and those of ``mpgk_core`` last.

    Parameters
    ----------
    lines : iterable of str
        One statement each.

    Returns
    -------
    str

    Examples
    --------
    >>> print(import_lines(["from mpgk_core import orbits", "from json import loads", "import re"]))
    import re
    from json import loads
    <BLANKLINE>
    from mpgk_core import orbits
    """
    ordered = sorted(set(lines), key=lambda line: (line.startswith("from"), line))
    groups = [[line for line in ordered if ("mpgk_core" in line) is own] for own in (False, True)]
    return "\n\n".join("\n".join(group) for group in groups if group)


def _plain(value: Any) -> Any:
    """Return numpy's numbers as Python's, also within tuples, or raise."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise InvalidParameterError(
        f"{shortened(repr(value))} cannot be written into a program. Use numbers and text."
    )
