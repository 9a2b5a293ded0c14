"""Load JSON from an untrusted file, within bounds."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from mpgk_core.formats.source import Source

_CHUNK = 1 << 20
_BYTES_PER_LIST, _BYTES_PER_ITEM = 100, 30
_QUOTE = ord('"')
_STEPS = np.zeros(256, dtype=np.int8)
_STEPS[[ord("["), ord("{")]] = 1
_STEPS[[ord("]"), ord("}")]] = -1
_IS_MARK = _STEPS != 0
_IS_MARK[_QUOTE] = True
_HALF_CHARACTER = re.compile(
    r"\\(?:(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def load_json(source: Source, hook: Callable[[dict[str, Any]], Any] | None = None) -> Any:
    """Return the content of a JSON file.

    Nesting and size are measured before anything is built. NaN and Infinity are numbers, of keys
    that are repeated the last one holds, and halves of surrogate pairs become replacement
    characters.

    Parameters
    ----------
    source : Source
    hook : callable, optional
        Takes every object as soon as it is loaded and returns what stands for it.

    Returns
    -------
    dict, list, str, int, float, bool, None or what the hook returned

    Examples
    --------
    >>> load_json(Source("a.json", b'{"a": [1, NaN]}'))
    {'a': [1, nan]}
    """
    text = source.text
    _check_size(source)
    _check_depth(source)
    if "\\ud" in text or "\\uD" in text:
        text = _HALF_CHARACTER.sub(_whole_character, text)
    try:
        return json.loads(text, object_hook=hook)
    except json.JSONDecodeError as error:
        raise source.error(
            f"This is not complete, correct JSON ({error.msg}).",
            "Write the file again with the program it comes from.",
            error.lineno,
        ) from None
    except ValueError:  # Python refuses to convert numbers of more than 4,300 digits
        raise source.error(
            "A whole number has thousands of digits.", "Write it as text, in quotation marks."
        ) from None


def looks_like_json(source: Source) -> bool:
    """Return whether the file starts like a JSON object or list."""
    return source.head[:1] in (b"{", b"[")


def _check_size(source: Source) -> None:
    """Refuse what would take too much memory: an empty list is 2 bytes here and 56 in memory."""
    n_lists = source.plain.count(b"[") + source.plain.count(b"{")
    n_bytes = _BYTES_PER_LIST * n_lists + _BYTES_PER_ITEM * source.plain.count(b",")
    if n_bytes > source.bounds.unpacked_bytes:
        raise source.error(
            f"It would take about {n_bytes / 1e9:,.1f} GB of memory.",
            "Give a part of it, or set MPGK_MAX_UNPACKED_BYTES to more.",
        )


def _check_depth(source: Source) -> None:
    content = source.plain
    if b"\\" in content:
        content = content.replace(b"\\\\", b"").replace(b'\\"', b"")
    depth = n_quotes = 0
    for start in range(0, len(content), _CHUNK):
        chunk = np.frombuffer(
            content, dtype=np.uint8, count=min(_CHUNK, len(content) - start), offset=start
        )
        marks = chunk[_IS_MARK[chunk]]
        quotes = n_quotes + np.cumsum(marks == _QUOTE)
        depths = depth + np.cumsum(np.where(quotes % 2 == 0, _STEPS[marks], 0))
        if len(marks) == 0:
            continue
        source.check("depth", int(depths.max()))
        depth, n_quotes = int(depths[-1]), int(quotes[-1])


def _whole_character(escape: re.Match[str]) -> str:
    return r"\ufffd" if escape[2] else escape[0]
