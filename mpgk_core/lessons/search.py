"""Search in the glossary: by words, plurals and symbols, whatever their case and accents."""

from __future__ import annotations

import re
import unicodedata

from mpgk_core.lessons.glossary import Term

_GREEK = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "zeta": "ζ",
    "eta": "η",
    "theta": "θ",
    "iota": "ι",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "nu": "ν",
    "xi": "ξ",
    "omicron": "ο",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "upsilon": "υ",
    "phi": "φ",
    "chi": "χ",
    "psi": "ψ",
    "omega": "ω",
}
_GREEK_COMMAND = re.compile(rf"\\(?:var)?({'|'.join(_GREEK)})(?![a-z])")
_FORMULA = re.compile(r"\$(.+?)\$")
_NOT_SHOWN = str.maketrans("", "", "${}")
_SINGULARS = (("ices", "ex"), ("ices", "ix"), ("ies", "y"), ("es", ""), ("s", ""))


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
    >>> orbit = Term("orbit", "Orbit", "", "Vertices that are alike.", ())
    >>> degree = Term("degree", "Degree", "", "Of all vertices in an orbit it is the same.", ())
    >>> alpha = Term("alpha", "Alpha", r"$\alpha$", "How much is kept.", ())
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
