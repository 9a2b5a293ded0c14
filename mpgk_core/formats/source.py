"""A file as it came, its name and its bytes, and how large it may be."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, fields
from functools import cached_property
from math import ceil
from pathlib import PurePosixPath

from mpgk_core.checks import whole_setting
from mpgk_core.errors import UnreadableFileError

#: Below this size the ratio does not matter: small tables of zeros shrink a thousandfold.
_HARMLESS_BYTES = 10_000_000

#: What an error says where there is too much of something, and what to do about it.
_TOO_MANY = ("There are {n:,} {what}, and at most {limit:,} are read.", "Give a part of it")
_TOO_MUCH = {
    "file_bytes": ("There are {n:,} bytes, and at most {limit:,} are read.", "Give a part of it"),
    "unpacked_bytes": ("The archive unpacks to more than {limit:,} bytes.", "Give a part of it"),
    "unpacking_ratio": (
        "The archive would grow {n:,}-fold, as only harmful ones do.",
        "Give the files themselves",
    ),
    "archive_members": ("The archive holds more than {limit:,} files.", "Put fewer in"),
    "columns": (
        "There are {n:,} columns, and at most {limit:,} columns are read.",
        "Leave some out",
    ),
    "depth": ("Brackets or tags are nested more than {limit:,} deep.", "Give a flatter file"),
    "text_length": (
        "There is a text of {n:,} characters, and those longer than {limit:,} characters are "
        "not read.",
        "Shorten it",
    ),
}


@dataclass(frozen=True)
class Bounds:
    """What is read at most. ``MPGK_MAX_VERTICES=500`` in the environment sets ``vertices``, etc."""

    file_bytes: int = 200_000_000
    unpacked_bytes: int = 1_000_000_000
    unpacking_ratio: int = 200
    archive_members: int = 10_000
    graphs: int = 300_000
    vertices: int = 3_000_000
    edges: int = 30_000_000
    columns: int = 2_000
    depth: int = 60
    text_length: int = 100_000

    def check(self, file: str, key: str, n: int, line: int | None = None) -> None:
        """Raise if there is more of something in a file than the bound of this name allows."""
        limit = getattr(self, key)
        if n > limit:
            problem, remedy = _TOO_MUCH.get(key, _TOO_MANY)
            raise UnreadableFileError(
                file,
                problem.format(n=n, limit=limit, what=key),
                f"{remedy}, or set MPGK_MAX_{key.upper()} to more.",
                line,
            )

    def check_bytes(self, file: str, n_bytes: int) -> None:
        """Raise if a file is too large."""
        self.check(file, "file_bytes", n_bytes)

    def check_unpacked(self, file: str, n_bytes: int, n_packed: int) -> None:
        """Raise if an archive is too large once it is unpacked, or grows too much."""
        self.check(file, "unpacked_bytes", n_bytes)
        if n_bytes > _HARMLESS_BYTES:
            self.check(file, "unpacking_ratio", ceil(n_bytes / max(n_packed, 1)))


def bounds() -> Bounds:
    """Return the bounds that hold now.

    Examples
    --------
    >>> bounds().vertices
    3000000
    """
    return Bounds(**{field.name: _setting(field.name) for field in fields(Bounds)})


def _setting(name: str) -> int:
    return whole_setting(f"MPGK_MAX_{name.upper()}", getattr(Bounds, name))


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

    def check(self, key: str, n: int, line: int | None = None) -> None:
        """Raise if there is more of something in this file than the bound of this name allows."""
        self.bounds.check(self.name, key, n, line)

    def error(self, problem: str, remedy: str, line: int | None = None) -> UnreadableFileError:
        """Return an error that names this file."""
        return UnreadableFileError(self.name, problem, remedy, line)
