"""Zip archives whose bytes depend on nothing but the files in them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

_FIRST_MOMENT = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
_PLAIN_FILE = 0o100644 << 16


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return a zip archive: no times, no owners, files in the given order.

    Parameters
    ----------
    files : mapping of str to bytes
        Contents by name.

    Returns
    -------
    bytes

    Examples
    --------
    >>> packed({"edges.csv": b"a,b"}) == packed({"edges.csv": b"a,b"})
    True
    """
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as writer:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, _FIRST_MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = _UNIX
            entry.external_attr = _PLAIN_FILE
            writer.writestr(entry, content)
    return archive.getvalue()
