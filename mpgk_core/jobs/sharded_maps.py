"""Feature maps of very many graphs, written to a folder in shards.

A kernel learns its trees and columns from all graphs once; every shard is then the map of some of
the graphs alone, whoever computes it: this process or the workers of an engine, which must reach
the same folder. A shard is a NumPy archive with the three arrays of a sparse matrix. Shards that
are there are kept, so interrupted work goes on where it was stopped.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from mpgk_core.checks import check_whole
from mpgk_core.errors import InvalidParameterError
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.jobs.engine import Engine
from mpgk_core.jobs.task import Progress, Task, Unit, run_key, run_task
from mpgk_core.kernels import MessagePassingGraphKernel

MANIFEST = "manifest.json"
_PARTS = ("data", "indices", "indptr", "shape")


@dataclass(frozen=True)
class ShardedMap:
    """A feature map in a folder.

    Attributes
    ----------
    folder : Path
    manifest : dict
        ``key`` (of graphs, parameters and program), ``parameters``, ``features``, ``n_graphs``,
        ``n_columns``, and for each of the ``shards`` its file, rows, non-zeros and SHA-256.
    """

    folder: Path
    manifest: dict[str, Any]

    @classmethod
    def open(cls, folder: Path | str) -> ShardedMap:
        """Read the manifest of a folder.

        Parameters
        ----------
        folder : Path or str

        Returns
        -------
        ShardedMap
        """
        path = Path(folder) / MANIFEST
        try:
            manifest = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise InvalidParameterError(
                f"{path} cannot be read ({error}). Write the maps with write_maps first."
            ) from error
        return cls(Path(folder), manifest)

    def __len__(self) -> int:
        return len(self.manifest["shards"])

    def __iter__(self) -> Iterator[csr_array]:
        return (read_shard(self.folder / shard["file"]) for shard in self.manifest["shards"])


@dataclass(frozen=True, eq=False)
class MapTask(Task):
    """The shards of one map; every unit is a file.

    Attributes
    ----------
    graphs : GraphSet
    kernel : MessagePassingGraphKernel
        Has learnt from all graphs.
    folder : Path
    n_per_shard : int
        Graphs in a shard.
    """

    graphs: GraphSet
    kernel: MessagePassingGraphKernel
    folder: Path
    n_per_shard: int

    kind = "maps"
    unit_name = "shards"

    @cached_property
    def run_key(self) -> str:
        """Key of graphs, parameters, and the size of shards."""
        return run_key(self.kind, self.graphs, self.kernel.get_params(), self.n_per_shard)

    def units(self) -> list[Unit]:
        """Return a unit for every shard."""
        n_shards = -(-len(self.graphs) // self.n_per_shard)
        return [Unit(self.run_key, str(shard)) for shard in range(n_shards)]

    def file_of(self, unit: Unit) -> Path:
        """Return where a shard lies: its name begins with the key, so no other map has it."""
        return self.folder / f"{unit.key[:16]}-{int(unit.place):05d}.npz"

    def run(self, unit: Unit, memory: dict[Any, Any]) -> dict[str, Any]:
        """Write a shard, unless it is there, and describe it."""
        path = self.file_of(unit)
        if not path.exists():
            start = int(unit.place) * self.n_per_shard
            rows = self.kernel.feature_map(self.graphs[start : start + self.n_per_shard])
            _write_shard(path, rows)
        rows = read_shard(path)
        return {
            "file": path.name,
            "n_graphs": rows.shape[0],
            "n_columns": rows.shape[1],
            "n_values": int(rows.nnz),
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }


def write_maps(
    kernel: MessagePassingGraphKernel,
    graphs: Any,
    folder: Path | str,
    *,
    n_per_shard: int = 4096,
    engine: Engine | None = None,
    progress: Progress | None = None,
    stop: Callable[[], bool] | None = None,
) -> ShardedMap | None:
    """Write the explicit feature map of many graphs in shards, with the memory of a few.

    Parameters
    ----------
    kernel : MessagePassingGraphKernel
        Its parameters count; it learns from all graphs, without their maps.
    graphs : GraphSet, or graphs of any kind that as_graph_set accepts
    folder : Path or str
        Made if it is missing.
    n_per_shard : int
        Graphs in a shard; at least 1.
    engine : Engine, optional
        Computes several shards at a time, with the same bytes.
    progress : callable, optional
        Called with the number of shards done, of all shards, and the seconds left.
    stop : callable, optional
        Asked before every shard; once it returns True, what is done is kept.

    Returns
    -------
    ShardedMap or None
        None if it was stopped: call again to go on.

    Examples
    --------
    >>> import networkx as nx
    >>> from tempfile import TemporaryDirectory
    >>> rings = [nx.cycle_graph(n) for n in range(3, 8)]
    >>> with TemporaryDirectory() as folder:
    ...     maps = write_maps(MessagePassingGraphKernel("RR"), rings, folder, n_per_shard=2)
    ...     [rows.shape[0] for rows in maps]
    [2, 2, 1]
    """
    check_whole(n_per_shard, 1, "n_per_shard", "write_maps")
    prepared, target = as_graph_set(graphs), Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    learnt = kernel.unfitted()
    task = MapTask(prepared, learnt, target, n_per_shard)
    units = task.units()
    if not all(task.file_of(unit).exists() for unit in units):
        learnt.fit_map(prepared)
    title = f"Feature maps of {len(prepared):,} graphs"
    found = run_task(task, engine=engine, title=title, progress=progress, stop=stop)
    lost = [unit for unit in found if not task.file_of(unit).exists()]
    found |= {unit: task.run(unit, {}) for unit in lost}  # an engine remembers shards since deleted
    if len(found) < len(units):
        return None
    shards = [found[unit] for unit in units]
    manifest = {
        "key": task.run_key,
        "parameters": kernel.get_params(),
        "n_graphs": len(prepared),
        "n_columns": shards[0]["n_columns"],
        "shards": shards,
    }
    text = json.dumps(manifest, indent=1, sort_keys=True)
    _write_whole(target / MANIFEST, text.encode("utf-8"))
    return ShardedMap(target, manifest)


def read_shard(path: Path) -> csr_array:
    """Return the rows of a shard.

    Parameters
    ----------
    path : Path

    Returns
    -------
    csr_array
    """
    with np.load(path, allow_pickle=False) as parts:
        data, indices, indptr, shape = (parts[name] for name in _PARTS)
    return csr_array((data, indices, indptr), shape=tuple(shape.tolist()))


def _write_shard(path: Path, rows: csr_array) -> None:
    """Write the rows: the same rows give the same bytes, whatever type their indices had."""
    wide = max(rows.shape[1], rows.nnz) > np.iinfo(np.int32).max
    index = np.int64 if wide else np.int32
    parts = (rows.data, rows.indices.astype(index), rows.indptr.astype(index), rows.shape)
    target = io.BytesIO()
    np.savez(target, **dict(zip(_PARTS, parts, strict=True)))
    _write_whole(path, target.getbuffer())


def _write_whole(path: Path, content: bytes | memoryview) -> None:
    """Write a file that others see as a whole or not at all."""
    with NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as draft:
        draft.write(content)
    Path(draft.name).replace(path)
