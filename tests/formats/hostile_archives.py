"""Hostile archives: bombs, liars, wanderers, and arrays that are no arrays."""

from __future__ import annotations

import io
import pickle
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np

from tests.formats.expectations import Expectation, HostileFile, either, is_read, refused
from tests.formats.hostile_markup import MILLION, pairs
from tests.formats.valid_files import TABLES, TU, Members, packed

_LOCAL, _CENTRAL = b"PK\x03\x04", b"PK\x01\x02"
_EDGES = (("a.txt", b"1 2\n"),)


def archives() -> Iterator[HostileFile]:
    """Yield all of them."""
    yield from _bombs()
    yield from _wanderers()
    yield from _liars()
    yield from _tu()
    yield from _pairs_of_tables()
    yield from _npz()


def _bombs() -> Iterator[HostileFile]:
    zeros, half = bytes(30_000_000), bytes(9_000_000)
    yield HostileFile("ratio bomb", "a.zip", lambda: packed((("a.txt", zeros),)), refused("fold"))
    yield HostileFile(
        "ratio bomb for TU", "a.zip", lambda: packed((*TU, ("x", zeros))), refused("fold")
    )
    yield HostileFile(
        "ratio bomb in NPZ", "a.npz", lambda: packed((*_matrix(), ("x", zeros))), refused("fold")
    )
    yield HostileFile(
        "many small bombs",
        "a.zip",
        lambda: packed(tuple((f"{i}.txt", half) for i in range(20))),
        refused("fold"),
    )
    inner = packed((("a.txt", half),))
    yield HostileFile(
        "archive in archive", "a.zip", packed((("b.zip", inner),)), refused("archive within")
    )
    yield HostileFile(
        "archive in archive, disguised",
        "a.zip",
        packed((("b.txt", inner),)),
        refused("archive within"),
    )
    yield HostileFile("a thousand archives deep", "a.zip", _nested, refused("archive within"))
    for method, kind in ((zipfile.ZIP_BZIP2, "bzip2"), (zipfile.ZIP_LZMA, "LZMA")):
        bomb = packed((("a.txt", zeros),), method)
        is_read = method == zipfile.ZIP_LZMA
        expected = refused("fold" if is_read else "unusual way")
        yield HostileFile(f"{kind} bomb", "a.zip", bomb, expected)
        expected = refused("damaged" if is_read else "unusual way")
        lying = _with_size(bomb, 10)
        yield HostileFile(f"{kind} bomb that lies", "a.zip", lying, expected)
    yield HostileFile(
        "bomb that lies",
        "a.zip",
        lambda: _with_size(packed((("a", zeros),)), 10),
        refused("damaged"),
    )
    yield HostileFile(
        "declares 4 GB", "a.zip", _with_size(packed(_EDGES), 0xFFFFFFF0), refused("unpacks to more")
    )
    many = tuple((f"{i}.txt", b"") for i in range(10_001))
    yield HostileFile("10,001 files", "a.zip", lambda: packed(many), refused("10,000 files"))


def _nested() -> bytes:
    content, name = b"1 2\n", "a.txt"
    for _ in range(1000):
        content, name = b"x" + packed(((name, content),), zipfile.ZIP_STORED), "a.zip"
    return content[1:]


def _with_size(content: bytes, size: int) -> bytes:
    changed = bytearray(content)
    for signature, shift in ((_LOCAL, 22), (_CENTRAL, 24)):
        struct.pack_into("<I", changed, changed.index(signature) + shift, size)
    return bytes(changed)


