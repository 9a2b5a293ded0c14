"""How charts are shown: told in words, without a foreign logo, and large before a projector."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from mpgk_core.takeaway import file_name
from ui.picture_format import saved_picture
from ui.presenting import is_presented, type_size

__all__ = ["chart"]


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
        What is to be seen, in sentences with numbers; screen readers say it.
    saved_as : tuple
        What the name of a saved picture says.
    is_small : bool
        Whether of all buttons only the one that saves is shown.
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
    return {
        "displaylogo": False,
        "toImageButtonOptions": saved_picture(name),
        **buttons,
    }


def _enlarged(figure: go.Figure, size: int) -> go.Figure:
    """Return a copy in which axes, legends, notes and what the mouse shows have this type size."""
    large = {"size": size}
    copy = go.Figure(figure)
    copy.update_layout(font=large, legend_font=large, hoverlabel_font=large, title_font=large)
    copy.update_xaxes(title_font=large, tickfont=large, automargin=True)
    copy.update_yaxes(title_font=large, tickfont=large, automargin=True)
    copy.update_annotations(font=large)
    return copy
