"""A saved session shows the same picture in the next release: trees and kernels stay the same.

The numbers below are checksums of recorded results. Kernels are rounded to nine digits, since
matrix products round differently on different processors; trees are exact everywhere.
"""

from __future__ import annotations

import zlib

import networkx as nx
import numpy as np

from mpgk_core import (
    MessagePassingGraphKernel,
    MessagePassingNodeKernel,
    WeisfeilerLehmanOptimalAssignment,
    WeisfeilerLehmanSubtree,
    colour_refinement,
)
from mpgk_core.kernels.hierarchy import grow_tree

GOLDEN = {
    "RR labels (4, 8)": 1630321188,
    "RR labels (2, 3)": 1630321188,
    "RR labels all": 2054779664,
    "RR degree (4, 8)": 2470239792,
    "RR degree (2, 3)": 2470239792,
    "RR degree all": 960172832,
    "RR labels+attributes (4, 8)": 3593733083,
    "RR labels+attributes (2, 3)": 3593733083,
    "RR labels+attributes all": 879905557,
    "RR triangles+core-number (4, 8)": 404732558,
    "RR triangles+core-number (2, 3)": 404732558,
    "RR triangles+core-number all": 1595615600,
    "RR landmarks": 0,
    "RA labels (4, 8)": 1200578881,
    "RA labels (2, 3)": 3781016745,
    "RA labels all": 1742631575,
    "RA degree (4, 8)": 643913911,
    "RA degree (2, 3)": 4091903536,
    "RA degree all": 3683222339,
    "RA labels+attributes (4, 8)": 1428915822,
    "RA labels+attributes (2, 3)": 3053154853,
    "RA labels+attributes all": 1216762696,
    "RA triangles+core-number (4, 8)": 3593556951,
    "RA triangles+core-number (2, 3)": 1413323317,
    "RA triangles+core-number all": 937698955,
    "RA landmarks": 2601190823,
    "AR labels (4, 8)": 3277002254,
    "AR labels (2, 3)": 3157061411,
    "AR labels all": 2322464863,
    "AR degree (4, 8)": 2442347795,
    "AR degree (2, 3)": 1999996447,
    "AR degree all": 2246553975,
    "AR labels+attributes (4, 8)": 1706344173,
    "AR labels+attributes (2, 3)": 2196498512,
    "AR labels+attributes all": 4019419656,
    "AR triangles+core-number (4, 8)": 3342329378,
    "AR triangles+core-number (2, 3)": 58414777,
    "AR triangles+core-number all": 2612652821,
    "AR landmarks": 2822034058,
    "AA labels (4, 8)": 1250221171,
    "AA labels (2, 3)": 2334994030,
    "AA labels all": 130487537,
    "AA degree (4, 8)": 1240641540,
    "AA degree (2, 3)": 4041066827,
    "AA degree all": 827189269,
    "AA labels+attributes (4, 8)": 1238843790,
    "AA labels+attributes (2, 3)": 870734188,
    "AA labels+attributes all": 602594334,
    "AA triangles+core-number (4, 8)": 1512952742,
    "AA triangles+core-number (2, 3)": 2414087728,
    "AA triangles+core-number all": 44062050,
    "AA landmarks": 4064063022,
    "vertices R": 6124182,
    "vertices A": 1064080884,
    "WeisfeilerLehmanSubtree": 2084752729,
    "WeisfeilerLehmanOptimalAssignment": 1127144748,
    "colours": 907552313,
    "many points": 663258094,
}


def checksum(*arrays) -> int:
    total = 0
    for array in arrays:
        values = np.asarray(array)
        if values.dtype.kind == "f":
            values = np.rint(values / max(np.abs(values).max(initial=0.0), 1e-300) * 1e9)
        total = zlib.crc32(values.astype(np.int64).tobytes(), total)
    return total


def graphs(with_attributes: bool) -> list[nx.Graph]:
    members = [nx.gnp_random_graph(9 + i, 0.3, seed=i) for i in range(4)]
    members += [nx.star_graph(5), nx.empty_graph(2), nx.barbell_graph(4, 2)]
    for number, graph in enumerate(members):
        rng = np.random.default_rng(number)
        for v in graph:
            graph.nodes[v]["label"] = "CNOS"[rng.integers(4)]
            if with_attributes:
                graph.nodes[v]["attributes"] = rng.integers(-4, 5, size=3).tolist()
    return members


def trees(kernel, members, T) -> list[np.ndarray]:
    found = []
    for t in range(T + 1):
        tree = kernel.hierarchy_at(t)
        if tree is not None:
            leaves = kernel.leaves_at(t, members)
            found += [tree.parents, tree.depths, tree.weights, tree.leaf_nodes, leaves]
    return found


def results() -> dict[str, int]:
    found = {}
    for variant in ("RR", "RA", "AR", "AA"):
        for features in ("labels", "degree", "labels+attributes", "triangles+core-number"):
            for shape in ((4, 8), (2, 3)):
                members = graphs("attributes" in features)
                kernel = MessagePassingGraphKernel(
                    variant, n_iterations=2, features=features, branching=shape[0], depth=shape[1]
                )
                new = kernel.fit(members[:5]).transform(members)
                grown = trees(kernel, members, 2)
                found[f"{variant} {features} {shape}"] = checksum(new, *grown)
                if shape == (2, 3):
                    every_t = kernel.set_params(levels="sum", random_state=3)
                    found[f"{variant} {features} all"] = checksum(
                        *every_t.kernels_at_all_t(members), *trees(kernel, members, 2)
                    )
        landmarks = MessagePassingGraphKernel(
            variant, n_iterations=2, features="degree", approximation="nystroem", n_landmarks=4
        )
        landmarks.fit(graphs(False))
        found[f"{variant} landmarks"] = checksum(*trees(landmarks, graphs(False), 2))
    for neighbourhood in ("R", "A"):
        graph = nx.barabasi_albert_graph(30, 2, seed=1)
        node_kernel = MessagePassingNodeKernel(neighbourhood, n_iterations=3).fit(graph)
        leaves = [node_kernel.leaves_at(t) for t in range(4) if neighbourhood == "A"]
        found[f"vertices {neighbourhood}"] = checksum(node_kernel.kernel_, *leaves)
    for kind in (WeisfeilerLehmanSubtree, WeisfeilerLehmanOptimalAssignment):
        colours = kind(n_iterations=2).fit(graphs(False)[:4])
        new = colours.transform(graphs(False))
        tree = colours.hierarchy_
        found[kind.__name__] = checksum(new, tree.parents, tree.leaf_nodes, colours.leaves_)
    found["colours"] = checksum(colour_refinement(graphs(False), respect_labels=True))
    rng = np.random.default_rng(0)
    points, weights = rng.integers(-99, 99, size=(1500, 3)) / 8.0, rng.integers(1, 9, size=1500)
    tree, leaves = grow_tree(points, weights.astype(float), 3, 3, 5)
    found["many points"] = checksum(tree.hierarchy.parents, leaves, tree.centroids)
    return found


def test_results_are_those_that_were_recorded():
    assert results() == GOLDEN
