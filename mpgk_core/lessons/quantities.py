"""Named quantities that a lesson may ask for, each with the arguments that it takes.

Accuracies come from one five-fold cross-validation with a fixed C and T, quick enough for a lesson.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import networkx as nx
import numpy as np

from mpgk_core.arrays import FloatArray
from mpgk_core.checks import check_choice, check_whole
from mpgk_core.edits import Comparison, compare, without_edge
from mpgk_core.embedding.methods import VERTEX_METHODS, method_separation, vertex_vectors
from mpgk_core.errors import InvalidParameterError, shortened
from mpgk_core.evaluation import METHODS, Evaluation, LabelledSet
from mpgk_core.graphs.local_features import triangles as triangle_counts
from mpgk_core.kernels import MessagePassingGraphKernel
from mpgk_core.lessons.scene import (
    PREDICTORS,
    DataSource,
    MeasuredSource,
    Scene,
    quick_errors,
    quick_evaluation,
)
from mpgk_core.refinement.colour_refinement import colour_refinement

Value: TypeAlias = bool | int | float | str | frozenset[str]
"""What a quantity can be: a truth, a number, a word, or names of vertices."""

ArgumentKind: TypeAlias = Literal[
    "vertex", "round", "method", "graph", "class", "embedding", "model"
]
"""A vertex, kernel, class or embedding by name, a graph by number, a round t (by default T)."""


@dataclass(frozen=True)
class Quantity:
    """Something that the engine can compute on a scene.

    Attributes
    ----------
    compute : callable
        Takes the scene and the arguments as keywords.
    arguments : mapping of str to ArgumentKind
    on_data : bool
        Whether it is about a whole data set rather than about one graph.
    """

    compute: Callable[..., Value]
    arguments: Mapping[str, ArgumentKind]
    on_data: bool = False

    @property
    def about(self) -> str:
        """One sentence: what it is."""
        first = (self.compute.__doc__ or "").strip().splitlines()[0].removeprefix("Return ")
        return first[:1].upper() + first[1:]


QUANTITIES: dict[str, Quantity] = {}
"""All quantities by name."""


def quantity(
    on_data: bool = False, **arguments: ArgumentKind
) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Register a function under its own name.

    Parameters
    ----------
    on_data : bool
        Whether it is about a whole data set.
    **arguments : ArgumentKind
        The arguments that a lesson gives.

    Returns
    -------
    callable
        A decorator.
    """

    def register(compute: Callable[..., Value]) -> Callable[..., Value]:
        QUANTITIES[compute.__name__] = Quantity(compute, arguments, on_data)
        return compute

    return register


def checked_arguments(name: str, given: Mapping[str, Any], scene: Scene) -> dict[str, Any]:
    """Return the arguments of a quantity, vertices by number and a missing round as T, or raise.

    Parameters
    ----------
    name : str
        A key of ``QUANTITIES``.
    given : mapping
        As in the lesson.
    scene : Scene
        Where it will be computed.

    Returns
    -------
    dict

    Raises
    ------
    InvalidParameterError
        If the quantity or an argument is unknown, missing or out of range.
    """
    check_choice(name, sorted(QUANTITIES), "quantity", "a lesson")
    wanted = QUANTITIES[name]
    if wanted.on_data != isinstance(scene.source, DataSource):
        needs = "a whole data set" if wanted.on_data else "one graph"
        raise InvalidParameterError(f"The quantity {name!r} is about {needs}. Change the picture.")
    for key in given:
        if key not in wanted.arguments:
            takes = ", ".join(map(repr, wanted.arguments)) or "no arguments"
            raise InvalidParameterError(
                f"The quantity {name!r} has no argument {shortened(key)!r}. It takes {takes}."
            )
    return {
        key: _checked(kind, key, given.get(key), name, scene)
        for key, kind in wanted.arguments.items()
    }


def _checked(kind: ArgumentKind, key: str, value: Any, owner: str, scene: Scene) -> Any:
    T = scene.parameters.n_iterations
    if kind == "round" and value is None:
        return T
    if value is None:
        raise InvalidParameterError(f"The quantity {owner!r} needs the argument {key!r}. Add it.")
    if kind == "vertex":
        return scene.number(str(value))
    if kind in ("round", "graph"):
        check_whole(value, 0, key, owner, maximum=T if kind == "round" else len(scene.graph) - 1)
        return value
    known = {"method": METHODS, "embedding": VERTEX_METHODS, "model": PREDICTORS}.get(kind)
    check_choice(str(value), sorted(known or set(_data(scene).classes)), key, owner)
    return str(value)


@quantity()
def n_vertices(scene: Scene) -> Value:
    """Return the number of vertices."""
    return scene.graph.n_vertices


@quantity()
def n_edges(scene: Scene) -> Value:
    """Return the number of edges."""
    return scene.graph.n_edges


@quantity(vertex="vertex")
def degree(scene: Scene, vertex: int) -> Value:
    """Return the number of neighbours of a vertex."""
    return int(np.diff(scene.graph.adjacency.indptr)[vertex])


