"""A row of download buttons under a word that says what they give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

_MIME = {
    "csv": "text/csv",
    "npz": "application/zip",
    "graphml": "application/xml",
    "json": "application/json",
    "py": "text/x-python",
    "ipynb": "application/x-ipynb+json",
    "html": "text/html",
}


@dataclass(frozen=True, eq=False)
class Download:
    """A file that is made when it is asked for.

    Attributes
    ----------
    key : str
    label : str
    name : str
        Of the file; its extension says what kind of file it is.
    make : callable
        Returns the content.
    help : str
    is_refused : bool
        Whether it cannot be had now; ``help`` says why.
    """

    key: str
    label: str
    name: str
    make: Callable[[], bytes | str]
    help: str
    is_refused: bool = False


def download_row(title: str, downloads: Sequence[Download]) -> None:
    """Show buttons side by side; nothing on the page moves when one is pressed."""
    with st.container(gap="xsmall"):
        if title:
            st.caption(title)
        with st.container(horizontal=True, gap="xsmall"):
            for item in downloads:
                st.download_button(
                    item.label,
                    item.make,
                    item.name,
                    _MIME[item.name.rsplit(".", 1)[1]],
                    key=item.key,
                    help=item.help,
                    disabled=item.is_refused,
                    on_click="ignore",
                )
