"""The catalogue of data sets: what is known of each, and where it lies."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from mpgk_core.errors import UnreadableFileError

_DEMANDS: dict[type, tuple[str, Callable[[Any], bool]]] = {
    str: ("a text that is not empty", lambda value: bool(value.strip())),
    int: ("a whole number above 0", lambda value: value > 0),
}


def read_entries(file: str, text: str, fields: Mapping[str, type]) -> list[dict[str, Any]]:
    """Return the objects of a JSON list, each with exactly the given fields.

    Parameters
    ----------
    file : str
        Name of the file, for messages.
    text : str
        JSON.
    fields : mapping of str to {str, int}
        The fields of every object; the first one identifies it, so it may not occur twice.

    Returns
    -------
    list of dict

    Raises
    ------
    UnreadableFileError
        Naming the entry and the field that is wrong.

    Examples
    --------
    >>> read_entries("pets.json", '[{"name": "Rex", "legs": 4}]', {"name": str, "legs": int})
    [{'name': 'Rex', 'legs': 4}]
    >>> read_entries("pets.json", '[{"name": "Rex", "legs": "4"}]', {"name": str, "legs": int})
    Traceback (most recent call last):
        ...
    mpgk_core.errors.UnreadableFileError: pets.json: Entry 1: the field 'legs' is '4'. It must be a
    whole number above 0.
    """
    try:
        entries = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise UnreadableFileError(file, f"This is not JSON ({error}).", "Correct it.") from error
    if not isinstance(entries, list):
        raise UnreadableFileError(file, "This is not a list.", "Give a list of objects.")
    key = next(iter(fields))
    seen = set()
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict) or entry.keys() != fields.keys():
            demand = "Give an object with the fields " + ", ".join(fields) + "."
            raise UnreadableFileError(file, f"Entry {number} has other fields.", demand)
        for field, kind in fields.items():
            noun, suits = _DEMANDS[kind]
            if type(entry[field]) is not kind or not suits(entry[field]):
                problem = f"Entry {number}: the field {field!r} is {entry[field]!r}."
                raise UnreadableFileError(file, problem, f"It must be {noun}.")
        if entry[key] in seen:
            problem = f"Entry {number}: the {key} {entry[key]!r} occurs twice."
            raise UnreadableFileError(file, problem, "Remove one of them.")
        seen.add(entry[key])
    return entries


_FIELDS = {"name": str, "about": str, "n_graphs": int, "n_classes": int, "citation": str}
_COLLECTION = (
    "Morris, Kriege, Bause, Kersting, Mutzel, Neumann: TUDataset: A collection of benchmark "
    "datasets for learning with graphs, 2020, arXiv:2007.08663."
)


@dataclass(frozen=True)
class CatalogueEntry:
    """What is known of a data set before it is read.

    Attributes
    ----------
    name : str
        The name that :func:`~mpgk_core.datasets.fetch_tu` takes.
    about : str
        One sentence on what the graphs and the classes are.
    n_graphs, n_classes : int
        As published.
    citation : str
        Where the graphs come from.
    """

    name: str
    about: str
    n_graphs: int
    n_classes: int
    citation: str


@cache
def catalogue() -> Mapping[str, CatalogueEntry]:
    """Return the data sets of the paper by name.

    Examples
    --------
    >>> catalogue()["MUTAG"].n_graphs
    188
    """
    file = files("mpgk_core.datasets") / "catalogue.json"
    entries = read_entries(file.name, file.read_text("utf-8"), _FIELDS)
    return MappingProxyType({entry["name"]: CatalogueEntry(**entry) for entry in entries})


def citation_of(name: str) -> str:
    """Return whom to cite for a data set: its source where that is known, and the collection."""
    entry = catalogue().get(name)
    return _COLLECTION if entry is None else f"{entry.citation} {_COLLECTION}"
