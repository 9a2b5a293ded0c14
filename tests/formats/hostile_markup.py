"""Hostile files in the formats that nest: XML, JSON, GML, DOT and Pajek."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.formats.expectations import Expectation, HostileFile, either, is_read, refused

MILLION = 1_000_000
_PRIME = 2**61 - 1
_ENTITIES = {
    "laughs": '<!DOCTYPE x [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10))
    + "]>",
    "one large entity": f'<!DOCTYPE x [<!ENTITY a "{"x" * 50_000}">]>',
    "outer entity": '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    "entity from the net": '<!DOCTYPE x [<!ENTITY a SYSTEM "http://127.0.0.1:9/">]>',
    "outer document type": '<!DOCTYPE x SYSTEM "file:///etc/passwd">',
    "public document type": '<!DOCTYPE x PUBLIC "a" "http://127.0.0.1:9/">',
    "parameter entity": '<!DOCTYPE x [<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;]>',
    "default attribute": '<!DOCTYPE x [<!ATTLIST node id CDATA "a">]>',
}


def markup() -> Iterator[HostileFile]:
    """Yield all of them."""
    yield from _xml()
    yield from _json()
    yield from _gml()
    yield from _dot()
    yield from _pajek()


def graphml(inner: str) -> bytes:
    return f"<graphml><graph>{inner}</graph></graphml>".encode()


def gexf(nodes: str, edges: str = "", attributes: str = "") -> bytes:
    return (
        f"<gexf><graph>{attributes}<nodes>{nodes}</nodes><edges>{edges}</edges></graph></gexf>"
    ).encode()


def _xml() -> Iterator[HostileFile]:
    for kind, start in _ENTITIES.items():
        for name, content in (
            ("a.graphml", graphml("<node id='&a;'/><node id='b'/>")),
            ("a.gexf", gexf("<node id='b' label='&a;'/>")),
        ):
            yield HostileFile(kind, name, start.encode() + content, refused("DOCTYPE|ENTITY"))
    two = "<node id='a'/><node id='b'/>"
    edge = "<edge source='a' target='{}'/>"
    keys = '<key id="k" for="node" attr.name="k" attr.type="{}"/>'
    cases: dict[str, tuple[bytes, Expectation]] = {
        "plain document type": (b"<!DOCTYPE graphml>" + graphml(two), is_read(vertices=2)),
        "unknown entity": (graphml("<node id='&nothing;'/>"), refused("XML")),
        "deep": (
            b"<graphml>" + b"".join(b"<graph><node id='%d'>" % i for i in range(99)),
            refused("60 deep"),
        ),
        "deep unknown tags": (b"<graphml>" + b"<a>" * 100_000, refused("60 deep")),
        "two roots": (graphml(two) + graphml(two), refused("XML")),
        "repeated attribute": (graphml("<node id='a' id='b'/>"), refused("XML")),
        "duplicate ids": (graphml("<node id='a'/><node id='a'/>"), refused("two vertices 'a'")),
        "dangling end": (graphml(two + edge.format("z")), refused("'z', which is no vertex")),
        "no ends": (graphml(two + "<edge/>"), refused("source")),
        "no id": (graphml("<node/>"), refused("id")),
        "self-loop": (graphml(two + edge.format("a")), is_read(vertices=2, edges=0)),
        "repeated edge": (graphml(two + edge.format("b") * 3), is_read(edges=1)),
        "hyperedge": (graphml("<hyperedge/>"), refused("hyperedge")),
        "outside": (b"<graphml><node id='a'/></graphml>", refused("outside")),
        "no graph": (b"<graphml/>", refused("no graph")),
        "no vertices": (graphml(""), is_read(vertices=0, graphs=1)),
        "unknown encoding": (
            b"<?xml version='1.0' encoding='ebcdic'?>" + graphml(two),
            refused("encoding"),
        ),
        "endless text": (graphml("<node id='a'><data key='x'>" + "x" * 300_000), refused()),
        "endless comment": (graphml("<!--" + "x" * 900_000), refused()),
        "endless name": (graphml("<" + "x" * 900_000), refused()),
        "long id": (graphml(f"<node id='{'x' * 200_000}'/>"), refused("characters")),
        "many keys": (
            b"<graphml>" + b"".join(b'<key id="%d"/>' % i for i in range(9999)),
            refused("2,000 columns"),
        ),
        "surrogate": (graphml("<node id='&#xD800;'/>"), refused("XML")),
        "zero reference": (graphml("<node id='&#0;'/>"), refused("XML")),
        "inclusion": (
            graphml(two + '<xi:include href="file:///etc/passwd" parse="text"/>'),
            is_read(vertices=2),
        ),
        "instruction": (graphml(two + "<?php system('ls'); ?>"), is_read(vertices=2)),
    }
    for kind, value, declared, expected in (
        ("text for a number", "abc", "int", refused("'abc' is not of the type 'int'")),
        ("NaN", "NaN", "double", either),
        ("infinite", "INF", "double", either),
        ("huge number", "9" * 400, "int", is_read(k=["9" * 400])),
        ("endless number", "9" * 50_000, "int", refused()),
        ("negative huge number", "-" + "9" * 30, "long", is_read(k=["-" + "9" * 30])),
        ("wrong truth", "perhaps", "boolean", refused("perhaps")),
    ):
        node = f"<node id='a'><data key='k'>{value}</data></node>"
        cases[kind] = (
            b"<graphml>"
            + (keys.format(declared) + "<graph>" + node).encode()
            + b"</graph></graphml>",
            expected,
        )
    for kind, (content, expected) in cases.items():
        yield HostileFile(kind, "a.graphml", content, expected)
    same = "<node id='a' label='x'/>"
    for kind, content, expected in (
        ("duplicate ids", gexf(same + same), refused("two vertices")),
        ("dangling end", gexf(same, edge.format("z")), refused("'z'")),
        ("same labels", gexf(same + same.replace("'a'", "'b'")), is_read(names=["a", "b"])),
        (
            "deep vertices",
            gexf("".join(f"<node id='{i}'><nodes>" for i in range(99))),
            refused("60 deep"),
        ),
        (
            "wrong value",
            gexf(
                "<node id='a'><attvalues><attvalue for='0' value='z'/></attvalues></node>",
                "",
                "<attributes class='node'><attribute id='0' title='t' type='integer'/>"
                "</attributes>",
            ),
            refused("'z' is not of the type"),
        ),
        (
            "many attributes",
            gexf(
                "",
                "",
                "<attributes>"
                + "<attribute id='{}'/>" * 1
                + "".join(f"<attribute id='{i}'/>" for i in range(9999))
                + "</attributes>",
            ),
            refused("2,000 columns"),
        ),
    ):
        yield HostileFile(kind, "a.gexf", content, expected)
    yield HostileFile(
        "a million edges",
        "a.graphml",
        _million_graphml,
        is_read(vertices=2000, edges=MILLION),
        large=True,
    )


def pairs(m: int = MILLION) -> Iterator[tuple[int, int]]:
    """Yield m distinct edges between 2,000 vertices."""
    for i in range(m):
        u, v = divmod(i, 1000)
        yield (u, 1000 + v)


def _million_graphml() -> bytes:
    nodes = "".join(f'<node id="{i}"/>' for i in range(2000))
    return graphml(nodes + "".join(f'<edge source="{u}" target="{v}"/>' for u, v in pairs()))


def _json() -> Iterator[HostileFile]:
    def graph(nodes: object, links: object = ()) -> bytes:
        return json.dumps({"nodes": nodes, "links": links}).encode()

    ab = [{"id": "a"}, {"id": "b"}]
    long_key = "k" * 900_000
    cases: dict[str, tuple[bytes, Expectation]] = {
        "deep lists": (b'{"nodes":' + b"[" * 100_000, refused("60 deep")),
        "deep objects": (b'{"nodes":' + b'{"a":' * 100_000, refused("60 deep")),
        "deep and closed": (
            graph([{"id": 1, "x": json.loads("[" * 80 + "]" * 80)}]),
            refused("60 deep"),
        ),
        "deep within quotes": (graph(["[" * 500]), is_read(vertices=1)),
        "duplicate ids": (graph([{"id": 1}, {"id": 1}]), refused("two vertices '1'")),
        "duplicate ids of two types": (graph([{"id": 1}, {"id": "1"}]), refused("two vertices")),
        "dangling end": (graph(ab, [{"source": "a", "target": "z"}]), refused("'z'")),
        "self-loop": (graph(ab, [{"source": "a", "target": "a"}]), is_read(vertices=2, edges=0)),
        "link without ends": (graph(ab, [{}]), refused("link 0")),
        "link is a number": (graph(ab, [7]), refused("link 0")),
        "nodes is a number": (b'{"nodes": 7, "links": []}', refused("nodes")),
        "nodes is null": (b'{"nodes": null, "links": []}', refused("nodes")),
        "nodes twice": (
            b'{"nodes": ["a"], "nodes": ["b", "c"], "links": []}',
            is_read(names=["b", "c"]),
        ),
        "key twice": (b'{"nodes": [{"id": "a", "id": "b"}], "links": []}', is_read(names=["b"])),
        "not a number": (
            b'{"nodes": [{"id": "a", "x": NaN}, {"id": "b", "x": 1}], "links": []}',
            is_read(vertices=2),
        ),
        "infinite": (b'{"nodes": [{"id": "a", "x": -Infinity}], "links": []}', is_read(vertices=1)),
        "too large": (b'{"nodes": [{"id": "a", "x": 1e999}], "links": []}', is_read(vertices=1)),
        "huge number": (graph([{"id": 10**40}]), is_read(names=[str(10**40)])),
        "endless number": (b'{"nodes": [' + b"9" * 9000 + b'], "links": []}', refused("digits")),
        "mixed types": (
            graph([{"id": "a", "x": 1}, {"id": "b", "x": [1, {"y": None}]}]),
            is_read(x=["1", '[1, {"y": null}]']),
        ),
        "mixed ids": (graph([{"id": None}, {"id": []}]), refused()),
        "true and 1": (
            graph([True, 1], [{"source": 1, "target": 1}]),
            is_read(names=["true", "1"], edges=0),
        ),
        "half characters": (
            b'{"nodes": ["\\ud800", "\\udc00x"], "links": []}',
            is_read(names=["\ufffd", "\ufffdx"]),
        ),
        "zero character": (b'{"nodes": ["a\\u0000b"], "links": []}', is_read(vertices=1)),
        "long key before many": (
            graph([{"id": 1, long_key: {str(i): 1 for i in range(9999)}}]),
            refused("characters"),
        ),
        "long key before a list": (
            graph([{"id": 1, long_key: [*range(1900)]}]),
            refused("characters"),
        ),
        "long key before nothing": (
            graph([{"id": 1, long_key: {str(i): {} for i in range(9999)}}]),
            refused("characters"),
        ),
        "clashing hashes": (graph([i * _PRIME for i in range(20_000)]), is_read(vertices=20_000)),
        "many columns": (
            graph([{"id": 1} | {f"c{i}": 1 for i in range(3000)}]),
            refused("2,000 columns"),
        ),
        "other columns": (
            graph([{"id": i, f"c{i}": 1} for i in range(1500)]),
            is_read(vertices=1500),
        ),
        "trailing comma": (b'{"nodes": ["a",], "links": []}', refused("JSON")),
        "two documents": (graph(ab) * 2, refused("JSON")),
        "a prototype": (
            graph([{"id": "__proto__", "constructor": 1}]),
            is_read(names=["__proto__"]),
        ),
        "long text": (graph([{"id": "x" * 200_000}]), refused("characters")),
    }
    for kind, (content, expected) in cases.items():
        yield HostileFile(kind, "a.json", content, expected)
    a, b = {"data": {"id": "a"}}, {"data": {"id": "b"}}
    link = {"data": {"source": "a", "target": "z"}}
    for kind, content, expected in (
        ("duplicate ids", {"elements": [a, a]}, refused("two vertices")),
        ("dangling end", {"elements": [a, b, link]}, refused("'z'")),
        ("no data", {"elements": [{}]}, refused("id")),
        ("elements are text", {"elements": ["a", 1, None]}, refused("id")),
        ("elements is text", {"elements": "x"}, refused()),
        ("nodes is null", {"elements": {"nodes": None}}, refused("nodes")),
        ("no elements", {"elements": []}, is_read(vertices=0)),
        ("data is a list", {"elements": [{"data": [1, 2]}]}, refused("id")),
        ("mixed graphs", [{"elements": [a]}, 7], refused("nodes")),
        ("odd class", {"elements": [a], "data": {"class": {"x": []}}}, is_read(vertices=1)),
    ):
        yield HostileFile(kind, "a.cyjs", json.dumps(content).encode(), expected)
    yield HostileFile("deep", "a.cyjs", b'{"elements":' + b"[" * 9999, refused("60 deep"))
    yield HostileFile(
        "a million edges",
        "a.json",
        _million_json,
        is_read(vertices=2000, edges=MILLION),
        large=True,
    )


def _million_json() -> bytes:
    links = ",".join(f'{{"source":{u},"target":{v}}}' for u, v in pairs())
    return f'{{"nodes":{[*range(2000)]},"links":[{links}]}}'.encode()


def _gml() -> Iterator[HostileFile]:
    node = "node [ id {} ] "
    two = node.format(1) + node.format(2)
    cases: dict[str, tuple[str, Expectation]] = {
        "deep": ("x [ " * 100_000, refused("60 deep")),
        "deep and closed": (node.format(1) + "x [ " * 70 + "] " * 70, refused("60 deep")),
        "not closed": (node.format(1) + "node [ id 2", refused("ends within")),
        "closed twice": (node.format(1) + "] ]", refused()),
        "quote not closed": ('node [ id 1 label "abc', refused()),
        "duplicate ids": (node.format(1) * 2, refused("two vertices '1'")),
        "no id": ("node [ label 1 ]", refused("id")),
        "two ids": ("node [ id 1 id 2 ]", refused("id")),
        "no value": ("node [ id 1 label ]", refused("key with a value")),
        "dangling end": (two + "edge [ source 1 target 9 ]", refused("'9'")),
        "self-loop": (two + "edge [ source 1 target 1 ]", is_read(vertices=2, edges=0)),
        "edge without end": (two + "edge [ source 1 ]", refused("target")),
        "huge id": (node.format(10**30), is_read(names=[str(10**30)])),
        "endless number": (f"node [ id 1 x {'9' * 50_000} ]", is_read(vertices=1)),
        "NaN": ("node [ id 1 x nan y inf z -inf ]", is_read(vertices=1)),
        "mixed types": ('node [ id 1 x 1 ] node [ id 2 x "a" ]', is_read(x=["1", "a"])),
        "ragged lists": ("node [ id 1 x 1 x 2 ] node [ id 2 x 1 ]", is_read(vertices=2)),
        "many keys": (
            "node [ id 1 " + " ".join(f"k{i} 1" for i in range(9999)) + " ]",
            refused("2,000 columns"),
        ),
        "long key before many": (
            f"node [ id 1 {'k' * 900_000} [ " + "a 1 b 2 " * 5000 + "] ]",
            refused("characters"),
        ),
        "bad entities": (
            'node [ id 1 label "&#xD800;&#99999999;&nothing;&" ]',
            is_read(names=["\ufffd\ufffd&nothing;&"]),
        ),
        "Python": ("node [ id 1 label __import__('os').system('ls') ]", is_read(vertices=1)),
    }
    for kind, (inner, expected) in cases.items():
        content = f"graph [ {inner}" + ("" if kind in ("deep", "not closed") else " ]")
        yield HostileFile(kind, "a.gml", content.encode(), expected)
    yield HostileFile(
        "a million edges", "a.gml", _million_gml, is_read(vertices=2000, edges=MILLION), large=True
    )


def _million_gml() -> bytes:
    nodes = "".join(f"node [ id {i} ]\n" for i in range(2000))
    edges = "".join(f"edge [ source {u} target {v} ]\n" for u, v in pairs())
    return f"graph [ {nodes}{edges} ]".encode()


def _dot() -> Iterator[HostileFile]:
    many = " ".join(f"v{i}" for i in range(6000))
    for kind, content, expected in (
        ("deep", "graph " + "{ " * 100_000, refused("60 deep")),
        ("deep and closed", "graph { a " + "{ " * 70 + "} " * 70 + "}", refused("60 deep")),
        ("not closed", "graph { a -- b", refused("ends early")),
        ("comment not closed", "graph { a /* b }", refused()),
        ("quote not closed", 'graph { "a -- b }', refused("quotation mark")),
        ("markup not closed", "graph { a [label=<<b>] }", refused("never closed")),
        ("deep markup", "graph { a [label=" + "<" * 9999 + ">" * 9999 + "] }", either),
        ("all with all", f"graph {{ {{{many}}} -- {{{many}}} }}", refused("edges")),
        ("self-loop", "graph { a -- a; b }", is_read(vertices=2, edges=0)),
        ("repeated edge", "graph { a -- b; b -- a; a -- b }", is_read(vertices=2, edges=1)),
        ("no end", "graph { a -- ; }", refused("second end")),
        ("no start", "graph { -- a }", refused("nothing before")),
        ("no braces", "graph a", refused()),
        ("stray bracket", "graph { a ] }", refused("out of place")),
        ("keyword as name", 'graph { "node" -- "graph" }', is_read(names=["node", "graph"])),
        (
            "huge number",
            f"graph {{ {10**30} -- {10**31} }}",
            is_read(names=[str(10**30), str(10**31)]),
        ),
        ("NaN", "graph { a [x=nan]; b [x=inf] }", is_read(vertices=2)),
        ("mixed types", "graph { a [x=1]; b [x=b] }", is_read(x=["1", "b"])),
        ("key twice", "graph { a [x=1, x=2] }", is_read(x=[2])),
        ("directions mixed", "graph { a -> b -- c }", either),
        (
            "many defaults",
            "graph { node [" + " ".join(f"k{i}=1" for i in range(9999)) + "]; a }",
            refused("2,000 attributes"),
        ),
        ("one attribute often", "graph { a [" + "x=1 " * 9999 + "] }", refused("2,000 attributes")),
        ("many pieces", 'graph { "a"' + '+"a"' * 9999 + " }", refused("pieces")),
        (
            "command",
            'graph { a [image="/etc/passwd", URL="javascript:alert(1)"] }',
            is_read(vertices=1),
        ),
        ("many escapes", 'graph { "a' + r"\"" * 40_000 + '" -- b }', is_read(vertices=2, edges=1)),
        ("endless escapes", 'graph { "a' + r"\"" * MILLION, refused("quotation mark")),
        ("many comments", "/**/" * MILLION + "graph { a -- b }", is_read(vertices=2, edges=1)),
        ("comment of stars", "/" + "*" * MILLION + "/ graph { a -- b }", is_read(vertices=2)),
        ("comment of stars, not closed", "graph { a -- b /" + "*" * MILLION, refused()),
        ("endless word", "graph { a -- " + "b" * MILLION + " }", refused("characters")),
        ("blanks", "graph" + " " * MILLION + "{ a --" + " " * MILLION + "b }", is_read(vertices=2)),
        ("empty values", "graph { a -- b [" + 'x=""' * MILLION, refused("2,000 attributes")),
    ):
        yield HostileFile(kind, "a.dot", content.encode(), expected)
    yield HostileFile(
        "a million edges", "a.dot", _million_dot, is_read(vertices=2000, edges=MILLION), large=True
    )


def _million_dot() -> bytes:
    return ("graph {" + "".join(f"{u} -- {v};\n" for u, v in pairs()) + "}").encode()


def _pajek() -> Iterator[HostileFile]:
    for kind, content, expected in (
        ("10^9 vertices", f"*Vertices {10**9}", refused("1,000,000,000 vertices")),
        ("10^30 vertices", f"*Vertices {10**30}", refused("vertices")),
        ("endless vertices", f"*Vertices {'9' * 50_000}", refused("vertices")),
        ("10^9 in parts", "*Vertices 1000000\n" * 1000, refused("vertices")),
        ("negative vertices", "*Vertices -3", refused("number of vertices")),
        ("no number", "*Vertices many", refused("number of vertices")),
        ("vertex 0", "*Vertices 2\n*Edges\n0 1", refused("'0' is no vertex")),
        ("dangling end", "*Vertices 2\n*Edges\n1 3", refused("'3' is no vertex")),
        ("self-loop", "*Vertices 2\n*Edges\n1 1", is_read(vertices=2, edges=0)),
        ("duplicate ids", '*Vertices 2\n1 "a"\n1 "b"', either),
        ("same labels", '*Vertices 2\n1 "a"\n2 "a"', is_read(vertices=2, label=["a", "a"])),
        ("edges first", "*Edges\n1 2\n*Vertices 2", refused("before the vertices|Pajek")),
        ("half an edge", "*Vertices 2\n*Edges\n1", refused("no edge")),
        ("words as edge", "*Vertices 2\n*Edges\na b", refused("'a' is no vertex")),
        ("huge end", f"*Vertices 2\n*Edges\n1 {10**30}", refused("no vertex")),
        ("quote not closed", '*Vertices 2\n1 "a', refused("no vertex")),
        ("ragged matrix", "*Vertices 2\n*Matrix\n0 1\n1", refused("rows of 2")),
        ("long matrix", "*Vertices 2\n*Matrix\n0 1\n1 0\n0 0", refused("2 rows")),
        ("short matrix", "*Vertices 2\n*Matrix\n0 1", refused("1 of 2 rows")),
        ("NaN in matrix", "*Vertices 2\n*Matrix\n0 nan\n1 0", refused("finite")),
        ("text in matrix", "*Vertices 2\n*Matrix\n0 a\n1 0", refused("not a number")),
        (
            "unknown headings",
            "*Vertices 1\n" + "".join(f"*{c}\n" * 99 for c in "abcdefgh"),
            is_read(vertices=1),
        ),
        ("bad partition", "*Vertices 1\n*Partition p\n*Vertices 1\nx", refused("not a number")),
        ("infinite vector", "*Vertices 1\n*Vector p\n*Vertices 1\n1e999", is_read(vertices=1)),
        ("bad size of modes", "*Vertices 2 9\n*Matrix\n", either),
    ):
        yield HostileFile(kind, "a.net", content.encode(), expected)
    yield HostileFile(
        "a million edges",
        "a.net",
        _million_pajek,
        is_read(vertices=2000, edges=MILLION),
        large=True,
    )


def _million_pajek() -> bytes:
    return ("*Vertices 2000\n*Edges\n" + "".join(f"{u + 1} {v + 1}\n" for u, v in pairs())).encode()