@quantity(vertex="vertex")
def triangles(scene: Scene, vertex: int) -> Value:
    """Return the number of triangles that a vertex lies on."""
    return int(triangle_counts(scene.graph.adjacency)[vertex])


@quantity(vertex="vertex")
def neighbours(scene: Scene, vertex: int) -> Value:
    """Return the neighbours of a vertex."""
    return scene.named(scene.graph.adjacency[[vertex]].toarray()[0] != 0)


@quantity(vertex="vertex", other="vertex")
def distance(scene: Scene, vertex: int, other: int) -> Value:
    """Return the length of a shortest path between two vertices; -1 if there is none."""
    graph = nx.from_scipy_sparse_array(scene.graph.adjacency)
    return int(nx.single_source_shortest_path_length(graph, vertex).get(other, -1))


@quantity()
def n_orbits(scene: Scene) -> Value:
    """Return the number of orbits."""
    return scene.orbits.n_orbits


@quantity(vertex="vertex")
def orbit_of(scene: Scene, vertex: int) -> Value:
    """Return the vertices of the orbit of a vertex, itself included."""
    orbit = scene.orbits.of_vertex
    return scene.named(orbit == orbit[vertex])


@quantity(vertex="vertex", other="vertex")
def same_orbit(scene: Scene, vertex: int, other: int) -> Value:
    """Return whether two vertices are structurally equivalent."""
    orbit = scene.orbits.of_vertex
    return bool(orbit[vertex] == orbit[other])


@quantity(t="round")
def n_colours(scene: Scene, t: int) -> Value:
    """Return the number of colours after t rounds of colour refinement."""
    return len(np.unique(colour_refinement(scene.graph, t)))


@quantity(vertex="vertex", other="vertex", t="round")
def same_colour(scene: Scene, vertex: int, other: int, t: int) -> Value:
    """Return whether two vertices have the same colour after t rounds of colour refinement."""
    colours = colour_refinement(scene.graph, t)
    return bool(colours[vertex] == colours[other])


@quantity(t="round")
def n_points(scene: Scene, t: int) -> Value:
    """Return the number of distinct points of the kernel after t rounds."""
    return scene.n_points(t)


@quantity(t="round")
def n_recovered(scene: Scene, t: int) -> Value:
    """Return the number of orbits that are recovered after t rounds."""
    return scene.n_recovered(t)


@quantity(vertex="vertex", t="round")
def point_of(scene: Scene, vertex: int, t: int) -> Value:
    """Return the vertices that share the point of a vertex after t rounds, itself included."""
    points = scene.points(t)
    return scene.named(points == points[vertex])


@quantity(vertex="vertex", other="vertex", t="round")
def same_point(scene: Scene, vertex: int, other: int, t: int) -> Value:
    """Return whether two vertices share one point after t rounds."""
    points = scene.points(t)
    return bool(points[vertex] == points[other])


@quantity(vertex="vertex", other="vertex")
def first_round_apart(scene: Scene, vertex: int, other: int) -> Value:
    """Return the first round in which the kernel separates two vertices; -1 for none up to T."""
    rounds = ((t, scene.points(t)) for t in range(scene.parameters.n_iterations + 1))
    return next((t for t, points in rounds if points[vertex] != points[other]), -1)


@quantity(vertex="vertex", other="vertex", t="round")
def kernel_value(scene: Scene, vertex: int, other: int, t: int) -> Value:
    """Return the kernel k^t between two vertices."""
    return float(scene.kernel.kernel_at(t)[vertex, other])


@quantity(vertex="vertex", other="vertex", t="round")
def neighbourhood_value(scene: Scene, vertex: int, other: int, t: int) -> Value:
    """Return the sum of k^t over all pairs of neighbours of two vertices."""
    rows = scene.graph.adjacency
    return float((rows @ scene.kernel.kernel_at(t) @ rows)[vertex, other])


@quantity(vertex="vertex", other="vertex", t="round")
def cosine(scene: Scene, vertex: int, other: int, t: int) -> Value:
    """Return the cosine of two vertices, that is, their normalised kernel."""
    return float(scene.cosines(t)[vertex, other])


@quantity(vertex="vertex", t="round")
def most_similar(scene: Scene, vertex: int, t: int) -> Value:
    """Return the other vertices that lie closest to a vertex in feature space after t rounds."""
    kernel = scene.kernel.kernel_at(t)
    lengths = kernel.diagonal() + kernel[vertex, vertex]
    squared = lengths - 2 * kernel[vertex]
    squared[vertex] = np.inf
    return scene.named(squared <= squared.min() + 1e-9 * lengths)


@quantity(vertex="vertex", other="vertex", embedding="embedding")
def embedding_distance(scene: Scene, vertex: int, other: int, embedding: str) -> Value:
    """Return the distance of two vertices in another embedding, such as "deepwalk"."""
    return float(_distances(scene, vertex, embedding)[other])


@quantity(vertex="vertex", embedding="embedding")
def nearest(scene: Scene, vertex: int, embedding: str) -> Value:
    """Return the other vertices that lie closest to a vertex in another embedding."""
    distances = _distances(scene, vertex, embedding)
    distances[vertex] = np.inf
    return scene.named(distances <= distances.min() + 1e-9 * max(1.0, distances.min()))


