"""Keys of widgets that belong to what is shown."""

from __future__ import annotations

import hashlib


def key_for(word: str, *shown: object) -> str:
    """Return a key that is another one as soon as something else is shown.

    A box with a number for every node of a tree, or for every pair of vertices, must forget its
    number when the tree or the pairs are others: under the old key Streamlit would keep it.

    Parameters
    ----------
    word : str
        What the widget is for; the key begins with it.
    *shown : object
        All that the choices depend on, each with a ``repr`` that tells it from others.

    Returns
    -------
    str
    """
    return f"{word}-{hashlib.sha256(repr(shown).encode()).hexdigest()[:12]}"
