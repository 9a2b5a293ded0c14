"""Data sets: at hand, in the cache, or on the web; and the samples that come along."""

from mpgk_core.datasets.catalogue import CatalogueEntry, catalogue, citation_of
from mpgk_core.datasets.data_set import DataSet
from mpgk_core.datasets.fetch import fetch_tu, tu_address
from mpgk_core.datasets.folders import cache_folder, data_folder
from mpgk_core.datasets.local import LocalDataSet, available, load, version_of
from mpgk_core.datasets.samples import Sample, sample_folder, samples
from mpgk_core.errors import DownloadError

__all__ = [
    "CatalogueEntry",
    "DataSet",
    "DownloadError",
    "LocalDataSet",
    "Sample",
    "available",
    "cache_folder",
    "catalogue",
    "citation_of",
    "data_folder",
    "fetch_tu",
    "load",
    "sample_folder",
    "samples",
    "tu_address",
    "version_of",
]
