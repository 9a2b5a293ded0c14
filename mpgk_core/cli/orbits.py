"""``orbits``: which vertices play exactly the same role."""

from __future__ import annotations

from argparse import Namespace
from inspect import signature
from typing import Any

import numpy as np

from mpgk_core.automorphism import orbits as find_orbits
from mpgk_core.cli.console import Console, Result, option, output_options
from mpgk_core.cli.input import INPUT, read_input
from mpgk_core.refinement import colour_refinement

OPTIONS = {
    "orbits": [
        *INPUT,
        "search",
        option(
            "--respect-labels",
            "vertices with different labels are never equivalent (default: labels do not count)",
            action="store_true",
        ),
        option(
            "--edges",
            "what automorphisms must keep of edges: ignore, or labels, weights and both (their "
            "directions), joined by + (default: %(default)s)",
            default="ignore",
            metavar="USE",
        ),
        option(
            "--budget",
            "give a graph up after about so many edge visits (default: %(default)s)",
            type=int,
            default=signature(find_orbits).parameters["budget"].default,
            metavar="N",
        ),
        *output_options("csv", "json", "npz"),
    ]
}


def orbits(chosen: Namespace, console: Console) -> Result:
    """Find the automorphism orbits of every graph, exactly.

    Two vertices are in one orbit if nothing about the graph distinguishes them. The
    column beside it has the class of colour refinement (Weisfeiler-Lehman), which is all
    that message passing can see: where two orbits have one colour, no number of rounds
    separates them.

    output:
      name    the vertex, as the file calls it, or its number from 0
      graph   its graph: name, or number from 0
      orbit   its orbit, numbered from 1 in every graph by first vertex
      colour  its stable colour, from 1; colours of several graphs can be compared
      proven  yes; or no where the search was given up: then vertices of different numbers
              are certainly not equivalent, vertices of the same number perhaps

    example:
      $ mpgk orbits krackhardt_kite.dot
      name,graph,orbit,colour,proven
      Andre,kite,1,7,yes
      Beverley,kite,1,7,yes
      Carol,kite,2,6,yes
      Diane,kite,3,4,yes
    """
    given = read_input(chosen, console)
    if given.graphs.labels is not None and not chosen.respect_labels:
        console.note("The labels do not count. Add --respect-labels to distinguish them.")
    used = {"respect_labels": chosen.respect_labels, "edges": chosen.edges}
    settings = {**used, "budget": chosen.budget}
    found = [find_orbits(graph, **settings) for graph in given.graphs]
    proven = np.array([one.proven for one in found], dtype=np.bool_)
    values: dict[str, Any] = {
        "names": given.graphs.names,
        "graph": given.graph_of_vertex,
        "orbit": np.concatenate([[], *(one.of_vertex + 1 for one in found)]).astype(np.int64),
        "colour": colour_refinement(given.graphs, **used) + 1,
        "proven": np.repeat(proven, given.graphs.sizes),
    }
    numbers = (values["orbit"].tolist(), values["colour"].tolist())
    yes_or_no = ("yes" if p else "no" for p in values["proven"].tolist())
    return Result(
        source=given.source(),
        parameters=given.parameters() | settings,
        header=("name", "graph", "orbit", "colour", "proven"),
        rows=zip(values["names"], values["graph"], *numbers, yes_or_no, strict=True),
        values=values,
    )
