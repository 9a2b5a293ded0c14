"""What the columns of a file are for: guessed, unless the user says it."""

from __future__ import annotations

from argparse import ArgumentError, ArgumentParser, Namespace
from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from mpgk_core.errors import InvalidParameterError, shortened
from mpgk_core.readers import Role, guess_roles

__all__ = ["add_role_options", "chosen_roles"]

_OPTIONS: dict[Role, str] = {
    "label": "the label of a vertex, instead of the guessed one; several together make one label",
    "attribute": "a number of a vertex; only columns named so are attributes then",
    "ignore": "leave a column out",
}


def add_role_options(parser: ArgumentParser) -> None:
    """Add an option for every role; each may be given several times."""
    group = parser.add_argument_group("columns", "What they are for is guessed; `info` shows it.")
    for role, meaning in _OPTIONS.items():
        group.add_argument(f"--{role}", action="append", default=[], metavar="COLUMN", help=meaning)


def chosen_roles(chosen: Namespace, columns: Mapping[str, NDArray[Any]]) -> dict[str, Role]:
    """Return the role of every column.

    Parameters
    ----------
    chosen : Namespace
        With lists ``label``, ``attribute`` and ``ignore``.
    columns : mapping of str to ndarray
        Of the file.

    Returns
    -------
    dict of str to {"label", "attribute", "ignore"}

    Examples
    --------
    >>> import numpy as np
    >>> columns = {"club": np.array([1, 2]), "age": np.array([3.5, 4.0])}
    >>> chosen_roles(Namespace(label=[], attribute=[], ignore=["age"]), columns)
    {'club': 'label', 'age': 'ignore'}
    >>> chosen_roles(Namespace(label=["age"], attribute=[], ignore=[]), columns)
    {'club': 'ignore', 'age': 'label'}
    """
    said: dict[str, Role] = {}
    for role in _OPTIONS:
        for column in getattr(chosen, role):
            if said.setdefault(column, role) != role:
                raise ArgumentError(
                    None, f"column {column!r} is given as {said[column]} and as {role}"
                )
            if column not in columns:
                known = ", ".join(shortened(name) for name in columns) or "none"
                raise InvalidParameterError(
                    f"There is no column {shortened(column)!r}. The columns are: {known}."
                )
    roles = guess_roles(columns)
    for column, role in roles.items():
        is_replaced = role != "ignore" and getattr(chosen, role)
        roles[column] = said.get(column, "ignore" if is_replaced else role)
    return roles
