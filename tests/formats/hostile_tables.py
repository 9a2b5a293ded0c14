"""Hostile files in the formats without nesting: edge lists, tables, matrices, graph6, molecules."""

from __future__ import annotations

from collections.abc import Iterator

from tests.formats.expectations import HostileFile, either, is_read, refused
from tests.formats.hostile_markup import MILLION, pairs

_SPARSE = "%%MatrixMarket matrix coordinate {} {}\n{}\n"
_DENSE = "%%MatrixMarket matrix array {} {}\n{}\n"


def tables() -> Iterator[HostileFile]:
    """Yield all of them."""
    yield from _edge_lists()
    yield from _vertex_tables()
    yield from _matrices()
    yield from _matrix_market()
    yield from _graph6()
    yield from _molecules()


def _edge_lists() -> Iterator[HostileFile]:
    for kind, content, expected in (
        ("10^9 as a name", f"1 {10**9}\n", is_read(vertices=2, names=[1, 10**9])),
        ("10^18 as a name", f"0 {10**18 - 1}\n", is_read(names=[0, 10**18 - 1])),
        ("10^30 as a name", f"0 {10**30}\n", is_read(names=["0", str(10**30)])),
        ("2^63 as a name", f"0 {2**63}\n", is_read(names=["0", str(2**63)])),
        ("negative names", "-5 -7\n", is_read(names=[-7, -5])),
        ("odd numbers", "007 7\n+7 7.0\n", is_read(names=["007", "7", "+7", "7.0"])),
        ("foreign digits", "٣ ٤\n", is_read(names=["٣", "٤"])),
        ("self-loop", "1 1\n1 2\n", is_read(vertices=2, edges=1)),
        ("repeated edge", "1 2\n2 1\n1 2\n", is_read(vertices=2, edges=1)),
        ("ragged", "1 2\n1 2 3\n4 5 6 7\n", either),
        ("ragged names", "a b\na b c\nd e f g\n", refused("cells")),
        ("NaN as a weight", "1 2 nan\n2 3 inf\n", is_read(edges=2)),
        ("NaN as a name", "nan inf\n", is_read(names=["nan", "inf"])),
        ("text as a weight", "1 2 x\n2 3 1\n", is_read(edges=2)),
        ("mixed names", "1 a\n2 b\n", is_read(names=["1", "a", "2", "b"])),
        ("missing name", "a,b\n,c\n", refused("name is missing")),
        ("only commas", ",,,\n,,,\n", refused()),
        ("only comments", "# a\n% b\n", refused()),
        ("quote not closed", '"a,b\nc,d\n', refused()),
        ("text behind a quote", '"a"x,b\n', refused()),
        ("quotes only", '"' * 999, refused()),
        ("line end in quotes", '"a\nb",c\n', either),
        ("formula", "=1+1,+2\n@SUM(A1),-3\n", is_read(vertices=4, edges=2)),
        ("long row", "a " * 5000 + "\n", refused()),
        ("long name", "x" * 200_000 + " b\n", refused("characters")),
        ("header only", "source,target\n", either),
        ("one word", "hello\n", refused("one cell")),
        ("prose", "This is a letter.\n\nIt has lines of any length, as letters do.\n", refused()),
        ("odd blanks", "a\u00a0b c\u2003d\n", either),
        ("vertical tabs", "a\x0bb\n", either),
        ("line separators", "a b\u2028c d\n", either),
        ("private characters", "\ue000 \U0010ffff\n", is_read(vertices=2)),
    ):
        name = "a.csv" if "," in content else "a.txt"
        yield HostileFile(kind, name, content.encode(), expected)
    yield HostileFile(
        "a million edges",
        "a.txt",
        _million_numbers,
        is_read(vertices=2000, edges=MILLION),
        large=True,
    )
    yield HostileFile(
        "a million named edges",
        "b.csv",
        _million_names,
        is_read(vertices=2000, edges=MILLION),
        large=True,
    )
    yield HostileFile(
        "a million rows of nothing", "a.txt", b"1 2\n" + b"\n" * MILLION, is_read(edges=1)
    )


