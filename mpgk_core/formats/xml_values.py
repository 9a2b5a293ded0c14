"""Values in XML formats: text that is declared to be a truth value or a number."""

from __future__ import annotations

from typing import Any

from mpgk_core.errors import shortened
from mpgk_core.formats.safe_xml import XmlStream

_WHOLE = {"int", "integer", "long", "short", "byte", "biginteger"}
_REAL = {"float", "double", "bigdecimal"}
_TRUTH = {"true": True, "1": True, "false": False, "0": False}
_MOST_DIGITS = 4_000


def xml_value(stream: XmlStream, kind: str, text: str, column: str) -> Any:
    """Return a value of the declared type, or raise an error that names the line.

    Parameters
    ----------
    stream : XmlStream
        Where the value stands.
    kind : str
        The declared type; types that are not known are text.
    text : str
        The value. Where it should be a number or a truth value, an empty text is no value.
    column : str
        What the value is called, for the message.

    Returns
    -------
    bool, int, float, str or None
    """
    kind = kind.lower()
    if kind not in _WHOLE and kind not in _REAL and kind != "boolean":
        return text
    plain = text.strip()
    if not plain:
        return None
    try:
        if kind in _REAL:
            return float(plain)
        if kind in _WHOLE and len(plain) <= _MOST_DIGITS:
            return int(plain)
        return _TRUTH[plain.lower()]
    except (ValueError, KeyError):
        raise stream.error(
            f"{shortened(plain)!r} is not of the type {shortened(kind)!r} that is declared for "
            f"{shortened(column)!r}.",
            "Correct it, or declare the type string.",
        ) from None
