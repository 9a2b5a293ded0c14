"""The glossary: every term and symbol in one or two sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from mpgk_core.lessons.fields import fields_of_file
from mpgk_core.lessons.reading import GLOSSARY_FILE, lesson_folders

_KEY = re.compile(r"[a-z][a-z0-9-]{0,59}")


@dataclass(frozen=True)
class Term:
    """One entry.

    Attributes
    ----------
    key : str
        Its name in a link.
    term : str
    symbol : str
        In LaTeX; empty for a term without one.
    text : str
        One or two sentences.
    see_also : tuple of str
        Keys of other terms.
    """

    key: str
    term: str
    symbol: str
    text: str
    see_also: tuple[str, ...]


def glossary() -> tuple[Term, ...]:
    """Read the glossaries of all lesson folders; a later folder may replace terms of another."""
    files = [folder / GLOSSARY_FILE for folder in lesson_folders()]
    terms = [term for file in files if file.is_file() for term in read_glossary(file)]
    return tuple({term.key: term for term in terms}.values())


def read_glossary(path: Path) -> tuple[Term, ...]:
    """Read one glossary.

    Parameters
    ----------
    path : Path
        A TOML file with a list ``terms``.

    Returns
    -------
    tuple of Term
        In the order of the file.

    Raises
    ------
    UnreadableFileError
        Naming file, term and field.
    """
    fields = fields_of_file(path)
    terms: list[Term] = []
    parts = fields.tables("terms", "term", 1, 500)
    fields.finish(("terms",))
    for part in parts:
        key = part.title("key")
        if not _KEY.fullmatch(key) or any(term.key == key for term in terms):
            part.fail(
                "key",
                "This is taken, or not made of small letters, digits and hyphens.",
                "Choose another.",
            )
        symbol = part.text("symbol") if "symbol" in part else ""
        also = part.take("see_also", [])
        if not isinstance(also, list) or not all(isinstance(word, str) for word in also):
            part.fail("see_also", "This is not a list of keys.", 'Write ["orbit"].')
        terms.append(Term(key, part.title("term"), symbol, part.text("text"), tuple(also)))
        part.finish(("key", "term", "symbol", "text", "see_also"))
    known = {term.key for term in terms}
    for part, term in zip(parts, terms, strict=True):
        for word in term.see_also:
            if word not in known:
                part.fail("see_also", f"There is no term {word!r}.", "Use the key of a term.")
    return tuple(terms)
