"""What a file is before any format is asked: packed by gzip, a spreadsheet, or not for reading."""

from __future__ import annotations

import io
import zipfile
import zlib

from mpgk_core.formats.safe_zip import is_zip
from mpgk_core.formats.source import Source
from mpgk_core.formats.zip_unpacking import UNPACKING_ERRORS

_GZIP = b"\x1f\x8b"
_GZIP_WINDOW = 31
_PIECE = 1 << 16
_GROWN_PIECE = 1 << 20

_SPREADSHEET = (
    "This is a spreadsheet.",
    "Open it in its program and save the sheet as CSV (one edge per row), then give that file.",
)
_SPREADSHEET_EXTENSIONS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".numbers")
_PACKED = ("This is packed in a way that is not read.", "Unpack it, or pack it as .zip or .gz.")
_TAR = ("This is a tar archive.", "Unpack it and give the files, or pack them as .zip.")
_PICKLE = (
    "This is a pickle of Python, which could run code.",
    "Save the edges as a .npy array or as CSV, say with numpy.save or numpy.savetxt.",
)
_FIRST_BYTES = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", _SPREADSHEET),
    (b"BZh", _PACKED),
    (b"\xfd7zXZ\0", _PACKED),
    (b"\x28\xb5\x2f\xfd", _PACKED),
    (b"7z\xbc\xaf\x27\x1c", _PACKED),
    (b"Rar!\x1a\x07", _PACKED),
    (b"\x80\x02", _PICKLE),
    (b"\x80\x03", _PICKLE),
    (b"\x80\x04", _PICKLE),
    (b"\x80\x05", _PICKLE),
)
_TAR_MARK, _TAR_PLACE = b"ustar", 257


def unpacked(source: Source) -> Source:
    """Return a file that gzip has packed as it was, and any other file as it is.

    Parameters
    ----------
    source : Source
        Any file. Spreadsheets, other archives and pickles are refused with what to do.

    Returns
    -------
    Source
        Of the same name, whose ".gz" does not count.

    Examples
    --------
    >>> import gzip
    >>> unpacked(Source("a.txt.gz", gzip.compress(b"1 2"))).content
    b'1 2'
    """
    if is_gzip(source):
        source = Source(source.name, _gunzipped(source))
        if is_gzip(source) or is_zip(source):
            raise source.error("This is an archive within an archive.", "Unpack the inner one.")
    _refuse_what_is_no_graph(source)
    return source


def is_gzip(source: Source) -> bool:
    """Return whether a file starts as gzip's files do."""
    return source.content.startswith(_GZIP)


def _gunzipped(source: Source) -> bytes:
    """Return the content, of which no more is unpacked than the bounds allow."""
    packed, place, n_members = source.content, 0, 0
    content = io.BytesIO()
    while packed.startswith(_GZIP, place):
        n_members += 1
        if n_members > source.bounds.archive_members:
            raise source.error(
                f"The archive has more than {source.bounds.archive_members:,} parts.",
                "Pack it again as one, or set MPGK_MAX_ARCHIVE_MEMBERS to more.",
            )
        unpacker = zlib.decompressobj(_GZIP_WINDOW)
        try:
            while not unpacker.eof:
                waiting = unpacker.unconsumed_tail
                if not waiting:
                    waiting = packed[place : place + _PIECE]
                    place += len(waiting)
                piece = unpacker.decompress(waiting, _GROWN_PIECE)
                if not piece and not waiting:
                    raise EOFError
                content.write(piece)
                source.bounds.check_unpacked(source.name, content.tell(), len(packed))
        except (zlib.error, EOFError, MemoryError):
            raise source.error("The archive is damaged or cut off.", "Pack it again.") from None
        place -= len(unpacker.unused_data)
    return content.getvalue()


def _refuse_what_is_no_graph(source: Source) -> None:
    content = source.content
    for first, words in _FIRST_BYTES:
        if content.startswith(first):
            raise source.error(*words)
    if content.startswith(_TAR_MARK, _TAR_PLACE):
        raise source.error(*_TAR)
    if source.extension in _SPREADSHEET_EXTENSIONS:
        raise source.error(*_SPREADSHEET)
    if is_zip(source):
        names = _names_in(source)
        if {"xl/workbook.xml", "xl/workbook.bin"} & names or _is_open_document(content):
            raise source.error(*_SPREADSHEET)
        if any(name.endswith(("/data.pkl", "data.pkl")) for name in names):
            raise source.error(*_PICKLE)


def _names_in(source: Source) -> set[str]:
    """Return the names of an archive that may be damaged, or hold too much to be listed."""
    if source.content.count(b"PK\x01\x02") > source.bounds.archive_members:
        return set()
    try:
        return set(zipfile.ZipFile(io.BytesIO(source.content)).namelist())
    except UNPACKING_ERRORS:
        return set()


def _is_open_document(content: bytes) -> bool:
    return b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet" in content[:200]
