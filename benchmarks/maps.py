"""Maps of 131,000 molecules in shards: time, memory and growth, each in a process of its own."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from time import process_time

import numpy as np
from scipy.sparse import csr_array

from benchmarks.measure import in_fresh_process, peak_memory
from benchmarks.report import Table
from benchmarks.tu_data import data_folder
from mpgk_core import GraphSet, MessagePassingGraphKernel
from mpgk_core.formats import read_tables
from mpgk_core.formats.molecule_parts import with_hydrogens
from mpgk_core.jobs.sharded_maps import write_maps
from mpgk_core.warm_up import warm_up

VARIANTS = ("RR", "RA", "AR", "AA")
SIZES = (8_000, 32_000, 130_831)
_ATOM = ("element", "charge", "aromatic", "hydrogens", "hybridisation")


def measure() -> Table:
    """Write the maps of the first molecules of QM9 and of all of them."""
    table = Table(
        "Maps of the molecules of QM9 in shards, T = 4, sum of rounds",
        "Hydrogens are vertices; labels: element, charge, aromaticity, hydrogens, hybridisation. "
        "CPU time of one process that learns and writes all shards of 4,096 molecules; peak of "
        "the process, graphs included. Targets: 120 s, 4 GB, exponent at most 1.05 from 8,000 "
        "molecules to all.",
        ["variant", "molecules", "CPU (s)", "non-zeros (million)", "peak (GB)", "exponent"],
    )
    folder = data_folder()
    if folder is None or not (folder / "qm9.csv.gz").exists():
        return table
    with tempfile.TemporaryDirectory() as scratch:
        kept = Path(scratch) / "graphs.npz"
        _keep(folder / "qm9.csv.gz", kept)
        for variant in VARIANTS:
            first = 0.0
            for size in SIZES:
                run = in_fresh_process("benchmarks.maps", str(kept), variant, str(size))
                first = first or run["seconds"]
                slope = np.log(run["seconds"] / first) / np.log(size / SIZES[0]) if first else 0
                shown = f"{slope:.2f}" if size > SIZES[0] else ""
                facts = run["seconds"], run["values"] / 1e6, run["gigabytes"]
                table.add(variant, size, *facts, shown)
    return table


def _keep(source: Path, target: Path) -> None:
    tables = with_hydrogens(read_tables(source.name, source.read_bytes()))
    graphs = tables.graph_set(roles=dict.fromkeys(_ATOM, "label"))
    rows = graphs.adjacency
    np.savez(
        target,
        indptr=rows.indptr,
        indices=rows.indices,
        offsets=graphs.offsets,
        labels=graphs.label_codes,
    )


def _one(kept: Path, variant: str, size: int) -> None:
    warm_up()
    with np.load(kept) as parts:
        offsets = parts["offsets"][: size + 1]
        n = int(offsets[-1])
        indptr = parts["indptr"][: n + 1]
        indices = parts["indices"][: indptr[-1]]
        adjacency = csr_array((np.ones(len(indices)), indices, indptr), shape=(n, n))
        graphs = GraphSet(adjacency, offsets, labels=parts["labels"][:n].tolist())
    kernel = MessagePassingGraphKernel(variant, n_iterations=4, levels="sum", features="labels")
    begin = process_time()
    with tempfile.TemporaryDirectory() as folder:
        maps = write_maps(kernel, graphs, folder)
        seconds = process_time() - begin
        assert maps is not None
        values = sum(shard["n_values"] for shard in maps.manifest["shards"])
    print(json.dumps({"seconds": seconds, "values": values, "gigabytes": peak_memory()}))


if __name__ == "__main__":
    _one(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
