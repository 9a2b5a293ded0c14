"""How large a file may be, in one place. Each bound is a setting of the environment."""

from __future__ import annotations

from dataclasses import dataclass, fields

from mpgk_core.errors import UnreadableFileError
from mpgk_core.limits import whole_setting

#: Below this size the ratio does not matter: small tables of zeros shrink a thousandfold.
_HARMLESS_BYTES = 10_000_000


@dataclass(frozen=True)
class Bounds:
    """What is read at most. ``MPGK_MAX_VERTICES=500`` in the environment sets ``vertices``, etc."""

    file_bytes: int = 200_000_000
    unpacked_bytes: int = 1_000_000_000
    unpacking_ratio: int = 200
    archive_members: int = 10_000
    graphs: int = 300_000
    vertices: int = 2_000_000
    edges: int = 30_000_000
    columns: int = 2_000
    depth: int = 60
    text_length: int = 100_000

    def check_bytes(self, file: str, n_bytes: int) -> None:
        """Raise if a file is too large."""
        self._check(file, n_bytes, "file_bytes", "bytes")

    def check_unpacked(self, file: str, n_bytes: int, n_packed: int) -> None:
        """Raise if an archive is too large once it is unpacked, or grows too much."""
        ratio = n_bytes / max(n_packed, 1)
        if n_bytes > self.unpacked_bytes:
            raise UnreadableFileError(
                file,
                f"The archive unpacks to more than {self.unpacked_bytes:,} bytes.",
                "Give a part of it, or set MPGK_MAX_UNPACKED_BYTES to more.",
            )
        if n_bytes > _HARMLESS_BYTES and ratio > self.unpacking_ratio:
            raise UnreadableFileError(
                file,
                f"The archive would grow {ratio:,.0f}-fold, as only harmful ones do.",
                "Give the files themselves, or set MPGK_MAX_UNPACKING_RATIO to more.",
            )

    def check_graphs(self, file: str, n: int, line: int | None = None) -> None:
        """Raise if there are too many graphs."""
        self._check(file, n, "graphs", "graphs", line)

    def check_vertices(self, file: str, n: int, line: int | None = None) -> None:
        """Raise if there are too many vertices."""
        self._check(file, n, "vertices", "vertices", line)

    def check_edges(self, file: str, n: int, line: int | None = None) -> None:
        """Raise if there are too many edges."""
        self._check(file, n, "edges", "edges", line)

    def _check(self, file: str, n: int, key: str, what: str, line: int | None = None) -> None:
        limit = getattr(self, key)
        if n > limit:
            raise UnreadableFileError(
                file,
                f"There are {n:,} {what}, and at most {limit:,} are read.",
                f"Give a part of it, or set MPGK_MAX_{key.upper()} to more.",
                line,
            )


def bounds() -> Bounds:
    """Return the bounds that hold now.

    Examples
    --------
    >>> bounds().vertices
    2000000
    """
    return Bounds(**{field.name: _setting(field.name) for field in fields(Bounds)})


def _setting(name: str) -> int:
    return whole_setting(f"MPGK_MAX_{name.upper()}", getattr(Bounds, name))
