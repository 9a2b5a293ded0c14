"""``kernel``: how similar vertices are, or graphs."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentError, ArgumentParser, Namespace
from collections.abc import Hashable

from mpgk_core.cli.command import Command, Example
from mpgk_core.cli.console import Console
from mpgk_core.cli.input import Given, add_input_options, read_input
from mpgk_core.cli.kernel_options import (
    add_kernel_options,
    fitted_parameters,
    kernel_parameters,
    say_features,
)
from mpgk_core.cli.output import Result, add_output_options, open_output, rendered
from mpgk_core.csv_cells import cell_text
from mpgk_core.kernels import MessagePassingGraphKernel, MessagePassingNodeKernel
from mpgk_core.kernels.graph_kernel import VARIANTS


def _configure(parser: ArgumentParser) -> None:
    add_input_options(parser)
    group = parser.add_argument_group(
        "what is compared", "By default the vertices of one graph, or the graphs if there are more."
    )
    group.add_argument("--vertices", action="store_true", help="compare vertices")
    group.add_argument("--graphs", action="store_true", help="compare graphs")
    group.add_argument(
        "--neighbourhood",
        choices=("R", "A"),
        default=SUPPRESS,
        help="between vertices: neighbourhoods by the sum over all pairs (R) or by the best "
        "assignment (A) (default: R)",
    )
    group.add_argument(
        "--variant",
        choices=VARIANTS,
        default=SUPPRESS,
        help="between graphs: the first letter as above, the second for the graphs themselves "
        "(default: AA)",
    )
    group.add_argument(
        "--levels",
        choices=("last", "all"),
        default=SUPPRESS,
        help="between graphs: the kernel of round T alone, or the sum of all rounds "
        "(default: last)",
    )
    add_kernel_options(parser, also_graphs=True)
    add_output_options(parser)


def _run(chosen: Namespace, console: Console) -> None:
    wants = {
        "vertices": chosen.vertices or hasattr(chosen, "neighbourhood"),
        "graphs": chosen.graphs or hasattr(chosen, "variant") or hasattr(chosen, "levels"),
    }
    if all(wants.values()):
        raise ArgumentError(
            None,
            "--vertices and --neighbourhood compare vertices, --graphs, --variant and --levels "
            "compare graphs: choose one of the two",
        )
    output = open_output(chosen, console)
    given = read_input(chosen, console)
    if wants["vertices"] or (len(given.graphs) == 1 and not wants["graphs"]):
        result = _between_vertices(chosen, given, console)
    else:
        result = _between_graphs(chosen, given, console)
    output.write(rendered(result, chosen))


def _between_vertices(chosen: Namespace, given: Given, console: Console) -> Result:
    own = {"neighbourhood": chosen.neighbourhood} if hasattr(chosen, "neighbourhood") else {}
    estimator = MessagePassingNodeKernel(**own, **kernel_parameters(chosen))
    matrix = estimator.fit_transform(given.graphs)
    say_features(estimator, given.graphs, console)
    names, graph = given.graphs.names, given.graph_of_vertex
    keys: list[Hashable] = names
    if len(given.graphs) > 1:
        keys = [f"{cell_text(g)}/{cell_text(v)}" for g, v in zip(graph, names, strict=True)]
    return Result(
        "kernel",
        given.source(),
        {"between": "vertices"} | given.parameters() | fitted_parameters(estimator),
        ("vertex", *keys),
        (keys, matrix),
        {"names": names, "graph": graph, "kernel": matrix},
    )


def _between_graphs(chosen: Namespace, given: Given, console: Console) -> Result:
    own = {key: getattr(chosen, key) for key in ("variant", "levels") if hasattr(chosen, key)}
    estimator = MessagePassingGraphKernel(**own, **kernel_parameters(chosen))
    matrix = estimator.fit_transform(given.graphs)
    say_features(estimator, given.graphs, console)
    titles, classes = given.graph_titles, given.tables.classes
    return Result(
        "kernel",
        given.source(),
        {"between": "graphs"} | given.parameters() | fitted_parameters(estimator),
        ("graph", *titles),
        (titles, matrix),
        {"graphs": titles} | ({} if classes is None else {"classes": classes}) | {"kernel": matrix},
    )


COMMAND = Command(
    "kernel",
    description="Compute a message passing kernel. Of one graph, it says how similar any two "
    "vertices are after T rounds. Of several graphs, or of a data set, it says how similar any "
    "two graphs are: the Gram matrix that a support vector machine takes.",
    output=(
        (
            "vertex, graph",
            "first column and first row: what is compared; of several graphs, a vertex is "
            "written graph/vertex",
        ),
        ("numbers", "the kernel of row and column, with all digits"),
        ("classes", "json, npz: the class of every graph, where the file has them"),
    ),
    examples=(
        Example(
            ("kernel", "-", "-T", "1", "--alpha", "1", "--beta", "1", "--features", "degree"),
            "vertex,a,b,c\na,5.0,6.0,5.0\nb,6.0,8.0,6.0\nc,5.0,6.0,5.0",
            stdin="a b\nb c\n",
        ),
        Example(("kernel", "MUTAG", "--variant", "RR", "--out", "mutag.npz"), ""),
    ),
    configure=_configure,
    run=_run,
)
