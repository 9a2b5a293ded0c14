"""Archives that are hostile: each is refused before it does harm, with a reason."""

from __future__ import annotations

import io
import random
import struct
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mpgk_core.errors import UnreadableFileError
from mpgk_core.formats.archives import UNPACKING_ERRORS, UNPACKING_METHODS, SafeZip, unpacked_pieces
from mpgk_core.formats.source import Source


def packed(files, method=zipfile.ZIP_DEFLATED):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, text in files:
            archive.writestr(name, text)
    return content.getvalue()


def opened(content):
    return SafeZip(Source("a.zip", content))


def test_files_come_out_as_they_went_in():
    archive = opened(packed([("d/a.txt", b"x"), ("b.txt", b""), ("d/", b""), (".DS_Store", b"y")]))
    assert archive.names == ("d/a.txt", "b.txt")
    assert archive.read("d/a.txt") == b"x"
    assert archive.member("b.txt") == Source("a.zip/b.txt", b"")


@pytest.mark.parametrize("name", ["../a", "d/../../a", "/etc/a", "\\a", "..\\a", "C:\\a", "c:/a"])
def test_names_that_lead_elsewhere_are_refused(name):
    with pytest.raises(UnreadableFileError, match="leads out of its folder"):
        opened(packed([(name, b"x")]))


def test_encrypted_archives_are_refused():
    content = bytearray(packed([("a.txt", b"x")]))
    for signature, shift in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + shift] |= 1
    with pytest.raises(UnreadableFileError, match="encrypted"):
        opened(bytes(content))


def test_unusual_packing_is_refused():
    content = bytearray(packed([("a.txt", b"x")]))
    for signature, shift in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        content[content.index(signature) + shift] = 98
    with pytest.raises(UnreadableFileError, match="unusual way"):
        opened(bytes(content))


def test_bombs_are_refused_by_what_they_declare():
    bomb = packed([("a.txt", bytes(30_000_000))])
    assert len(bomb) < 40_000
    with pytest.raises(UnreadableFileError, match=r"would grow 1,0..-fold"):
        opened(bomb)
    with pytest.raises(UnreadableFileError, match="would grow"):
        opened(packed([(f"{i}.txt", bytes(3_000_000)) for i in range(10)]))


def test_an_archive_that_lies_about_its_size_is_refused():
    content = bytearray(packed([("a.txt", bytes(30_000_000))]))
    for signature, shift in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<I", content, content.index(signature) + shift, 10)
    with pytest.raises(UnreadableFileError, match="damaged"):
        opened(bytes(content)).read("a.txt")


def test_bounds_can_be_set(monkeypatch):
    content = packed([(f"{i}.txt", b"x" * 100) for i in range(5)])
    monkeypatch.setenv("MPGK_MAX_UNPACKED_BYTES", "499")
    with pytest.raises(UnreadableFileError, match="more than 499 bytes"):
        opened(content)
    monkeypatch.setenv("MPGK_MAX_ARCHIVE_MEMBERS", "4")
    with pytest.raises(UnreadableFileError, match="more than 4 files"):
        opened(content)


def test_the_same_name_twice_is_refused():
    with pytest.warns(UserWarning, match="Duplicate"):
        content = packed([("a.txt", b"x"), ("a.txt", b"y")])
    with pytest.raises(UnreadableFileError, match=r"'a\.txt' twice"):
        opened(content)


def test_wrong_checksums_are_noticed():
    content = packed([("a.txt", b"hello")], zipfile.ZIP_STORED).replace(b"hello", b"hallo")
    with pytest.raises(UnreadableFileError, match=r"'a\.txt' in the archive is damaged"):
        opened(content).read("a.txt")


def test_damage_anywhere_is_an_error_or_harmless():
    content = packed([("a.txt", b"hello " * 20), ("b.txt", b"x")])
    chance = random.Random(0)
    damaged = [content[:stop] for stop in range(len(content))]
    for _ in range(600):
        changed = bytearray(content)
        changed[chance.randrange(len(content))] = chance.randrange(256)
        damaged.append(bytes(changed))
    outcomes = set()
    for candidate in damaged:
        with suppress(UnreadableFileError):
            archive = opened(candidate)
            outcomes.update(archive.read(name) for name in archive.names)
    assert outcomes <= {b"hello " * 20, b"x", b""}


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
