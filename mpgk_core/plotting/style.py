"""What all figures share: transparent ground, quiet axes, labels that cannot run code."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from html import escape
from typing import Any

MARK_COLOUR = "#7f7f7f"
"""A grey that shows on white and on black, for outlines and edges."""

QUIET_AXIS: dict[str, Any] = {
    "showgrid": False,
    "zeroline": False,
    "showticklabels": False,
    "ticks": "",
    "automargin": True,
}

_LONGEST_NAME = 60


def base_layout(**options: Any) -> dict[str, Any]:
    """Return a layout that fits light and dark pages.

    Parameters
    ----------
    **options
        Further layout settings.

    Returns
    -------
    dict
    """
    return {
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": 36, "r": 12, "t": 12, "b": 36},
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": "pan",
        "clickmode": "event",
        **options,
    }


def safe_names(names: Sequence[Hashable]) -> list[str]:
    """Return names that can be shown as they are: escaped, and not endless.

    Parameters
    ----------
    names : sequence of hashable

    Returns
    -------
    list of str

    Examples
    --------
    >>> safe_names(["a", "<b>", (0, 1)])
    ['a', '&lt;b&gt;', '(0, 1)']
    """
    texts = (str(name) for name in names)
    return [escape(t if len(t) <= _LONGEST_NAME else t[: _LONGEST_NAME - 1] + "…") for t in texts]
