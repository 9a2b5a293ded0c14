"""Charts: described in words, saved as SVG or PNG, and large for a projector."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import plotly
import plotly.graph_objects as go
import streamlit as st
import streamlit.components.v1 as components

from mpgk_core.content_key import content_key
from mpgk_core.export import file_name

PRESENT = "present"
"""Key of the switch, and its name in the URL."""

_SMALL, _LARGE = 12, 20


def is_presented() -> bool:
    """Return whether large type is wanted; the URL decides when a page is opened."""
    return bool(st.session_state.get(PRESENT, st.query_params.get(PRESENT) == "true"))


def type_size() -> int:
    """Return the size of letters in pictures, in pixels."""
    return _LARGE if is_presented() else _SMALL


_KEY = "picture-format"
_SCALES = {"svg": 1, "png": 3}


def picture_format_choice() -> None:
    """Let the user choose; the choice stays while it is not shown."""
    st.segmented_control(
        "The camera above a chart saves",
        list(_SCALES),
        default="svg",
        required=True,
        key=_KEY,
        persist_state="session",
        format_func=str.upper,
        help="SVG stays sharp at any size and can be edited; PNG fits into every slide.",
    )


def saved_picture(name: str) -> dict[str, Any]:
    """Return how a chart saves itself, for Plotly; ``name`` is the file's, without extension."""
    return {"format": _format(), "scale": _SCALES[_format()], "filename": name}


def _format() -> str:
    chosen: str = st.session_state.get(_KEY, "svg")
    return chosen


def chart(
    figure: go.Figure,
    key: str,
    alt: str,
    saved_as: tuple[object, ...],
    is_small: bool = False,
    **options: Any,
) -> Any:
    """Show a figure.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
    key : str
        Of the widget.
    alt : str
        Description in sentences with numbers, for screen readers.
    saved_as : tuple
        Parts of the file name of a saved picture.
    is_small : bool
        Whether only the button that saves is shown.
    **options
        Of ``st.plotly_chart``, such as the height, or what a click does.

    Returns
    -------
    What ``st.plotly_chart`` returns: the selection, where there is one.
    """
    assert alt.strip(), f"The chart {key!r} has no words."
    if is_presented():
        figure = _enlarged(figure, type_size())
    return st.plotly_chart(figure, key=key, alt=alt, config=_config(saved_as, is_small), **options)


def _config(saved_as: tuple[object, ...], is_small: bool) -> dict[str, Any]:
    name = file_name(*saved_as, extension="svg").removesuffix(".svg")
    buttons = {"modeBarButtons": [["toImage"]]} if is_small else {}
    return {"displaylogo": False, "toImageButtonOptions": saved_picture(name), **buttons}


def _enlarged(figure: go.Figure, size: int) -> go.Figure:
    """Return a copy in which axes, legends, notes and what the mouse shows have this type size."""
    large = {"size": size}
    copy = go.Figure(figure)
    copy.update_layout(font=large, legend_font=large, hoverlabel_font=large, title_font=large)
    copy.update_xaxes(title_font=large, tickfont=large, automargin=True)
    copy.update_yaxes(title_font=large, tickfont=large, automargin=True)
    copy.update_annotations(font=large)
    return copy


_ASSETS = Path(__file__).parents[1] / "assets"
_ALL_TRACES = components.declare_component(
    "plotly_library", path=str(Path(plotly.__file__).parent / "package_data")
)
_FLAT_TRACES = components.declare_component("plotly_cartesian", path=str(_ASSETS / "vendor"))
_LARGE_BUNDLE = f"component/{_ALL_TRACES.name}/plotly.min.js?{plotly.__version__}"
_SMALL_BUNDLE = f"component/{_FLAT_TRACES.name}/plotly-cartesian-{plotly.__version__}.min.js"
DRAWING_LIBRARY = f"component/{_FLAT_TRACES.name}/cytoscape-3.34.4.min.js"
"""The address of the library with which a graph is drawn by hand."""

_ONLY_IN_LARGE = ('"scattergl"', '"scatter3d"')

_VERSION = content_key(*(file.read_bytes() for file in sorted(_ASSETS.glob("*.js"))))[:12]
_SCRIPTS = components.declare_component(f"scripts_{_VERSION}", path=str(_ASSETS))


def script(name: str) -> str:
    """Return JavaScript for a component that runs a file of ``ui/assets``, without its text.

    Streamlit sends the scripts of a component again with every change of its data. The address of
    the folder names the content of all scripts, so that a browser never mixes old and new ones.
    """
    address = f"component/{_SCRIPTS.name}/{name}"
    return (
        "export default (given) => {\n"  # a single line would be taken for a path
        f'import(new URL("{address}", document.baseURI)).then((script) => script.default(given));\n'
        "};"
    )


_EARLY = st.components.v2.component("chart_library", js=script("library.js"))
_STYLES = "".join(
    (_ASSETS / name).read_text(encoding="utf-8") for name in ("pictures.css", "graph_editor.css")
)


def library_for(figures: str) -> str:
    """Return the address of the library that draws some figures, given as JSON.

    Plotly's bundle of flat charts is a third of the whole, which the browser has to read and
    compile at every visit. Only many vertices (WebGL) and three axes need the whole.
    """
    return _LARGE_BUNDLE if any(kind in figures for kind in _ONLY_IN_LARGE) else _SMALL_BUNDLE


def load_charts() -> None:
    """Let the browser load scripts and styles while the server still computes what is drawn."""
    st.html(f"<style>{_STYLES}</style>")
    _EARLY(data={"library": _SMALL_BUNDLE, "drawing": DRAWING_LIBRARY}, key="chart-library")
