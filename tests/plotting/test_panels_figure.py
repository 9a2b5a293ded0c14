"""Embeddings side by side."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from mpgk_core import GraphSet, MessagePassingNodeKernel
from mpgk_core.embedding.trajectory import trajectory
from mpgk_core.errors import InvalidParameterError
from mpgk_core.plotting import colour_by_class
from mpgk_core.plotting.panels_figure import Panel, panels_figure, reach_of

GRAPH = GraphSet.from_networkx(nx.path_graph(5))
WAY = trajectory(GRAPH, MessagePassingNodeKernel(n_iterations=2, features="degree").fit(GRAPH))
COLOURS = colour_by_class("Vertex", np.arange(5)[np.newaxis], "vertex")
PANEL = Panel("as it is", WAY, COLOURS, list("abcde"))
WIDE = replace(PANEL, title="three times as wide", way=replace(WAY, points=3 * WAY.points))


def ranges(figure):
    return {tuple(axis.range) for axis in [*figure.select_xaxes(), *figure.select_yaxes()]}


def test_all_panels_have_one_scale_on_which_no_point_is_cut_off():
    figure = panels_figure([PANEL, WIDE], n_columns=1)
    ((low, high),) = ranges(figure)
    assert low == -high
    assert high > reach_of([PANEL, WIDE]) == 3 * reach_of([PANEL]) == 3.0
    assert [note.text for note in figure.layout.annotations] == [PANEL.title, WIDE.title]


def test_figures_of_one_panel_can_share_a_scale():
    both = panels_figure([PANEL, WIDE])
    assert ranges(panels_figure([PANEL], reach=3.0)) == ranges(both)
    assert ranges(panels_figure([PANEL])) != ranges(both)


def test_the_colours_of_the_last_round_are_drawn():
    (trace,) = panels_figure([PANEL]).data
    assert list(trace.marker.color) == [COLOURS.colours[0][v] for v in WAY.representatives]


def test_there_must_be_something_to_draw():
    with pytest.raises(InvalidParameterError, match="no embedding"):
        panels_figure([])
    with pytest.raises(InvalidParameterError, match="n_columns"):
        panels_figure([PANEL], n_columns=0)
