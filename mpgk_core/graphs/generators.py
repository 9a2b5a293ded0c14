"""Graphs to try things on: presets, read from ``presets.json``, and the functions that build them.

Most functions are networkx's own. Each accepts the parameters of its preset as keywords and
returns a valid graph for every combination within their ranges. A page, a session or a lesson
holds a graph as a recipe: a preset that anybody can build, or the graph itself.

Examples
--------
>>> from mpgk_core.graphs.generators import PRESETS, build_graph
>>> [(p.key, p.minimum, p.maximum) for p in PRESETS["barbell"].parameters]
[('h', 2, 60), ('k', 0, 200)]
>>> print(build_graph("barbell", h=10, k=10))
Graph with 30 nodes and 101 edges
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import combinations
from numbers import Integral, Real
from random import Random
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
import networkx as nx

from mpgk_core.checks import check_choice
from mpgk_core.errors import (
    InvalidGraphError,
    InvalidParameterError,
    UnreadableFileError,
    shortened,
)
from mpgk_core.graphs import GraphSet, as_graph_set
from mpgk_core.schema import FieldError, Table, checked

Text: TypeAlias = Annotated[
    str, msgspec.Meta(pattern=r"\S", extra_json_schema={"description": "a text, not empty"})
]
Number: TypeAlias = Annotated[
    int | float, msgspec.Meta(extra_json_schema={"description": "a number"})
]


class Parameter(Table, frozen=True):
    """A number that a preset takes, with its range.

    Parameters
    ----------
    key : str
        The keyword of :func:`~mpgk_core.graphs.generators.build_graph`.
    label : str
        A short name to show beside a slider.
    help : str
        One sentence on what the number does.
    minimum, maximum, default, step : int or float
        All whole numbers, or all floats. The step is a suggestion for sliders: values between
        two steps are as valid.
    slider_maximum : int or float, optional
        Where a slider ends that is fine enough to drag; larger values are as valid.

    Examples
    --------
    >>> limits = {"minimum": 0.0, "maximum": 1.0, "default": 0.5, "step": 0.1}
    >>> p = Parameter(key="p", label="Probability", help="Chance of an edge.", **limits)
    >>> p.is_whole, p.check(1, "a coin")
    (False, 1.0)
    """

    key: Text
    label: Text
    help: Text
    minimum: Number
    maximum: Number
    default: Number
    step: Number
    slider_maximum: Number | None = None

    def __post_init__(self) -> None:
        names = ("minimum", "maximum", "default", "step", "slider_maximum")
        numbers = {name: x for name in names if (x := getattr(self, name)) is not None}
        kind = float if any(isinstance(value, float) for value in numbers.values()) else int
        for name, value in numbers.items():
            if type(value) is not kind:
                raise FieldError(name, f"This is {value}.", "Write all with a decimal point.")
        low, high = self.minimum, self.maximum
        if not low <= high:
            raise FieldError("maximum", f"This is {high}.", f"It must be at least {low}.")
        if not low <= self.default <= high:
            raise FieldError(
                "default", f"This is {self.default}.", f"It must be from {low} to {high}."
            )
        if not self.step > 0:
            raise FieldError("step", f"This is {self.step}.", "It must be above 0.")
        short = self.slider_maximum
        if short is not None and not self.default <= short <= high:
            remedy = f"It must be from {self.default} to {high}."
            raise FieldError("slider_maximum", f"This is {short}.", remedy)

    @property
    def is_whole(self) -> bool:
        """Whether only whole numbers are allowed."""
        return isinstance(self.step, int)

    def check(self, value: Any, owner: str) -> float:
        """Return the value as an int or a float, or raise.

        Parameters
        ----------
        value : number
            Any kind of number, numpy's included.
        owner : str
            Whose parameter it is, for the message.

        Returns
        -------
        int or float
            An int if the parameter is a whole number.

        Raises
        ------
        InvalidParameterError
            If the value is not a number of the right kind within the range.
        """
        kind = Integral if self.is_whole else Real
        is_number = isinstance(value, kind) and not isinstance(value, bool)
        if not is_number or not self.minimum <= value <= self.maximum:
            noun = "whole number" if self.is_whole else "number"
            raise InvalidParameterError(
                f"The {self.key!r} parameter of {owner} must be a {noun} from {self.minimum} to "
                f"{self.maximum}. Got {value!r} instead."
            )
        return int(value) if self.is_whole else float(value)


class Preset(Table, frozen=True):
    """A kind of graph to choose from a list.

    Parameters
    ----------
    key : str
        The name that :func:`~mpgk_core.graphs.generators.build_graph` takes.
    title : str
        The name to show.
    explanation : str
        One sentence on what the graph shows about equivalence or message passing.
    group : str
        The heading under which the preset is listed.
    constructor : str
        The registered function that builds the graph.
    parameters : tuple of Parameter
        In the order in which to show them; a random preset ends with its seed.
    is_random : bool
        Whether the graph depends on a seed.
    node_label : str or None
        The node attribute that holds what is known about each vertex, such as its role or club.
    layout : str
        The layout in which the graph is usually drawn; by default that of its structure.
    edges : str
        What a kernel should use of the edges to see what the preset shows; only neighbourhood R
        can use weights as they are.

    Examples
    --------
    >>> from mpgk_core.graphs.generators import PRESETS
    >>> PRESETS["barbell"].complete({}), PRESETS["barbell"].complete({"h": 4})
    ({'h': 10, 'k': 10}, {'h': 4, 'k': 10})
    """

    key: Text
    title: Text
    explanation: Text
    group: Text
    constructor: Text
    parameters: tuple[Parameter, ...]
    is_random: bool
    node_label: Text | None
    layout: Literal["natural", "spring", "circle", "spectral", "rings", "groups"] = "natural"
    edges: Literal["ignore", "labels", "weights", "follow", "reverse", "both"] = "ignore"

    def complete(self, given: Mapping[str, Any]) -> dict[str, float]:
        """Check the given values and add the defaults of the others.

        Parameters
        ----------
        given : mapping
            Some or all parameters by key.

        Returns
        -------
        dict
            All parameters by key.

        Raises
        ------
        InvalidParameterError
            If a parameter is unknown or out of its range.
        """
        keys = [parameter.key for parameter in self.parameters]
        for key in given:
            if key not in keys:
                takes = ", ".join(map(repr, keys)) or "no parameters"
                raise InvalidParameterError(
                    f"The preset {self.key!r} has no parameter {key!r}. It takes {takes}."
                )
        owner = f"the preset {self.key!r}"
        return {p.key: p.check(given.get(p.key, p.default), owner) for p in self.parameters}


_SEED = Parameter(
    key="seed",
    label="Seed",
    help="Another seed draws another graph; the same seed the same.",
    **{"minimum": 0, "maximum": 9999, "default": 0, "step": 1},
)


def read_presets(text: str, constructors: Mapping[str, Callable[..., Any]]) -> Mapping[str, Preset]:
    """Read presets and check that nothing in them can fail later.

    The text holds a list of objects with the fields of :class:`Preset`. A random preset does not
    list its seed: all random presets get the same one. The numbers of a parameter are whole if
    none of them is written with a decimal point.

    Parameters
    ----------
    text : str
        JSON.
    constructors : mapping
        The functions that presets may name. Each must accept the parameters of its presets as
        keywords.

    Returns
    -------
    mapping
        The presets by key, in the order of the text. It cannot be changed.

    Raises
    ------
    UnreadableFileError
        Naming the preset, counted from 1, and the field that is wrong.

    Examples
    --------
    >>> import networkx as nx
    >>> text = '''[{"key": "star", "title": "Star", "explanation": "A hub.", "group": "Shapes",
    ...   "constructor": "star", "is_random": false, "node_label": null, "parameters": [
    ...     {"key": "n", "label": "Leaves", "help": "How many leaves.",
    ...      "minimum": 1, "maximum": 9, "default": 5, "step": 1}]}]'''
    >>> read_presets(text, {"star": nx.star_graph})["star"].parameters[0].default
    5
    >>> read_presets(text.replace('"default": 5', '"default": 10'), {"star": nx.star_graph})
    Traceback (most recent call last):
        ...
    mpgk_core.errors.UnreadableFileError: presets.json: Preset 1, field 'parameters.1.default':
    This is 10. It must be from 1 to 9.
    """
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        problem = f"This is not valid JSON: {error}."
        raise UnreadableFileError("presets.json", problem, "Correct it.") from error
    presets = {}
    for preset in checked(tuple[Preset, ...], content, "presets.json", "preset"):
        if preset.is_random:
            preset = msgspec.structs.replace(preset, parameters=(*preset.parameters, _SEED))
        if preset.key in presets:
            raise _unfit(preset, "This key occurs twice.", "Rename one of them.")
        _check_constructor(preset, constructors)
        presets[preset.key] = preset
    return MappingProxyType(presets)


def _check_constructor(preset: Preset, constructors: Mapping[str, Callable[..., Any]]) -> None:
    keys = [parameter.key for parameter in preset.parameters]
    if len(set(keys)) < len(keys):
        raise _unfit(preset, f"A key of {keys} occurs twice.", "Rename one of them.")
    if preset.constructor not in constructors:
        allowed = ", ".join(map(repr, constructors))
        problem = f"There is no constructor {preset.constructor!r}."
        raise _unfit(preset, problem, f"It must be one of {allowed}.")
    signature = inspect.signature(constructors[preset.constructor])
    # networkx's functions also take keywords for other backends; a preset must not.
    named = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    try:
        signature.replace(parameters=named).bind(**preset.complete({}))
    except TypeError as error:
        problem = f"The parameters do not suit {preset.constructor!r} ({error})."
        raise _unfit(preset, problem, "Give those that it takes.") from error


def _unfit(preset: Preset, problem: str, remedy: str) -> UnreadableFileError:
    return UnreadableFileError("presets.json", f"Preset {preset.key!r}: {problem}", remedy)


def barbell(h: int, k: int) -> nx.Graph:
    """Return B(h, k): two cliques of h vertices, joined by a path of k vertices.

    Vertices are listed from the left clique over the path to the right clique, as numbered;
    networkx lists the only path vertex of B(h, 1) last.

    Examples
    --------
    >>> list(barbell(2, 1))
    [0, 1, 2, 3, 4]
    """
    graph = nx.empty_graph(2 * h + k)
    graph.add_edges_from(nx.barbell_graph(h, k).edges)
    return graph


def lollipop(h: int, k: int) -> nx.Graph:
    """Return a clique of h vertices with a path of k vertices hanging on it.

    Examples
    --------
    >>> [degree for _, degree in lollipop(4, 2).degree]
    [3, 3, 3, 4, 2, 1]
    """
    return nx.lollipop_graph(h, k)


def grid(rows: int, columns: int) -> nx.Graph:
    """Return a rectangular grid; its vertices are named (row, column).

    Examples
    --------
    >>> list(grid(rows=2, columns=3))
    [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    """
    return nx.grid_2d_graph(rows, columns)


def balanced_tree(branching: int, height: int) -> nx.Graph:
    """Return the rooted tree in which all but the lowest vertices have ``branching`` children.

    Examples
    --------
    >>> len(balanced_tree(branching=2, height=3))
    15
    """
    return nx.balanced_tree(branching, height)


def circular_skip_links(n: int, skip: int) -> nx.Graph:
    """Return a ring of n vertices, each also joined to those ``skip`` steps away.

    A link cannot skip more than half of the ring: a larger ``skip`` is read as n // 2.

    Examples
    --------
    >>> sorted(circular_skip_links(7, 2)[0])
    [1, 2, 5, 6]
    >>> sorted(circular_skip_links(6, 5)[0])
    [1, 3, 5]
    """
    return nx.circulant_graph(n, [1, min(skip, n // 2)])


def connected_caveman(cliques: int, size: int) -> nx.Graph:
    """Return a ring of cliques in which one edge of each is rewired to the clique before it.

    Examples
    --------
    >>> graph = connected_caveman(cliques=3, size=4)
    >>> len(graph), nx.is_connected(graph)
    (12, True)
    """
    return nx.connected_caveman_graph(cliques, size)


def houses_on_a_ring(houses: int, spacing: int) -> nx.Graph:
    """Return a ring with a house at every ``spacing``-th vertex.

    A house is a square (two floor and two ceiling vertices) under a triangle (the ceiling and
    the roof); one edge joins its roof to the ring. The node attribute ``label`` names the role.

    The roles are the automorphism orbits. Turning the ring by ``spacing`` steps maps every house
    to the next, the mirror image of the ring through a house swaps the vertices at equal distance
    from it, and every house can be mirrored on its own. So vertices with one label are
    equivalent. Vertices with different labels are not: colour refinement tells them apart, and no
    automorphism changes a stable colour.

    Parameters
    ----------
    houses : int
        Number of houses, at least 3.
    spacing : int
        Steps along the ring from one house to the next, at least 1.

    Returns
    -------
    networkx.Graph
        The ring is numbered first, then five vertices for each house.

    Examples
    --------
    >>> graph = houses_on_a_ring(houses=3, spacing=2)
    >>> len(graph)
    21
    >>> [role for _, role in graph.nodes("label")][4:11]
    ['ring at house', 'ring 1 from house', 'roof', 'ceiling', 'ceiling', 'floor', 'floor']
    """
    length = houses * spacing
    graph = nx.cycle_graph(length)
    for v in range(length):
        graph.nodes[v]["label"] = _ring_role(min(v % spacing, -v % spacing))
    for house in range(houses):
        roof, left, right, floor_left, floor_right = range(len(graph), len(graph) + 5)
        graph.add_node(roof, label="roof")
        graph.add_nodes_from([left, right], label="ceiling")
        graph.add_nodes_from([floor_left, floor_right], label="floor")
        nx.add_cycle(graph, [left, right, floor_right, floor_left])
        graph.add_edges_from([(roof, left), (roof, right), (roof, house * spacing)])
    return graph


def _ring_role(distance: int) -> str:
    return f"ring {distance} from house" if distance else "ring at house"


def erdos_renyi(n: int, mean_degree: float, seed: int) -> nx.Graph:
    """Return G(n, p) with p = mean_degree / (n - 1), and at most 1.

    A mean degree, unlike p, keeps its meaning when n changes.

    Examples
    --------
    >>> round(2 * erdos_renyi(5000, 4.0, seed=0).size() / 5000, 1)
    4.0
    """
    return nx.fast_gnp_random_graph(n, min(1.0, mean_degree / (n - 1)), seed=seed)


def random_regular(n: int, d: int, seed: int) -> nx.Graph:
    """Return a random graph in which all vertices have d neighbours.

    Edges have two ends, so n · d must be even: if both are odd, n is raised by one.

    Examples
    --------
    >>> graph = random_regular(n=13, d=3, seed=0)
    >>> len(graph), {degree for _, degree in graph.degree}
    (14, {3})
    """
    return nx.random_regular_graph(d, n + n * d % 2, seed=seed)


def stochastic_blocks(blocks: int, size: int, p_in: float, p_out: float, seed: int) -> nx.Graph:
    """Return blocks of equal size, with edges more likely inside than between them, or less.

    The node attribute ``block`` holds the number of the block. networkx's model divides by
    log(1 - p), which fails for a tiny p; here every p from 0 to 1 is fine.

    Examples
    --------
    >>> graph = stochastic_blocks(blocks=2, size=3, p_in=1.0, p_out=0.0, seed=0)
    >>> list(nx.connected_components(graph)), graph.nodes[5]["block"]
    ([{0, 1, 2}, {3, 4, 5}], 1)
    """
    chance = Random(seed)
    graph = nx.Graph()
    graph.add_nodes_from((v, {"block": v // size}) for v in range(blocks * size))
    for v, u in combinations(graph, 2):
        if chance.random() < (p_in if v // size == u // size else p_out):
            graph.add_edge(v, u)
    return graph


def karate_club() -> nx.Graph:
    """Return Zachary's karate club; ``label`` is the club that a member joined after the split.

    Examples
    --------
    >>> graph = karate_club()
    >>> len(graph), graph.nodes[0]["label"], graph.nodes[33]["label"]
    (34, 'Mr. Hi', 'Officer')
    """
    graph = nx.karate_club_graph()
    nx.set_node_attributes(graph, nx.get_node_attributes(graph, "club"), "label")
    return graph


def pond_food_web() -> nx.DiGraph:
    """Return an invented pond: arcs lead from what is eaten to what eats it.

    Turned upside down the web looks the same, so without directions the plants are like the
    predators. ``label`` is what a species lives on.

    Examples
    --------
    >>> web = pond_food_web()
    >>> list(web.successors("algae")), list(web.predecessors("newt"))
    (['tadpole', 'water flea'], ['tadpole', 'snail'])
    """
    web = nx.DiGraph()
    web.add_nodes_from(["stickleback", "newt"], label="predator")
    web.add_nodes_from(["water flea", "tadpole", "snail"], label="grazer")
    web.add_nodes_from(["algae", "pondweed"], label="plant")
    web.add_edges_from((plant, "tadpole") for plant in ("algae", "pondweed"))
    web.add_edges_from([("algae", "water flea"), ("pondweed", "snail")])
    web.add_edges_from(("tadpole", predator) for predator in ("stickleback", "newt"))
    web.add_edges_from([("water flea", "stickleback"), ("snail", "newt")])
    return web


def ring_line(n: int) -> nx.Graph:
    """Return a ring of n stations; ``weight`` is the number of trains, most of them at station 0.

    Without weights all stations are equivalent, with them only mirror images of each other.

    Examples
    --------
    >>> [trains for *_, trains in ring_line(6).edges(data="weight")]
    [3, 3, 2, 1, 1, 2]
    """
    ring = nx.cycle_graph(n)
    for v in ring:
        ring.edges[v, (v + 1) % n]["weight"] = 1 + abs(2 * v + 1 - n) // 2
    return ring


def aspirin() -> nx.Graph:
    """Return the molecule of aspirin without hydrogen; ``label`` names atoms and bonds.

    The ends of two groups differ by the bond alone: the two oxygens of the acid (O3, O4).

    Examples
    --------
    >>> molecule = aspirin()
    >>> molecule.edges["C9", "O3"]["label"], molecule.edges["C9", "O4"]["label"]
    ('double', 'single')
    """
    molecule = nx.Graph()
    molecule.add_nodes_from((f"C{i}" for i in range(1, 10)), label="C")
    molecule.add_nodes_from((f"O{i}" for i in range(1, 5)), label="O")
    nx.add_cycle(molecule, [f"C{i}" for i in range(1, 7)], label="aromatic")
    single = [("C1", "O1"), ("O1", "C7"), ("C7", "C8"), ("C2", "C9"), ("C9", "O4")]
    molecule.add_edges_from(single, label="single")
    molecule.add_edges_from([("C7", "O2"), ("C9", "O3")], label="double")
    return molecule


_OWN = (
    *(aspirin, balanced_tree, barbell, circular_skip_links, connected_caveman, erdos_renyi, grid),
    *(houses_on_a_ring, karate_club, lollipop, pond_food_web, random_regular, ring_line),
    stochastic_blocks,
)
_OF_NETWORKX = (
    *(nx.barabasi_albert_graph, nx.circular_ladder_graph, nx.complete_graph, nx.cycle_graph),
    *(nx.florentine_families_graph, nx.les_miserables_graph, nx.path_graph, nx.petersen_graph),
    *(nx.star_graph, nx.watts_strogatz_graph, nx.wheel_graph),
)
CONSTRUCTORS: Mapping[str, Callable[..., nx.Graph]] = MappingProxyType(
    {function.__name__: function for function in _OWN}
    | {f"networkx.{function.__name__}": function for function in _OF_NETWORKX}
)
"""The functions that presets may name: nothing else can be called from data."""

PRESETS: Mapping[str, Preset] = read_presets(
    files("mpgk_core.graphs").joinpath("presets.json").read_text(encoding="utf-8"), CONSTRUCTORS
)


def build_graph(preset: str, **parameters: float) -> nx.Graph:
    """Build a graph that the playground offers.

    Parameters
    ----------
    preset : str
        A key of ``PRESETS``.
    **parameters : int or float
        Any of the preset's parameters; the others take their defaults. Every combination within
        the ranges gives a graph.

    Returns
    -------
    networkx.Graph
        Simple, new at every call; the same parameters give the same graph. Only the food web is
        directed. Vertices are named 0, ..., n - 1 in this order, those of the grid (row, column),
        and persons, families, species and atoms by their names.

    Raises
    ------
    InvalidParameterError
        If the preset or a parameter is unknown, or a value is out of its range.

    Examples
    --------
    >>> len(build_graph("barbell")), len(build_graph("barbell", h=5, k=0))
    (30, 10)
    >>> build_graph("barbell", h=1)
    Traceback (most recent call last):
        ...
    mpgk_core.errors.InvalidParameterError: The 'h' parameter of the preset 'barbell' must be a
    whole number from 2 to 60. Got 1 instead.
    """
    check_choice(preset, list(PRESETS), "preset", "build_graph")
    chosen = PRESETS[preset]
    return CONSTRUCTORS[chosen.constructor](**chosen.complete(parameters))


@dataclass(frozen=True)
class PresetGraph:
    """A graph by the name of its preset.

    Parameters
    ----------
    preset : str
        A key of :data:`~mpgk_core.graphs.generators.PRESETS`.
    values : mapping of str to number
        Its parameters; those left out take their defaults.

    Examples
    --------
    >>> PresetGraph("barbell", {"h": 5}).build()
    GraphSet(1 graph, 20 vertices, 31 edges)
    """

    preset: str
    values: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_choice(self.preset, list(PRESETS), "preset", "PresetGraph")
        complete = PRESETS[self.preset].complete(self.values)
        object.__setattr__(self, "values", MappingProxyType(complete))

    @property
    def title(self) -> str:
        """Name for people."""
        return PRESETS[self.preset].title

    @property
    def name(self) -> str:
        """The title."""
        return self.title

    @property
    def layout(self) -> str:
        """The layout in which it is usually drawn."""
        return PRESETS[self.preset].layout

    @property
    def file_part(self) -> str:
        """The part of a file name that stands for it."""
        return "-".join([self.preset, *(f"{value:g}" for value in self.values.values())])

    def build(self) -> GraphSet:
        """Return the graph."""
        return as_graph_set(build_graph(self.preset, **self.values))


class Given:
    """Data themselves, with a title that may be any text."""

    title: str

    @property
    def name(self) -> str:
        """The title, fit for a line of text."""
        return shortened(self.title)

    @property
    def file_part(self) -> str:
        """The part of a file name that stands for it."""
        return self.name


@dataclass(frozen=True, eq=False)
class GivenGraph(Given):
    """The graph itself.

    Parameters
    ----------
    title : str
        Name for people.
    graph : GraphSet
        With one graph.
    """

    title: str
    graph: GraphSet

    def __post_init__(self) -> None:
        check_one_graph(self.graph, "GivenGraph")

    def build(self) -> GraphSet:
        """Return the graph."""
        return self.graph


def check_one_graph(graphs: GraphSet, owner: str) -> None:
    """Raise unless there is exactly one graph."""
    if len(graphs) != 1:
        raise InvalidGraphError(
            f"A {owner} is about one graph, and there are {len(graphs):,}. Choose one."
        )
