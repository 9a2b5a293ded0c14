"""A file as it came: its name and its bytes, read as text without surprises."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats.bounds import Bounds, bounds

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True)
class Source:
    """The name and the content of a file."""

    name: str
    content: bytes

    @property
    def extension(self) -> str:
        """The last part of the name in small letters, with its point; ".gz" does not count."""
        return self._path.suffix.lower()

    @property
    def stem(self) -> str:
        """The name without folders and extension."""
        return self._path.stem

    @property
    def _path(self) -> PurePosixPath:
        path = PurePosixPath(self.name.replace("\\", "/"))
        return path.with_suffix("") if path.suffix.lower() == ".gz" else path

    @property
    def head(self) -> bytes:
        """The first bytes, enough to recognise a format; marks of byte order are left out."""
        return self.plain[:4096].lstrip()

    @cached_property
    def bounds(self) -> Bounds:
        """The bounds that hold for this file."""
        return bounds()

    @cached_property
    def plain(self) -> bytes:
        """The content as UTF-8 without byte-order mark; UTF-16 and UTF-32 are converted."""
        for mark, encoding in _BYTE_ORDER_MARKS:
            if self.content.startswith(mark):
                rest = self.content[len(mark) :]
                if encoding == "utf-8":
                    return rest
                try:
                    return rest.decode(encoding).encode()
                except UnicodeDecodeError:
                    raise self.error(
                        f"It says that it is {encoding.upper()}, but it is not.",
                        "Save it as UTF-8.",
                    ) from None
        return self.content

    @cached_property
    def text(self) -> str:
        """The content as text, with the line ends of Unix."""
        try:
            text = self.plain.decode("utf-8")
        except UnicodeDecodeError as error:
            line = self.plain.count(b"\n", 0, error.start) + 1
            raise self.error("This is not UTF-8 text.", "Save it as UTF-8.", line) from None
        if "\0" in text:
            line = text.count("\n", 0, text.index("\0")) + 1
            raise self.error(
                "There is a zero byte, so this is no text.",
                "Give a text file, or name it after its format.",
                line,
            )
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def error(self, problem: str, remedy: str, line: int | None = None) -> UnreadableFileError:
        """Return an error that names this file."""
        return UnreadableFileError(self.name, problem, remedy, line)