def _wanderers() -> Iterator[HostileFile]:
    for name in (
        "../a.txt",
        "x/../../a.txt",
        "/etc/a.txt",
        "C:\\a.txt",
        "..\\a.txt",
        "\\\\h\\a.txt",
    ):
        for kind, members in (("wanderer", ()), ("wanderer in TU", TU)):
            content = packed((*members, (name, b"1 2\n")))
            yield HostileFile(f"{kind} {name}", "a.zip", content, refused("out of its folder"))
    for name in (
        "./a.txt",
        "a/./b.txt",
        "a.txt ",
        "a" * 300 + ".txt",
        "<img onerror=x>.txt",
        "a\nb.txt",
        "😀.txt",
        "con.txt",
    ):
        content = packed(((name, b"1 2\n"),))
        yield HostileFile(f"odd name {name[:20]!r}", "a.zip", content, is_read(edges=1))
    link = zipfile.ZipInfo("a.txt")
    link.external_attr = 0o120777 << 16
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    yield HostileFile("symbolic link", "a.zip", content.getvalue(), refused("one cell"))


def _liars() -> Iterator[HostileFile]:
    plain, stored = packed(_EDGES), packed(_EDGES, zipfile.ZIP_STORED)
    locked = bytearray(plain)
    for signature, shift in ((_LOCAL, 6), (_CENTRAL, 8)):
        locked[locked.index(signature) + shift] |= 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        twice = packed((*_EDGES, *_EDGES))
    method = bytearray(plain)
    for signature, shift in ((_LOCAL, 8), (_CENTRAL, 10)):
        struct.pack_into("<H", method, method.index(signature) + shift, 99)
    offset = bytearray(plain)
    struct.pack_into("<I", offset, offset.index(_CENTRAL) + 42, 0x7FFFFFFF)
    count = bytearray(plain)
    struct.pack_into("<HH", count, len(count) - 14, 65535, 65535)
    for kind, content, expected in (
        ("encrypted", bytes(locked), refused("encrypted")),
        ("wrong checksum", stored.replace(b"1 2\n", b"1 3\n"), refused("damaged")),
        ("the same name twice", twice, refused("twice")),
        ("unknown method", bytes(method), refused("unusual")),
        ("offset beyond the end", bytes(offset), refused()),
        ("wrong count", bytes(count), either),
        ("overlapping files", _overlapping(), refused()),
        ("no files", packed(()), refused()),
        ("folders only", packed((("a/", b""), ("b/", b""))), refused("no files")),
        ("readme only", packed((("README.txt", b"hello"),)), refused("no files")),
        ("empty file within", packed((("a.txt", b""),)), refused("empty")),
        ("noise within", packed((("a.txt", Random(0).randbytes(999)),)), refused("a.txt")),
        ("one bad file", packed((*_EDGES, ("b.gml", b"graph ["))), refused(r"b\.gml")),
        ("noise before", b"PK\x03\x04" + Random(0).randbytes(99) + plain, either),
        ("signature only", b"PK\x03\x04", refused("damaged")),
        ("end only", b"PK\x05\x06" + bytes(18), refused()),
        ("end of 4 GB", b"PK\x03\x04" + b"PK\x05\x06" + b"\xff" * 18, refused("damaged")),
        ("noise behind", plain + Random(0).randbytes(99), either),
    ):
        yield HostileFile(kind, "a.zip", content, expected)


def _overlapping() -> bytes:
    """Two names for the same bytes, as in bombs that outdo the ratio of deflate."""
    content = bytearray(packed((("a.txt", b"1 2\n" * 99), ("b.txt", b"1 2\n" * 99))))
    second = content.rindex(_CENTRAL)
    struct.pack_into("<I", content, second + 42, 0)
    return bytes(content)


