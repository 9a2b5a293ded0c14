"""The glossary: complete, linked, searchable, and refused where it is damaged."""

import re
from pathlib import Path

import pytest

from mpgk_core.errors import UnreadableFileError
from mpgk_core.lessons import glossary, matching, read_glossary

ROOT = Path(__file__).parents[2]
TERMS = '[[terms]]\nkey = "orbit"\nterm = "Orbit"\ntext = "Vertices that are alike."\n'


def test_it_has_every_symbol_of_the_paper():
    symbols = " ".join(term.symbol + term.text for term in glossary())
    for symbol in ("T", r"\alpha", r"\beta", "N(v)", "k_s", "k_N", r"\omega", "x_v", "k_G"):
        assert symbol in symbols
    keys = [term.key for term in glossary()]
    assert len(keys) == len(set(keys)) >= 40


def test_see_also_leads_somewhere_else():
    keys = {term.key for term in glossary()}
    for term in glossary():
        assert set(term.see_also) <= keys - {term.key}


def test_a_search_finds_words_in_terms_and_texts():
    found = matching(glossary(), "orbit")
    assert found[0].key == "orbit"
    assert len(found) == 3
    assert matching(glossary(), "zebra") == ()
    assert matching(glossary(), "") == glossary()


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (TERMS.replace('"orbit"', '"Orbit!"'), "key"),
        (TERMS.replace('term = "Orbit"', ""), "term"),
        (TERMS.replace("alike.", "<b>alike</b>"), "text"),
        (TERMS + 'see_also = ["nowhere"]', "see_also"),
        (TERMS + "see_also = 3", "see_also"),
        (TERMS + "colour = 3", "colour"),
    ],
)
def test_a_mistake_is_named_with_file_term_and_field(tmp_path, text, field):
    path = tmp_path / "glossary.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(UnreadableFileError, match=f"glossary.toml: Term 1, field '{field}': "):
        read_glossary(path)


def test_a_key_occurs_once(tmp_path):
    path = tmp_path / "glossary.toml"
    path.write_text(TERMS * 2, "utf-8")
    with pytest.raises(UnreadableFileError, match="Term 2, field 'key'"):
        read_glossary(path)


def test_help_texts_link_to_terms_that_exist():
    words = (ROOT / "ui" / "assets" / "help.toml").read_text("utf-8")
    linked = set(re.findall(r"glossary=([a-z-]+)", words))
    assert len(linked) >= 5
    assert linked <= {term.key for term in glossary()}
