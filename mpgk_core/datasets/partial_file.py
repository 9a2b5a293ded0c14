"""A download in progress: bytes that nobody else touches until the file is complete.

Every process writes to a file of its own. What an interrupted one leaves behind carries in its
name how the server calls that version of the content, so that another process can claim it, by
renaming it, and ask for the rest.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mpgk_core.errors import DownloadError

_LONGEST_VERSION = 80
_DAY = 86_400


class PartialFile:
    """The bytes of one download so far.

    Parameters
    ----------
    target : Path
        Where the complete file shall lie. Its folder is made if need be.

    Attributes
    ----------
    version : str or None
        The server's mark of this content, without which a download cannot go on later.
    size : int
        Number of bytes so far.
    """

    def __init__(self, target: Path) -> None:
        self._target = target
        self._own = target.with_name(f"{target.name}.{os.getpid()}-{secrets.token_hex(8)}.tmp")
        self.version: str | None = None
        self.size = 0
        with _disk(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            self._remove_forgotten()
            self._claim()

    def restart(self, version: str | None = None) -> None:
        """Forget all bytes; those to come belong to the given version."""
        with _disk(self._target):
            self._own.write_bytes(b"")
        self.size, self.version = 0, version

    def append(self, block: bytes) -> None:
        """Add bytes at the end."""
        with _disk(self._target), self._own.open("ab") as file:
            file.write(block)
        self.size += len(block)

    def content(self) -> bytes:
        """Return all bytes."""
        with _disk(self._target):
            return self._own.read_bytes()

    def publish(self) -> None:
        """Put the file in its place, at one stroke."""
        with _disk(self._target):
            self._own.replace(self._target)

    def leave(self) -> None:
        """Stop: keep the bytes for another process if it can go on from here, else remove them."""
        with _disk(self._target):
            version = (self.version or "").encode()
            if self.size and 0 < len(version) <= _LONGEST_VERSION:
                self._own.replace(self._target.with_name(self._prefix + version.hex() + ".part"))
            else:
                self._own.unlink(missing_ok=True)

    @property
    def _prefix(self) -> str:
        return f"{self._target.name}."

    def _claim(self) -> None:
        for left in sorted(self._target.parent.glob(f"{self._prefix}*.part")):
            with suppress(FileNotFoundError, ValueError):  # another was quicker; not our name
                version = bytes.fromhex(left.name[len(self._prefix) : -len(".part")]).decode()
                left.replace(self._own)
                self.version, self.size = version, self._own.stat().st_size
                return

    def _remove_forgotten(self) -> None:
        """Remove what processes left that were ended without a chance to tidy up."""
        for path in self._target.parent.glob(f"{self._prefix}*.tmp"):
            with suppress(FileNotFoundError):
                if time.time() - path.stat().st_mtime > _DAY:
                    path.unlink()


@contextmanager
def _disk(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise DownloadError(
            f"The folder {str(target.parent)!r} cannot be written to ({error.strerror or error}). "
            "Make room there, or set MPGK_CACHE to another folder."
        ) from error
