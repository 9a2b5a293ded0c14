"""Serve the app, and import what its pages need meanwhile: ``python -m scripts.start_app``.

Streamlit imports nothing of an app before the first browser has connected. Until then numerical
libraries can be read and inner loops loaded, for which the first visitor would wait otherwise.
Nothing of the page itself is imported here: it belongs to Streamlit's run time, and waits for the
rehearsal (see ``ui/frame.py``). So no page may be opened past ``app.py``.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from threading import Thread

import streamlit as st
from starlette.middleware import Middleware

from scripts.lasting_libraries import LastingLibraries

__all__ = ["app", "rehearse"]

app = st.App(Path(__file__).parents[1] / "app.py", middleware=[Middleware(LastingLibraries)])


def rehearse() -> None:
    """Compute once what the first page shows, and import what its other parts need."""
    for library in ("plotly", "pandas", "streamlit.emojis"):  # what every page begins with
        import_module(library)
    from mpgk_core import GraphSet, MessagePassingNodeKernel, orbits, verdict
    from mpgk_core.embedding.trajectory import trajectory
    from mpgk_core.graphs.generators import build_graph
    from mpgk_core.plotting import graph_layout

    graph = GraphSet.from_networkx(build_graph("barbell"))
    kernel = MessagePassingNodeKernel(features="degree").fit(graph)
    trajectory(graph, kernel)
    verdict(graph, kernel, orbits=orbits(graph))
    graph_layout(graph)
    drawn = [f"plotting.{name}_figure" for name in ("change", "embedding", "hierarchy", "matching")]
    for part in ("edits", "explain", "lessons", "export", *drawn):
        import_module(f"mpgk_core.{part}")


def _serve() -> None:
    from streamlit.runtime.pages_manager import PagesManager  # before the thread imports, too
    from streamlit.web.cli import main

    PagesManager.uses_pages_directory = False
    Thread(target=rehearse, name="rehearsal", daemon=True).start()
    sys.argv = ["streamlit", "run", __file__, *sys.argv[1:]]
    main()


if __name__ == "__main__":
    _serve()