def _million_numbers() -> bytes:
    return "".join(f"{u} {v}\n" for u, v in pairs()).encode()


def _million_names() -> bytes:
    return "".join(f"u{u},v{v}\n" for u, v in pairs()).encode()


def _vertex_tables() -> Iterator[HostileFile]:
    for kind, content in (
        ("table without edges", "id,label\n1,a\n2,b\n"),
        ("ragged table", "id,label\n1,a\n2\n3,c,d\n"),
        ("columns twice", "id,x,x\n1,2,3\n"),
        ("many columns", "id" + ",c" * 3000 + "\n1" + ",2" * 3000 + "\n"),
    ):
        yield HostileFile(kind, "a.csv", content.encode(), refused())


def _matrices() -> Iterator[HostileFile]:
    for kind, content, expected in (
        ("ragged matrix", "0,1,0,1\n1,0,1\n0,1,0,1\n1,0,1,0\n", refused()),
        ("oblong matrix", "0,1,0,1,0\n1,0,1,0,1\n", either),
        ("NaN in matrix", "0 nan 0 1\n1 0 1 0\n0 1 0 1\n1 0 1 0\n", refused("NaN")),
        ("infinite in matrix", "0 inf 0 1\n1 0 1 0\n0 1 0 1\n1 0 1 0\n", either),
        ("text in matrix", "0 x 0 1\n1 0 1 0\n0 1 0 1\n1 0 1 0\n", either),
        ("names twice", ",a,a\na,0,1\na,1,0\n", refused()),
        ("names differ", ",a,b\na,0,1\nc,1,0\n", refused()),
        ("name missing", ",a,\na,0,1\nb,1,0\n", either),
        ("loops only", "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n", is_read(vertices=4, edges=0)),
        ("huge entry", f"0 {'9' * 400} 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n", either),
        ("negative entry", "0 -1 0 0\n-1 0 0 0\n0 0 0 0\n0 0 0 0\n", is_read(edges=1)),
        ("formula in matrix", "0,=1+1,0,0\n0,0,0,0\n0,0,0,0\n0,0,0,0\n", either),
    ):
        yield HostileFile(kind, "a.csv", content.encode(), expected)
    yield HostileFile("a vertical tab first", "a.adj", b"\x0b|", refused("square"))
    yield HostileFile("a word", "a.adj", b"word\n", refused())


def _matrix_market() -> Iterator[HostileFile]:
    def sparse(rest: str, field: str = "real", symmetry: str = "general") -> str:
        return _SPARSE.format(field, symmetry, rest)

    for kind, content, expected in (
        ("10^9 vertices", sparse(f"{10**9} {10**9} 1\n1 1 1"), refused("1,000,000,000 vertices")),
        ("10^9 entries", sparse(f"2 2 {10**9}\n1 1 1"), refused("edges|entries")),
        (
            "10^9 dense",
            _DENSE.format("real", "general", f"{10**9} {10**9}\n1"),
            refused("vertices"),
        ),
        (
            "10^6 dense",
            _DENSE.format("real", "general", f"{10**6} {10**6}\n1"),
            refused("1 entries|announced"),
        ),
        ("10^30 vertices", sparse(f"{10**30} {10**30} 1\n1 1 1"), refused()),
        ("negative size", sparse("-3 -3 2\n1 2 1\n2 3 1"), refused("whole numbers")),
        ("real size", sparse("3.5 3.5 2\n1 2 1\n2 3 1"), refused("whole number")),
        ("oblong", sparse("2 3 1\n1 3 1"), refused("2 rows and 3 columns")),
        ("too few entries", sparse("3 3 5\n1 2 1"), refused("announced")),
        ("too many entries", sparse("3 3 1\n1 2 1\n2 3 1"), refused("announced")),
        ("dangling end", sparse("3 3 1\n1 4 1"), refused("outside")),
        ("row 0", sparse("3 3 1\n0 1 1"), refused("outside")),
        ("row 1.5", sparse("3 3 1\n1.5 1 1"), refused("outside")),
        ("infinite row", sparse("3 3 1\ninf 1 1"), refused("outside")),
        ("NaN row", sparse("3 3 1\nnan 1 1"), refused("outside")),
        ("NaN entry", sparse("3 3 1\n1 2 nan"), refused("NaN")),
        ("infinite entry", sparse("3 3 1\n1 2 -inf"), either),
        ("entry 0", sparse("3 3 1\n1 2 0"), is_read(vertices=3, edges=0)),
        ("ragged entries", sparse("3 3 2\n1 2 1\n2 3"), refused()),
        ("text entry", sparse("3 3 1\n1 2 x"), refused()),
        ("self-loop", sparse("3 3 1\n2 2 1"), is_read(vertices=3, edges=0)),
        ("complex", sparse("3 3 1\n1 2 1 1", "complex"), refused("complex")),
        ("dense pattern", _DENSE.format("pattern", "general", "1 1\n1"), refused("pattern")),
        ("odd symmetry", sparse("3 3 1\n1 2 1", "real", "<b>"), refused("symmetry")),
        ("no size", "%%MatrixMarket matrix coordinate real general\n", refused("size")),
        ("half a banner", "%%MatrixMarket matrix\n1 1 0\n", refused("first line")),
        ("no vertices", sparse("0 0 0"), either),
    ):
        yield HostileFile(kind, "a.mtx", content.encode(), expected)
    yield HostileFile(
        "a million entries",
        "a.mtx",
        _million_entries,
        is_read(vertices=2000, edges=MILLION),
        large=True,
    )


