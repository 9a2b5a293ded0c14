"""Unpack a member of a zip archive piece by piece, so that no piece can be large.

The standard library does so for "deflate" only: of bzip2 and LZMA, a few bytes may grow to
gigabytes at one stroke.
"""

from __future__ import annotations

import bz2
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator

UNPACKING_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
#: What unpacking damaged archives may raise.
UNPACKING_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    MemoryError,
    OSError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)

_PIECE = 1 << 20
_LOCAL_HEADER = struct.Struct("<26xHH")
_LZMA_HEADER = struct.Struct("<2xHBI")
_LEAST_DICTIONARY = 4096


def unpacked_pieces(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, content: bytes
) -> Iterator[bytes]:
    """Yield the bytes of a member, at most a mebibyte at a time.

    Parameters
    ----------
    archive : ZipFile
        Opened from the content.
    entry : ZipInfo
        One of its members, packed by one of ``UNPACKING_METHODS``.
    content : bytes
        The whole archive.

    Yields
    ------
    bytes

    Raises
    ------
    One of ``UNPACKING_ERRORS``
        If the archive is damaged.
    """
    with archive.open(entry) as member:
        if entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            while piece := member.read(_PIECE):
                yield piece
            return
    size, checksum = 0, 0
    for piece in _grown(entry, _packed(entry, content)):
        size, checksum = size + len(piece), zlib.crc32(piece, checksum)
        if size > entry.file_size:
            break
        yield piece
    if size != entry.file_size or checksum != entry.CRC:
        raise zipfile.BadZipFile("The content is not what the archive says.")


def _packed(entry: zipfile.ZipInfo, content: bytes) -> bytes:
    name_length, extra_length = _LOCAL_HEADER.unpack_from(content, entry.header_offset)
    start = entry.header_offset + _LOCAL_HEADER.size + name_length + extra_length
    return content[start : start + entry.compress_size]


def _grown(entry: zipfile.ZipInfo, packed: bytes) -> Iterator[bytes]:
    unpacker: bz2.BZ2Decompressor | lzma.LZMADecompressor
    if entry.compress_type == zipfile.ZIP_BZIP2:
        unpacker = bz2.BZ2Decompressor()
    else:
        properties_size, properties, dictionary = _LZMA_HEADER.unpack_from(packed)
        # No more than the content itself can be looked back upon, whatever the header asks for.
        dictionary = min(dictionary, max(entry.file_size, _LEAST_DICTIONARY))
        rest, lc = divmod(properties, 9)
        pb, lp = divmod(rest, 5)
        choice = {"id": lzma.FILTER_LZMA1, "dict_size": dictionary, "lc": lc, "lp": lp, "pb": pb}
        unpacker = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[choice])
        packed = packed[4 + properties_size :]
    while not unpacker.eof:
        piece = unpacker.decompress(packed, _PIECE)
        packed = b""
        if not piece and unpacker.needs_input:
            return
        yield piece
