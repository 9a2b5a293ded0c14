"""The graph of a step, where it comes from, and what a kernel computes on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from string import ascii_uppercase
from typing import Any, TypeAlias

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from mpgk_core.arrays import cosine_normalised
from mpgk_core.automorphism import Orbits, orbits
from mpgk_core.datasets import load, samples, version_of
from mpgk_core.errors import InvalidParameterError, shortened
from mpgk_core.evaluation import (
    RECIPES,
    ROLE_GRAPHS,
    Evaluation,
    KernelSpec,
    LabelledSet,
    Protocol,
    evaluate,
    generate,
    role_graph,
)
from mpgk_core.evaluation.regression import (
    RegressionProtocol,
    RegressionResult,
    RegressionSpec,
    TargetColumn,
    evaluate_regression,
)
from mpgk_core.formats import read_tables
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.graphs.generators import GivenGraph, PresetGraph
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.recovery.points import kernel_points
from mpgk_core.recovery.verdict import verdict

MAP_KERNEL = "AA"
"""The kernel under which a lesson draws the map of a data set."""

DEFAULT_COST = 10.0
"""C of the support vector machine, unless a step gives another."""

PREDICTORS = {
    "mean": "mean of the training part",
    "atoms": "counts of atoms",
    "neighbours": "counts of atoms, then the kernel RA",
    "bonds": "counts of atoms, then RA with bonds",
}
"""Ways to predict a number that a lesson can compare: each knows more than the one before."""

MAX_MEASURED = 500
"""How many molecules a lesson takes, so that its errors are there at once."""

_PER_CLASS = 20
_SPLIT = RegressionProtocol(validation=0.2, test=0.3)
_QUICK = Protocol(n_folds=5, n_repeats=1, levels=("last",), inner_folds=2)


def own_edges(edges: Iterable[tuple[str, str]]) -> GivenGraph:
    """Return a small graph that is spelled out; vertices are in the order of their names.

    Examples
    --------
    >>> own_edges([("b", "c"), ("a", "b")]).build().names
    ['a', 'b', 'c']
    """
    joined = nx.Graph(edges)
    graph = nx.Graph()
    graph.add_nodes_from(sorted(joined))
    graph.add_edges_from(joined.edges)
    title = ", ".join(f"{v} {u}" for v, u in joined.edges)
    return GivenGraph(title, as_graph_set(graph))


def together(parts: Sequence[PresetGraph]) -> GivenGraph:
    """Return graphs side by side as one graph; its vertices are A0, A1, ..., B0, B1, ...

    Examples
    --------
    >>> together([PresetGraph("cycle", {"n": 3}), PresetGraph("cycle", {"n": 4})]).build().names
    ['A0', 'A1', 'A2', 'B0', 'B1', 'B2', 'B3']
    """
    named = [
        nx.relabel_nodes(part.build().to_networkx()[0], lambda v, x=letter: f"{x}{v}")
        for part, letter in zip(parts, ascii_uppercase, strict=False)
    ]
    title = " and ".join(part.title for part in parts)
    return GivenGraph(title, as_graph_set(nx.union_all(named)))


def with_roles(name: str) -> GivenGraph:
    """Return one of the graphs of ``ROLE_GRAPHS``, without the roles of its vertices.

    Examples
    --------
    >>> with_roles("karate").title
    'Mirrored karate club'
    """
    return GivenGraph(ROLE_GRAPHS[name].title, role_graph(name)[0])


@dataclass(frozen=True)
class DataSource:
    """A data set on this machine, or one made by a recipe of ``mpgk_core.evaluation``."""

    name: str

    @property
    def title(self) -> str:
        """The name."""
        return self.name

    def build(self) -> GraphSet:
        """Return all graphs."""
        return self.labelled().graphs

    def labelled(self) -> LabelledSet:
        """Return all graphs with their classes."""
        return _labelled(*self.content())

    def content(self) -> tuple[Any, ...]:
        """Return the name, and what changes as soon as the file does."""
        return self.name, () if self.name in RECIPES else version_of(self.name)


@dataclass(frozen=True)
class MeasuredSource(DataSource):
    """The first molecules of a sample file, with a number of each to predict.

    Attributes
    ----------
    target : str
        A column of the file.
    """

    target: str = ""

    def labelled(self) -> LabelledSet:
        """Raise: these graphs have no classes."""
        raise InvalidParameterError(
            f"The graphs of {self.name!r} have numbers and no classes. Show errors."
        )

    def build(self) -> GraphSet:
        """Return the graphs, atoms labelled by their elements and edges by bonds."""
        return self.measured()[0]

    def measured(self) -> tuple[GraphSet, TargetColumn]:
        """Return the graphs and what is to be predicted."""
        graphs, targets = _measured(*self.content()[:2])
        if self.target not in targets:
            known = ", ".join(targets)
            raise InvalidParameterError(
                f"There is no target {shortened(self.target)!r} in {self.name!r}. It has {known}."
            )
        return graphs, TargetColumn(self.target, targets[self.target])

    def content(self) -> tuple[Any, ...]:
        """Return name and target, and what changes as soon as the file does."""
        state = self._path.stat()
        return self.name, (state.st_mtime_ns, state.st_size), self.target

    @property
    def _path(self) -> Path:
        found = [one.path for one in samples() if one.path.stem == self.name]
        if not found:
            raise InvalidParameterError(f"There is no sample {shortened(self.name)!r}.")
        return found[0]


@lru_cache(maxsize=2)
def _measured(
    name: str, version: tuple[Any, ...]
) -> tuple[GraphSet, Mapping[str, NDArray[np.float64]]]:
    path = MeasuredSource(name)._path
    lines = path.read_text("utf-8").splitlines(keepends=True)[: MAX_MEASURED + 1]
    tables = read_tables(path.name, "".join(lines).encode())
    return tables.graph_set({"element": "label"}), tables.targets


def quick_errors(source: MeasuredSource, model: str, T: int) -> RegressionResult:
    """Measure how well a model of ``PREDICTORS`` predicts numbers, quickly enough for a lesson.

    Parameters
    ----------
    source : MeasuredSource
    model : str
        A key of ``PREDICTORS``.
    T : int
        Number of rounds.

    Returns
    -------
    RegressionResult
        Of one split.
    """
    return _errors(source, model, T, source.content())


@lru_cache(maxsize=32)
def _errors(
    source: MeasuredSource, model: str, T: int, content: tuple[Any, ...]
) -> RegressionResult:
    graphs, target = source.measured()
    edges = "labels" if model == "bonds" else "ignore"
    spec = {
        "mean": lambda: RegressionSpec.of("mean"),
        "atoms": lambda: RegressionSpec.of("ridge", "WL", False, {"n_iterations": 0}),
    }.get(
        model, lambda: RegressionSpec.of("ridge", "RA", True, {"n_iterations": T, "edges": edges})
    )()
    (found,) = evaluate_regression(graphs, target, spec, _SPLIT)
    return found


@dataclass(frozen=True)
class DataGraph:
    """One graph of a data set, counted from 0."""

    name: str
    number: int

    @property
    def title(self) -> str:
        """Name and number."""
        return f"{self.name} {self.number}"

    def build(self) -> GraphSet:
        """Return the graph."""
        graphs = DataSource(self.name).build()
        if self.number >= len(graphs):
            raise InvalidParameterError(
                f"The graphs of the data set {self.name!r} have the numbers 0 to "
                f"{len(graphs) - 1}. Got {self.number} instead."
            )
        return graphs[self.number]

    def content(self) -> tuple[Any, ...]:
        """Return name and number, and what changes as soon as the file does."""
        return self.number, *DataSource(self.name).content()


GraphSource: TypeAlias = PresetGraph | GivenGraph | DataSource | DataGraph
"""Where the graph of a step comes from; ``build`` returns the same graph every time."""


@lru_cache(maxsize=4)
def _labelled(name: str, version: tuple[Any, ...]) -> LabelledSet:
    if name in RECIPES:
        return generate(name, _PER_CLASS)
    data = load(name)
    classes = tuple(map(str, data.classes.tolist()))
    return LabelledSet(data.graphs.named(), classes)


def quick_evaluation(
    source: DataSource, method: str, T: int, cost: float = DEFAULT_COST
) -> Evaluation:
    """Cross-validate a kernel on a data set, with a fixed C and T, quickly enough for a lesson.

    Parameters
    ----------
    source : DataSource
    method : str
        A key of ``METHODS``.
    T : int
        Number of rounds.
    cost : float
        C of the support vector machine.

    Returns
    -------
    Evaluation
        Of five folds.
    """
    return _evaluation(source, method, T, cost, source.content())


@lru_cache(maxsize=64)
def _evaluation(
    source: DataSource, method: str, T: int, cost: float, content: tuple[Any, ...]
) -> Evaluation:
    data = source.labelled()
    protocol = replace(_QUICK, iterations=(T,), C=(cost,))
    return evaluate(data.graphs, data.classes, KernelSpec.of(method), protocol)


class Scene:
    """A graph and a kernel; everything is computed when it is first needed, and once.

    Parameters
    ----------
    source : GraphSource
    parameters : KernelParameters
    cost : float
        C of the support vector machine, for accuracies.

    Examples
    --------
    >>> scene = Scene(PresetGraph("barbell"), KernelParameters(features="degree"))
    >>> [scene.n_points(t) for t in range(6)]
    [3, 4, 5, 6, 7, 7]
    """

    def __init__(
        self, source: GraphSource, parameters: KernelParameters, cost: float = DEFAULT_COST
    ) -> None:
        self.source, self.parameters, self.cost = source, parameters, cost

    @cached_property
    def graph(self) -> GraphSet:
        """The graph."""
        return self.source.build()

    @cached_property
    def names(self) -> list[str]:
        """Names of the vertices as a reader sees them."""
        return [str(name) for name in self.graph.names]

    @property
    def estimator(self) -> MessagePassingNodeKernel:
        """The kernel before it is fitted."""
        return MessagePassingNodeKernel(**self.parameters.settings())

    @cached_property
    def kernel(self) -> MessagePassingNodeKernel:
        """The fitted kernel."""
        return self.estimator.fit(self.graph)

    @cached_property
    def orbits(self) -> Orbits:
        """The orbits of the graph, which respect what the kernel uses of edges."""
        return orbits(self.graph, edges=self.parameters.edges)

    def number(self, name: str) -> int:
        """Return the number of a vertex, or raise."""
        if name not in self.names:
            some = ", ".join(self.names[:8]) + (", …" if len(self.names) > 8 else "")
            raise InvalidParameterError(
                f"There is no vertex {shortened(name)!r} in this graph. Its vertices are {some}."
            )
        return self.names.index(name)

    def named(self, is_meant: NDArray[np.bool_]) -> frozenset[str]:
        """Return the names of the vertices that are marked."""
        return frozenset(self.names[v] for v in np.flatnonzero(is_meant).tolist())

    def points(self, t: int) -> NDArray[np.int64]:
        """Return the point of every vertex after t rounds."""
        return kernel_points(self.graph, self.kernel, t).of_vertex

    def n_points(self, t: int) -> int:
        """Return the number of distinct points after t rounds."""
        return int(self.points(t).max(initial=-1)) + 1

    def n_recovered(self, t: int) -> int:
        """Return how many orbits are one point of their own after t rounds."""
        return verdict(self.graph, self.kernel, t, self.orbits).n_recovered

    def cosines(self, t: int) -> NDArray[np.float64]:
        """Return the normalised kernel after t rounds."""
        kernel = self.kernel.kernel_at(t)
        return cosine_normalised(kernel, kernel.diagonal(), kernel.diagonal())


@dataclass(frozen=True, eq=False)
class OneRound:
    """The numbers of one round.

    Attributes
    ----------
    names : list of str
        Of the vertices.
    start : ndarray of shape (n, n)
        k⁰.
    sums : ndarray of shape (n, n)
        The sum of k⁰ over all pairs of neighbours.
    end : ndarray of shape (n, n)
        k¹ = α k⁰ + β sums.
    terms : dict of pairs of int to lists of pairs of int
        For two vertices, the pairs of their neighbours.
    """

    names: list[str]
    start: NDArray[np.float64]
    sums: NDArray[np.float64]
    end: NDArray[np.float64]
    terms: dict[tuple[int, int], list[tuple[int, int]]]

    def tables(self, n_tables: int = 3, hidden: float | None = None) -> list[list[list[str]]]:
        """Return the first of the three tables as words; in the last of them a value is hidden.

        Parameters
        ----------
        n_tables : int
            1 for k⁰ alone, 2 for the sums as well, 3 for k¹ as well.
        hidden : float, optional
            Shown as a question mark.

        Returns
        -------
        list of lists of lists of str
        """
        shown = [
            [[f"{x:g}" for x in row] for row in table]
            for table in (self.start, self.sums, self.end)[:n_tables]
        ]
        if hidden is not None:
            shown[-1] = [[UNKNOWN if x == f"{hidden:g}" else x for x in row] for row in shown[-1]]
        return shown

    def written_out(
        self, v: int, u: int, kernel: KernelParameters, tables: list[list[list[str]]]
    ) -> str:
        """Return how two vertices get their value in the last table, in LaTeX.

        Parameters
        ----------
        v, u : int
            Numbers of the vertices.
        kernel : KernelParameters
            Its α and β count.
        tables : list of lists of lists of str
            See :meth:`tables`.

        Returns
        -------
        str
            Empty if there is one table; without the terms where a value is hidden.
        """
        values = [table[v][u] for table in tables]
        if len(tables) > 2:
            return (
                rf"k^1({self.names[v]}, {self.names[u]}) = {kernel.alpha:g} \cdot {values[0]} + "
                rf"{kernel.beta:g} \cdot {values[1]} = {values[2]}"
            )
        if len(tables) < 2:
            return ""
        pairs = self.terms[v, u]
        n_others = len({b for _, b in pairs})
        named = [f"k^0({self.names[a]}, {self.names[b]})" for a, b in pairs]
        symbols = _in_lines(named, min(n_others, _SYMBOLS_ON_A_LINE))
        terms = _in_lines([f"{self.start[a, b]:g}" for a, b in pairs], _TERMS_ON_A_LINE)
        end = values[1] if values[1] == UNKNOWN else f"{terms} = {values[1]}"
        return rf"\begin{{aligned}} & {symbols} \\ & = {end}\end{{aligned}}"


def _in_lines(terms: list[str], n: int) -> str:
    """Return a sum in LaTeX, n terms on a line, so that it fits on a phone."""
    lines = (" + ".join(terms[i : i + n]) for i in range(0, len(terms), max(n, 1)))
    return r" \\ & \quad + ".join(lines) or "0"


_SYMBOLS_ON_A_LINE, _TERMS_ON_A_LINE = 5, 9

UNKNOWN = "?"
"""Stands for a value that the reader is asked for."""


def one_round(scene: Scene) -> OneRound:
    r"""Compute one round of R on a small graph.

    Parameters
    ----------
    scene : Scene
        With the kernel R and at least one round.

    Returns
    -------
    OneRound

    Examples
    --------
    >>> parameters = KernelParameters(alpha=0.5, beta=0.5, n_iterations=1, features="degree")
    >>> found = one_round(Scene(PresetGraph("path", {"n": 3}), parameters))
    >>> found.sums.tolist()
    [[4.0, 4.0, 4.0], [4.0, 4.0, 4.0], [4.0, 4.0, 4.0]]
    >>> found.written_out(0, 1, parameters, found.tables())
    'k^1(0, 1) = 0.5 \\cdot 2 + 0.5 \\cdot 4 = 3'
    >>> found.tables(1, hidden=2)[0]
    [['1', '?', '1'], ['?', '4', '?'], ['1', '?', '1']]
    """
    rows = scene.graph.adjacency
    start, end = scene.kernel.kernel_at(0), scene.kernel.kernel_at(1)
    around = [part.tolist() for part in np.split(rows.indices, rows.indptr[1:-1])]
    n = scene.graph.n_vertices
    terms = {
        (v, u): [(a, b) for a in around[v] for b in around[u]] for v in range(n) for u in range(n)
    }
    return OneRound(scene.names, start, rows @ start @ rows, end, terms)
