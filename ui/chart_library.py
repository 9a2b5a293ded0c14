"""Plotly's library for the browser, from the installed package: no request leaves the machine."""

from __future__ import annotations

from pathlib import Path

import plotly
import streamlit as st
import streamlit.components.v1 as components

__all__ = ["LIBRARY", "LOADER", "load_charts"]

_FILES = components.declare_component(
    "plotly_library", path=str(Path(plotly.__file__).parent / "package_data")
)
LIBRARY = f"component/{_FILES.name}/plotly.min.js?{plotly.__version__}"
"""Its address on this server."""

LOADER = (Path(__file__).parent / "pictures" / "library.js").read_text(encoding="utf-8")
"""JavaScript: the function ``loadPlotly(address)``."""

_EARLY = st.components.v2.component(
    "chart_library",
    js=LOADER + "export default ({ data }) => void loadPlotly(data.library);",
)


def load_charts() -> None:
    """Let the browser load the library while the server still computes what it is to draw."""
    _EARLY(data={"library": LIBRARY}, key="chart-library")
