"""What a lesson is: steps, each with a text, a picture, something to do and a question.

The classes are the tables of a lesson file. They are checked when they are built: an error names
the field that is wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import cached_property
from math import ceil
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from mpgk_core.datasets import available, samples
from mpgk_core.embedding.methods import VERTEX_METHODS
from mpgk_core.embedding.trajectory import AXES
from mpgk_core.errors import MPGKError
from mpgk_core.evaluation import METHODS, RECIPES, ROLE_GRAPHS
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.feature_names import FEATURE_NAMES
from mpgk_core.graphs.generators import PRESETS, PresetGraph
from mpgk_core.kernels.update import KernelParameters
from mpgk_core.lessons.quantities import QUANTITIES, checked_arguments
from mpgk_core.lessons.scene import (
    DEFAULT_COST,
    PREDICTORS,
    DataGraph,
    DataSource,
    GraphSource,
    MeasuredSource,
    Scene,
    own_edges,
    together,
    with_roles,
)
from mpgk_core.lessons.texts import n_words, problem_with
from mpgk_core.plotting import LAYOUTS
from mpgk_core.schema import FieldError, Table, require

MAX_ROUNDS = 12
"""The largest T of a lesson."""

WORDS_PER_MINUTE, QUESTION_MINUTES = 100, 3
"""How fast a class reads, and how long it tries out, answers and discusses a question."""

_MAX_VERTICES, _MAX_EDGES, _MAX_GRAPHS, _MAX_BY_HAND = 400, 2_000, 1_000, 8
_DEFAULT_KERNEL = KernelParameters(features="degree")
_KERNEL_FIELDS = {
    name: name for name in ("neighbourhood", "n_iterations", "alpha", "beta", "features")
} | {"edges": "edge_use"}
"""The parameters of a kernel, and the fields that set them; ``edges`` lists those of a graph."""


def _one_of(names: Iterable[str], more: str = "") -> Meta:
    words = "|".join(names)
    joined = rf"(?:\+(?:{words}))*" if more else ""
    return Meta(pattern=rf"\A(?:{words}){joined}\Z", description=f"one of {', '.join(names)}{more}")


Title = Annotated[
    str, Meta(pattern=r"\A[^\n]{1,80}\Z", description="a text on one line of 1 to 80 characters")
]
Text = Annotated[str, Meta(min_length=1, max_length=4_000)]
Arguments = dict[str, bool | int | float | str]
Weight = Annotated[float, Meta(ge=0, le=1)]
Preset = Annotated[str, _one_of(PRESETS)]
Quantity = Annotated[str, _one_of(QUANTITIES)]
Embedding = Annotated[str, _one_of(VERTEX_METHODS)]
Predictor = Annotated[str, _one_of(PREDICTORS)]
Method = Annotated[str, _one_of(METHODS)]
Control = Literal[
    "T", "alpha", "beta", "kernel", "features", "remove", "embedding", "methods", "C", "t", "pair"
]
PicturePart = Literal[
    "graph", "plane", "second-plane", "matrix", "tables", "map", "accuracies", "errors"
]
Edge = Annotated[
    str,
    Meta(
        pattern=r"\A([A-Za-z0-9_.-]{1,20}) (?!\1\Z)[A-Za-z0-9_.-]{1,20}\Z",
        description="two different names with one space between them; names have letters, digits, "
        "'_', '-' and '.'",
    ),
]


class Settings(Table, frozen=True):
    """Parameters of a kernel and its classifier; those that are left out are as elsewhere."""

    neighbourhood: Literal["R", "A"] | None = field(default=None, name="kernel")
    n_iterations: Annotated[int, Meta(ge=0, le=MAX_ROUNDS)] | None = field(default=None, name="T")
    alpha: Weight | None = None
    beta: Weight | None = None
    features: Annotated[str, _one_of(FEATURE_NAMES, ", or several joined by +")] | None = None
    cost: Annotated[float, Meta(ge=1e-3, le=1e3)] | None = field(default=None, name="C")
    edge_use: Literal["ignore", "labels", "follow", "reverse", "both"] | None = None

    def applied_to(self, kernel: KernelParameters) -> KernelParameters:
        """Return the kernel with these parameters."""
        given = {name: getattr(self, own) for name, own in _KERNEL_FIELDS.items()}
        return replace(kernel, **{name: x for name, x in given.items() if x is not None})


class GraphPart(Table, frozen=True):
    """One of several graphs side by side."""

    graph: Preset
    parameters: Arguments = field(default_factory=dict)

    def __post_init__(self) -> None:
        preset_graph(self.graph, self.parameters)


class Picture(Settings, frozen=True):
    """A live picture: a graph, a kernel, and what the reader may change.

    Attributes
    ----------
    graph, parameters, edges, together, roles, data, number
        The graph: a preset, own edges, several presets, a graph with roles, a data set or one of
        its graphs.
    name : str
        Title of the graph; that of the preset or data set by default.
    target : str
        The column of a sample that is predicted.
    models : tuple of str
        What predicts it; keys of ``PREDICTORS``.
    shows : {"linked", "messages", "change", "map", "accuracies", "errors"}
        Linked pictures, one round in numbers, before and after a change, a map of a data set, the
        accuracies of kernels on it, or the errors of predicted numbers.
    colour : str
        What the colours of vertices mean; with ``"none"`` they are equal until the question is
        answered, and show the orbits then.
    layout : str
    axes : str
        Scales of the plane.
    t : int or None
        The round that linked pictures show at first; the last one by default.
    plane : bool
        Whether the plane is shown below the graph.
    matrix : bool, "cosine" or "values"
        Whether the kernel matrix is shown: below the plane, or in its place with the cosines or
        the kernel values. Values have one colour scale for R and A and all rounds.
    beside : str
        The embedding of a second plane.
    methods : tuple of str
        The graph kernels whose accuracies are shown.
    remove : str
        The edge that is removed.
    controls : tuple of str
        What the reader may change.
    """

    graph: Preset | None = None
    parameters: Arguments = field(default_factory=dict)
    edges: Annotated[tuple[Edge, ...], Meta(min_length=1, max_length=_MAX_EDGES)] | None = None
    together: Annotated[tuple[GraphPart, ...], Meta(min_length=2, max_length=4)] | None = None
    roles: Annotated[str, _one_of(ROLE_GRAPHS)] | None = None
    data: str | None = None
    number: Annotated[int, Meta(ge=0, le=10**6)] | None = None
    name: Title | None = None
    target: str | None = None
    models: Annotated[tuple[Predictor, ...], Meta(min_length=1)] = ("mean",)
    shows: Literal["linked", "messages", "change", "map", "accuracies", "errors"] | None = None
    colour: Literal["orbit", "refinement", "points", "degree", "label", "none"] = "orbit"
    layout: Annotated[str, _one_of(LAYOUTS)] = "natural"
    axes: Annotated[str, _one_of(AXES)] = "fit"
    t: Annotated[int, Meta(ge=0, le=MAX_ROUNDS)] | None = None
    plane: bool = True
    matrix: bool | Literal["cosine", "values"] = False
    beside: Embedding | None = None
    methods: Annotated[tuple[Method, ...], Meta(min_length=1)] = ("AA",)
    remove: Edge | None = None
    controls: tuple[Control, ...] = ()

    @cached_property
    def source(self) -> GraphSource:
        """Where the graph comes from."""
        if self.graph is not None:
            return preset_graph(self.graph, self.parameters)
        if self.edges is not None:
            return own_edges(map(_ends, self.edges))
        if self.together is not None:
            return together([preset_graph(part.graph, part.parameters) for part in self.together])
        if self.roles is not None:
            return with_roles(self.roles)
        assert self.data is not None
        if self.target is not None:
            return MeasuredSource(self.data, self.target)
        return DataSource(self.data) if self.number is None else DataGraph(self.data, self.number)

    @cached_property
    def kernel(self) -> KernelParameters:
        """The kernel."""
        return self.applied_to(_DEFAULT_KERNEL)

    @property
    def view(self) -> str:
        """What is shown."""
        if self.target is not None:
            return self.shows or "errors"
        return self.shows or ("map" if isinstance(self.source, DataSource) else "linked")

    @property
    def parts(self) -> tuple[str, ...]:
        """The pictures and tables that are shown."""
        if self.view != "linked":
            return _PARTS[self.view]
        has_plane = self.plane and not isinstance(self.matrix, str)
        shown = {
            "graph": True,
            "plane": has_plane,
            "second-plane": has_plane and self.beside is not None,
            "matrix": self.matrix,
        }
        return tuple(name for name, is_shown in shown.items() if is_shown)

    @property
    def movable(self) -> tuple[str, ...]:
        """What the reader can move: the controls, the round of linked pictures, a pair."""
        own = {"linked": ("t",) if self.kernel.n_iterations else (), "messages": ("pair",)}
        return (*self.controls, *own.get(self.view, ()))

    @property
    def removed(self) -> tuple[str, str] | None:
        """The two ends of the edge that is removed."""
        return None if self.remove is None else _ends(self.remove)

    def content(self) -> tuple[Any, ...]:
        """Return all that makes two pictures the same to a cache, a changed data set included."""
        return (*super().content(), self.source)

    def __post_init__(self) -> None:
        sources = ("graph", "edges", "together", "roles", "data")
        given = [name for name in sources if getattr(self, name) is not None]
        problem = f"{' and '.join(given)} are given." if given else "No graph is given."
        require(len(given) == 1, "graph", problem, f"Give exactly one of {', '.join(sources)}.")
        known = [None, *RECIPES, *available()]
        if self.target is not None:
            known = [None, *(one.path.stem for one in samples() if one.path.suffix == ".csv")]
        remedy = f"It must be one of {', '.join(map(str, known[1:]))}."
        require(self.data in known, "data", f"This is {self.data!r}.", remedy)
        for name, owner in (("parameters", "graph"), ("number", "data"), ("target", "data")):
            belongs = given == [owner] or getattr(self, name) in (None, {})
            require(belongs, name, f"This field belongs to {owner!r}.", "Remove it.")
        is_set, is_change = isinstance(self.source, DataSource), self.view == "change"
        problem = "Maps, accuracies and errors are about a whole data set, and nothing else is."
        remedy = "Give data without a number for them."
        require(is_set == (self.view in _OF_SETS), "shows", problem, remedy)
        problem = "Errors need a target, and nothing else has one."
        has_target = self.target is not None
        require(has_target == (self.view == "errors"), "shows", problem, "Give data and a target.")
        remedy = 'Name the edge to remove: "a b".'
        require(self.remove or not is_change, "remove", "This field is missing.", remedy)
        is_distinct = len(set(self.controls)) == len(self.controls)
        require(is_distinct, "controls", "A control is listed twice.", "List each of them once.")
        for control in self.controls:
            fitting = [view for view, controls in _CONTROLS.items() if control in controls]
            problem = f"The control {control!r} moves nothing in this picture."
            remedy = f"It belongs to {', '.join(fitting)}." if fitting else "Remove it."
            require(self.view in fitting, "controls", problem, remedy)
        try:
            graphs = self.source.build()
            if not is_set:
                Scene(self.source, replace(self.kernel, n_iterations=0)).kernel  # noqa: B018
        except MPGKError as error:
            raise FieldError("graph", str(error), "Change the graph or the features.") from None
        self._check_graphs(graphs, is_set)

    def _check_graphs(self, graphs: GraphSet, is_set: bool) -> None:
        """Raise if the graph is too large for the picture, or lacks what it shows."""
        n, m, kernel = graphs.n_vertices, graphs.n_edges, self.kernel
        problem = f"The number of graphs of this data set is {len(graphs):,}."
        remedy = f"Use one with at most {_MAX_GRAPHS:,}."
        require(not is_set or len(graphs) <= _MAX_GRAPHS, "data", problem, remedy)
        problem = f"The numbers of vertices and edges are {n:,} and {m:,}."
        remedy = f"Use at most {_MAX_VERTICES} and {_MAX_EDGES:,}."
        require(is_set or (n <= _MAX_VERTICES and m <= _MAX_EDGES), "graph", problem, remedy)
        is_small = n <= _MAX_BY_HAND and kernel.neighbourhood == "R" and kernel.n_iterations > 0
        require(
            is_small or self.view != "messages",
            "shows",
            "One round in numbers needs the kernel R, T of at least 1, and at most "
            f"{_MAX_BY_HAND} vertices.",
            "Change the kernel or the graph.",
        )
        T = kernel.n_iterations
        remedy = f"Give a round from 0 to {T}."
        require(self.t is None or self.t <= T, "t", f"T is {T}.", remedy)
        is_given = self.beside is not None or "embedding" not in self.controls
        problem = "There is no second plane, but a control for it."
        require(is_given, "beside", problem, "Name the embedding that is shown at first.")
        is_quick = self.beside is None or VERTEX_METHODS[self.beside].is_quick(graphs)
        problem = f"This embedding takes long for {n:,} vertices and {m:,} edges."
        require(is_quick, "beside", problem, "Choose a smaller graph or another embedding.")
        has_colour = self.colour != "label" or graphs.label_codes is not None
        require(has_colour, "colour", "This graph has no labels.", "Choose another colour.")
        if self.removed is not None:
            names = [str(name) for name in graphs.names]
            ends = [names.index(end) for end in self.removed if end in names]
            is_edge = len(ends) == 2 and graphs.adjacency[ends[0], ends[1]]
            remedy = "Name two vertices that are joined."
            require(is_edge, "remove", "There is no such edge.", remedy)


_PARTS = {
    "messages": ("graph", "tables"),
    "change": ("graph", "tables"),
    "map": ("map",),
    "accuracies": ("accuracies",),
    "errors": ("errors",),
}
_OF_SETS = ("map", "accuracies", "errors")
_OF_KERNEL = ("T", "alpha", "beta", "kernel", "features")
_CONTROLS = {
    "linked": (*_OF_KERNEL, "embedding", "remove"),
    "messages": ("alpha", "beta"),
    "change": (*_OF_KERNEL, "remove"),
    "map": ("T",),
    "accuracies": ("T", "C", "methods"),
    "errors": ("T",),
}


class Measure(Table, frozen=True):
    """Something to compute on the graph of a step.

    Attributes
    ----------
    quantity : str
        A key of ``QUANTITIES``.
    arguments : mapping of str to str, int or float
        What the quantity is about, such as a vertex.
    settings : Settings
        How the kernel differs from that of the picture.
    """

    quantity: Quantity
    arguments: Arguments = field(default_factory=dict)
    settings: Settings = Settings()

    def scene(self, picture: Picture) -> Scene:
        """Return the graph of a picture with the kernel of this measure."""
        cost = self.settings.cost or picture.cost or DEFAULT_COST
        return Scene(picture.source, self.settings.applied_to(picture.kernel), cost)


class Option(Table, frozen=True):
    """One of the answers to choose from.

    Attributes
    ----------
    text : str
    value : bool, int, float or str
        Right if the computed answer equals it; None where the options are compared instead.
    arguments, settings
        What is compared with the other options.
    """

    text: Title
    value: bool | int | float | str | None = None
    arguments: Arguments = field(default_factory=dict)
    settings: Settings = Settings()


class Question(Measure, frozen=True, kw_only=True):
    """A question whose answer is computed, never stored.

    Attributes
    ----------
    kind : {"number", "choice", "vertices"}
    ask : str
        The question.
    options : tuple of Option
        For a choice.
    pick : {"largest", "smallest"} or None
        Which of the options is right, where they are compared.
    tolerance : float
        How far a number may be off.
    evidence : str or None
        The picture or table of the step that shows the answer.
    control : str or None
        What to move to see it there.
    hint : str
        Shown after a wrong answer.
    explanation : str
        Shown after the right answer.
    """

    kind: Literal["number", "choice", "vertices"]
    ask: Text
    hint: Text
    explanation: Text
    options: Annotated[tuple[Option, ...], Meta(max_length=6)] = ()
    pick: Literal["largest", "smallest"] | None = None
    tolerance: Annotated[float, Meta(ge=0, le=1e6)] = 0.0
    evidence: PicturePart | None = None
    control: Control | None = None

    @property
    def measures(self) -> dict[str, Measure]:
        """What is computed for the answer, by field."""
        if self.pick is None:
            return {"question": self}
        return {
            f"question.options.{number}": Measure(
                quantity=self.quantity, arguments=option.arguments, settings=option.settings
            )
            for number, option in enumerate(self.options, start=1)
        }

    def __post_init__(self) -> None:
        n_texts = len({option.text for option in self.options})
        if self.kind == "choice":
            problem = "There are fewer than two options, or two with the same text."
            is_fine = n_texts == len(self.options) > 1
            require(is_fine, "options", problem, "Give 2 to 6 options with different texts.")
        for name, kind in (("options", "choice"), ("pick", "choice"), ("tolerance", "number")):
            problem = f"Only a question of the kind {kind!r} has this field."
            is_fine = self.kind == kind or not getattr(self, name)
            require(is_fine, name, problem, "Remove it, or change the kind.")
        for number, option in enumerate(self.options, start=1):
            is_compared, has_value = self.pick is not None, option.value is not None
            problem = "Options have a value, unless the question has the field 'pick'."
            remedy = "Remove one of the two." if is_compared else "Add it."
            require(has_value != is_compared, f"options.{number}.value", problem, remedy)


class Step(Table, frozen=True):
    """One idea.

    Attributes
    ----------
    title, text, todo : str
        Markdown with formulas; ``{{name}}`` stands for a computed number.
    picture : Picture
    question : Question
    numbers : mapping of str to Measure
        The computed numbers that the texts may name.
    """

    title: Title
    text: Text
    todo: Text
    picture: Picture
    question: Question
    numbers: dict[str, Measure] = field(default_factory=dict)

    @property
    def texts(self) -> dict[str, str]:
        """The texts that a reader sees, by field."""
        names = ("ask", "hint", "explanation")
        asked = {f"question.{name}": getattr(self.question, name) for name in names}
        return {"text": self.text, "todo": self.todo, **asked}

    @property
    def minutes(self) -> float:
        """How long a class needs, by the number of words that it reads before it answers."""
        options = (option.text for option in self.question.options)
        read = n_words(" ".join((self.text, self.todo, self.question.ask, *options)))
        return read / WORDS_PER_MINUTE + QUESTION_MINUTES

    def __post_init__(self) -> None:
        for name in self.numbers:
            is_fine = name.isidentifier() and name != "answer"
            problem = "This is not a name for a number."
            require(is_fine, f"numbers.{name}", problem, "Use letters, but not 'answer'.")
        options = {
            f"question.options.{number}.text": option.text
            for number, option in enumerate(self.question.options, start=1)
        }
        check_texts({"title": self.title, **options})
        for name, text in self.texts.items():
            answer = ["answer"] if name == "question.explanation" else []
            check_texts({name: text}, [*self.numbers, *answer])
        for name, shown in (("evidence", self.picture.parts), ("control", self.picture.movable)):
            given = getattr(self.question, name)
            problem = f"The picture of this step has no {given!r}."
            remedy = f"It must be one of {', '.join(shown)}."
            require(given is None or given in shown, f"question.{name}", problem, remedy)
        numbers = {f"numbers.{name}": measure for name, measure in self.numbers.items()}
        for place, measure in (numbers | self.question.measures).items():
            try:
                checked_arguments(measure.quantity, measure.arguments, measure.scene(self.picture))
            except MPGKError as error:
                remedy = "See the list of quantities in the README."
                raise FieldError(f"{place}.arguments", str(error), remedy) from None


class LessonFile(Table, frozen=True):
    """The content of a lesson file."""

    title: Title
    summary: Text
    steps: Annotated[tuple[Step, ...], Meta(min_length=3, max_length=6)]
    minutes: Annotated[int, Meta(ge=1, le=180)] | None = None

    def __post_init__(self) -> None:
        check_texts({"title": self.title, "summary": self.summary})


class Lesson(LessonFile, frozen=True, kw_only=True):
    """A lesson.

    Attributes
    ----------
    key : str
        Its name in a link.
    title : str
    summary : str
        One sentence.
    steps : tuple of Step
    minutes : int or None
        How long a class needs for it, where its author says so.

    Examples
    --------
    >>> from mpgk_core.lessons import lessons
    >>> lesson = lessons()[0]
    >>> lesson.minutes_for(), lesson.minutes_for([1, 2])
    (13, 9)
    """

    key: str

    def minutes_for(self, numbers: Collection[int] = ()) -> int:
        """Return how long a class needs for some steps, counted from 1, or for all of them."""
        if not numbers and self.minutes is not None:
            return self.minutes
        steps = [self.steps[number - 1] for number in numbers] or self.steps
        return ceil(sum(step.minutes for step in steps))


def check_texts(texts: dict[str, str], placeholders: Iterable[str] = ()) -> None:
    """Raise if one of the texts, given by field, is not allowed in a lesson."""
    for name, text in texts.items():
        wrong = problem_with(text, placeholders)
        if wrong is not None:
            raise FieldError(name, *wrong)


def preset_graph(preset: str, parameters: dict[str, Any]) -> PresetGraph:
    """Return a preset with its parameters, or raise."""
    try:
        return PresetGraph(preset, parameters)
    except MPGKError as error:
        raise FieldError("parameters", str(error), "Correct the number.") from None


def _ends(edge: str) -> tuple[str, str]:
    first, second = edge.split(" ")
    return first, second
