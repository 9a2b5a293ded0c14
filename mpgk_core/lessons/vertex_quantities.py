"""Quantities of one graph: degrees, distances, orbits, colours, points and kernel values."""

from __future__ import annotations

import networkx as nx
import numpy as np

from mpgk_core.edits import Comparison, compare, without_edge
from mpgk_core.graphs.initial_features import triangles as triangle_counts
from mpgk_core.lessons.registry import Value, quantity
from mpgk_core.lessons.scene import Scene
from mpgk_core.refinement.colour_refinement import colour_refinement

__all__: list[str] = []


@quantity()
def n_vertices(scene: Scene) -> Value:
    """Return the number of vertices."""
    return scene.graph.n_vertices


@quantity()
def n_edges(scene: Scene) -> Value:
    """Return the number of edges."""
    return scene.graph.n_edges


@quantity(vertex="vertex")
def degree(scene: Scene, vertex: str) -> Value:
    """Return the number of neighbours of a vertex."""
    v = scene.number(vertex)
    return int(np.diff(scene.graph.adjacency.indptr)[v])


@quantity(vertex="vertex")
def triangles(scene: Scene, vertex: str) -> Value:
    """Return the number of triangles that a vertex lies on."""
    return int(triangle_counts(scene.graph.adjacency)[scene.number(vertex)])


@quantity(vertex="vertex")
def neighbours(scene: Scene, vertex: str) -> Value:
    """Return the neighbours of a vertex."""
    rows = scene.graph.adjacency
    v = scene.number(vertex)
    return scene.named(rows.indices[rows.indptr[v] : rows.indptr[v + 1]].astype(np.int64))


@quantity(vertex="vertex", other="vertex")
def distance(scene: Scene, vertex: str, other: str) -> Value:
    """Return the number of steps between two vertices; -1 where no way leads there."""
    graph = nx.from_scipy_sparse_array(scene.graph.adjacency)
    ways = nx.single_source_shortest_path_length(graph, scene.number(vertex))
    return int(ways.get(scene.number(other), -1))


@quantity()
def n_orbits(scene: Scene) -> Value:
    """Return the number of orbits."""
    return scene.orbits.n_orbits


@quantity(vertex="vertex")
def orbit_of(scene: Scene, vertex: str) -> Value:
    """Return the vertices of the orbit of a vertex, itself included."""
    orbit = scene.orbits.of_vertex
    return scene.named(np.flatnonzero(orbit == orbit[scene.number(vertex)]))


@quantity(vertex="vertex", other="vertex")
def same_orbit(scene: Scene, vertex: str, other: str) -> Value:
    """Return whether two vertices are structurally equivalent."""
    orbit = scene.orbits.of_vertex
    return bool(orbit[scene.number(vertex)] == orbit[scene.number(other)])


@quantity(t="round")
def n_colours(scene: Scene, t: int) -> Value:
    """Return the number of colours of colour refinement after t rounds."""
    return len(np.unique(colour_refinement(scene.graph, t)))


@quantity(vertex="vertex", other="vertex", t="round")
def same_colour(scene: Scene, vertex: str, other: str, t: int) -> Value:
    """Return whether colour refinement gives two vertices one colour after t rounds."""
    colours = colour_refinement(scene.graph, t)
    return bool(colours[scene.number(vertex)] == colours[scene.number(other)])


@quantity(t="round")
def n_points(scene: Scene, t: int) -> Value:
    """Return the number of distinct points of the kernel after t rounds."""
    return scene.n_points(t)


@quantity(t="round")
def n_recovered(scene: Scene, t: int) -> Value:
    """Return the number of orbits that are one point of their own after t rounds."""
    return scene.n_recovered(t)


@quantity(vertex="vertex", t="round")
def point_of(scene: Scene, vertex: str, t: int) -> Value:
    """Return the vertices that share the point of a vertex after t rounds, itself included."""
    points = scene.points(t)
    return scene.named(np.flatnonzero(points == points[scene.number(vertex)]))


@quantity(vertex="vertex", other="vertex", t="round")
def same_point(scene: Scene, vertex: str, other: str, t: int) -> Value:
    """Return whether the kernel puts two vertices on one point after t rounds."""
    points = scene.points(t)
    return bool(points[scene.number(vertex)] == points[scene.number(other)])


@quantity(vertex="vertex", other="vertex")
def first_round_apart(scene: Scene, vertex: str, other: str) -> Value:
    """Return the first round in which the kernel tells two vertices apart; -1 for none up to T."""
    v, u = scene.number(vertex), scene.number(other)
    rounds = ((t, scene.points(t)) for t in range(scene.setting.T + 1))
    return next((t for t, points in rounds if points[v] != points[u]), -1)


@quantity(vertex="vertex", other="vertex", t="round")
def kernel_value(scene: Scene, vertex: str, other: str, t: int) -> Value:
    """Return the kernel k^t between two vertices."""
    return float(scene.kernel.kernel_at(t)[scene.number(vertex), scene.number(other)])


@quantity(vertex="vertex", other="vertex", t="round")
def neighbourhood_value(scene: Scene, vertex: str, other: str, t: int) -> Value:
    """Return the sum of k^t over all pairs of neighbours of two vertices."""
    rows = scene.graph.adjacency
    v, u = scene.number(vertex), scene.number(other)
    return float((rows @ scene.kernel.kernel_at(t) @ rows)[v, u])


@quantity(vertex="vertex", other="vertex", t="round")
def cosine(scene: Scene, vertex: str, other: str, t: int) -> Value:
    """Return the cosine of two vertices: their kernel divided by the lengths."""
    return float(scene.cosines(t)[scene.number(vertex), scene.number(other)])


@quantity(vertex="vertex", t="round")
def most_similar(scene: Scene, vertex: str, t: int) -> Value:
    """Return the other vertices that lie closest to a vertex in feature space after t rounds."""
    kernel = scene.kernel.kernel_at(t)
    v = scene.number(vertex)
    squared = kernel.diagonal() + kernel[v, v] - 2 * kernel[v]
    squared[v] = np.inf
    scale = kernel.diagonal() + kernel[v, v]
    return scene.named(np.flatnonzero(squared <= squared.min() + 1e-9 * scale))


@quantity(one="vertex", other="vertex", t="round")
def colours_changed(scene: Scene, one: str, other: str, t: int) -> Value:
    """Return the share of vertices, in percent, whose WL colour changes when an edge is removed."""
    return 100 * float(_without(scene, one, other).share_recoloured[t])


@quantity(one="vertex", other="vertex", t="round")
def n_colours_changed(scene: Scene, one: str, other: str, t: int) -> Value:
    """Return the number of vertices whose WL colour changes when an edge is removed."""
    return int(_without(scene, one, other).is_recoloured[t].sum())


@quantity(one="vertex", other="vertex", t="round")
def similar_to_before(scene: Scene, one: str, other: str, t: int) -> Value:
    """Return the mean cosine of the vertices with what they were before an edge was removed."""
    cosines = _without(scene, one, other).similarity(scene.setting.neighbourhood)[t]
    return float(cosines.mean())


@quantity(one="vertex", other="vertex")
def orbits_after(scene: Scene, one: str, other: str) -> Value:
    """Return the number of orbits after an edge is removed."""
    return _without(scene, one, other).orbits_after.n_orbits


def _without(scene: Scene, one: str, other: str) -> Comparison:
    ends = [scene.graph.names[scene.number(name)] for name in (one, other)]
    return compare(
        scene.graph,
        without_edge(scene.graph, *ends),
        scene.setting.unfitted(),
        orbits_before=scene.orbits,
    )
