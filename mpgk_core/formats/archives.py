"""Archives that may lie about their size: nothing is written to disk, and no piece can be large."""

from __future__ import annotations

import gzip
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.formats.source import Source

UNPACKING_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA)
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
    RuntimeError,
    ValueError,
)

_PIECE = 1 << 20
_LOCAL_HEADER = struct.Struct("<26xHH")
_LZMA_HEADER = struct.Struct("<2xHBI")
_LEAST_DICTIONARY = 4096
_SIGNATURE = b"PK\x03\x04"
_ENTRY_SIGNATURE = b"PK\x01\x02"
_ENCRYPTED = 0x1
_GZIP, _GZIP_MEMBER = b"\x1f\x8b", b"\x1f\x8b\x08"

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
_FIRST_BYTES = {
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",): _SPREADSHEET,
    (b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07"): _PACKED,
    (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"): _PICKLE,
}
_TAR_MARK, _TAR_PLACE = b"ustar", 257
_OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
_FIRST_MOMENT = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
_PLAIN_FILE = 0o100644 << 16


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
    for piece in _grown(entry, content):
        size, checksum = size + len(piece), zlib.crc32(piece, checksum)
        if size > entry.file_size:
            break
        yield piece
    if size != entry.file_size or checksum != entry.CRC:
        raise zipfile.BadZipFile("The content is not what the archive says.")


def _grown(entry: zipfile.ZipInfo, content: bytes) -> Iterator[bytes]:
    """Unpack a member that LZMA has packed."""
    name_length, extra_length = _LOCAL_HEADER.unpack_from(content, entry.header_offset)
    start = entry.header_offset + _LOCAL_HEADER.size + name_length + extra_length
    properties_size, properties, dictionary = _LZMA_HEADER.unpack_from(content, start)
    # No more than the content itself can be looked back upon, whatever the header asks for.
    dictionary = min(dictionary, max(entry.file_size, _LEAST_DICTIONARY))
    rest, lc = divmod(properties, 9)
    pb, lp = divmod(rest, 5)
    choice = {"id": lzma.FILTER_LZMA1, "dict_size": dictionary, "lc": lc, "lp": lp, "pb": pb}
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[choice])
    waiting = content[start + 4 + properties_size : start + entry.compress_size]
    while not unpacker.eof:
        piece = unpacker.decompress(waiting, _PIECE)
        waiting = b""
        if not piece and unpacker.needs_input:
            return
        yield piece


class SafeZip:
    """The files of a zip archive, checked before any of them is unpacked.

    Parameters
    ----------
    source : Source
        The archive.

    Attributes
    ----------
    names : tuple of str
        Names of the files, in the order of the archive; without folders and without what
        macOS adds.

    Examples
    --------
    >>> packed = io.BytesIO()
    >>> with zipfile.ZipFile(packed, "w") as archive:
    ...     archive.writestr("edges.csv", "a,b")
    >>> archive = SafeZip(Source("graph.zip", packed.getvalue()))
    >>> archive.names, archive.read("edges.csv")
    (('edges.csv',), b'a,b')
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self._unpacked = 0
        source.check("archive_members", source.content.count(_ENTRY_SIGNATURE))
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(source.content))
        except UNPACKING_ERRORS:
            raise self._damaged() from None
        entries = self._archive.infolist()
        self._entries: dict[str, zipfile.ZipInfo] = {}
        for entry in entries:
            self._check_entry(entry)
            self._entries[entry.filename] = entry
        self._check_size(sum(entry.file_size for entry in entries))
        self.names = tuple(name for name in self._entries if _is_content(name))

    def read(self, name: str) -> bytes:
        """Return the content of one file.

        Parameters
        ----------
        name : str
            One of ``names``.

        Returns
        -------
        bytes
        """
        content = io.BytesIO()
        try:
            for piece in unpacked_pieces(self._archive, self._entries[name], self.source.content):
                content.write(piece)
                self._unpacked += len(piece)
                self._check_size(self._unpacked)
        except UnreadableFileError:
            raise
        except UNPACKING_ERRORS:
            raise self._damaged(name) from None
        return content.getvalue()

    def member(self, name: str) -> Source:
        """Return one file as a source of its own, named after the archive and itself."""
        return Source(f"{self.source.name}/{name}", self.read(name))

    def _check_entry(self, entry: zipfile.ZipInfo) -> None:
        name = entry.filename
        shown = shortened(name)
        path = PurePosixPath(name.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or (path.parts and ":" in path.parts[0]):
            raise self.source.error(
                f"The archive holds {shown!r}, a name that leads out of its folder.",
                "Pack the files again, by their plain names.",
            )
        if name in self._entries:
            raise self.source.error(f"The archive holds {shown!r} twice.", "Pack every file once.")
        if entry.flag_bits & _ENCRYPTED:
            raise self.source.error(
                f"{shown!r} is encrypted.", "Pack the files again, without a password."
            )
        if entry.compress_type not in UNPACKING_METHODS:
            raise self.source.error(
                f"{shown!r} is packed in an unusual way.", 'Pack it again with "deflate".'
            )

    def _check_size(self, n_bytes: int) -> None:
        self.source.bounds.check_unpacked(self.source.name, n_bytes, len(self.source.content))

    def _damaged(self, name: str | None = None) -> UnreadableFileError:
        what = "The archive" if name is None else f"{shortened(name)!r} in the archive"
        return self.source.error(f"{what} is damaged.", "Pack the files again.")


def is_zip(source: Source) -> bool:
    """Return whether a file starts as zip archives do."""
    return source.content.startswith(_SIGNATURE)


def _is_content(name: str) -> bool:
    parts = PurePosixPath(name).parts
    hidden = "__MACOSX" in parts or parts[-1:] == (".DS_Store",)
    return not name.endswith("/") and bool(parts) and not hidden


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
    if source.content.count(_GZIP_MEMBER) > source.bounds.archive_members:
        raise source.error(
            f"The archive has more than {source.bounds.archive_members:,} parts.",
            "Pack it again as one, or set MPGK_MAX_ARCHIVE_MEMBERS to more.",
        )
    content = io.BytesIO()
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(source.content)) as file:
            while piece := file.read(_PIECE):
                content.write(piece)
                source.bounds.check_unpacked(source.name, content.tell(), len(source.content))
    except (zlib.error, EOFError, MemoryError, OSError):
        raise source.error("The archive is damaged or cut off.", "Pack it again.") from None
    return content.getvalue()


def _refuse_what_is_no_graph(source: Source) -> None:
    content = source.content
    for first, words in _FIRST_BYTES.items():
        if content.startswith(first):
            raise source.error(*words)
    if content.startswith(_TAR_MARK, _TAR_PLACE):
        raise source.error(*_TAR)
    if source.extension in _SPREADSHEET_EXTENSIONS:
        raise source.error(*_SPREADSHEET)
    if is_zip(source):
        try:
            names = SafeZip(source).names
        except UnreadableFileError:  # its reader will say why
            return
        if {"xl/workbook.xml", "xl/workbook.bin"} & set(names) or _OPEN_DOCUMENT in content[:200]:
            raise source.error(*_SPREADSHEET)
        if any(name.endswith("data.pkl") for name in names):
            raise source.error(*_PICKLE)


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
