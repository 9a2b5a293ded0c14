"""What a command reads: files, standard input, data sets and samples by name, columns."""

from __future__ import annotations

import hashlib
from argparse import ArgumentError, Namespace
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeVar

from mpgk_core.cli.console import Console, Options, option
from mpgk_core.datasets import available, cache_folder, data_folder, fetch_tu, samples
from mpgk_core.datasets.local import archive_name
from mpgk_core.errors import InvalidParameterError, UnreadableFileError, shortened
from mpgk_core.formats import (
    READINGS,
    EdgeRole,
    GraphTables,
    Role,
    Summary,
    bounds,
    guess_roles,
    read_many,
    summary_of,
)
from mpgk_core.formats.columns import is_called_weight
from mpgk_core.formats.graph_rows import graph_titles
from mpgk_core.graphs import GraphSet


def located(text: str, fetch: bool, console: Console) -> Path:
    """Return the file that a text names.

    Parameters
    ----------
    text : str
        A path; or else the name of a data set in ``MPGK_DATA``, in the cache or among the
        samples; or else of a sample, with or without its extension.
    fetch : bool
        Whether to download a data set that is not found.
    console : Console
        Where progress is reported.

    Returns
    -------
    Path

    Raises
    ------
    UnreadableFileError
        If there is nothing of this name.
    """
    path = Path(text)
    if path.exists() and not path.is_dir():
        return path
    found = available()
    if text in found:
        return found[text].path
    for sample in samples():
        if text in (sample.path.name, sample.path.stem):
            return sample.path
    if fetch:
        return fetched(text, console)
    if path.is_dir():
        raise UnreadableFileError(text, "This is a folder.", "Give the files in it, or a zip.")
    raise UnreadableFileError(
        text,
        f"There is no such file. Data set {shortened(text)!r} not found.",
        f"Available: {', '.join(found) or 'none'}. Check the name, or add --fetch to download it.",
    )


def fetched(name: str, console: Console) -> Path:
    """Return the file of a data set of the TU collection, after downloading it if need be."""
    for note in fetch_tu(name, progress=console.progress(name)).notes:
        console.note(note)
    own = data_folder()
    kept = [folder / archive_name(name) for folder in (own, cache_folder()) if folder is not None]
    return next(path for path in kept if path.is_file())


_STDIN = "-"
AnyRole = TypeVar("AnyRole", Role, EdgeRole)

_ROLES: dict[Role, str] = {
    "label": "the label of a vertex, instead of the guessed one; several together make one label",
    "attribute": "a number of a vertex; only columns named so are attributes then",
    "ignore": "leave a column out",
}

_EDGE_ROLES: dict[EdgeRole, str] = {
    "label": "the label of an edge, instead of the guessed one; several together make one label",
    "weight": "the weight of an edge, instead of the guessed one",
    "ignore": "leave a column of edges out",
}

INPUT: Options = [
    "input",
    option(
        "files",
        "a file, - for standard input, or the name of a data set or sample; a vertex table "
        "and an edge table make one graph, other files one set of graphs with --join",
        nargs="+",
        metavar="FILE",
    ),
    option("--join", "read several files as one set of graphs", action="store_true"),
    option(
        "--reading",
        f"how to understand rows of cells: {', '.join(READINGS)}; default: the likeliest",
        choices=tuple(READINGS),
        metavar="READING",
    ),
    option(
        "--name",
        "the name of standard input; its extension tells the format where the content "
        "does not (--name x.gml)",
        default="stdin",
        metavar="NAME",
    ),
    option("--fetch", "download a data set that is not found here", action="store_true"),
    option(
        "--self-loops",
        "edges from a vertex to itself (default: %(default)s)",
        choices=("drop", "keep"),
        default="drop",
    ),
    "columns of vertices and edges: their roles are guessed, and shown by `info`",
    *(
        option(f"--{role}", meaning, action="append", default=[], metavar="COLUMN")
        for role, meaning in _ROLES.items()
    ),
    *(
        option(f"--edge-{role}", meaning, action="append", default=[], metavar="COLUMN")
        for role, meaning in _EDGE_ROLES.items()
    ),
    option(
        "--directions",
        "whether edges are directed: as the file says (default), yes, or no",
        choices=("file", "yes", "no"),
        default="file",
    ),
]
"""The options of commands that read graphs: the files, how to read them, and their columns."""


