"""``embed``: a point for every vertex."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from mpgk_core.cli.command import Command, Example
from mpgk_core.cli.console import Console
from mpgk_core.cli.input import add_input_options, read_input
from mpgk_core.cli.kernel_options import (
    add_kernel_options,
    fitted_parameters,
    kernel_parameters,
    say_features,
)
from mpgk_core.cli.output import Result, add_output_options, open_output, rendered
from mpgk_core.embedding import kernel_pca
from mpgk_core.kernels import MessagePassingNodeKernel


def _configure(parser: ArgumentParser) -> None:
    add_input_options(parser)
    add_kernel_options(parser)
    parser.add_argument(
        "--neighbourhood",
        choices=("R", "A"),
        default="R",
        help="how neighbourhoods are compared: R sums over all pairs, A takes the best assignment "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--components",
        type=int,
        default=2,
        metavar="N",
        help="number of axes (default: %(default)s)",
    )
    add_output_options(parser)


def _run(chosen: Namespace, console: Console) -> None:
    output = open_output(chosen, console)
    given = read_input(chosen, console)
    node_kernel = MessagePassingNodeKernel(chosen.neighbourhood, **kernel_parameters(chosen))
    embedding = kernel_pca(node_kernel.fit(given.graphs).kernel_, chosen.components)
    say_features(node_kernel, given.graphs, console)
    shares = ", ".join(f"{100 * share:.1f} %" for share in embedding.explained.tolist())
    console.note(f"The axes explain {shares} of the variance.")
    names, graph = given.graphs.names, given.graph_of_vertex
    result = Result(
        "embed",
        given.source(),
        given.parameters() | fitted_parameters(node_kernel) | {"n_components": chosen.components},
        ("name", "graph", *(f"axis_{axis + 1}" for axis in range(chosen.components))),
        (names, graph, embedding.points),
        {
            "names": names,
            "graph": graph,
            "points": embedding.points,
            "variance": embedding.variance,
            "explained": embedding.explained,
        },
    )
    output.write(rendered(result, chosen))


COMMAND = Command(
    "embed",
    description="Place every vertex so that vertices with similar surroundings lie close. The "
    "node kernel compares neighbourhoods for T rounds, k' = alpha k + beta k_N, and kernel PCA "
    "draws its main axes. Vertices that no automorphism tells apart get the same point. The "
    "vertices of several graphs are placed together, and can be compared.",
    output=(
        ("name", "the vertex, as the file calls it, or its number from 0"),
        ("graph", "its graph: name, or number from 0"),
        ("axis_1", "its coordinate along the axis of largest variance; axis_2 the next, ..."),
        ("variance", "json, npz: variance along every axis"),
        ("explained", "json, npz: its share of the whole variance"),
    ),
    examples=(
        Example(
            ("embed", "-", "-T", "2", "--features", "degree"),
            "name,graph,axis_1,axis_2\n"
            "a,0,0.529…,0.0\n"
            "b,0,-0.529…,0.0\n"
            "c,0,-0.529…,0.0\n"
            "d,0,0.529…,0.0",
            stdin="a b\nb c\nc d\n",
        ),
    ),
    configure=_configure,
    run=_run,
)
