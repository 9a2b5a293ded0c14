"""Roles of airports: message passing kernels against embeddings of vertices."""

from __future__ import annotations

import time
from pathlib import Path

import networkx as nx
import numpy as np

from benchmarks.report import Table
from mpgk_core import GraphSet
from mpgk_core.datasets import data_folder
from mpgk_core.evaluation import (
    NODE_METHODS,
    NodeProtocol,
    NodeTrial,
    Roles,
    checked_roles,
    learning_curve,
)

NETWORKS = ("brazil", "europe")
PARAMETERS = {"n_iterations": 2, "features": "degree+triangles+core-number"}


def measure() -> Table:
    """Predict the level of activity of airports from the network alone."""
    table = Table(
        "Roles in air-traffic networks",
        "Airports in four classes of activity (Ribeiro et al. 2017); 80 % of the vertices are "
        "labelled, 10 draws; accuracy in per cent, mean ± standard deviation. The kernels use the "
        "defaults of the page (T = 2; degree, triangles and core number). struc2vec, DeepWalk, "
        "node2vec (p = 1, q = 2) and LINE factorise expected counts of walks. Ribeiro et al. give "
        "the accuracies of struc2vec, by logistic regression, as bars of a figure without numbers: "
        "none can be cited here. Seconds: the kernel matrix and all trials.",
        ["network", "method", "SVM", "1-NN", "seconds"],
    )
    folder = data_folder()
    if folder is None or not (folder / "airports").is_dir():
        return table
    protocol = NodeProtocol(shares=(0.8,))
    for network in NETWORKS:
        graph, roles = _load(folder / "airports", network)
        for method, title in NODE_METHODS.items():
            start = time.perf_counter()
            trials = list(learning_curve(graph, roles, [method], protocol=protocol, **PARAMETERS))
            seconds = time.perf_counter() - start
            table.add(network, title, *(_score(trials, kind) for kind in ("svm", "knn")), seconds)
    return table


def _load(folder: Path, network: str) -> tuple[GraphSet, Roles]:
    lines = (folder / f"labels-{network}-airports.txt").read_text().splitlines()[1:]
    graph = nx.Graph()
    graph.add_nodes_from(line.split()[0] for line in lines)
    for line in (folder / f"{network}-airports.edgelist").read_text().splitlines():
        graph.add_edge(*line.split()[:2])
    roles = checked_roles([line.split()[1] for line in lines], len(graph))
    return GraphSet.from_networkx(graph), roles


def _score(trials: list[NodeTrial], classifier: str) -> str:
    found = [100 * trial.accuracy for trial in trials if trial.classifier == classifier]
    return f"{np.mean(found):.1f} ± {np.std(found):.1f}"
