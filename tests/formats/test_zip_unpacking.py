"""Unpacking gives back what was packed, in small pieces, and never more than was promised."""

import io
import struct
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.formats.zip_unpacking import UNPACKING_ERRORS, UNPACKING_METHODS, unpacked_pieces

PIECE = 1 << 20


def archive_of(content, method):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("first.txt", b"another")
        archive.writestr("a.txt", content)
    return packed.getvalue()


def pieces_of(packed):
    archive = zipfile.ZipFile(io.BytesIO(packed))
    return unpacked_pieces(archive, archive.getinfo("a.txt"), packed)


@pytest.mark.parametrize("method", UNPACKING_METHODS)
@given(content=st.binary(max_size=300))
def test_what_was_packed_comes_out(method, content):
    assert b"".join(pieces_of(archive_of(content, method))) == content


@pytest.mark.parametrize("method", UNPACKING_METHODS)
def test_pieces_are_small_however_much_they_grow(method):
    pieces = [len(piece) for piece in pieces_of(archive_of(bytes(5 * PIECE + 1), method))]
    assert sum(pieces) == 5 * PIECE + 1
    assert max(pieces) <= PIECE


@pytest.mark.parametrize("method", UNPACKING_METHODS)
def test_an_archive_that_lies_about_its_size_is_stopped(method):
    packed = archive_of(bytes(8 * PIECE), method)
    true, false = struct.pack("<I", 8 * PIECE), struct.pack("<I", 100)
    seen = 0
    with pytest.raises(UNPACKING_ERRORS):  # noqa: PT012
        for piece in pieces_of(packed.replace(true, false)):
            seen += len(piece)
    assert seen <= PIECE


def test_a_dictionary_of_four_gigabytes_is_not_made():
    packed = bytearray(archive_of(b"1, 2\n" * 1000, zipfile.ZIP_LZMA))
    start = packed.rindex(b"a.txt", 0, packed.index(b"PK\x01\x02")) + len("a.txt") + 4
    packed[start + 1 : start + 5] = b"\xff\xff\xff\xff"
    assert b"".join(pieces_of(bytes(packed))) == b"1, 2\n" * 1000


@pytest.mark.parametrize("method", UNPACKING_METHODS)
def test_damage_is_one_of_the_known_errors(method):
    packed = archive_of(bytes(range(256)) * 3, method)
    start = packed.rindex(b"PK\x03\x04")
    harmless = 0
    for position in range(start, packed.index(b"PK\x01\x02")):
        damaged = bytearray(packed)
        damaged[position] ^= 0x11
        try:
            assert b"".join(pieces_of(bytes(damaged))) == bytes(range(256)) * 3
            harmless += 1
        except UNPACKING_ERRORS:
            continue
    assert harmless < 40
