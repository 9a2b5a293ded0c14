"""Archives that may lie about their size: nothing is written to disk, and little is believed."""

from __future__ import annotations

import io
import zipfile
from pathlib import PurePosixPath

from mpgk_core.errors import UnreadableFileError, shortened
from mpgk_core.formats.source import Source
from mpgk_core.formats.zip_unpacking import UNPACKING_ERRORS, UNPACKING_METHODS, unpacked_pieces

_SIGNATURE = b"PK\x03\x04"
_ENTRY_SIGNATURE = b"PK\x01\x02"
_ENCRYPTED = 0x1


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
        if source.content.count(_ENTRY_SIGNATURE) > source.bounds.archive_members:
            raise source.error(
                f"The archive holds more than {source.bounds.archive_members:,} files.",
                "Put fewer in, or set MPGK_MAX_ARCHIVE_MEMBERS to more.",
            )
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
