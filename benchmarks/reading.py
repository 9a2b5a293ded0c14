"""Reading files against bare parsing of the same text, and the largest set in a fresh process."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterable
from functools import partial

import networkx as nx
import numpy as np
import pandas as pd

from benchmarks.measure import in_fresh_process, peak_memory, ratio, seconds
from benchmarks.report import Table
from benchmarks.tu_data import data_folder, load
from mpgk_core import GraphSet
from mpgk_core.formats import read_tables, write_graphs

N_VERTICES, N_EDGES = 200_000, 1_000_000
REPEATS = 5


def measure() -> Table:
    """Read TU archives and a million edges, from bytes to tables of edges and columns."""
    table = Table(
        "Reading files",
        "From bytes to checked tables, unpacking included on both sides. Target: at most 3 times "
        "the faster of bare `numpy.loadtxt` and `pandas.read_csv`, which check nothing and build "
        "no graph. COLLAB (363 MB of text) is read into a GraphSet in a fresh process: below 3 GB.",
        [
            "file",
            "ours (s)",
            "loadtxt (s)",
            "read_csv (s)",
            "ratio to the faster",
            "peak of the process (GB)",
        ],
    )
    folder = data_folder()
    if folder is not None:
        for name in ["NCI1", "REDDIT-BINARY"]:
            content = (folder / f"{name}.zip").read_bytes()
            _compare(table, f"{name}.zip", content, partial(_tables_in, content))
    graph = _random_graph()
    edges = "".join(f"{u} {v}\n" for u, v in graph.edges).encode()
    _compare(table, "a million edges, edge list", edges, lambda: [edges])
    graphml = write_graphs(GraphSet.from_networkx(graph), "graphml")
    read_tables("graph.graphml", graphml)
    own = seconds(lambda: read_tables("graph.graphml", graphml))
    table.add(f"a million edges, GraphML, {len(graphml) / 1e6:.0f} MB", own, "", "", "", "")
    if folder is not None:
        run = in_fresh_process("benchmarks.reading")
        table.add("COLLAB.zip", run["seconds"], "", "", "", run["gigabytes"])
    return table


def _compare(table: Table, name: str, content: bytes, texts: Callable[[], Iterable[bytes]]) -> None:
    """Add a row; the file name says a format only where the content does not."""
    file = name if name.endswith(".zip") else "graph.edges"

    def bare(parse: Callable[[io.BytesIO, str], object]) -> None:
        for text in texts():
            parse(io.BytesIO(text), "," if b"," in text[:50] else " ")

    def by_numpy(text: io.BytesIO, separator: str) -> object:
        return np.loadtxt(text, dtype=np.int64, delimiter=separator)

    def by_pandas(text: io.BytesIO, separator: str) -> object:
        return pd.read_csv(text, header=None, sep=separator).to_numpy()

    runs = [
        ratio(lambda: read_tables(file, content), partial(bare, parse), REPEATS)
        for parse in (by_numpy, by_pandas)
    ]
    times = [theirs for _, _, theirs in runs]
    table.add(name, min(own for _, own, _ in runs), *times, max(value for value, *_ in runs), "")


def _tables_in(content: bytes) -> list[bytes]:
    """Unpack the tables of a TU archive."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if name.endswith(".txt")]
        return [archive.read(name) for name in names if "README" not in name]


def _random_graph(seed: int = 0) -> nx.Graph:
    rng = np.random.default_rng(seed)
    graph = nx.Graph()
    while graph.number_of_edges() < N_EDGES:
        missing = N_EDGES - graph.number_of_edges()
        ends = rng.integers(0, N_VERTICES, size=(missing, 2))
        graph.add_edges_from(ends[ends[:, 0] != ends[:, 1]].tolist())
    return graph


def _one() -> None:
    load("MUTAG")
    time = seconds(lambda: load("COLLAB"))
    print(json.dumps({"seconds": time, "gigabytes": peak_memory()}))


if __name__ == "__main__":
    _one()
