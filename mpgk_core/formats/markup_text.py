"""Characters that markup writes as numbers or names: ``&#233;`` and ``&quot;``."""

from __future__ import annotations

import re
from html.entities import html5

from mpgk_core.errors import InvalidGraphError, shortened

_ENTITY = re.compile(r"&(?:#(?P<decimal>[0-9]{1,9})|#x(?P<hex>[0-9a-fA-F]{1,8})|\w{1,40});")
_SPECIAL = re.compile("[^ !#-%'-;=?-~\xa0-\ud7ff]")
_IMPOSSIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    | {sign: f"&#{ord(sign)};" for sign in "\t\n\r\x85\u2028"}
)


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


def xml_text(text: str) -> str:
    """Return the text escaped, fit for the content of a tag and for an attribute.

    Parameters
    ----------
    text : str
        Control characters, which XML cannot hold, are an error.

    Returns
    -------
    str

    Examples
    --------
    >>> xml_text('<b> & "c"')
    '&lt;b&gt; &amp; &quot;c&quot;'
    """
    if _SPECIAL.search(text) is None:
        return text
    impossible = _IMPOSSIBLE.search(text)
    if impossible is not None:
        raise InvalidGraphError(
            f"XML cannot hold the character U+{ord(impossible[0]):04X} in {shortened(text)!r}. "
            "Replace it, or choose another format."
        )
    return text.translate(_ESCAPES)
