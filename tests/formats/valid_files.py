"""One small good file or more of every format: what hostile files are made from."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from scipy import sparse

from mpgk_core.formats import WRITERS
from mpgk_core.graphs import GraphSet

Members = tuple[tuple[str, bytes], ...]

GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="colour" attr.type="string"><default>red</default></key>
<key id="d1" for="node" attr.name="size" attr.type="double"/>
<key id="d2" for="edge" attr.name="weight" attr.type="int"/>
<key id="d3" for="graph" attr.name="class" attr.type="int"/>
<graph id="G" edgedefault="directed"><data key="d3">1</data>
<node id="a"><data key="d0">blue &amp; green</data><data key="d1">0.5</data></node>
<node id="b"><data key="d1">2</data><graph><node id="b::c"/></graph></node>
<edge source="a" target="b"><data key="d2">3</data></edge><edge source="b" target="b::c"/>
</graph></graphml>
"""

GEXF = """<gexf xmlns="http://gexf.net/1.3" version="1.3"><graph defaultedgetype="undirected">
<attributes class="node"><attribute id="0" title="rank" type="integer"><default>1</default>
</attribute><attribute id="1" title="weighty" type="boolean"/></attributes>
<nodes><node id="x" label="Xaver"><attvalues><attvalue for="0" value="7"/></attvalues></node>
<node id="y" label="Yvonne"><attvalues><attvalue for="1" value="true"/></attvalues></node></nodes>
<edges><edge id="0" source="x" target="y" weight="2.5"/></edges></graph></gexf>
"""

GML = """Creator "a program"
graph [ directed 1 name "two" class 1
  node [ id 1 label "Ann" size 2.5 graphics [ x 1.0 y -2e3 ] ]
  node [ id 2 label "Bo&#233;" size 3 list 1 list 2 ]
  # a comment
  edge [ source 1 target 2 weight 0.5 ]
  edge [ source 2 target 2 ]
]
"""

PAJEK = """*Network friends
*Vertices 4
1 "Ann" 0.1 0.2 0.5 ic Red
2 "Bob \\"B\\""
3 Cy
*Arcs
1 2 1.5
*Edges
2 3
*Edgeslist
4 1 2 3
*Partition club
*Vertices 4
1
1
2
2
"""

PAJEK_MATRIX = "*Vertices 3\n*Matrix\n0 1 0\n1 0 2\n0 2 0\n"

DOT = """strict digraph "friends" { rankdir=LR; node [shape=box, size=1];
  // a comment
  a [colour="red", size=2]; "b c" [colour=<<b>blue</b>>]; a -> "b c" -> d:n [weight=2];
  subgraph cluster_1 { e; f; e -> f } /* more */ a -> {e f} ; 3 -> 4; 3 -> a
}
graph second { x -- y; y -- z; }
"""

NODE_LINK = {
    "directed": False,
    "graph": {"name": "karate", "class": "A"},
    "nodes": [
        {"id": "a", "colour": "red", "spin": [1, 2.5], "at": {"x": 1, "y": None}},
        {"id": "b", "colour": "blé", "spin": [3, 4]},
        {"id": 3, "colour": "😀", "huge": 10**30},
    ],
    "links": [{"source": "a", "target": "b", "weight": 2}, {"source": 3, "target": "a"}],
}

CYTOSCAPE = {
    "format_version": "1.0",
    "data": {"name": "network", "class": 2},
    "elements": {
        "nodes": [
            {"data": {"id": "1", "name": "C1", "element": "C", "SUID": 7}, "position": {"x": 1.5}},
            {"data": {"id": "2", "name": "O1", "element": "O"}},
        ],
        "edges": [{"data": {"id": "3", "source": "1", "target": "2", "weight": 0.5}}],
    },
}

SDF = """methanol
  by hand

  2  1  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0
    1.4000    0.0000    0.0000 O   0  0
  1  2  1  0
M  END
> <class>
1

$$$$
"""

TU: Members = (
    ("DS/DS_A.txt", b"1, 2\n2, 1\n3, 4\n4, 3\n4, 5\n5, 4\n"),
    ("DS/DS_graph_indicator.txt", b"1\n1\n2\n2\n2\n"),
    ("DS/DS_graph_labels.txt", b"1\n-1\n"),
    ("DS/DS_node_labels.txt", b"0\n1\n0\n2\n1\n"),
    ("DS/DS_node_attributes.txt", b"0.5, 1\n-1e3, 2\n1, 3\n.5, 4\n0, 5\n"),
    ("DS/DS_edge_labels.txt", b"1\n1\n2\n2\n1\n1\n"),
)

TABLES: Members = (
    ("people.csv", b'id,label,age\nAnn,"a, b",31\nBob,b,22.5\nCy,b,7\n'),
    ("friends.csv", b"source,target,weight\nAnn,Bob,1\nCy,Ann,0.5\n"),
)


@dataclass(frozen=True)
class ValidFile:
    """A file that is read without complaint; ``members`` are the files in it, if it is a zip."""

    name: str
    content: bytes
    title: str
    members: Members = ()

    def repacked(self, members: Members) -> ValidFile:
        """Return the archive with other files in it, and correct checksums."""
        return replace(self, content=packed(members), members=members)