def chosen_roles(
    chosen: Namespace, guessed: Mapping[str, AnyRole], prefix: str = ""
) -> dict[str, AnyRole]:
    """Return the role of every column.

    Parameters
    ----------
    chosen : Namespace
        With a list of columns for every role.
    guessed : mapping of str to str
        The role of every column of the file, as it is guessed.
    prefix : str
        Before the roles in ``chosen``: "edge_" for columns of edges.

    Returns
    -------
    dict of str to str

    Examples
    --------
    >>> guessed = {"club": "label", "age": "attribute"}
    >>> chosen_roles(Namespace(label=[], attribute=[], ignore=["age"]), guessed)
    {'club': 'label', 'age': 'ignore'}
    >>> chosen_roles(Namespace(label=["age"], attribute=[], ignore=[]), guessed)
    {'club': 'ignore', 'age': 'label'}
    """
    named: dict[str, Any] = {}
    of = "of the edges " if prefix else ""
    for role in _EDGE_ROLES if prefix else _ROLES:
        for column in getattr(chosen, prefix + role):
            if named.setdefault(column, role) != role:
                raise ArgumentError(
                    None, f"column {column!r} {of}is given as {named[column]} and as {role}"
                )
            if column not in guessed:
                known = ", ".join(shortened(name) for name in guessed) or "none"
                raise InvalidParameterError(
                    f"There is no column {shortened(column)!r}. The columns {of}are: {known}."
                )
    roles = dict(guessed)
    for column, guess in guessed.items():
        is_replaced = guess != "ignore" and getattr(chosen, prefix + guess)
        roles[column] = named.get(column, "ignore" if is_replaced else guess)
    return roles


@dataclass(frozen=True)
class Given:
    """What the user has given.

    Attributes
    ----------
    tables : GraphTables
        What the files say.
    roles : mapping of str to {"label", "attribute", "ignore"}
        What their columns are for.
    edge_roles : mapping of str to {"label", "weight", "ignore"}
        What their columns of edges are for.
    is_directed : bool or None
        Whether edges are directed; None means as the files say.
    self_loops : {"drop", "keep"}
        What becomes of an edge from a vertex to itself.
    files : tuple of mappings
        Name and SHA-256 digest of every file.
    """

    tables: GraphTables
    roles: Mapping[str, Role]
    edge_roles: Mapping[str, EdgeRole]
    is_directed: bool | None
    self_loops: str
    files: tuple[Mapping[str, str], ...]

    @cached_property
    def graphs(self) -> GraphSet:
        """The graphs, with labels and attributes from the columns that have these roles."""
        return self.tables.graph_set(
            self.roles, self.self_loops, edge_roles=self.edge_roles, is_directed=self.is_directed
        )

    @cached_property
    def summary(self) -> Summary:
        """What was read, in words."""
        return summary_of(
            self.tables,
            graphs=self.graphs,
            roles=self.roles,
            self_loops=self.self_loops,
            edge_roles=self.edge_roles,
            is_directed=self.is_directed,
        )

    @cached_property
    def graph_titles(self) -> list[Hashable]:
        """What each graph is called, where the names are distinct; else 0, 1, 2, ..."""
        return graph_titles(self.tables)

    @property
    def graph_of_vertex(self) -> list[Hashable]:
        """What the graph of every vertex is called."""
        return [self.graph_titles[g] for g in self.graphs.graph_of_vertex.tolist()]

    def source(self) -> dict[str, Any]:
        """Return what the files are and hold."""
        return {
            "files": self.files,
            "format": self.tables.format,
            "n_graphs": len(self.graphs),
            "n_vertices": self.graphs.n_vertices,
            "n_edges": self.graphs.n_edges,
            "reading": self.tables.reading,
            "notes": self.summary.remarks,
        }

    def parameters(self) -> dict[str, Any]:
        """Return what has to be known, beside the files, to read them in the same way."""
        return {
            "roles": dict(self.roles),
            "edge_roles": dict(self.edge_roles),
            "is_directed": self.summary.is_directed,
            "self_loops": self.self_loops,
            "reading": self.tables.reading,
        }


