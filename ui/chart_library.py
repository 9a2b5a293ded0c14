"""Plotly's library for the browser, served from here: no request leaves the machine."""

from __future__ import annotations

from pathlib import Path

import plotly
import streamlit as st
import streamlit.components.v1 as components

_HERE = Path(__file__).parent
_ALL_TRACES = components.declare_component(
    "plotly_library", path=str(Path(plotly.__file__).parent / "package_data")
)
_FLAT_TRACES = components.declare_component("plotly_cartesian", path=str(_HERE / "vendor"))
_LARGE = f"component/{_ALL_TRACES.name}/plotly.min.js?{plotly.__version__}"
_SMALL = f"component/{_FLAT_TRACES.name}/plotly-cartesian.min.js?{plotly.__version__}"
_ONLY_IN_LARGE = ('"scattergl"', '"scatter3d"')

LOADER = (_HERE / "pictures" / "library.js").read_text(encoding="utf-8")
"""JavaScript: the function ``loadPlotly(address)``."""

_EARLY = st.components.v2.component(
    "chart_library", js=LOADER + "export default ({ data }) => void loadPlotly(data.library);"
)


def library_for(figures: str) -> str:
    """Return the address of the library that draws some figures, given as JSON.

    Plotly's bundle of flat charts is a third of the whole, which the browser has to read and
    compile at every visit. Only many vertices (WebGL) and three axes need the whole.
    """
    return _LARGE if any(kind in figures for kind in _ONLY_IN_LARGE) else _SMALL


def load_charts() -> None:
    """Let the browser load the library while the server still computes what it is to draw."""
    _EARLY(data={"library": _SMALL}, key="chart-library")
