"""The step of a program that gets at its graphs, whatever the study."""

from __future__ import annotations

from typing import NamedTuple

from mpgk_core.export.imports import Needed
from mpgk_core.export.literals import call
from mpgk_core.export.set_sources import ClassifiedGraphs, GeneratedSet, NamedSet
from mpgk_core.export.steps import Step, given_graphs
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.recipes import PresetGraph

_UNPACKED = {"mpgk_core.export": ["unpacked"]}


class DataStep(NamedTuple):
    """A step, and what it needs to be imported."""

    needed: Needed
    step: Step


def graph_step(graph: PresetGraph | GraphSet) -> DataStep:
    """Return the step that gives a program its ``graph``.

    Parameters
    ----------
    graph : PresetGraph or GraphSet
        By name, or the graph itself.

    Returns
    -------
    DataStep

    Examples
    --------
    >>> graph_step(PresetGraph("barbell")).step.code
    "graph = as_graph_set(build_graph('barbell', h=10, k=10))"
    """
    if isinstance(graph, PresetGraph):
        built = call("build_graph", graph.preset, **graph.values)
        return DataStep(
            {"mpgk_core.graphs": ["as_graph_set"], "mpgk_core.graphs.generators": ["build_graph"]},
            Step(
                words="The graph, by the name of its preset.", code=f"graph = as_graph_set({built})"
            ),
        )
    return DataStep(
        _UNPACKED,
        Step(
            words="The graph itself. Long ones are compressed.",
            code=f"{given_graphs('given', graph)}\ngraph = given.graphs",
        ),
    )


def set_step(data: ClassifiedGraphs) -> DataStep:
    """Return the step that gives a program its ``data``, with graphs and classes.

    Parameters
    ----------
    data : NamedSet, GeneratedSet or GivenSet

    Returns
    -------
    DataStep

    Examples
    --------
    >>> set_step(GeneratedSet("rings", 20)).step.code
    "data = generate('rings', 20, 0)"
    """
    if isinstance(data, NamedSet):
        return DataStep(
            {"mpgk_core.datasets": ["load"]},
            Step(
                words="The data set, by its name. If it is not at hand, fetch_tu of "
                "mpgk_core.datasets downloads those of the TU collection.",
                code=f"data = {call('load', data.name)}",
            ),
        )
    if isinstance(data, GeneratedSet):
        made = call("generate", data.recipe, data.n_per_class, data.random_state)
        return DataStep(
            {"mpgk_core.evaluation": ["generate"]},
            Step(words="A data set made by a seeded generator.", code=f"data = {made}"),
        )
    return DataStep(
        _UNPACKED,
        Step(
            words="The graphs and classes themselves. Large sets are compressed.",
            code=given_graphs("data", data.graphs, data.classes),
        ),
    )