def packed(members: Members, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip archive that is the same at any time."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, text in members:
            archive.writestr(zipfile.ZipInfo(name), text, method)
    return content.getvalue()


def unpacked(content: bytes) -> Members:
    """Return the files of a zip archive."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return tuple((name, archive.read(name)) for name in archive.namelist())


def archive(name: str, members: Members, title: str) -> ValidFile:
    """Return a zip archive of these files."""
    return ValidFile(name, packed(members), title, members)


@cache
def valid_files() -> tuple[ValidFile, ...]:
    """Return small files of every format, written by hand and by our own writers."""
    texts = [
        ("hand.graphml", GRAPHML, "GraphML"),
        ("hand.gexf", GEXF, "GEXF"),
        ("hand.gml", GML, "GML"),
        ("hand.net", PAJEK, "Pajek"),
        ("matrix.net", PAJEK_MATRIX, "Pajek"),
        ("hand.dot", DOT, "DOT"),
        ("hand.json", json.dumps(NODE_LINK, indent=1, ensure_ascii=False), "Node-link JSON"),
        ("hand.cyjs", json.dumps(CYTOSCAPE), "Cytoscape JSON"),
        ("blanks.txt", "# friends\n1 2 0.5\n2 3 1\n3 1 -2\n9\n", "Edge list"),
        ("names.csv", 'source,target,w\nAnn,"Bob, Jr",1\nCy,Ann,2\n', "Edge list"),
        ("tabs.tsv", "u\tv\n10\t20\n20\t-30\n", "Edge list"),
        ("quoted.edgelist", "'a b' \"c d\" {'weight': 1}\n", "Edge list"),
        ("matrix.csv", ",Ann,Bob,Cy\nAnn,0,1,0\nBob,1,0,2.5\nCy,0,,0\n", "Adjacency matrix"),
        ("matrix.txt", "0 1 0 1\n1 0 1 0\n0 1 0 1\n1 0 1 0\n", "Adjacency matrix"),
        ("matrix.tsv", "a\tb\n0\t1\n1\t0\n", "Adjacency matrix"),
        ("hand.g6", ">>graph6<<Bw\nDQc\n:Bd\n@\n", "graph6"),
        ("hand.s6", ":Fa@x^\n:Bd\n", "sparse6"),
        (
            "pattern.mtx",
            "%%MatrixMarket matrix coordinate pattern symmetric\n% a\n3 3 2\n2 1\n3 2\n",
            "Matrix Market",
        ),
        (
            "real.mtx",
            "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 0.5\n2 3 -1e3\n3 3 0\n",
            "Matrix Market",
        ),
        (
            "array.mtx",
            "%%MatrixMarket matrix array integer symmetric\n3 3\n0\n1\n0\n0\n1\n0\n",
            "Matrix Market",
        ),
        ("hand.smi", "CCO ethanol\nc1ccccc1 benzene\n", "SMILES"),
        ("table.csv", "smiles,name,class\nCCO,ethanol,1\nC,methane,0\n", "SMILES"),
        ("hand.sdf", SDF, "SDF"),
        ("array.csv", "0,0,1,1,2\n1,2,2,3,3\n", "Edge array"),
        ("hand.adjlist", "# GMT\n0 1 2\n1 2\n2\n", "Adjacency list"),
        ("lines.adjlist", "# GMT\n0 2\n1 {'w': 1}\n2 {}\n1 0\n2 0\n", "Multiline adjacency list"),
        ("people.csv", TABLES[0][1].decode(), "Vertex and edge tables"),
    ]
    files = [ValidFile(name, text.encode(), title) for name, text, title in texts]
    files += [
        archive("tu.zip", TU, "TU data set"),
        archive("tables.zip", TABLES, "Zip archive of graph files"),
        archive(
            "graphs.zip",
            tuple((f.name, f.content) for f in files[:8]),
            "Zip archive of graph files",
        ),
    ]
    array = io.BytesIO()
    np.save(array, np.array([[0, 0, 1], [1, 2, 2]]))
    files.append(ValidFile("array.npy", array.getvalue(), "NumPy array"))
    for layout in ("csr", "csc", "coo", "bsr", "dia"):
        content = io.BytesIO()
        ring = sparse.coo_array(np.roll(np.eye(4), 1, axis=0))
        sparse.save_npz(content, ring.asformat(layout))
        members = unpacked(content.getvalue())
        files.append(archive(f"{layout}.npz", members, "SciPy sparse matrix"))
    return (*files, *_written())


def _written() -> list[ValidFile]:
    labels = ["C", "O", "<b>", "ש", "😀", "C"]
    ring, whole = sparse.csr_array(np.roll(np.eye(6), 1, axis=0)), np.array([0, 6])
    one = GraphSet(
        ring,
        whole,
        labels=labels,
        attributes=np.arange(12).reshape(6, 2) / 7,
        names=["a", "b", "c d", "é", '"q"', "f"],
    )
    plain = GraphSet(ring, whole)
    numbered = GraphSet(ring, whole, labels=[0, 1, 2, 0, 1, 2], attributes=one.attributes)
    graphs = {
        "edgelist": plain,
        "csv": plain,
        "tu": numbered,
        "g6": plain,
        "s6": plain,
        "mtx": plain,
        "npz": plain,
    }
    files = []
    for key, writer in WRITERS.items():
        content = writer.write(graphs.get(key, one), None)
        members = unpacked(content) if content.startswith(b"PK") else ()
        files.append(ValidFile(f"written{writer.extension}", content, writer.title, members))
    return files
