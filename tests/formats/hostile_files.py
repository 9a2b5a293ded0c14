"""A corpus of hostile files over all formats: first what can happen to any of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from xml.sax.saxutils import quoteattr

from tests.formats.expectations import HostileFile, either, is_read, like, refused
from tests.formats.hostile_archives import archives
from tests.formats.hostile_markup import markup
from tests.formats.hostile_tables import tables
from tests.formats.valid_files import ValidFile, packed, valid_files

#: One file of each format, by the end of its name.
CHOSEN = (
    "hand.graphml",
    "hand.gexf",
    "hand.gml",
    "hand.net",
    "hand.dot",
    "hand.json",
    "hand.cyjs",
    "names.csv",
    "matrix.csv",
    "hand.g6",
    "hand.s6",
    "real.mtx",
    "hand.smi",
    "hand.sdf",
    "people.csv",
    "tu.zip",
    "tables.zip",
    "csr.npz",
)
LABELS = {
    "script label": "<img src=x onerror=alert(1)>",
    "formula label": "=HYPERLINK(1)",
    "long label": "x" * 10_000,
    "right-to-left label": "\u202eשלום\u202c مرحبا",
    "emoji label": "👩‍👩‍👧‍👦🏴‍☠️",
    "quote label": "a'b\\c",
    "percent label": "%s%n{0}${x}",
}


def hostile_files() -> Iterator[HostileFile]:
    """Yield all of them."""
    for file in valid_files():
        if file.name in CHOSEN:
            yield from _damaged(file)
    yield from _labelled()
    yield from _badly_named()
    yield from markup()
    yield from tables()
    yield from archives()


def _damaged(file: ValidFile) -> Iterator[HostileFile]:
    name, content = file.name, file.content
    binary = bool(file.members)
    compact = name.endswith(("g6", "s6"))
    yield HostileFile("empty", name, b"", refused("empty"))
    yield HostileFile("blank", name, b" \r\n\t\n" * 9, refused("empty"))
    yield HostileFile("byte-order mark only", name, b"\xef\xbb\xbf", refused("empty"))
    yield HostileFile("noise", name, Random(name).randbytes(2000), refused())
    yield HostileFile("zeros", name, bytes(5000), refused())
    for share in (0.3, 0.6, 0.95):
        cut = content[: int(len(content) * share)]
        yield HostileFile(f"cut at {share}", name, cut, refused() if binary else either)
    for other in (f"{file.name}.bin", "graph.csv", "no extension", "a.graphml"):
        same = like(name, content) if _speaks_for_itself(file, other) else either
        yield HostileFile(f"called {other} but {file.title}", other, content, same)
    if binary:
        return
    ends = either if compact else like(name, content)
    yield HostileFile("Windows line ends", name, content.replace(b"\n", b"\r\n"), ends)
    yield HostileFile("old line ends", name, content.replace(b"\n", b"\r"), ends)
    yield HostileFile("UTF-8 mark", name, b"\xef\xbb\xbf" + content, like(name, content))
    if not name.endswith(("graphml",)):
        recoded = content.decode().encode("utf-16")
        yield HostileFile("UTF-16", name, recoded, like(name, content))
        recoded = content.decode().encode("utf-32")
        yield HostileFile("UTF-32", name, recoded, like(name, content))
    yield HostileFile("half UTF-16", name, b"\xff\xfe\x00", refused())
    middle = len(content) // 2
    for kind, piece in (("not UTF-8", b"\xe9\xff"), ("zero byte", b"\0"), ("escape", b"\x1b[31m")):
        result = either if kind == "escape" or name.endswith("matrix.csv") else refused()
        yield HostileFile(kind, name, content[:middle] + piece + content[middle:], result)
    yield HostileFile("twice", name, content + content, either)
    yield HostileFile("then noise", name, content + Random(0).randbytes(500), either)


def _speaks_for_itself(file: ValidFile, other: str) -> bool:
    """Whether the format can be told by the content alone, whatever the file is called."""
    is_table = file.title in ("SMILES", "Edge list", "Adjacency matrix", "Vertex and edge tables")
    return file.title != "SMILES" and not (is_table and other == "a.graphml")


def _labelled() -> Iterator[HostileFile]:
    for kind, label in LABELS.items():
        for name, write in _WRITTEN.items():
            expected = is_read(names=[label, "b"], edges=1)
            yield HostileFile(kind, name, write(label), expected)


def _badly_named() -> Iterator[HostileFile]:
    names = (
        "",
        ".",
        "..",
        "/",
        "../../etc/passwd",
        "a" * 5000 + ".csv",
        "a\nb.csv",
        "\0.csv",
        "<img src=x onerror=alert(1)>.csv",
        "\u202evsc.exe",
        "a.csv\\",
        "C:\\x\\a.csv",
        "😀.csv",
        "con.csv",
        "%s.csv",
        "{0}.csv",
    )
    for name in names:
        yield HostileFile("bad name", name, b"a b\nb c\n", is_read(vertices=3, edges=2))
        yield HostileFile("bad name and content", name, b"\x01\xff\0", refused())


def _graphml(label: str) -> bytes:
    first = quoteattr(label)
    return (
        f"<graphml><graph><node id={first}/><node id='b'/><edge source={first} target='b'/>"
        "</graph></graphml>"
    ).encode()


def _gexf(label: str) -> bytes:
    return (
        f"<gexf><graph><nodes><node id='0' label={quoteattr(label)}/><node id='1' label='b'/>"
        "</nodes><edges><edge source='0' target='1'/></edges></graph></gexf>"
    ).encode()


def _gml(label: str) -> bytes:
    node = f'node [ id 0 label "{label}" ] node [ id 1 label "b" ]'
    return f"graph [ {node} edge [ source 0 target 1 ] ]".encode()


def _pajek(label: str) -> bytes:
    quoted = label.replace("\\", "\\\\")
    return f'*Vertices 2\n1 "{quoted}"\n2 "b"\n*Edges\n1 2\n'.encode()


def _dot(label: str) -> bytes:
    return f'graph {{ "{label}" -- b }}'.encode()


def _node_link(label: str) -> bytes:
    nodes, links = [{"id": label}, {"id": "b"}], [{"source": label, "target": "b"}]
    return json.dumps({"nodes": nodes, "links": links}).encode()


def _cytoscape(label: str) -> bytes:
    data = [{"id": label}, {"id": "b"}, {"source": label, "target": "b"}]
    return json.dumps({"elements": [{"data": item} for item in data]}).encode()


def _edge_list(label: str) -> bytes:
    return f'"{label}","b"\n'.encode()


def _matrix(label: str) -> bytes:
    return f',"{label}",b\n"{label}",0,1\nb,1,0\n'.encode()


def _pair(label: str) -> bytes:
    return packed((("v.csv", f'id,x\n"{label}",1\nb,2\n'.encode()), ("e.csv", _edge_list(label))))


_WRITTEN: dict[str, Callable[[str], bytes]] = {
    "label.graphml": _graphml,
    "label.gexf": _gexf,
    "label.gml": _gml,
    "label.net": _pajek,
    "label.dot": _dot,
    "label.json": _node_link,
    "label.cyjs": _cytoscape,
    "label.csv": _edge_list,
    "matrix.csv": _matrix,
    "pair.zip": _pair,
}
