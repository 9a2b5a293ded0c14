"""Read a TU data set from the folder that ``MPGK_DATA`` names, for measuring."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array

from mpgk_core import GraphSet

__all__ = ["DataSet", "data_folder", "load"]


class DataSet(NamedTuple):
    """Graphs and their classes."""

    graphs: GraphSet
    classes: NDArray[np.int64]


def data_folder() -> Path | None:
    """Return the folder of TU archives, or None where ``MPGK_DATA`` is not set."""
    setting = os.environ.get("MPGK_DATA")
    return Path(setting) if setting else None


def load(name: str, self_loops: str = "drop") -> DataSet:
    """Read one archive: edges, graph indicator, classes, node labels, node attributes."""
    folder = data_folder()
    assert folder is not None, "set MPGK_DATA to a folder with TU archives"
    with zipfile.ZipFile(folder / f"{name}.zip") as archive:
        members = set(archive.namelist())

        def table(part: str, dtype: type) -> NDArray | None:
            member = f"{name}/{name}_{part}.txt"
            if member not in members:
                return None
            text = io.BytesIO(archive.read(member).replace(b",", b" "))
            return np.loadtxt(text, dtype=dtype, ndmin=2)

        edges = table("A", np.int64) - 1
        indicator = table("graph_indicator", np.int64).ravel()
        classes = table("graph_labels", np.int64).ravel()
        labels = table("node_labels", np.int64)
        attributes = table("node_attributes", np.float64)
    n = len(indicator)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(indicator)[1:])])
    adjacency = coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n, n))
    graphs = GraphSet(
        adjacency,
        offsets,
        labels=None if labels is None else labels[:, 0].tolist(),
        attributes=attributes,
        self_loops=self_loops,
    )
    return DataSet(graphs, classes)
