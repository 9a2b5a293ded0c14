"""What a lesson is: steps, each with a text, a picture, something to do and a question."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from mpgk_core.lessons.setting import KernelSetting
from mpgk_core.lessons.sources import GraphSource

CONTROLS = ("T", "alpha", "beta", "kernel", "features", "remove")
"""What a step may let the reader change."""

VIEWS = ("linked", "messages", "change", "map")
"""How a picture can be shown: linked pictures, one round in numbers, before and after, a map."""


@dataclass(frozen=True)
class Measure:
    """Something to compute on the graph of a step.

    Attributes
    ----------
    quantity : str
        A key of ``QUANTITIES``.
    arguments : mapping of str to str, int or float
        What the quantity is about, such as a vertex.
    kernel : KernelSetting
        The kernel that is asked.
    """

    quantity: str
    arguments: dict[str, Any]
    kernel: KernelSetting


@dataclass(frozen=True)
class Option:
    """One of the answers to choose from.

    Attributes
    ----------
    text : str
    value : bool, int, float or str
        Right if the computed answer equals it; None where the options are compared instead.
    measure : Measure or None
        What is compared with the other options.
    """

    text: str
    value: bool | int | float | str | None
    measure: Measure | None


@dataclass(frozen=True)
class Question:
    """A question whose answer is computed, never stored.

    Attributes
    ----------
    kind : {"number", "choice", "vertices"}
    ask : str
        The question.
    measure : Measure or None
        What is asked for; None where options are compared.
    options : tuple of Option
        For a choice.
    pick : {"largest", "smallest"} or None
        Which of the options is right, where they are compared.
    tolerance : float
        How far a number may be off.
    hint : str
        Shown after a wrong answer.
    explanation : str
        Shown after the right answer.
    """

    kind: Literal["number", "choice", "vertices"]
    ask: str
    measure: Measure | None
    options: tuple[Option, ...]
    pick: Literal["largest", "smallest"] | None
    tolerance: float
    hint: str
    explanation: str


@dataclass(frozen=True)
class Picture:
    """A live picture: a graph, a kernel, and what the reader may change.

    Attributes
    ----------
    source : GraphSource
    kernel : KernelSetting
    view : str
        One of ``VIEWS``.
    colour : str
        What the colours of vertices mean.
    layout : str
    has_matrix : bool
        Whether the kernel matrix is shown as well.
    removed : tuple of two str, or None
        The edge that is taken away.
    controls : tuple of str
        Of ``CONTROLS``.
    """

    source: GraphSource
    kernel: KernelSetting
    view: str
    colour: str
    layout: str
    has_matrix: bool
    removed: tuple[str, str] | None
    controls: tuple[str, ...]


@dataclass(frozen=True)
class Step:
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

    title: str
    text: str
    todo: str
    picture: Picture
    question: Question
    numbers: dict[str, Measure] = field(default_factory=dict)


@dataclass(frozen=True)
class Lesson:
    """A lesson.

    Attributes
    ----------
    key : str
        Its name in a link.
    title : str
    summary : str
        One sentence.
    steps : tuple of Step
    """

    key: str
    title: str
    summary: str
    steps: tuple[Step, ...]
