"""Measurements against peers; run with ``make bench``."""
