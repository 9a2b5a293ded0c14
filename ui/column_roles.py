"""What the columns of a file mean: guessed, shown with the first rows, and changed by the user."""

from __future__ import annotations

from typing import cast

import streamlit as st

from mpgk_core.formats import GraphTables, Role, guess_roles
from ui.files import ReadFile
from ui.source_summary import file_remarks

_PREVIEWED = 5
_ROLES: tuple[Role, ...] = ("label", "attribute", "ignore")


def column_roles(read: ReadFile) -> dict[str, Role]:
    """Say how a file was understood, show its first rows and return the role of every column.

    What was chosen is remembered for every file, on all pages.
    """
    tables = read.tables
    if tables is None:
        return {}
    remarks = st.container()
    roles = _chosen_roles(read, tables)
    with remarks:
        file_remarks(read, roles)
    return roles


def _chosen_roles(read: ReadFile, tables: GraphTables) -> dict[str, Role]:
    guessed = guess_roles(tables.columns)
    with st.expander(f"Columns of {_counted(tables)}"):
        st.dataframe(_first_rows(tables), hide_index=True)
        if not guessed:
            st.caption("The file says nothing of the vertices but their names.")
            return {}
        st.caption(
            "A label is one of a few kinds, an attribute is a number. Change what is wrong; "
            "several labels count together."
        )
        key = f"roles {read.key}"
        if key not in st.session_state:  # it is edited from here on, and must not change meanwhile
            st.session_state[f"{key} before"] = st.session_state.get(f"{key} chosen", guessed)
        before: dict[str, Role] = st.session_state[f"{key} before"]
        edited: dict[str, list[str]] = st.data_editor(
            {"column": list(before), "used as": list(before.values())},
            column_config={
                "used as": st.column_config.SelectboxColumn(options=_ROLES, required=True)
            },
            disabled=["column"],
            hide_index=True,
            key=key,
        )
    roles = {
        column: cast(Role, role)
        for column, role in zip(edited["column"], edited["used as"], strict=True)
    }
    st.session_state[f"{key} chosen"] = roles
    return roles


def _first_rows(tables: GraphTables) -> dict[str, list[str]]:
    n = min(_PREVIEWED, tables.n_vertices)
    names = range(n) if tables.names is None else tables.names[:n]
    rows = {"vertex": [str(name)[:60] for name in names]}
    for column, values in tables.columns.items():
        rows[column[:60]] = [_cell(value) for value in values[:n]]
    return rows


def _cell(value: object) -> str:
    return "" if value is None or value != value else str(value)[:60]


def _counted(tables: GraphTables) -> str:
    graphs = "one graph" if len(tables) == 1 else f"{len(tables):,} graphs"
    return f"{graphs} ({tables.format})"