def _tu() -> Iterator[HostileFile]:
    def changed(**parts: bytes | None) -> Members:
        files = dict(TU)
        for part, content in parts.items():
            key = f"DS/DS_{part}.txt"
            files.pop(key) if content is None else files.__setitem__(key, content)
        return tuple(files.items())

    cases: dict[str, tuple[Members, Expectation]] = {
        "vertex 10^9": (changed(A=b"1, 1000000000\n"), refused("1000000000 does not exist")),
        "vertex 10^30": (changed(A=b"1, 1" + b"0" * 30 + b"\n"), refused("too large")),
        "vertex 0": (changed(A=b"0, 1\n"), refused("Vertex 0")),
        "vertex -1": (changed(A=b"1, -1\n"), refused("Vertex -1")),
        "edge between graphs": (changed(A=b"1, 3\n"), refused("within one graph")),
        "self-loops": (changed(A=b"1, 1\n", edge_labels=b"1"), is_read(vertices=5, edges=0)),
        "ragged edges": (changed(A=b"1, 2\n1\n"), refused("line 2")),
        "text as edge": (changed(A=b"a, b\n"), refused("'a' is not a whole number")),
        "no edges": (changed(A=b"", edge_labels=b""), is_read(vertices=5, edges=0)),
        "too few edge labels": (changed(edge_labels=b"1\n"), refused("1 lines for 6 edges")),
        "edge attribute nan": (changed(edge_attributes=b"1\nnan\n" * 3), refused("line 2")),
        "no indicator": (changed(graph_indicator=None), refused("missing")),
        "graph 10^9": (changed(graph_indicator=b"1\n1\n2\n2\n1000000000\n"), refused("class")),
        "graph 10^9 without classes": (
            changed(graph_indicator=b"1\n1\n2\n2\n1000000000\n", graph_labels=None),
            refused("gaps"),
        ),
        "graph 0": (changed(graph_indicator=b"0\n1\n2\n2\n2\n"), refused("graph 0")),
        "too few classes": (changed(graph_labels=b"1\n"), refused("class")),
        "too many classes": (changed(graph_labels=b"1\n" * 9), is_read(graphs=9)),
        "text as class": (changed(graph_labels=b"yes\nno\n"), refused("'yes'")),
        "ragged attributes": (
            changed(node_attributes=b"1, 2\n1\n1, 2\n1, 2\n1, 2\n"),
            refused("line 2"),
        ),
        "NaN attribute": (changed(node_attributes=b"1\nnan\n1\n1\n1\n"), refused("line 2")),
        "infinite attribute": (changed(node_attributes=b"1\n1\n1e999\n1\n1\n"), refused("line 3")),
        "text as attribute": (changed(node_attributes=b"1\n1\n1\nx\n1\n"), refused("line 4")),
        "too few attributes": (changed(node_attributes=b"1\n"), refused("5 vertices")),
        "many attributes": (changed(node_attributes=b"1, " * 3000 + b"1\n"), refused("3,001")),
        "huge label": (changed(node_labels=b"9" * 30 + b"\n0\n0\n0\n0\n"), refused("too large")),
        "too many labels": (changed(node_labels=b"1\n" * 9), refused("9 lines for 5")),
        "vertices not in order": (
            changed(A=b"1, 3\n", edge_labels=b"4\n", graph_indicator=b"1\n2\n1\n2\n2\n"),
            is_read(graphs=2, edges=1),
        ),
        "Windows line ends": (
            tuple((n, c.replace(b"\n", b"\r\n")) for n, c in TU),
            is_read(graphs=2, edges=3),
        ),
        "byte-order marks": (
            tuple((n, b"\xef\xbb\xbf" + c) for n, c in TU),
            is_read(graphs=2, edges=3),
        ),
        "UTF-16": (
            tuple((n, c.decode().encode("utf-16")) for n, c in TU),
            is_read(graphs=2, edges=3),
        ),
        "noise as labels": (changed(node_labels=Random(0).randbytes(500)), refused("node_labels")),
        "two data sets": ((*TU, ("E_A.txt", b"1, 2\n")), refused("one file of edges")),
    }
    for kind, (members, expected) in cases.items():
        yield HostileFile(kind, "tu.zip", packed(members), expected)
    yield HostileFile(
        "a million edges", "tu.zip", _million_tu, is_read(vertices=2000, edges=MILLION), large=True
    )


def _million_tu() -> bytes:
    edges = "".join(f"{u + 1}, {v + 1}\n{v + 1}, {u + 1}\n" for u, v in pairs()).encode()
    return packed((("DS_A.txt", edges), ("DS_graph_indicator.txt", b"1\n" * 2000)))


