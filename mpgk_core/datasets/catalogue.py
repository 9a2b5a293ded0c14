"""The data sets of the paper: what they are, how large, and whom to cite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from mpgk_core.datasets.entries import read_entries

__all__ = ["CatalogueEntry", "catalogue", "citation_of"]

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
