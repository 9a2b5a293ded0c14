"""Data sets: on this machine, in the cache, or on the web; and the samples of the package."""

from mpgk_core.datasets.catalogue import catalogue, citation_of, recognised
from mpgk_core.datasets.fetch import fetch_tu, tu_address
from mpgk_core.datasets.local import (
    DataSet,
    Sample,
    available,
    cache_folder,
    data_folder,
    load,
    sample_folder,
    samples,
    version_of,
)
from mpgk_core.errors import DownloadError

__all__ = [
    "DataSet",
    "DownloadError",
    "Sample",
    "available",
    "cache_folder",
    "catalogue",
    "citation_of",
    "data_folder",
    "fetch_tu",
    "load",
    "recognised",
    "sample_folder",
    "samples",
    "tu_address",
    "version_of",
]
