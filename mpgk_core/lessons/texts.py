"""Texts of lessons: Markdown with formulas, no HTML, no images, no links but to the glossary."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
_GLOSSARY_LINK = re.compile(r"\]\(glossary:([a-z0-9-]{1,60})\)")
_TERM = re.compile(rf"\[([^\[\]]+){_GLOSSARY_LINK.pattern}")
_FORMULA = re.compile(r"^\$\$\s*(.+?)\s*\$\$$", re.DOTALL | re.MULTILINE)
_ANY_FORMULA = re.compile(r"(\$\$?)[^$]+\1")
_REFUSED = (
    (re.compile(r"<[A-Za-z/!?]"), "HTML", "Write Markdown; in a formula, put a space after <"),
    (re.compile(r"!\["), "an image", "Remove it; the picture of the step is drawn"),
    (
        re.compile(r"\]\s*[(\[:]|://|www\.|mailto:", re.IGNORECASE),
        "a link",
        "Remove it; only [words](glossary:term) is possible",
    ),
    (
        re.compile(
            r"\\(?:href|url|include|html|[gex]?def|let|futurelet|newcommand|renewcommand)",
            re.IGNORECASE,
        ),
        "a formula with a command that is not allowed",
        "Use formulas without links and macros",
    ),
)


def problem_with(text: str, placeholders: Iterable[str] = ()) -> tuple[str, str] | None:
    """Return what is wrong with a text and what to do, or None.

    Parameters
    ----------
    text : str
    placeholders : iterable of str
        The names that the text may put in double braces.

    Returns
    -------
    tuple of two str, or None

    Examples
    --------
    >>> problem_with("An [orbit](glossary:orbit) of $n$ vertices")
    >>> problem_with("See [here](http://example.org)")[0]
    'The text has a link.'
    >>> problem_with("It costs $5.")[0]
    'A formula has no end: the number of $ signs is odd.'
    """
    plain = _GLOSSARY_LINK.sub("", text)
    for pattern, what, remedy in _REFUSED:
        if pattern.search(plain):
            return f"The text has {what}.", f"{remedy}."
    if len(re.findall(r"(?<!\\)\$", text)) % 2:
        return "A formula has no end: the number of $ signs is odd.", "Write $ on both sides."
    known = list(placeholders)
    for name in _PLACEHOLDER.findall(text):
        if name not in known:
            allowed = ", ".join(f"{{{{{key}}}}}" for key in known) or "none here"
            return f"There is no number {{{{{name}}}}}.", f"Known are: {allowed}."
    return None


def filled(text: str, values: Mapping[str, str]) -> str:
    """Put values in the place of names in double braces.

    Examples
    --------
    >>> filled("$k^{t} = {{answer}}$", {"answer": "4"})
    '$k^{t} = 4$'
    """
    return _PLACEHOLDER.sub(lambda match: values[match[1]], text)


def n_words(text: str) -> int:
    """Return the number of words of a text; a formula counts as one.

    Examples
    --------
    >>> n_words("The [orbits](glossary:orbit) of $k(v, u)$")
    4
    """
    plain = _ANY_FORMULA.sub(" formula ", _GLOSSARY_LINK.sub("]", text))
    return len(re.findall(r"\w[\w'’.-]*", plain))


def glossary_terms(text: str) -> list[str]:
    """Return the terms of the glossary that a text links to."""
    return _GLOSSARY_LINK.findall(text)


def as_shown(text: str, has_links: bool = False) -> str:
    r"""Return the text with terms of the glossary in italics, and formulas on lines of their own.

    Parameters
    ----------
    text : str
    has_links : bool
        Whether a term is a link within the page instead, to ``#term-`` and its key.

    Returns
    -------
    str

    Examples
    --------
    >>> as_shown("an [orbit](glossary:orbit)")
    'an *orbit*'
    >>> as_shown("an [orbit](glossary:orbit)", has_links=True)
    'an [orbit](#term-orbit)'
    >>> as_shown("$$k^{0} = 1$$")
    '$$\nk^{0} = 1\n$$'
    """
    shown = r"[\1](#term-\2)" if has_links else r"*\1*"
    return _FORMULA.sub(r"$$\n\1\n$$", _TERM.sub(shown, text))
