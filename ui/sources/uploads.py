"""Graph files: uploads and samples, read once, with limits, problems and roles of columns."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from mpgk_core import MPGKError
from mpgk_core.datasets import Sample
from mpgk_core.errors import shortened
from mpgk_core.formats import (
    FORMATS,
    READINGS,
    EdgeRole,
    GraphTables,
    Role,
    bounds,
    guess_roles,
    read_many,
)
from mpgk_core.formats.files import are_one_graph
from mpgk_core.formats.source import Bounds, Source
from mpgk_core.formats.summary import how_read, ignored_words
from mpgk_core.graphs import GraphSet
from ui.shared.widgets import help_of, one_of, show_problem
from ui.state.cache import cached
from ui.state.choices import Keyed, Loaded, ask_for, loaded_data

_ALL = "all"
_MOST_HEAD = 100_000
_PREVIEWED = 5
AnyRole = TypeVar("AnyRole", Role, EdgeRole)


def source_choice(
    key: str, label: str, sources: Mapping[str, str], kind: type[Loaded]
) -> tuple[str, Loaded | None]:
    """Let the user choose a source; return it and, if these are chosen, data of a session file.

    They are offered once they were loaded, and stand in the address while they are chosen.
    """
    loaded = loaded_data(kind)
    choices = {one: words for one, words in sources.items() if one != "loaded" or loaded}
    source = one_of(key, label, choices, label_visibility="collapsed")
    if source != "loaded" or loaded is None:
        return source, None
    ask_for(loaded)
    return source, loaded


def upload_box(key: str) -> ReadFile | None:
    """Let the user give files; return what they hold or what is wrong, or None without files.

    What was read stays while other pages are visited, until the user gives or removes files.
    """
    remembered = f"{key} read"
    given = st.file_uploader(
        "Graph files",
        accept_multiple_files=True,
        key=key,
        label_visibility="collapsed",
        on_change=lambda: st.session_state.pop(remembered, None),
        help="Formats: " + ", ".join(dict.fromkeys(item.title for item in FORMATS)) + "; each "
        "may be packed as .gz. A table of vertices and a table of edges make one graph.",
    )
    limits = bounds()
    st.caption(
        f"Up to {limits.file_bytes / 1e6:,.0f} MB, {limits.vertices:,} vertices and "
        f"{limits.edges:,} edges. Files stay on this server."
    )
    if not given:
        return _last(remembered)
    used, reading = _used(given, key), None
    read = _read_upload(used, reading)
    if read.tables is not None and read.tables.other_readings:
        reading = _reading(read, key)
        read = _read_upload(used, reading)
    st.session_state[remembered] = _upload(used), reading
    return read


@dataclass(frozen=True, eq=False)
class GivenFile:
    """A file beside the graphs, such as a table of classes; its id stands for its content."""

    upload: str
    source: Source

    def content(self) -> tuple[str]:
        """Return what stands for this in keys."""
        return (self.upload,)


def file_box(key: str, label: str, kinds: Sequence[str]) -> GivenFile | None:
    """Let the user give one file beside the graphs; it stays while other pages are visited.

    Parameters
    ----------
    key : str
        Of the box, and of its help.
    label : str
    kinds : sequence of str
        Extensions, which the browser offers; what a file holds is checked when it is read.

    Returns
    -------
    GivenFile or None
    """
    given = st.file_uploader(
        label,
        kinds,
        key=key,
        help=help_of(key),
        on_change=lambda: st.session_state.pop(_remembered(key), None),
    )
    if given is None:
        return _given_before(key)
    bounds().check_bytes(given.name, given.size)
    st.session_state[_remembered(key)] = given.file_id
    return _given(given.file_id, lambda: Source(given.name, given.getvalue()))


def is_given(key: str) -> bool:
    """Return whether the user has given a file to this box, also before a visit to other pages."""
    return st.session_state.get(key) is not None or _remembered(key) in st.session_state


def _remembered(key: str) -> str:
    return f"{key} given"


def _given_before(key: str) -> GivenFile | None:
    """Return what was given last: the box is empty after a visit to another page."""
    if _remembered(key) not in st.session_state:
        return None
    last = _given.kept(st.session_state[_remembered(key)], lambda: Source("", b""))
    if last is None:
        st.info("The files have expired. Upload them again.")
    else:
        st.text(f"In use: {shortened(last.source.name, 100)}")
    return last


@cached(
    apart_from={"source": "The upload stands for it: an id is given once, and its bytes stay."},
    lasts=True,
)
def _given(upload: str, source: Callable[[], Source]) -> GivenFile:
    return GivenFile(upload, source())


def usable(read: ReadFile | None, ask: str) -> ReadFile | None:
    """Return a file that could be read; otherwise show what is wrong, or ask for files."""
    if read is None:
        st.info(f"{ask} Files are not kept when the page is reloaded; upload them again then.")
    elif read.problem:
        show_problem(read.problem, "upload-problem")
        return None
    return read


def _last(remembered: str) -> ReadFile | None:
    """Return what was read last: the box is empty after a visit to another page.

    The session holds ids only, so that what all users have read shares the memory of the server.
    """
    if remembered not in st.session_state:
        return None
    last = read_before(*st.session_state[remembered])
    if last is None:
        st.info("The files have expired. Upload them again.")
    elif not last.problem:
        st.text(f"In use: {shortened(last.title, 100)}")
    return last


def _read_upload(used: Sequence[Any], reading: str | None) -> ReadFile:
    return read_once(
        _upload(used), lambda: [(file.name, file.getvalue()) for file in used], reading
    )


def _upload(used: Sequence[Any]) -> str:
    return " ".join(file.file_id for file in used)


def _used(given: Sequence[Any], key: str) -> Sequence[Any]:
    """Let the user choose one of several files, or all of them as one set; the newest is first."""
    if len(given) == 1 or (len(given) == 2 and are_one_graph([_head(file) for file in given])):
        return given
    names = {file.file_id: file.name for file in reversed(given)}
    names[_ALL] = f"All {len(given)} files as one set of graphs"
    choice = st.selectbox(
        "Files in use",
        list(names),
        key=f"{key}-use-{' '.join(list(names)[:-1])}",
        format_func=names.__getitem__,
        help=help_of("use"),
    )
    return given if choice == _ALL else [file for file in given if file.file_id == choice]


def _head(file: Any) -> tuple[str, bytes]:
    file.seek(0)
    return file.name, file.read(_MOST_HEAD)


def _reading(read: ReadFile, key: str) -> str:
    """Let the user choose one of several possible readings of a file."""
    assert read.tables is not None
    reading: str = st.selectbox(
        "Read as",
        [read.tables.reading, *read.tables.other_readings],
        key=f"{key}-reading-{read.key}",
        format_func=lambda reading: READINGS[reading].partition(" ")[2],
        help=help_of("reading"),
    )
    return reading


@dataclass(frozen=True)
class Uses:
    """What the columns of a file are used as, and whether its edges are directed.

    Attributes
    ----------
    roles : mapping of str to {"label", "attribute", "ignore"}
        Of the columns of vertices.
    edge_roles : mapping of str to {"label", "weight", "ignore"}
        Of the columns of edges.
    is_directed : bool or None
        None means as the file says.
    """

    roles: Mapping[str, Role]
    edge_roles: Mapping[str, EdgeRole]
    is_directed: bool | None = None

    def content(self) -> tuple[Any, ...]:
        """Return all that counts: the order of columns is that of attributes."""
        return tuple(self.roles.items()), tuple(self.edge_roles.items()), self.is_directed

    def graphs(self, read: ReadFile) -> GraphSet:
        """Return the graphs of a file."""
        assert read.tables is not None
        return read.tables.graph_set(
            self.roles, edge_roles=self.edge_roles, is_directed=self.is_directed
        )


def column_uses(read: ReadFile) -> Uses:
    """Show how a file was read and its first rows, and return what its columns are used as.

    What was chosen is remembered for every file, on all pages.
    """
    tables = read.tables
    if tables is None:
        return Uses({}, {})
    remarks = st.container()
    uses = _chosen_uses(read, tables)
    losses = tables.losses("drop", uses.roles, uses.edge_roles, uses.is_directed)
    words = [how_read(tables.format, tables.reading), *losses]
    directed = tables.is_directed if uses.is_directed is None else uses.is_directed
    used = set(uses.edge_roles.values())
    words += ignored_words("label" in used, "weight" in used, bool(directed))
    if tables.other_readings:
        others = [READINGS[reading].partition(":")[0] for reading in tables.other_readings]
        words.append(f"It could also be {' or '.join(others)}: choose under “Read as”.")
    remarks.text(" ".join(words))
    return uses


def _chosen_uses(read: ReadFile, tables: GraphTables) -> Uses:
    roles: dict[str, Role] = {}
    edge_roles: dict[str, EdgeRole] = {}
    is_directed = None
    graphs = "one graph" if len(tables) == 1 else f"{len(tables):,} graphs"
    with st.expander(f"Columns of {graphs} ({tables.format})"):
        st.dataframe(_first_rows(tables), hide_index=True)
        if tables.columns:
            st.caption(
                "A label is one of a few kinds, an attribute is a number. Correct the roles if "
                "needed; several labels are combined into one."
            )
            options = ("label", "attribute", "ignore")
            roles = _edited_roles(f"roles {read.key}", guess_roles(tables.columns), options)
        else:
            st.caption("The file holds nothing about the vertices but their names.")
        if tables.edge_columns:
            st.dataframe(_first_edges(tables), hide_index=True)
            st.caption(
                "Columns of the edges: one may be the weight, others labels. Kernels use them "
                "only if you ask for it."
            )
            guesses = tables.edge_guesses
            edge_roles = _edited_roles(
                f"edge roles {read.key}",
                {key: guess.role for key, guess in guesses.items()},
                ("label", "weight", "ignore"),
                [guess.reason for guess in guesses.values()],
            )
        if tables.is_directed is None:
            is_directed = st.checkbox(
                "Edges are directed",
                key=f"directed {read.key}",
                persist_state="session",
                help=help_of("directed"),
            )
    return Uses(roles, edge_roles, is_directed)


def _edited_roles(
    key: str, guessed: dict[str, AnyRole], options: Sequence[str], reasons: Sequence[str] = ()
) -> dict[str, AnyRole]:
    """Let the user change what columns are used as."""
    if key not in st.session_state:  # it is edited from here on, and must not change meanwhile
        st.session_state[f"{key} before"] = st.session_state.get(f"{key} chosen", guessed)
    before: dict[str, AnyRole] = st.session_state[f"{key} before"]
    table = {"column": list(before), "used as": list(before.values())}
    if reasons:
        table["reason of the guess"] = list(reasons)
    edited: dict[str, list[Any]] = st.data_editor(
        table,
        column_config={"used as": st.column_config.SelectboxColumn(options=options, required=True)},
        disabled=["column", "reason of the guess"],
        hide_index=True,
        key=key,
    )
    roles = dict(zip(edited["column"], edited["used as"], strict=True))
    st.session_state[f"{key} chosen"] = roles
    return roles


def _first_rows(tables: GraphTables) -> dict[str, list[str]]:
    n = min(_PREVIEWED, tables.n_vertices)
    rows = {"vertex": _names(tables, range(n))}
    for column, values in tables.columns.items():
        rows[column[:60]] = [_cell(value) for value in values[:n]]
    return rows


def _first_edges(tables: GraphTables) -> dict[str, list[str]]:
    ends = tables.edges[:_PREVIEWED].T.tolist()
    rows = {"from": _names(tables, ends[0]), "to": _names(tables, ends[1])}
    for column, values in tables.edge_columns.items():
        title = column[:60] if column not in rows else f"{column[:60]} (column)"
        rows[title] = [_cell(value) for value in values[:_PREVIEWED]]
    return rows


def _names(tables: GraphTables, vertices: Iterable[int]) -> list[str]:
    return [str(v if tables.names is None else tables.names[v])[:60] for v in vertices]


def _cell(value: object) -> str:
    return "" if value is None or value != value else str(value)[:60]


Files = list[tuple[str, bytes]]


@dataclass(frozen=True, eq=False)
class ReadFile(Keyed):
    """What one or several files hold, or why they could not be read.

    Attributes
    ----------
    digest : str
        Of the names and contents of the files.
    title : str
        Names of the files.
    tables : GraphTables or None
    problem : str
        Empty if there is none.
    """

    digest: str
    title: str
    tables: GraphTables | None
    problem: str = ""


def read_once(upload: str, files: Callable[[], Files], reading: str | None = None) -> ReadFile:
    """Read files as one set of graphs, unless they were read before.

    Parameters
    ----------
    upload : str
        What stands for the files: ids of uploads, or a path and when it has changed.
    files : callable
        Returns names and contents.
    reading : str, optional
        How to read rows of cells: a key of ``READINGS``. Default: the likeliest.

    Returns
    -------
    ReadFile
    """
    return _read(upload, reading, bounds(), files)


def read_before(upload: str, reading: str | None = None) -> ReadFile | None:
    """Return what was read of files, or None if it has been removed from memory."""
    return _read.kept(upload, reading, bounds(), list)


@cached(
    spinner="Reading …",
    apart_from={
        "files": "The upload stands for them: an id is given once, and its bytes never change; "
        "hashing 200 MB again at every move of a slider would take longer than the move."
    },
    lasts=True,
)
def _read(upload: str, reading: str | None, limits: Bounds, files: Callable[[], Files]) -> ReadFile:
    given = files()
    digest = hashlib.sha256()
    for name, content in given:
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    title = ", ".join(name for name, _ in given[:3]) + (" …" if len(given) > 3 else "")
    try:
        (tables,) = read_many(given, join="set", reading=reading)
    except MPGKError as problem:
        return ReadFile(digest.hexdigest(), title, None, str(problem))
    return ReadFile(digest.hexdigest(), title, tables)


def sample_file(sample: Sample) -> ReadFile:
    """Read a sample file."""
    path = sample.path
    state = path.stat()
    return read_once(
        f"sample {path} {state.st_mtime_ns} {state.st_size}",
        lambda: [(path.name, path.read_bytes())],
    )