@quantity(vertex="vertex", other="vertex", embedding="embedding")
def n_closer(scene: Scene, vertex: int, other: int, embedding: str) -> Value:
    """Return how many vertices are closer to a vertex than another one is in an embedding."""
    distances = _distances(scene, vertex, embedding)
    is_closer = distances < distances[other] - 1e-9 * max(1.0, distances[other])
    return int(is_closer.sum()) - int(is_closer[vertex])


@quantity(embedding="embedding")
def recovered_by(scene: Scene, embedding: str) -> Value:
    """Return the number of orbits whose vertices lie closer to each other than to all others."""
    T, orbit = scene.parameters.n_iterations, scene.orbits.of_vertex
    return method_separation(embedding, scene.graph, T, orbit).n_recovered


def _distances(scene: Scene, vertex: int, embedding: str) -> FloatArray:
    vectors = vertex_vectors(embedding, scene.graph, scene.parameters.n_iterations)
    distances: FloatArray = np.linalg.norm(vectors - vectors[vertex], axis=1)
    return distances


@quantity(one="vertex", other="vertex", t="round")
def colours_changed(scene: Scene, one: int, other: int, t: int) -> Value:
    """Return the share of vertices, in percent, whose WL colour changes when an edge is removed."""
    return 100 * float(_without(scene, one, other).share_recoloured[t])


@quantity(one="vertex", other="vertex", t="round")
def n_colours_changed(scene: Scene, one: int, other: int, t: int) -> Value:
    """Return the number of vertices whose WL colour changes when an edge is removed."""
    return int(_without(scene, one, other).is_recoloured[t].sum())


@quantity(one="vertex", other="vertex", t="round")
def similar_to_before(scene: Scene, one: int, other: int, t: int) -> Value:
    """Return the mean cosine of the vertices with what they were before an edge is removed."""
    cosines = _without(scene, one, other).similarity(scene.parameters.neighbourhood)[t]
    return float(cosines.mean())


@quantity(one="vertex", other="vertex")
def orbits_after(scene: Scene, one: int, other: int) -> Value:
    """Return the number of orbits after an edge is removed."""
    return _without(scene, one, other).orbits_after.n_orbits


def _without(scene: Scene, one: int, other: int) -> Comparison:
    names = scene.graph.names
    changed = without_edge(scene.graph, names[one], names[other])
    return compare(scene.graph, changed, scene.estimator, orbits_before=scene.orbits)


@quantity(on_data=True)
def n_graphs(scene: Scene) -> Value:
    """Return the number of graphs."""
    return len(scene.graph)


@quantity(on_data=True)
def n_classes(scene: Scene) -> Value:
    """Return the number of classes."""
    return len(set(_data(scene).classes))


@quantity(on_data=True)
def chance(scene: Scene) -> Value:
    """Return the share of graphs, in percent, that are in the largest class."""
    classes = _data(scene).classes
    return 100 * Counter(classes).most_common(1)[0][1] / len(classes)


@quantity(on_data=True, of="class")
def class_size(scene: Scene, of: str) -> Value:
    """Return the number of graphs of a class."""
    return _data(scene).classes.count(of)


@quantity(on_data=True, graph="graph")
def class_of_graph(scene: Scene, graph: int) -> Value:
    """Return the class of a graph."""
    return _data(scene).classes[graph]


@quantity(on_data=True, method="method")
def accuracy(scene: Scene, method: str) -> Value:
    """Return the accuracy, in percent, of a support vector machine with a graph kernel."""
    return 100 * _evaluated(scene, method).mean


@quantity(on_data=True, method="method")
def accuracy_spread(scene: Scene, method: str) -> Value:
    """Return the standard deviation of the accuracy over the folds, in percentage points."""
    return 100 * _evaluated(scene, method).fold_std


def _evaluated(scene: Scene, method: str) -> Evaluation:
    assert isinstance(scene.source, DataSource)
    return quick_evaluation(scene.source, method, scene.parameters.n_iterations, scene.cost)


@quantity(on_data=True, model="model")
def prediction_error(scene: Scene, model: str) -> Value:
    """Return the mean absolute error of a model on test graphs, in percent of the deviation."""
    if not isinstance(scene.source, MeasuredSource):
        raise InvalidParameterError("Errors are those of a target. Give data and a target.")
    found = quick_errors(scene.source, model, scene.parameters.n_iterations)
    return 100 * found.normalised_mae


@quantity(on_data=True, graph="graph", other="graph", method="method")
def graph_cosine(scene: Scene, graph: int, other: int, method: str) -> Value:
    """Return the cosine of two graphs under a message passing graph kernel."""
    given = scene.parameters
    kernel = MessagePassingGraphKernel(
        method, alpha=given.alpha, beta=given.beta, n_iterations=given.n_iterations
    )
    return float(kernel.fit_transform(scene.graph)[graph, other])


def _data(scene: Scene) -> LabelledSet:
    assert isinstance(scene.source, DataSource)
    return scene.source.labelled()
