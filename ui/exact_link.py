"""Links that set all controls of a kernel, also those that are to show their default.

Streamlit takes a default in an address for no value at all, and shows what was set before. So the
link carries a mark, and the page it leads to forgets what was set.
"""

from __future__ import annotations

import streamlit as st

from ui.choices import KernelChoice

_MARK = "exact"
_KEYS = ("kernel", "T", "alpha", "beta", "features", "cosine", "branching", "depth", "seed")


def exact_link(kernel: KernelChoice) -> dict[str, str | list[str]]:
    """Return the part of an address that opens a page with exactly this kernel, unedited."""
    values = (
        kernel.neighbourhood,
        str(kernel.n_iterations),
        f"{kernel.alpha:g}",
        f"{kernel.beta:g}",
        kernel.features.split("+"),
        str(kernel.normalize).lower(),
        str(kernel.branching),
        str(kernel.depth),
        str(kernel.random_state),
    )
    return {_MARK: "true", "edits": "", **dict(zip(_KEYS, values, strict=True))}


def follow_exact_link() -> None:
    """Forget what the controls of the kernel showed, if such a link has led here.

    Called before they are drawn.
    """
    if _MARK in st.query_params:
        del st.query_params[_MARK]
        for key in _KEYS:
            st.session_state.pop(key, None)
