"""Scores by the slow and obvious way: from all distances, vertex by vertex."""

import numpy as np
from sklearn.metrics import silhouette_score


def recovered(distances, orbits, equal):
    n = len(orbits)
    found = 0
    for orbit in np.unique(orbits):
        members = orbits == orbit
        v = np.flatnonzero(members)[0]
        found += all((distances[v, u] <= equal) == members[u] for u in range(n))
    return found


def gap(distances, orbits):
    same = np.equal.outer(orbits, orbits)
    whole = distances.max()
    return (distances[~same].min() - distances[same].max()) / whole if whole else 0.0


def silhouette(distances, labels):
    return silhouette_score(distances, labels, metric="precomputed")


def accuracy(distances, labels, folds, k):
    """Let all vertices as far as the k-th nearest vote; the first label wins a draw."""
    right = 0
    for fold in folds:
        for v in fold.test:
            near = np.sort(distances[v, fold.train])[min(k, len(fold.train)) - 1]
            voters = [u for u in fold.train if distances[v, u] <= near * (1 + 1e-6) + 1e-6]
            votes = np.bincount(labels[voters], minlength=labels.max() + 1)
            right += votes.argmax() == labels[v]
    return right / len(labels)
