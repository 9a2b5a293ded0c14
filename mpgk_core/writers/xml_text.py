"""Text as it may stand in XML."""

from __future__ import annotations

import re

from mpgk_core.errors import InvalidGraphError, shortened

_SPECIAL = re.compile("[^ !#-%'-;=?-~\xa0-\ud7ff]")
_IMPOSSIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "\t": "&#9;",
        "\n": "&#10;",
        "\r": "&#13;",
        "\x85": "&#133;",
        "\u2028": "&#8232;",
    }
)


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
