"""Damage good files at random, in the ways that have broken readers before."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from random import Random

from tests.formats.valid_files import ValidFile

_NUMBER = re.compile(rb"[0-9]+")
_TOKEN = re.compile(rb"[\w.]+|[^\w\s]")
_NUMBERS = (
    b"0",
    b"-1",
    b"007",
    b"1e999",
    b"1e-999",
    b"nan",
    b"inf",
    b"-0.0",
    b"999999999999",
    b"1000000000",
    b"2147483648",
    b"9223372036854775808",
    b"18446744073709551616",
    b"9" * 400,
    b"9" * 5000,
    b"1_0",
    b"0x10",
    "٣".encode(),
)
_SIGNS = (
    b"\0",
    b'"',
    b"'",
    b"<",
    b">",
    b"&",
    b"[",
    b"]",
    b"{",
    b"}",
    b"(",
    b"*",
    b"%",
    b"#",
    b":",
    b";",
    b",",
    b"\t",
    b"\n",
    b"\r\n",
    b"\r",
    b" ",
    b"\\",
    b"--",
    b"~",
    b"\xff",
    b"\x85",
    b"\xc2\xa0",
    b"\xe2\x80\xa8",
    b"\xed\xa0\x80",
    b"&#0;",
    b"\\ud800",
    b"/*",
    b"<!--",
    b"PK\x01\x02",
    b"=1+1",
    b"None",
    b"true",
    b"null",
    b"\x0b",
    b"\x1c",
)
_MARKS = (("utf-16", b""), ("utf-32", b""), ("utf-8", codecs.BOM_UTF8), ("latin-1", b""))
_LONGEST = 200_000

Mutation = Callable[[Random, bytearray], None]


def flip_bits(chance: Random, content: bytearray) -> None:
    for _ in range(chance.choice((1, 1, 2, 8))):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def change_bytes(chance: Random, content: bytearray) -> None:
    for _ in range(chance.choice((1, 2, 4))):
        content[chance.randrange(len(content))] = chance.randrange(256)


def truncate(chance: Random, content: bytearray) -> None:
    del content[chance.randrange(len(content)) :]


def cut(chance: Random, content: bytearray) -> None:
    start = chance.randrange(len(content))
    del content[start : start + chance.choice((1, 2, 5, 20, 100))]


def repeat(chance: Random, content: bytearray) -> None:
    start = chance.randrange(len(content))
    chunk = bytes(content[start : start + chance.choice((1, 3, 10, 50, 300))])
    times = chance.choice((2, 2, 3, 70, 1000))
    content[start:start] = chunk * min(times, _LONGEST // len(chunk))


def blow_up_number(chance: Random, content: bytearray) -> None:
    numbers = list(_NUMBER.finditer(content))
    if numbers:
        number = chance.choice(numbers)
        content[number.start() : number.end()] = chance.choice(_NUMBERS)


def swap_tokens(chance: Random, content: bytearray) -> None:
    tokens = list(_TOKEN.finditer(content))
    if len(tokens) > 1:
        one, other = sorted(chance.sample(range(len(tokens)), 2))
        first, second = tokens[one], tokens[other]
        content[second.start() : second.end()] = first[0]
        content[first.start() : first.end()] = second[0]


def put_sign(chance: Random, content: bytearray) -> None:
    for _ in range(chance.choice((1, 1, 3))):
        place = chance.randrange(len(content) + 1)
        content[place : place + chance.choice((0, 0, 1))] = chance.choice(_SIGNS)


def swap_lines(chance: Random, content: bytearray) -> None:
    lines = content.split(b"\n")
    chance.shuffle(lines)
    content[:] = b"\n".join(lines)


def change_line_ends(chance: Random, content: bytearray) -> None:
    content[:] = content.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\n", b" ")))


def recode(chance: Random, content: bytearray) -> None:
    encoding, mark = chance.choice(_MARKS)
    content[:] = mark + content.decode("utf-8", "replace").encode(encoding, "replace")


MUTATIONS: tuple[Mutation, ...] = (
    flip_bits,
    change_bytes,
    truncate,
    cut,
    repeat,
    blow_up_number,
    blow_up_number,
    swap_tokens,
    put_sign,
    put_sign,
    swap_lines,
    change_line_ends,
    recode,
)


def mutated(chance: Random, file: ValidFile, others: tuple[ValidFile, ...]) -> tuple[str, bytes]:
    """Return a damaged file: its name, which may be wrong too, and its content.

    Of an archive, mostly one of the files in it is damaged and packed with a correct checksum,
    for otherwise nothing but the checksum would be tested.
    """
    name = chance.choice(others).name if chance.random() < 0.1 else file.name
    if file.members and chance.random() < 0.8:
        members = list(file.members)
        place = chance.randrange(len(members))
        inner, content = members[place]
        if chance.random() < 0.1:
            inner = chance.choice(members)[0] + chance.choice(("", "x", "/"))
        if chance.random() < 0.1:
            content = chance.choice(members)[1]
        members[place] = (inner, _damaged(chance, content, others))
        names = dict(members)
        return name, file.repacked(tuple(names.items())).content
    return name, _damaged(chance, file.content, others)


def _damaged(chance: Random, content: bytes, others: tuple[ValidFile, ...]) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 3, 6))):
        if not changed:
            break
        if chance.random() < 0.08:
            _splice(chance, changed, chance.choice(others).content)
        else:
            chance.choice(MUTATIONS)(chance, changed)
        del changed[_LONGEST:]
    return bytes(changed)


def _splice(chance: Random, content: bytearray, other: bytes) -> None:
    start, place = chance.randrange(len(other)), chance.randrange(len(content))
    content[place : place + chance.choice((0, 10, 1000))] = other[start : start + 1000]
