"""What a script and a notebook are both made of: steps, each with words and code."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from mpgk_core import __version__
from mpgk_core.export.imports import Needed, imports
from mpgk_core.export.literals import text_literal
from mpgk_core.export.packed_graphs import packed
from mpgk_core.graphs import GraphSet

UPDATE = r"k^{t+1}(v, u) = \alpha\, k^t(v, u) + \beta\, k_N(N(v), N(u))"
"""What a round of message passing does, in LaTeX."""

_ONE_THREAD = (
    "# Linear algebra in one thread: the matrices are small, and threads would wait for each other."
    "\nthreadpool_limits(1)"
)


@dataclass(frozen=True)
class Step:
    """One step of a computation.

    Attributes
    ----------
    heading : str
        May hold foreign text; whoever writes it out makes it safe.
    words : str
        Sentences of our own.
    formula : str
        LaTeX, for notebooks.
    code : str
        Python.
    is_picture : bool
        Whether the code ends with a figure, which only a notebook can show.
    """

    heading: str = ""
    words: str = ""
    formula: str = ""
    code: str = ""
    is_picture: bool = False


def requirements() -> str:
    """Return a sentence on what is needed to run the steps."""
    return (
        f"This needs Python 3.11 or newer and mpgk-core; it was written by version {__version__}."
    )


def imports_step(*needed: Needed) -> Step:
    """Return the first step of a long computation.

    Parameters
    ----------
    *needed : mapping of str to iterable of str
        See :func:`~mpgk_core.export.imports.imports`.

    Returns
    -------
    Step

    Examples
    --------
    >>> print(imports_step({"mpgk_core": ["orbits"]}).code)
    from threadpoolctl import threadpool_limits
    <BLANKLINE>
    from mpgk_core import orbits
    <BLANKLINE>
    # Linear algebra in one thread: the matrices are small, and threads would wait for each other.
    threadpool_limits(1)
    """
    lines = imports({"threadpoolctl": ["threadpool_limits"]}, *needed)
    return Step(code=f"{lines}\n\n{_ONE_THREAD}")


def given_graphs(variable: str, graphs: GraphSet, classes: Sequence[Hashable] | None = None) -> str:
    """Return code that holds graphs themselves and unpacks them.

    Parameters
    ----------
    variable : str
        Receives a :class:`~mpgk_core.export.exact_json.PackedSet`.
    graphs : GraphSet
    classes : sequence of hashable, optional

    Returns
    -------
    str
    """
    text = text_literal("PACKED", packed(graphs, classes))
    return f"{text}\n{variable} = unpacked(PACKED)"


def files_step(contents: Sequence[tuple[str, str]]) -> Step:
    """Return the step that saves results.

    Parameters
    ----------
    contents : sequence of pairs of str
        Names of files, and the expressions that give their bytes.

    Returns
    -------
    Step
    """
    entries = "".join(f"    {name!a}: {expression},\n" for name, expression in contents)
    return Step(
        words="Save the numbers. Files of the same names in this folder are replaced.",
        code=f"files = {{\n{entries}}}\n"
        "for file, content in files.items():\n"
        "    Path(file).write_bytes(content)\n"
        '    print("saved", file)',
    )
