"""How a regression is measured: targets, the split, and graphs in an order of their content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from mpgk_core.arrays import FloatArray, IntArray, membership_matrix
from mpgk_core.checks import check_whole, distinct_values
from mpgk_core.errors import InvalidGraphError, InvalidParameterError, shortened
from mpgk_core.formats.text_rows import is_number
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.features import FeatureEncoder, discrete_features
from mpgk_core.grouping import Rows, group_rows
from mpgk_core.kernels.update import derived_seed
from mpgk_core.refinement.colour_refinement import refinement_rounds

_MAX_TOLD = 5


@dataclass(frozen=True, eq=False)
class TargetColumn:
    """Numbers to predict, one for every graph.

    Parameters
    ----------
    name : str
    values : ndarray of shape (N,)
        Finite, and not all the same.
    unit : str
        Of the values; empty where it is not known.

    Examples
    --------
    >>> TargetColumn("mu", np.array([1.0, 1.0, 1.0]))
    Traceback (most recent call last):
        ...
    mpgk_core.errors.InvalidGraphError: The target 'mu' is 1 for all 3 graphs: there is nothing
    to predict. Choose another column.
    """

    name: str
    values: FloatArray
    unit: str = ""

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float64)
        name = shortened(self.name)
        if values.ndim != 1:
            raise InvalidGraphError(
                f"The target {name!r} has shape {values.shape}. Give one number for every graph."
            )
        bad = np.flatnonzero(~np.isfinite(values))
        if len(bad):
            raise InvalidGraphError(
                f"The target {name!r} is {values[bad[0]]} for graph {bad[0]}. Leave that graph "
                "out, or give a finite number."
            )
        if len(values) == 1:
            raise InvalidGraphError(
                f"There is one graph with the target {name!r}. Give several: some to learn from, "
                "some to test."
            )
        if len(values) and np.all(values == values[0]):
            raise InvalidGraphError(
                f"The target {name!r} is {values[0]:g} for all {len(values):,} graphs: there is "
                "nothing to predict. Choose another column."
            )
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    @property
    def title(self) -> str:
        """The name, with the unit where it is known."""
        return f"{self.name} [{self.unit}]" if self.unit else self.name

    def chosen(self, positions: IntArray) -> TargetColumn:
        """Return the target of some of the graphs."""
        return TargetColumn(self.name, self.values[positions], self.unit)

    def content(self) -> tuple[Any, ...]:
        """Return what makes the column what it is."""
        return self.name, self.values, self.unit


class Targets(NamedTuple):
    """Target columns, and the rows that all of them have a number in.

    Attributes
    ----------
    columns : list of TargetColumn
        With one value for every row that is kept.
    kept : ndarray of int
        The rows.
    problems : list of (row, reason)
        Of the others; rows from 0.
    names : sequence of str
        Of the rows, or empty.
    """

    columns: list[TargetColumn]
    kept: IntArray
    problems: list[tuple[int, str]]
    names: Sequence[str] = ()

    @property
    def summary(self) -> str:
        """What was left out, in a sentence; empty where nothing was."""
        if not self.problems:
            return ""
        first = self.problems[:_MAX_TOLD]
        told = "; ".join(f"{_called(row, self.names)}: {why}" for row, why in first)
        more = (
            f"; and {len(self.problems) - _MAX_TOLD:,} more"
            if len(self.problems) > _MAX_TOLD
            else ""
        )
        n = len(self.problems)
        return f"{n:,} {'row was' if n == 1 else 'rows were'} left out ({told}{more})."


def target_columns(
    cells: Mapping[str, Sequence[Any]],
    units: Mapping[str, str] | None = None,
    names: Sequence[str] = (),
) -> Targets:
    """Read columns of targets; a row with a gap or with text in one of them is left out.

    Parameters
    ----------
    cells : mapping of str to sequence
        Numbers, or cells of text, by the name of the target; all of the same length.
    units : mapping of str to str, optional
    names : sequence of str
        Of the rows; those without are called by their numbers, from 1.

    Returns
    -------
    Targets

    Examples
    --------
    >>> found = target_columns({"mu": ["1.5", "", "polar", "2"]}, {"mu": "D"})
    >>> found.columns[0].values.tolist(), found.kept.tolist()
    ([1.5, 2.0], [0, 3])
    >>> found.summary
    "2 rows were left out (row 2: 'mu' is empty; row 3: 'mu' is 'polar', not a finite number)."
    """
    reasons: dict[int, str] = {}
    numbers: dict[str, FloatArray] = {}
    for name, column in cells.items():
        values = np.empty(len(column))
        for row, cell in enumerate(column):
            value = _number(cell)
            values[row] = np.nan if value is None else value
            if not isfinite(values[row]):
                reasons.setdefault(row, _reason(name, cell))
        numbers[name] = values
    if len({len(values) for values in numbers.values()}) > 1:
        raise InvalidGraphError("Target columns have different lengths. Give one value a graph.")
    n_rows = len(next(iter(numbers.values()), ()))
    kept = np.array([row for row in range(n_rows) if row not in reasons], dtype=np.int64)
    problems = sorted(reasons.items())
    if n_rows and not len(kept):
        row, why = problems[0]
        raise InvalidGraphError(
            f"No row has a number for {', '.join(map(repr, cells))}: {_called(row, names)}: "
            f"{why}. Choose a column of numbers."
        )
    known = units or {}
    columns = [TargetColumn(name, v[kept], known.get(name, "")) for name, v in numbers.items()]
    return Targets(columns, kept, problems, names)


def _called(row: int, names: Sequence[str]) -> str:
    return shortened(names[row], 40) if names and names[row] else f"row {row + 1}"


def _number(cell: Any) -> float | None:
    if isinstance(cell, str):
        text = cell.strip()
        return float(text) if is_number(text) else None
    return None if cell is None else float(cell)


def _reason(name: str, cell: Any) -> str:
    called = repr(shortened(name))
    if cell != cell:  # what a reader makes of a gap and of text
        return f"{called} is no number"
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return f"{called} is empty"
    return f"{called} is {shortened(str(cell))!r}, not a finite number"


_LEAST = 5
_MAX_ROUNDS = 8


@dataclass(frozen=True)
class RegressionProtocol:
    """One split into training, validation and test part; everything is chosen on the validation.

    The defaults are the paper's shares, 80 %, 10 % and 10 %. Models learn from the training part,
    with features and hierarchies from it alone; their settings are those with the smallest root
    mean squared error on the validation part; the test part is predicted once, with these.

    Parameters
    ----------
    validation, test : float
        Shares of these parts.
    sizes : tuple of int or None
        How many graphs of the training part to learn from; None means all. Several make a
        learning curve: a smaller sample is part of every larger one.
    random_state : int
        Seed of the split.

    Examples
    --------
    >>> RegressionProtocol(sizes=(None, 100)).sizes
    (100, None)
    >>> RegressionProtocol(test=1.0)
    Traceback (most recent call last):
        ...
    mpgk_core.errors.InvalidParameterError: The 'test' parameter of RegressionProtocol must be a
    share between 0 and 1. Got 1.0 instead.
    """

    validation: float = 0.1
    test: float = 0.1
    sizes: tuple[int | None, ...] = (None,)
    random_state: int = 0

    def __post_init__(self) -> None:
        owner = "RegressionProtocol"
        for name in ("validation", "test"):
            share = getattr(self, name)
            if not (isinstance(share, float) and isfinite(share) and 0.0 < share < 1.0):
                raise InvalidParameterError(
                    f"The {name!r} parameter of {owner} must be a share between 0 and 1. "
                    f"Got {share!r} instead."
                )
        if self.validation + self.test >= 1.0:
            raise InvalidParameterError(
                f"Validation part and test part together hold {self.validation + self.test:g} of "
                "all graphs. Leave some to learn from."
            )
        check_whole(self.random_state, 0, "random_state", owner)
        sizes = distinct_values(self.sizes, "sizes", owner)
        for size in sizes:
            if size is not None:
                check_whole(size, 2, "sizes", owner)
        ordered = sorted(sizes, key=lambda size: (size is None, size or 0))
        object.__setattr__(self, "sizes", tuple(ordered))

    def identity(self) -> dict[str, Any]:
        """Return all that the result of one size depends on: everything but the other sizes."""
        facts = asdict(self)
        del facts["sizes"]
        return facts


class Split(NamedTuple):
    """The three parts: positions of graphs, ascending in the order of their content.

    Attributes
    ----------
    train, validation, test : ndarray of int
    """

    train: IntArray
    validation: IntArray
    test: IntArray


class ContentOrder(NamedTuple):
    """Graphs told apart by their content.

    Attributes
    ----------
    group : ndarray of shape (N,)
        Graphs that colour refinement cannot tell apart share a number. Numbers depend on the
        graphs, not on their order.
    order : ndarray of shape (N,)
        Positions of the graphs by group; within a group, by position.
    """

    group: IntArray
    order: IntArray

    def n_repeated(self, test: IntArray, known: IntArray) -> int:
        """Count the graphs of one part that are indistinguishable from some graph of another."""
        return int(np.isin(self.group[test], self.group[known]).sum())


def content_order(graphs: GraphSet) -> ContentOrder:
    """Put graphs in an order that is independent of the order in which they are given.

    Vertices are told apart by colour refinement with the labels of vertices and edges, and graphs
    by how often they have each colour. No kernel of this package with discrete features and at
    most eight rounds tells apart what this does not.

    Parameters
    ----------
    graphs : GraphSet

    Returns
    -------
    ContentOrder

    Examples
    --------
    >>> import networkx as nx
    >>> set_of_three = [nx.path_graph(3), nx.cycle_graph(4), nx.path_graph(3)]
    >>> found = content_order(GraphSet.from_networkx(set_of_three))
    >>> bool(found.group[0] == found.group[2]), found.n_repeated(np.array([2]), np.array([0, 1]))
    (True, 1)
    """
    labels = discrete_features("auto", graphs)
    if graphs.attributes is not None:
        labels = f"{labels}+attributes" if labels == "labels" else "attributes"
    start = FeatureEncoder(labels).fit(graphs)
    types, n_types = start.of_vertex, len(start.content.heads)
    has_labels = graphs.edges is not None and graphs.edges.label_codes is not None
    rounds = refinement_rounds(graphs, types, n_types, "labels" if has_labels else "ignore")
    for _ in range(_MAX_ROUNDS):
        refined = next(rounds)
        is_stable = refined.n_types == n_types
        types, n_types = refined.of_vertex, refined.n_types
        if is_stable:
            break
    counts = membership_matrix(types, n_types, graphs.offsets)
    counts.sort_indices()
    entries = np.column_stack([counts.indices, counts.data]).astype(np.int64).ravel()
    heads = graphs.sizes.astype(np.int32)
    group = group_rows(Rows(heads, 2 * counts.indptr.astype(np.int64), entries)).of_row
    numbers = group.astype(np.int64)
    return ContentOrder(numbers, np.argsort(numbers, kind="stable"))


def split_graphs(order: IntArray, protocol: RegressionProtocol, size: int | None = None) -> Split:
    """Split graphs at random into training, validation and test part.

    Parameters
    ----------
    order : ndarray of shape (N,)
        The positions of the graphs in the order of their content, so that the split is the same
        however they are given. Graphs that cannot be told apart are numbered by their position.
    protocol : RegressionProtocol
    size : int, optional
        How many graphs of the training part to take.

    Returns
    -------
    Split

    Examples
    --------
    >>> [len(part) for part in split_graphs(np.arange(20), RegressionProtocol())]
    [16, 2, 2]
    """
    n = len(order)
    if n < _LEAST:
        raise InvalidGraphError(
            f"Regression needs at least {_LEAST} graphs with a target: some to learn from, some "
            f"to choose settings, some to test. There are {n}."
        )
    seed = derived_seed(protocol.random_state, "regression split", 0)
    shuffled = np.random.default_rng(seed).permutation(n)
    n_test = max(round(protocol.test * n), 1)
    n_validation = max(round(protocol.validation * n), 1)
    if n_test + n_validation > n - 2:
        raise InvalidGraphError(
            f"Of {n} graphs, {n_test} are for testing and {n_validation} for validation: too few "
            "remain to learn from. Give more graphs, or smaller shares."
        )
    test, validation, train = np.split(shuffled, [n_test, n_test + n_validation])
    if size is not None:
        if size > len(train):
            raise InvalidParameterError(
                f"The training part has {len(train):,} graphs, fewer than the {size:,} asked for. "
                "Choose smaller sizes."
            )
        train = train[:size]
    return Split(*(order[np.sort(part)] for part in (train, validation, test)))
