"""Help texts stand in one file, by the keys of controls and downloads."""

import re
import tomllib
from pathlib import Path

import pytest

from ui.shared.widgets import help_of

ROOT = Path(__file__).parents[2]
TEXTS = tomllib.loads((ROOT / "ui" / "assets" / "help.toml").read_text("utf-8"))


def test_a_prefix_and_a_number_do_not_count():
    assert help_of("four-alpha") == help_of("alpha") == TEXTS["alpha"]
    assert help_of("explain-t-5") == TEXTS["explain-t"]
    assert help_of("tune-seed") == TEXTS["tune-seed"] != help_of("seed")


def test_a_key_without_help_is_a_fault():
    with pytest.raises(KeyError):
        help_of("nothing-of-the-kind")


def test_every_help_is_one_or_more_sentences():
    for key, text in TEXTS.items():
        assert text[0].isupper() or text.startswith("k-"), key
        assert text.endswith((".", ")")), key


def test_every_help_is_used():
    files = [*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py")]
    literals = set(re.findall(r'"([^"\n]*)"', "".join(file.read_text("utf-8") for file in files)))
    pieces = {piece.strip("-") for one in literals for piece in re.split(r"\{[^}]*\}", one)}
    pieces |= {piece.split("-")[-1] for piece in pieces}
    assert [key for key in TEXTS if not {key, key.split("-")[-1]} & pieces] == []
