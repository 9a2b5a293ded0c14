"""Every hostile file is read as it should be, or refused with a reason that helps."""

from collections import Counter

import pytest

from mpgk_core.formats import FORMATS
from tests.formats.hostile_files import hostile_files
from tests.formats.valid_files import valid_files

CORPUS = list(hostile_files())
#: What a million edges cost is measured elsewhere; here are those that come fast.
QUICK = [file for file in CORPUS if not file.large or file.name in ("a.txt", "a.mtx")]


@pytest.mark.parametrize("file", QUICK, ids=str)
def test_a_hostile_file_is_read_rightly_or_refused_with_a_reason(file):
    file.check()


def test_the_corpus_is_large_and_has_no_repeats():
    assert len(CORPUS) >= 200
    assert max(Counter(map(str, CORPUS)).values()) == 1


def test_there_is_a_valid_file_of_every_format():
    assert {file.title for file in valid_files()} >= {format_.title for format_ in FORMATS}
