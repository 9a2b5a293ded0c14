"""Characters that plain-text formats write as numbers or names: ``&#233;`` and ``&quot;``."""

from __future__ import annotations

import re
from html.entities import html5

_ENTITY = re.compile(r"&(?:#(?P<decimal>[0-9]{1,9})|#x(?P<hex>[0-9a-fA-F]{1,8})|\w{1,40});")


def with_characters(text: str) -> str:
    """Return the text with all entities replaced; what is no entity stays as it is.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> with_characters("caf&#233; &amp; AT&T")
    'café & AT&T'
    """
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    if entity["decimal"] is None and entity["hex"] is None:
        return html5.get(entity[0][1:], entity[0])
    code = int(entity["decimal"]) if entity["decimal"] else int(entity["hex"], 16)
    is_character = code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF
    return chr(code) if is_character else "\N{REPLACEMENT CHARACTER}"