def _pairs_of_tables() -> Iterator[HostileFile]:
    people, friends = TABLES
    for kind, first, second, expected in (
        ("dangling end", people[1], b"source,target\nAnn,Zoe\n", refused("'Zoe'")),
        ("duplicate ids", b"id,x\nAnn,1\nAnn,2\n", friends[1], refused("two vertices 'Ann'")),
        ("missing id", b"id,x\nAnn,1\n,2\nBob,3\nCy,4\n", friends[1], refused("no id")),
        ("ragged rows", b"id,x\nAnn,1\nBob\nCy,4,5\n", friends[1], refused("line [34]")),
        ("columns twice", b"id,x,x\nAnn,1,2\n", friends[1], refused("Two columns")),
        ("NaN and gaps", b"id,x\nAnn,nan\nBob,inf\nCy,\n", friends[1], is_read(vertices=3)),
        ("mixed types", b"id,x\nAnn,1\nBob,b\nCy,\n", friends[1], is_read(x=["1", "b", None])),
        ("self-loop", people[1], b"source,target\nAnn,Ann\n", is_read(vertices=3, edges=0)),
        (
            "formulas",
            b"id,x\nAnn,=1+1\nBob,@a\nCy,+1\n",
            friends[1],
            is_read(x=["=1+1", "@a", "+1"]),
        ),
        (
            "huge numbers",
            b"id,x\nAnn,%s\nBob,1\nCy,2\n" % (b"9" * 30),
            friends[1],
            is_read(vertices=3),
        ),
        ("not UTF-8", b"id,x\nAnn,\xe9\nBob,1\nCy,2\n", friends[1], refused("UTF-8")),
        ("no edges", people[1], b"source,target\n", either),
        ("two tables of vertices", people[1], people[1], refused("no edges")),
    ):
        content = packed((("people.csv", first), ("friends.csv", second)))
        yield HostileFile(kind, "tables.zip", content, expected)


def _array(values: Any, **options: Any) -> bytes:
    content = io.BytesIO()
    np.save(content, np.asarray(values), **options)
    return content.getvalue()


def _header(text: str, rest: bytes = b"") -> bytes:
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + rest


def _matrix(**parts: bytes | None) -> Members:
    arrays: dict[str, bytes | None] = {
        "format": _array(b"csr"),
        "shape": _array([3, 3]),
        "data": _array([1.0, 1.0]),
        "indices": _array([1, 2]),
        "indptr": _array([0, 1, 2, 2]),
    }
    arrays.update(parts)
    return tuple((f"{key}.npy", array) for key, array in arrays.items() if array is not None)


class _Harm:
    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        return exec, ("raise SystemExit('A pickle ran.')",)


