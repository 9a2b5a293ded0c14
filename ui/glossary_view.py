"""The glossary: searched, or opened at a term by link."""

from __future__ import annotations

import streamlit as st

from mpgk_core.lessons import Term, matching

_PARAMETER = "glossary"


def wanted_term() -> str | None:
    """Return the term that the URL asks for, if any; an empty word means all terms."""
    word = st.query_params.get(_PARAMETER)
    return None if word is None else word[:60]


def choose_glossary(wanted: bool) -> None:
    """Ask for all terms in the URL, or for none."""
    if wanted:
        st.query_params[_PARAMETER] = ""
    else:
        st.query_params.pop(_PARAMETER, None)


def glossary_view(terms: tuple[Term, ...]) -> None:
    """Show the term that the URL asks for, and all that fit what is searched for."""
    by_key = {term.key: term for term in terms}
    wanted = wanted_term() or ""
    words = st.text_input(
        "Search the glossary",
        key="glossary-search",
        placeholder="orbit, kernel, α …",
        help="Words that occur in a term or its explanation, or a symbol.",
        max_chars=60,
    )
    if wanted in by_key and not words:
        with st.container(border=True, key="wanted-term"):
            _entry(by_key[wanted], by_key)
    elif wanted and wanted not in by_key and not words:
        st.warning("There is no such term in the glossary. All terms are below.")
    found = matching(terms, words or "")
    if not found:
        st.info("No term fits. Try one word, such as kernel.")
    left, right = st.columns(2, gap="large")
    half = -(-len(found) // 2)
    for column, part in ((left, found[:half]), (right, found[half:])):
        with column:
            for term in part:
                _entry(term, by_key)


def _entry(term: Term, by_key: dict[str, Term]) -> None:
    symbol = f" &nbsp; {term.symbol}" if term.symbol else ""
    others = ", ".join(f"[{by_key[key].term}](?glossary={key})" for key in term.see_also)
    also = f" *See also:* {others}." if others else ""
    st.markdown(f"**{term.term}**{symbol} — {term.text}{also}")
