"""The first lines of a program: what it needs, in order and once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

Needed: TypeAlias = Mapping[str, Iterable[str]]
"""Names by their module; a module without names is imported itself."""

_OWN = "mpgk_core"
_ROOM = 100


def imports(*needed: Needed) -> str:
    """Return import statements, the standard library first.

    Parameters
    ----------
    *needed : mapping of str to iterable of str
        Several may name the same module.

    Returns
    -------
    str

    Examples
    --------
    >>> print(imports({"mpgk_core": ["orbits", "GraphSet"]}, {"pathlib": ["Path"], "json": []}))
    import json
    from pathlib import Path
    <BLANKLINE>
    from mpgk_core import GraphSet, orbits
    """
    names: dict[str, set[str]] = {}
    for part in needed:
        for module, wanted in part.items():
            names.setdefault(module, set()).update(wanted)
    lines: dict[bool, list[str]] = {False: [], True: []}
    for module in sorted(names, key=lambda module: (bool(names[module]), module)):
        is_own = module.split(".")[0] == _OWN
        lines[is_own].append(_line(module, sorted(names[module], key=_rank)))
    return "\n\n".join("\n".join(group) for group in lines.values() if group)


def _line(module: str, names: list[str]) -> str:
    if not names:
        return f"import {module}"
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= _ROOM:
        return line
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in names) + ")"


def _rank(name: str) -> tuple[int, str]:
    """Put constants before classes, and classes before functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name