def _npz() -> Iterator[HostileFile]:
    harm = _header(
        "{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", pickle.dumps(_Harm())
    )
    huge = "{'descr': '<f8', 'fortran_order': False, 'shape': (%s,), }"
    ones = np.ones((40_000, 1000), dtype=np.bool_)
    pad = Random(0).randbytes(300_000)
    cases: dict[str, tuple[Callable[[], Members], Expectation]] = {
        "pickle": (lambda: _matrix(data=harm), refused("could run code")),
        "pickle as layout": (lambda: _matrix(format=harm), refused("could run code")),
        "bare pickle": (lambda: _matrix(data=pickle.dumps(_Harm())), refused("no array")),
        "code in the header": (
            lambda: _matrix(data=_header("exec('raise SystemExit')")),
            refused(),
        ),
        "shape of 10^9": (lambda: _matrix(shape=_array([10**9, 10**9])), refused("vertices")),
        "shape of 2^62": (lambda: _matrix(shape=_array([2**62, 2**62])), refused("vertices")),
        "negative shape": (lambda: _matrix(shape=_array([-3, -3])), refused("two sides")),
        "real shape": (lambda: _matrix(shape=_array([3.0, 3.0])), refused("shape")),
        "shape of three": (lambda: _matrix(shape=_array([3, 3, 3])), refused("two sides")),
        "oblong": (lambda: _matrix(shape=_array([3, 4])), refused("3 rows and 4 columns")),
        "array of 10^9": (lambda: _matrix(data=_header(huge % 10**9)), refused("shorter")),
        "array of 10^30": (lambda: _matrix(data=_header(huge % 10**30)), refused()),
        "array of 2^64": (
            lambda: _matrix(data=_header(huge % "4294967296, 4294967296")),
            refused(),
        ),
        "endless header": (lambda: _matrix(data=_header(" " * 60_000)), refused()),
        "header cut off": (
            lambda: _matrix(data=b"\x93NUMPY\x02\x00\xff\xff\xff\xff"),
            refused("cut off"),
        ),
        "missing part": (lambda: _matrix(indices=None), refused("missing")),
        "unknown layout": (lambda: _matrix(format=_array(b"<b>")), refused("layout")),
        "layout is a number": (lambda: _matrix(format=_array(7)), refused("layout")),
        "dangling end": (lambda: _matrix(indices=_array([1, 9])), refused("outside")),
        "negative end": (lambda: _matrix(indices=_array([1, -1])), refused("outside")),
        "end of 2^63": (
            lambda: _matrix(indices=_array(np.array([1, 2**63], dtype=np.uint64))),
            refused("outside"),
        ),
        "real ends": (lambda: _matrix(indices=_array([0.5, 1.5])), refused("indices")),
        "falling starts": (lambda: _matrix(indptr=_array([0, 2, 1, 2])), refused("indptr")),
        "far starts": (lambda: _matrix(indptr=_array([0, 0, 0, 10**15])), refused()),
        "short starts": (lambda: _matrix(indptr=_array([0, 2])), refused("indptr")),
        "no starts": (lambda: _matrix(indptr=_array([], allow_pickle=False)), refused("indptr")),
        "ragged parts": (lambda: _matrix(data=_array([1.0])), refused("data")),
        "NaN entry": (lambda: _matrix(data=_array([1.0, np.nan])), refused("NaN")),
        "infinite entry": (lambda: _matrix(data=_array([1.0, np.inf])), either),
        "complex entry": (lambda: _matrix(data=_array([1j, 1])), refused()),
        "text entry": (lambda: _matrix(data=_array(["a", "b"])), refused("data")),
        "structured entry": (
            lambda: _matrix(data=_array(np.zeros(2, dtype=[("a", "f8")]))),
            refused(),
        ),
        "long doubles": (lambda: _matrix(data=_array(np.ones(2, dtype=np.longdouble))), refused()),
        "block of 2^63": (
            lambda: _matrix(
                format=_array(b"bsr"),
                shape=_array([8, 8]),
                data=_array(np.ones((1, 8, 8))),
                indptr=_array([0, 1]),
                indices=_array([2**60]),
            ),
            refused("indices"),
        ),
        "self-loop": (lambda: _matrix(indices=_array([0, 1])), is_read(vertices=3, edges=0)),
        "diagonals of ones": (
            lambda: (
                *_matrix(
                    format=_array(b"dia"), data=_array(ones), offsets=_array(np.arange(40_000))
                ),
                ("pad", pad),
            ),
            refused("edges"),
        ),
        "block of ones": (
            lambda: (
                *_matrix(
                    format=_array(b"bsr"),
                    shape=_array([6000, 6000]),
                    data=_array(np.ones((1, 6000, 6000), dtype=np.bool_)),
                    indptr=_array([0, 1]),
                    indices=_array([0]),
                ),
                ("pad", pad),
            ),
            refused("edges"),
        ),
    }
    for kind, (members, expected) in cases.items():
        yield HostileFile(kind, "a.npz", lambda members=members: packed(members()), expected)
