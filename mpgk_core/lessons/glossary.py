"""The glossary: every term and symbol in one or two sentences, found by words and symbols."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated

from msgspec import Meta

from mpgk_core.lessons.lesson import Text, Title, check_texts
from mpgk_core.schema import Table, require

_GREEK = {
    unicodedata.name(letter).split()[-1].lower().replace("lamda", "lambda"): letter
    for letter in "αβγδεζηθικλμνξοπρστυφχψω"
}
_GREEK_COMMAND = re.compile(rf"\\(?:var)?({'|'.join(_GREEK)})(?![a-z])")
_FORMULA = re.compile(r"\$(.+?)\$")
_NOT_SHOWN = str.maketrans("", "", "${}")
_SINGULARS = (("ices", "ex"), ("ices", "ix"), ("ies", "y"), ("es", ""), ("s", ""))


class Term(Table, frozen=True):
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

    key: Annotated[
        str,
        Meta(
            pattern=r"\A[a-z][a-z0-9-]{0,59}\Z",
            description="made of at most 60 small letters, digits and hyphens",
        ),
    ]
    term: Title
    text: Text
    symbol: Annotated[str, Meta(max_length=4_000)] = ""
    see_also: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_texts({"term": self.term, "symbol": self.symbol, "text": self.text})


class GlossaryFile(Table, frozen=True):
    """The content of a glossary file."""

    terms: Annotated[tuple[Term, ...], Meta(min_length=1, max_length=500)]

    def __post_init__(self) -> None:
        keys = [term.key for term in self.terms]
        for number, term in enumerate(self.terms):
            place: list[str | int] = ["terms", number]
            problem = f"There is another term {term.key!r}."
            require(term.key not in keys[:number], [*place, "key"], problem, "Choose another key.")
            for key in term.see_also:
                problem = f"There is no term {key!r}."
                require(key in keys, [*place, "see_also"], problem, "Use the key of a term.")


def matching(terms: tuple[Term, ...], words: str) -> tuple[Term, ...]:
    r"""Return the terms in which all given words occur.

    First come those that are called so or have this symbol, then those that begin with the words.

    Parameters
    ----------
    terms : tuple of Term
    words : str
        What the reader is looking for; nothing finds everything.

    Returns
    -------
    tuple of Term

    Examples
    --------
    >>> orbit = Term(key="orbit", term="Orbit", text="Vertices that are alike.")
    >>> degree = Term(key="degree", term="Degree", text="It is the same in an orbit.")
    >>> alpha = Term(key="alpha", term="Alpha", text="A weight.", symbol=r"$\alpha$")
    >>> [term.key for term in matching((degree, orbit, alpha), "Orbits")]
    ['orbit', 'degree']
    >>> [term.key for term in matching((degree, orbit, alpha), "α")]
    ['alpha']
    """
    wanted = _plain(words).strip()
    found = [
        term
        for term in terms
        if all(any(form in _all_of(term) for form in _forms(word)) for word in wanted.split())
    ]
    return tuple(sorted(found, key=lambda term: _rank(term, wanted)))


def _rank(term: Term, wanted: str) -> int:
    """Return 0 for a term of this name or symbol, 1 for one that begins so, 2 for others."""
    name, forms = _plain(term.term), _forms(wanted)
    if name in forms or _closed_up(wanted) in _symbols(term):
        return 0
    return 1 if any(name.startswith(form) for form in forms) else 2


def _all_of(term: Term) -> str:
    """Return all that a term can be found by: formulas as written, and as a reader types them."""
    written = f"{term.term} {term.symbol} {term.text}"
    return " ".join([written.casefold(), _plain(written), *_symbols(term)])


def _symbols(term: Term) -> list[str]:
    """Return the symbol of a term, and its parts if it names several."""
    parts = [term.symbol, *_FORMULA.findall(term.symbol)] if term.symbol else []
    return [_closed_up(_plain(part)) for part in parts]


def _closed_up(text: str) -> str:
    return "".join(text.split())


def _forms(word: str) -> set[str]:
    """Return a word, and what it is the plural of."""
    singulars = {word.removesuffix(end) + new for end, new in _SINGULARS if word.endswith(end)}
    return {word, *(singular for singular in singulars if singular[-1:].isalpha())} - {""}


def _plain(text: str) -> str:
    """Return a text without case, accents and signs of LaTeX, and with Greek letters as such."""
    letters = unicodedata.normalize("NFKD", text)
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    greek = _GREEK_COMMAND.sub(lambda match: _GREEK[match[1]], bare.casefold())
    return greek.translate(_NOT_SHOWN)
