"""Results out: to a file or to standard output, in the format that the user chooses."""

from __future__ import annotations

from argparse import ArgumentError, ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mpgk_core.cli.console import Console
from mpgk_core.cli.renderings import RENDERINGS
from mpgk_core.cli.result import Result

__all__ = ["Output", "add_out_option", "add_output_options", "open_output", "rendered"]

_STDOUT = "-"


@dataclass(frozen=True)
class Output:
    """Where a result goes.

    Attributes
    ----------
    target : str
        Path of a file; "-" is standard output.
    console : Console
    """

    target: str
    console: Console

    @classmethod
    def checked(cls, target: str, is_binary: bool, console: Console) -> Output:
        """Return the output, or raise where it cannot be written, before any work begins."""
        if target == _STDOUT:
            if is_binary and console.stdout.isatty():
                raise ArgumentError(
                    None,
                    "the result is binary, and a terminal cannot show it: add --out FILE, or "
                    "choose another format",
                )
        elif not Path(target).parent.is_dir():
            raise ArgumentError(None, f"there is no folder {str(Path(target).parent)!r} for --out")
        elif Path(target).is_dir():
            raise ArgumentError(None, f"{target!r} is a folder: give --out the name of a file")
        return cls(target, console)

    def write(self, pieces: Iterable[bytes]) -> None:
        """Write bytes one after another."""
        if self.target == _STDOUT:
            self.console.stdout.writelines(pieces)
            return
        with Path(self.target).open("wb") as file:
            file.writelines(pieces)
        self.console.note(f"Wrote {self.target}.")


def add_out_option(parser: ArgumentParser) -> None:
    """Add the option that names the file."""
    parser.add_argument(
        "--out", default=_STDOUT, metavar="FILE", help="where to write (default: standard output)"
    )


def add_output_options(parser: ArgumentParser, formats: Sequence[str] = tuple(RENDERINGS)) -> None:
    """Add the options that name the file and its format."""
    add_out_option(parser)
    parser.add_argument(
        "--format",
        choices=formats,
        help="default: as the name of the file says, else csv; json also holds all settings",
    )
    parser.set_defaults(formats=formats)


def open_output(chosen: Namespace, console: Console) -> Output:
    """Return where the result of a command goes, from the options of `add_output_options`."""
    return Output.checked(chosen.out, _format(chosen) == "npz", console)


def rendered(result: Result, chosen: Namespace) -> Iterator[bytes]:
    """Return a result in the format that the options of `add_output_options` ask for."""
    return RENDERINGS[_format(chosen)](result)


def _format(chosen: Namespace) -> str:
    by_name = Path(chosen.out).suffix.lower().removeprefix(".")
    known: str = chosen.format or (by_name if by_name in chosen.formats else "csv")
    return known
