"""Arrays of NumPy's own file format, of which the header is checked before the rest is touched."""

from __future__ import annotations

import re
import struct
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats.source import Source

_MAGIC = b"\x93NUMPY"
_TYPE = re.compile(r"'descr': *'([<>|=]?[biufcSUOV][0-9]{0,6})'")
_ORDER = re.compile(r"'fortran_order': *(True|False)")
_SHAPE = re.compile(r"'shape': *\(([0-9, ]{0,80})\)")
_MOST_DIMENSIONS = 3


def array_of(source: Source) -> NDArray[Any]:
    """Return the array in a ``.npy`` file, without copying it.

    Parameters
    ----------
    source : Source
        The file. Python objects, which could run code, and structured types are refused.

    Returns
    -------
    ndarray
        Of booleans, numbers or text; it cannot be written to.

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> np.save(file, [1, 2])
    >>> array_of(Source("a.npy", file.getvalue()))
    array([1, 2])
    """
    content = source.content
    header, start = _header(source)
    kind, order, shape = (pattern.search(header) for pattern in (_TYPE, _ORDER, _SHAPE))
    if kind is not None and "O" in kind.group(1):
        raise source.error(
            "It holds Python objects, which could run code.", "Save numbers instead of objects."
        )
    if kind is None or order is None or shape is None:
        raise _no_plain_array(source)
    sizes = tuple(int(size) for size in shape.group(1).replace(" ", "").split(",") if size)
    try:
        dtype = np.dtype(kind.group(1))
    except TypeError:
        raise _no_plain_array(source) from None
    is_plain = dtype.kind in "SU" or (dtype.kind in "biuf" and dtype.itemsize <= 8)
    if not is_plain or dtype.itemsize == 0 or len(sizes) > _MOST_DIMENSIONS:
        raise _no_plain_array(source)
    if prod(sizes) * dtype.itemsize != len(content) - start:
        raise source.error("It is longer or shorter than it says.", "It may be cut off.")
    flat = np.frombuffer(content, dtype, offset=start) if 0 not in sizes else np.empty(0, dtype)
    return flat.reshape(sizes, order="F" if order.group(1) == "True" else "C")


def is_npy(source: Source) -> bool:
    """Return whether a file starts as NumPy's arrays do."""
    return source.content.startswith(_MAGIC)


def _no_plain_array(source: Source) -> UnreadableFileError:
    return source.error("It holds no plain array of numbers.", "Save a matrix of numbers.")


def _header(source: Source) -> tuple[str, int]:
    """Return the text of the header, and where the numbers begin."""
    content = source.content
    if not is_npy(source) or len(content) < 12:
        raise source.error("It is no array of NumPy.", "Save it with numpy.save.")
    is_long = content[6] > 1
    size = struct.unpack_from("<I" if is_long else "<H", content, 8)[0]
    start = (12 if is_long else 10) + size
    if start > len(content):
        raise source.error("Its header is cut off.", "Save it again.")
    return content[start - size : start].decode("latin-1"), start