def read_input(chosen: Namespace, console: Console) -> Given:
    """Read all files that the user has named as one set of graphs.

    Parameters
    ----------
    chosen : Namespace
        With the options of ``INPUT``.
    console : Console
        For standard input, and for remarks.

    Returns
    -------
    Given
    """
    given = read_inputs(chosen, console)
    if len(given) > 1:
        raise InvalidParameterError(
            f"There are {len(given)} files, and each is a set of its own. Add --join to read "
            "their graphs as one set, or give one file."
        )
    return given[0]


def read_inputs(chosen: Namespace, console: Console) -> list[Given]:
    """Read all files that the user has named, each as a set of its own unless they are joined.

    Parameters
    ----------
    chosen : Namespace
        With the options of ``INPUT``.
    console : Console
        For standard input, and for remarks.

    Returns
    -------
    list of Given
    """
    if chosen.files.count(_STDIN) > 1:
        raise ArgumentError(None, "standard input (-) can be read only once")
    digests: list[Mapping[str, str]] = []
    join: Literal["each", "set"] = "set" if chosen.join else "each"
    sets = read_many(_contents(chosen, console, digests), join=join, reading=chosen.reading)
    files = [(digest,) for digest in digests] if len(sets) > 1 else [tuple(digests)]
    is_directed = {"file": None, "yes": True, "no": False}[chosen.directions]
    found = []
    for tables, of_set in zip(sets, files, strict=True):
        roles = chosen_roles(chosen, guess_roles(tables.columns))
        guessed = {key: guess.role for key, guess in tables.edge_guesses.items()}
        edge_roles = chosen_roles(chosen, guessed, prefix="edge_")
        if "weight" in getattr(chosen, "edges", ""):
            edge_roles = _with_weight(chosen, edge_roles)
        found.append(Given(tables, roles, edge_roles, is_directed, chosen.self_loops, of_set))
    for given in found:
        console.note(given.summary.text)
    return found


def _with_weight(chosen: Namespace, roles: dict[str, EdgeRole]) -> dict[str, EdgeRole]:
    """Take a column that is called a weight for one if weights are to be used and no other is.

    It was left out because some value is no weight: the error is to say which.
    """
    free = [key for key in roles if key not in chosen.edge_label + chosen.edge_ignore]
    called = [key for key in free if is_called_weight(key)]
    if called and "weight" not in roles.values():
        return {**roles, called[0]: "weight"}
    return roles


def _contents(
    chosen: Namespace, console: Console, digests: list[Mapping[str, str]]
) -> Iterator[tuple[str, bytes]]:
    for text in chosen.files:
        if text == _STDIN:
            name, content = chosen.name, _read(console.stdin, chosen.name)
        else:
            path = located(text, chosen.fetch, console)
            with path.open("rb") as file:
                name, content = path.name, _read(file, path.name)
        console.note(f"Read {name}, {len(content):,} bytes.")
        digests.append({"name": name, "sha256": hashlib.sha256(content).hexdigest()})
        yield name, content


def _read(file: BinaryIO, name: str) -> bytes:
    """Return the content, of which no more is read than it takes to see that it is too much."""
    limit = bounds()
    content = file.read(limit.file_bytes + 1)
    limit.check_bytes(name, len(content))
    return content
