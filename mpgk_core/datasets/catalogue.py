"""The catalogue of data sets: what is known of each before it is read."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Annotated, TypeVar

from msgspec import Meta

from mpgk_core.errors import UnreadableFileError
from mpgk_core.graphs import GraphSet
from mpgk_core.schema import Table, checked

Text = Annotated[str, Meta(pattern=r"\S", description="a text that is not empty")]
"""A field of a list of files."""

_Count = Annotated[int, Meta(gt=0, description="a whole number above 0")]
_T = TypeVar("_T", bound=Table)
_COLLECTION = (
    "Morris, Kriege, Bause, Kersting, Mutzel, Neumann: TUDataset: A collection of benchmark "
    "datasets for learning with graphs, 2020, arXiv:2007.08663."
)


class CatalogueEntry(Table, frozen=True):
    """What is known of a data set before it is read.

    Attributes
    ----------
    name : str
        The name that :func:`~mpgk_core.datasets.fetch_tu` takes.
    about : str
        One sentence on what the graphs and the classes are.
    n_graphs, n_classes : int
        As published.
    mean_vertices : float
        Number of vertices of a graph on average, to two decimals, as published.
    citation : str
        Where the graphs come from.
    """

    name: Text
    about: Text
    n_graphs: _Count
    n_classes: _Count
    mean_vertices: Annotated[float, Meta(gt=0, description="a number above 0")]
    citation: Text


def read_entries(file: str, text: str, model: type[_T]) -> dict[str, _T]:
    """Return the entries of a list in JSON by their first field, which identifies them.

    Parameters
    ----------
    file : str
        Name of the file, for messages.
    text : str
        JSON.
    model : type
        Of every entry.

    Returns
    -------
    dict

    Raises
    ------
    UnreadableFileError
        Naming the entry and the field that is wrong.
    """
    try:
        content = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise UnreadableFileError(file, f"This is not JSON ({error}).", "Correct it.") from error
    entries: tuple[_T, ...] = checked(tuple[model, ...], content, file, "entry")  # type: ignore[valid-type]
    key = model.__struct_fields__[0]
    found: dict[str, _T] = {}
    for number, entry in enumerate(entries, start=1):
        name = getattr(entry, key)
        if found.setdefault(name, entry) is not entry:
            problem = f"Entry {number}: the {key} {name!r} occurs twice."
            raise UnreadableFileError(file, problem, "Remove one of them.")
    return found


@cache
def catalogue() -> Mapping[str, CatalogueEntry]:
    """Return the data sets of the paper by name.

    Examples
    --------
    >>> catalogue()["MUTAG"].n_graphs
    188
    """
    file = files("mpgk_core.datasets") / "catalogue.json"
    return MappingProxyType(read_entries(file.name, file.read_text("utf-8"), CatalogueEntry))


def citation_of(name: str) -> str:
    """Return the citation of a data set: its source, if it is known, and the collection."""
    entry = catalogue().get(name)
    return _COLLECTION if entry is None else f"{entry.citation} {_COLLECTION}"


def recognised(graphs: GraphSet, classes: Sequence[Hashable]) -> CatalogueEntry | None:
    """Return the data set of the paper that has these sizes, or None.

    The name of a file says nothing: the numbers of graphs, of classes and of vertices decide.
    PROTEINS_full, which has the graphs of PROTEINS, is recognised as PROTEINS.

    Parameters
    ----------
    graphs : GraphSet
    classes : sequence of hashable
        One for every graph.

    Returns
    -------
    CatalogueEntry or None

    Examples
    --------
    >>> from mpgk_core.datasets import load
    >>> mutag = load("MUTAG")
    >>> recognised(mutag.graphs, mutag.classes).name
    'MUTAG'
    >>> recognised(mutag.graphs[:-1], mutag.classes[:-1]) is None
    True
    """
    sizes = (len(graphs), len(set(classes)), round(graphs.n_vertices / max(len(graphs), 1), 2))
    for entry in catalogue().values():
        if sizes == (entry.n_graphs, entry.n_classes, entry.mean_vertices):
            return entry
    return None
