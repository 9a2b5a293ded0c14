"""Rows of download buttons, and the files that all pages offer of a study."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from mpgk_core import GraphSet
from mpgk_core.export import Study, notebook, script
from mpgk_core.formats import write_graphs
from ui.shared.widgets import help_of

_MIME = {
    "csv": "text/csv",
    "npz": "application/zip",
    "npy": "application/octet-stream",
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
        Of the file; its extension is the kind of file.
    make : callable
        Returns the content.
    problem : str
        Why it is not available now; empty if it is.
    """

    key: str
    label: str
    name: str
    make: Callable[[], bytes | str]
    problem: str = ""


def reported(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a kernel as a report names them, where it counts edges, too."""
    return {"use of edges" if key == "edges" else key: x for key, x in settings.items()}


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
                    help=item.problem or help_of(item.key),
                    disabled=bool(item.problem),
                    on_click="ignore",
                )


@dataclass(frozen=True)
class Offer:
    """The files of a study; ``prefix`` begins the keys of their buttons."""

    study: Study
    prefix: str

    def file(
        self,
        key: str,
        label: str,
        file: tuple[str, str],
        make: Callable[[], bytes | str],
        problem: str = "",
    ) -> Download:
        """Return a file, named after the study, its content and its kind."""
        return Download(f"{self.prefix}{key}", label, self.study.file_name(*file), make, problem)

    def report(self, make: Callable[[], str]) -> Download:
        """Return a report."""
        return self.file("report", "Report", ("report", "html"), make)

    def programs(self) -> list[Download]:
        """Return a script and a notebook."""
        return [
            self.file("script", "Python script", ("script", "py"), partial(script, self.study)),
            self.file("notebook", "Notebook", ("notebook", "ipynb"), partial(notebook, self.study)),
        ]

    def graphs(self, graphs: GraphSet) -> list[Download]:
        """Return the graphs as GraphML and JSON."""
        what = "graph" if len(graphs) == 1 else "graphs"
        return [
            self.file(kind, label, (what, kind), partial(write_graphs, graphs, kind))
            for kind, label in (("graphml", "GraphML"), ("json", "JSON"))
        ]
