"""Zip archives of graph files: a table of vertices and one of edges, or one graph per file."""

from __future__ import annotations

from pathlib import PurePosixPath

from mpgk_core.formats.archives import SafeZip, is_gzip, is_zip
from mpgk_core.formats.format import Format
from mpgk_core.formats.graph_tables import GraphTables
from mpgk_core.formats.source import Source

_WORDS_FOR_PEOPLE = ("readme", "license", "licence", "copying")


def read(source: Source) -> GraphTables:
    """Read all files in an archive as if they had been given one by one.

    Parameters
    ----------
    source : Source
        The archive. Files called "readme" or "licence" are left out; archives in it are refused.

    Returns
    -------
    GraphTables
    """
    from mpgk_core.formats.several_files import read_many

    archive = SafeZip(source)
    names = [name for name in archive.names if not _is_for_people(name)]
    if not names:
        raise source.error("The archive holds no files.", "Put at least one graph in.")
    members = (archive.member(name) for name in names)
    files = ((one.name, _not_packed(one).content) for one in members)
    (tables,) = read_many(files, source.name, join="set")
    return tables


def _is_for_people(name: str) -> bool:
    return PurePosixPath(name).stem.lower().startswith(_WORDS_FOR_PEOPLE)


def _not_packed(member: Source) -> Source:
    if is_zip(member) or is_gzip(member) or member.extension in FORMAT.extensions:
        raise member.error("This is an archive within an archive.", "Unpack the inner one first.")
    return member


FORMAT = Format("Zip archive of graph files", (".zip",), is_zip, read)
