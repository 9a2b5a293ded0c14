"""``orbits``: which vertices play exactly the same role."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from inspect import signature

import numpy as np

from mpgk_core.automorphism import orbits
from mpgk_core.cli.command import Command, Example
from mpgk_core.cli.console import Console
from mpgk_core.cli.input import add_input_options, read_input
from mpgk_core.cli.output import Result, add_output_options, open_output, rendered
from mpgk_core.refinement import colour_refinement

_BUDGET: int = signature(orbits).parameters["budget"].default


def _configure(parser: ArgumentParser) -> None:
    add_input_options(parser)
    parser.add_argument(
        "--respect-labels",
        action="store_true",
        help="vertices with different labels are never equivalent (default: labels do not count)",
    )
    parser.add_argument(
        "--budget",
        type=int,
        default=_BUDGET,
        metavar="N",
        help="give a graph up after about so many edge visits (default: %(default)s)",
    )
    add_output_options(parser)


def _run(chosen: Namespace, console: Console) -> None:
    output = open_output(chosen, console)
    given = read_input(chosen, console)
    if given.graphs.labels is not None and not chosen.respect_labels:
        console.note("The labels do not count. Add --respect-labels if they shall.")
    settings = {"respect_labels": chosen.respect_labels, "budget": chosen.budget}
    found = [orbits(graph, **settings) for graph in given.graphs]
    of_vertex = np.concatenate([[], *(one.of_vertex for one in found)]).astype(np.int64)
    colours = colour_refinement(given.graphs, respect_labels=chosen.respect_labels)
    proven = np.array([one.proven for one in found], dtype=np.bool_)
    names, graph = given.graphs.names, given.graph_of_vertex
    is_proven = np.repeat(proven, given.graphs.sizes)
    result = Result(
        "orbits",
        given.source(),
        given.parameters() | settings,
        ("name", "graph", "orbit", "colour", "proven"),
        (names, graph, of_vertex, colours, ["yes" if p else "no" for p in is_proven]),
        {
            "names": names,
            "graph": graph,
            "orbit": of_vertex,
            "colour": colours,
            "proven": is_proven,
        },
    )
    output.write(rendered(result, chosen))


COMMAND = Command(
    "orbits",
    description="Find the automorphism orbits of every graph, exactly: two vertices are in one "
    "orbit if nothing about the graph tells them apart. Beside it stands the class of colour "
    "refinement (Weisfeiler-Lehman), which is all that message passing can see: where two orbits "
    "have one colour, no number of rounds will part them.",
    output=(
        ("name", "the vertex, as the file calls it, or its number from 0"),
        ("graph", "its graph: name, or number from 0"),
        ("orbit", "its orbit, numbered from 0 in every graph by first vertex"),
        ("colour", "its stable colour; colours of several graphs can be compared"),
        (
            "proven",
            "yes; or no where the search was given up: then vertices of different numbers are "
            "certainly not equivalent, vertices of the same number perhaps",
        ),
    ),
    examples=(
        Example(
            ("orbits", "krackhardt_kite.dot"),
            "name,graph,orbit,colour,proven\n"
            "Andre,kite,0,6,yes\n"
            "Beverley,kite,0,6,yes\n"
            "Carol,kite,1,5,yes\n"
            "Diane,kite,2,3,yes",
        ),
    ),
    configure=_configure,
    run=_run,
)
