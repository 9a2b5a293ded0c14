"""What a user has set up, to be saved and loaded again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

from mpgk_core.edits import edited_by_text
from mpgk_core.errors import InvalidGraphError, InvalidParameterError, MPGKError, shortened
from mpgk_core.export.node_study import AXES, NodeStudy
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.feature_encoder import FeatureEncoder
from mpgk_core.graphs.recipes import PresetGraph
from mpgk_core.kernels.parameters import KernelParameters
from mpgk_core.parameters import check_choice, check_flag, check_whole
from mpgk_core.plotting import LAYOUTS

Scalar: TypeAlias = bool | int | float | str
WidgetValue: TypeAlias = Scalar | tuple[Scalar, ...] | None
"""What a widget can be set to; a range, or several choices, are a tuple."""

_MOST_ROUNDS = 50
_MOST_WIDGETS = 500
_LONGEST_TEXT = 1_000
_LARGEST_SEED = 2**31 - 1
_MOST_CHOICES = 200
_LARGEST = 2**53


@dataclass(frozen=True)
class PictureParameters:
    """How things are drawn.

    Parameters
    ----------
    layout : str
        A key of :data:`~mpgk_core.plotting.LAYOUTS`.
    colour : str
        The name of a colouring.
    n_axes : {2, 3}
        Axes of the embedding.
    is_ranked : bool
        Whether ranks are shown in place of coordinates.
    n_clusters : int
        For a colouring by clusters; from 1 to 100.
    attribute : int
        For a colouring by attribute: which, from 0.
    """

    layout: str = "spring"
    colour: str = "orbit"
    n_axes: int = 2
    is_ranked: bool = False
    n_clusters: int = 4
    attribute: int = 0

    def __post_init__(self) -> None:
        owner = type(self).__name__
        check_choice(self.layout, list(LAYOUTS), "layout", owner)
        check_text(self.colour, "colour", owner)
        check_whole(self.n_axes, AXES[0], "n_axes", owner, maximum=AXES[1])
        check_flag(self.is_ranked, "is_ranked", owner)
        check_whole(self.n_clusters, 1, "n_clusters", owner, maximum=100)
        check_whole(self.attribute, 0, "attribute", owner)

    def settings(self) -> dict[str, Any]:
        """Return the parameters by name."""
        return asdict(self)


@dataclass(frozen=True, eq=False)
class Session:
    """A graph, a kernel, pictures, a selection, and whatever else the widgets are set to.

    Everything is checked against everything else, so a session that exists can be shown.

    Parameters
    ----------
    graph : PresetGraph or GraphSet
        By name, or the graph itself, as it was before the edits.
    kernel : KernelParameters
    picture : PictureParameters
    selection : tuple of int
        Selected vertices, counted from 0.
    widgets : mapping of str to bool, int, float, str, tuple of these, or None
        Further settings by the key of their widget.
    title : str
        Name of the graph for people; that of the preset where none is given.
    edits : str
        What :func:`~mpgk_core.edits.operations.edit_text` returns. Kept apart from the graph, so
        that vertices are drawn where they were.

    Examples
    --------
    >>> Session(PresetGraph("path", {"n": 5}), KernelParameters(), selection=(5,))
    Traceback (most recent call last):
        ...
    mpgk_core.errors.InvalidParameterError: The 'selection' parameter of Session must be a whole
    number of at least 0 and at most 4. Got 5 instead.
    """

    graph: PresetGraph | GraphSet
    kernel: KernelParameters
    picture: PictureParameters = field(default_factory=PictureParameters)
    selection: tuple[int, ...] = ()
    widgets: Mapping[str, WidgetValue] = field(default_factory=dict)
    title: str = ""
    edits: str = ""

    def __post_init__(self) -> None:
        unedited = NodeStudy(self.graph, self.kernel, self.picture.n_axes, self.title)
        object.__setattr__(self, "title", shortened(unedited.title, _LONGEST_TEXT))
        owner = type(self).__name__
        check_whole(self.kernel.n_iterations, 0, "n_iterations", owner, maximum=_MOST_ROUNDS)
        check_whole(self.kernel.random_state, 0, "random_state", owner, maximum=_LARGEST_SEED)
        graph = self.study().graph_set()
        if graph.n_vertices == 0:
            raise InvalidGraphError("The graph of a Session has no vertices. Choose another one.")
        _check_features(self.kernel, graph)
        width = 0 if graph.attributes is None else graph.attributes.shape[1]
        if self.picture.attribute >= max(width, 1):
            raise InvalidGraphError(
                f"The picture is coloured by attribute {self.picture.attribute}, and the graph has "
                f"{width}. Choose another one."
            )
        for vertex in self.selection:
            check_whole(vertex, 0, "selection", owner, maximum=graph.n_vertices - 1)
        object.__setattr__(self, "selection", tuple(sorted({int(v) for v in self.selection})))
        object.__setattr__(self, "widgets", MappingProxyType(_checked_widgets(self.widgets)))

    def study(self) -> NodeStudy:
        """Return what the session computes."""
        graph = self.graph
        if self.edits:
            graph = graph.build() if isinstance(graph, PresetGraph) else graph
            graph = edited_by_text(graph, self.edits, None)
        return NodeStudy(graph, self.kernel, self.picture.n_axes, self.title)


def _check_features(kernel: KernelParameters, graph: GraphSet) -> None:
    try:
        FeatureEncoder(kernel.features).fit(graph)
    except MPGKError as error:
        raise InvalidGraphError(
            f"The 'features' parameter of the kernel does not suit the graph. {error}"
        ) from None


def _checked_widgets(widgets: Mapping[str, WidgetValue]) -> dict[str, WidgetValue]:
    if len(widgets) > _MOST_WIDGETS:
        raise InvalidParameterError(
            f"There are {len(widgets):,} widgets, and at most {_MOST_WIDGETS} are kept. Leave some "
            "out."
        )
    for key, value in widgets.items():
        check_text(key, "widgets", "Session")
        _check_value(key, value)
    return dict(widgets)


def _check_value(key: str, value: Any) -> None:
    owner = f"the widget {key!r}"
    if type(value) is tuple:
        check_whole(len(value), 0, "number of choices", owner, maximum=_MOST_CHOICES)
    elif value is None:
        return
    for scalar in value if type(value) is tuple else (value,):
        if type(scalar) is str:
            check_text(scalar, "value", owner)
        elif type(scalar) not in (bool, int, float) or not abs(scalar) <= _LARGEST:
            raise InvalidParameterError(
                f"The value of {owner} must be a truth value, a number of at most 2^53, a text, a "
                f"tuple of these, or None. Got {scalar!r} instead."
            )


def check_text(value: Any, name: str, owner: str) -> None:
    """Raise unless ``value`` is text of bounded length that a file can hold."""
    if type(value) is not str or len(value) > _LONGEST_TEXT or not _is_whole(value):
        raise InvalidParameterError(
            f"The {name!r} parameter of {owner} must be text of at most {_LONGEST_TEXT} "
            f"characters. Got {value!r} instead."
        )


def _is_whole(text: str) -> bool:
    """Return whether there are no halves of characters, which no file can hold."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
