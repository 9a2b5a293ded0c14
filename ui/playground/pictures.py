"""Graph, embedding and kernel matrix, linked in the browser."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import streamlit as st

from ui.shared.charts import LOADER, library_for

__all__ = ["linked_pictures"]

_FOLDER = Path(__file__).parents[1] / "assets"
_PICTURES = st.components.v2.component(
    "linked_pictures",
    html=(_FOLDER / "pictures.html").read_text(encoding="utf-8"),
    css=(_FOLDER / "pictures.css").read_text(encoding="utf-8"),
    js=LOADER + (_FOLDER / "pictures.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def linked_pictures(
    study: str,
    selection: list[int],
    key: str,
    on_select: Callable[[list[int]], None],
    *,
    is_linked: bool = False,
) -> None:
    """Show three linked pictures.

    Parameters
    ----------
    study : str
        Figures and links as JSON, see ``ui.playground.study``.
    selection : list of int
        The vertices to mark now.
    key : str
        Key of the widget.
    on_select : callable
        Called with the selected vertices whenever the user has selected some, or none.
    is_linked : bool
        Whether the address of the page holds the round that is shown.
    """
    _PICTURES(
        data={
            "library": library_for(study),
            "study": study,
            "selection": tuple(selection),  # a list might be a table, so pandas would be imported
            "isLinked": is_linked,
            "stamp": hashlib.sha256(study.encode()).hexdigest()[:12],
        },
        key=key,
        on_selection_change=lambda: on_select(_reported(key)),
        default={"selection": None},
    )


def _reported(key: str) -> list[int]:
    reported = st.session_state[key].selection
    return [] if reported is None else list(reported["vertices"])
