"""Rows of download buttons, and the files that every page offers of a study."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from mpgk_core import GraphSet
from mpgk_core.export import Study, notebook, script
from mpgk_core.formats import write_graphs

_MIME = {
    "csv": "text/csv",
    "npz": "application/zip",
    "graphml": "application/xml",
    "json": "application/json",
    "py": "text/x-python",
    "ipynb": "application/x-ipynb+json",
    "html": "text/html",
}
_HELD = (
    "With labels (“label”) and attributes (“attribute_1”, …); undirected, without weights, "
    "self-loops and classes."
)


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
        Whether it is not available now; ``help`` says why.
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


def graph_files(study: Study, graphs: GraphSet, prefix: str) -> list[Download]:
    """Return the graphs as GraphML and JSON; ``prefix`` begins the keys."""
    what = "graph" if len(graphs) == 1 else "graphs"
    kinds = (
        ("graphml", "GraphML", "For Gephi, yEd, Cytoscape or networkx."),
        ("json", "JSON", "As vertices and links."),
    )
    return [
        Download(
            f"{prefix}{kind}",
            label,
            study.file_name(what, kind),
            partial(write_graphs, graphs, kind),
            f"{use} {_HELD}",
        )
        for kind, label, use in kinds
    ]


def program_files(study: Study, prefix: str) -> list[Download]:
    """Return a script and a notebook; ``prefix`` begins the keys."""
    return [
        Download(
            f"{prefix}script",
            "Python script",
            study.file_name("script", "py"),
            partial(script, study),
            "Computes the same numbers with mpgk_core, and saves them.",
        ),
        Download(
            f"{prefix}notebook",
            "Notebook",
            study.file_name("notebook", "ipynb"),
            partial(notebook, study),
            "The same for Jupyter, step by step and with pictures.",
        ),
    ]


def report_file(study: Study, prefix: str, make: Callable[[], str]) -> Download:
    """Return a report; ``prefix`` begins its key."""
    return Download(
        f"{prefix}report",
        "Report",
        study.file_name("report", "html"),
        make,
        "One HTML file with pictures, numbers and parameters. It opens without a network.",
    )
