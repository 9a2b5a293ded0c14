"""Search in the glossary: what a reader types finds the term that is meant."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.lessons import glossary, matching

TERMS = glossary()
WITH_SYMBOL = [term for term in TERMS if term.symbol]
GREEK = {"\\alpha": "α", "\\beta": "β", "\\omega": "ω", "\\pi": "π", "\\varphi": "φ"}


def keys(words):
    return [term.key for term in matching(TERMS, words)]


def plural(word):
    if word.endswith(("ex", "ix")):
        return f"{word[:-2]}ices"
    if word.endswith("y"):
        return f"{word[:-1]}ies"
    if word.endswith("ss"):
        return f"{word}es"
    return word if word.endswith("s") else f"{word}s"


@pytest.mark.parametrize(
    ("words", "first"),
    [
        *[("α", "alpha"), ("Α", "alpha"), (r"\alpha", "alpha"), ("alpha", "alpha")],
        *[("β", "beta"), ("ω", "hierarchy"), ("φ", "feature-space"), ("ϕ(v)", "feature-space")],
        *[("π", "automorphism"), ("K", "kernel-matrix"), ("T", "rounds"), ("k(v,u)", "kernel")],
        *[("k^t(v,u)", "message-passing-kernel"), ("N(v)", "neighbourhood")],
        *[("orbits", "orbit"), ("vertices", "vertex"), ("hierarchies", "hierarchy")],
        *[("adjacency matrices", "adjacency"), ("recovered classes", "recovered")],
        *[("nystrom", "nystroem"), ("NYSTRÖM", "nystroem"), (" orbit ", "orbit")],
    ],
)
def test_the_term_that_is_meant_comes_first(words, first):
    assert keys(words)[0] == first


@pytest.mark.parametrize("words", ["zebra", "ψ", "orbit zebra"])
def test_what_does_not_occur_finds_nothing(words):
    assert keys(words) == []


def test_a_symbol_is_no_plural():
    assert keys("k_s") == ["strong-kernel", "assignment"]


def test_a_greek_letter_is_no_part_of_a_word():
    assert keys("π") == ["automorphism"]


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.key)
def test_every_term_is_found_first_by_its_own_name(term):
    found = matching(TERMS, term.term)
    assert term in found
    assert found[0].term == term.term or found[0].symbol == f"${term.term}$"


@pytest.mark.parametrize("term", WITH_SYMBOL, ids=lambda term: term.key)
def test_every_term_is_found_by_its_own_symbol(term):
    for formula in (term.symbol, *re.findall(r"\$(.+?)\$", term.symbol)):
        assert term in matching(TERMS, formula)
        assert term in matching(TERMS, re.sub(r"\s", "", formula))
        for command, letter in GREEK.items():
            formula = formula.replace(command, letter)
        assert term in matching(TERMS, formula)


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.key)
def test_every_term_is_found_by_the_plurals_of_its_words(term):
    for word in re.findall(r"[\w-]+", term.term):
        assert term in matching(TERMS, plural(word))


@given(st.sampled_from(TERMS), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]), st.booleans())
def test_case_and_spelling_of_accents_change_nothing(term, form, upper):
    typed = unicodedata.normalize(form, term.term)
    assert matching(TERMS, typed.upper() if upper else typed) == matching(TERMS, term.term)


@given(st.text(max_size=60))
def test_any_words_find_terms_of_the_glossary_and_further_words_no_others(words):
    found = matching(TERMS, words)
    assert set(found) <= set(TERMS)
    assert set(matching(TERMS, f"{words} kernel")) <= set(found)
