"""The upload box, the same on every page: limits stated, errors in words, nothing lost."""

from __future__ import annotations

import streamlit as st

from mpgk_core.readers import FORMATS, bounds
from ui.files import ReadFile, read_once
from ui.problem_box import show_problem

__all__ = ["upload_box"]


def upload_box(key: str) -> ReadFile | None:
    """Let the user give files; return the last ones that could be read, if any."""
    given = st.file_uploader(
        "Graph files", accept_multiple_files=True, key=key, label_visibility="collapsed",
        help="Formats: " + ", ".join(item.title for item in FORMATS) + ". Several files make "
        "a set of graphs; a table of vertices and a table of edges make one graph.",
    )  # fmt: skip
    limits = bounds()
    st.caption(
        f"Up to {limits.file_bytes / 1e6:,.0f} MB, {limits.vertices:,} vertices and "
        f"{limits.edges:,} edges. Files stay on this machine."
    )
    remembered = f"{key} read"
    if given:
        upload = " ".join(file.file_id for file in given)
        read = read_once(upload, lambda: [(file.name, file.getvalue()) for file in given])
        if read.problem:
            show_problem(read.problem, f"{key}-problem")
        else:
            st.session_state[remembered] = read
    last: ReadFile | None = st.session_state.get(remembered)
    return last