def _million_entries() -> bytes:
    entries = "".join(f"{u + 1} {v + 1}\n" for u, v in pairs())
    return _SPARSE.format("pattern", "symmetric", f"2000 2000 {MILLION}\n{entries}").encode()


def _graph6() -> Iterator[HostileFile]:
    billion = bytes([126, 126, *((10**9 >> shift & 63) + 63 for shift in range(30, -1, -6))])
    for kind, content, expected in (
        ("10^9 vertices", billion + b"\n", refused("vertices|short")),
        ("10^9 vertices, sparse", b":" + billion + b"\n", refused("vertices")),
        ("10^9 vertices in parts", (b":~B??\n") * 100_000, either),
        ("size cut off", b"~~?\n", refused()),
        ("too short", b"D\n", refused("short")),
        ("too long", b"Bwwwww\n", refused("long")),
        ("foreign character", b"B \n", refused()),
        ("directed", b"&BP_\n", refused()),
        ("incremental", b";Bd\n", refused()),
        ("header only", b">>graph6<<", refused()),
        ("other header", b">>digraph6<<&B", refused()),
        ("no vertices", b"?\n", is_read(vertices=0)),
        ("all tildes", b"~" * 5000, refused()),
        ("sparse tildes", b":" + b"~" * 5000, refused()),
        ("sparse with bad ends", b":B~~~~\n", either),
    ):
        name = "a.s6" if content.startswith(b":") else "a.g6"
        yield HostileFile(kind, name, content, expected)


def _molecules() -> Iterator[HostileFile]:
    for kind, name, content in (
        ("unclosed ring", "a.smi", "C1CC\n"),
        ("no molecule", "a.smi", "<script>alert(1)</script>\n"),
        ("long SMILES", "a.smi", "C" * 100_000 + "\n"),
        ("deep SMILES", "a.smi", "C(" * 2400 + ")" * 2400 + "\n"),
        ("empty cell", "a.csv", "smiles,class\n,0\n"),
        ("10^9 atoms", "a.sdf", "x\n\n\n999999999  0  0 V2000\nM  END\n"),
        ("negative atoms", "a.sdf", "x\n\n\n -1 -1  0 V2000\nM  END\n"),
        ("dangling bond", "a.sdf", "x\n\n\n  1  1  0 V2000\n    0.0 0.0 0.0 C\n  1  9  1\nM  END"),
        ("cut off", "a.sdf", "x\n\n\n  2  1  0 V2000\n"),
        ("long record", "a.sdf", "x\n\n\n  0  0  0 V2000\n" + "x" * 600_000),
    ):
        yield HostileFile(kind, name, content.encode(), refused())
    yield HostileFile("damaged row", "a.csv", b"smiles,class\nC,1\nC(C,0\n", is_read(vertices=1))
