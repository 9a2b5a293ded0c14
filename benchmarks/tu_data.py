"""Read a TU data set from the folder that ``MPGK_DATA`` names, for measuring."""

from __future__ import annotations

from mpgk_core.datasets import DataSet, data_folder
from mpgk_core.datasets.local import data_set_from_file

__all__ = ["DataSet", "data_folder", "load"]


def load(name: str, self_loops: str = "drop") -> DataSet:
    """Read one archive."""
    folder = data_folder()
    assert folder is not None, "set MPGK_DATA to a folder with TU archives"
    return data_set_from_file(folder / f"{name}.zip", self_loops)
