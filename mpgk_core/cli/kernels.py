"""Commands that compute kernels: ``embed`` and ``kernel``."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentError, BooleanOptionalAction, Namespace
from collections.abc import Hashable
from typing import Any

from mpgk_core.cli.console import Console, Options, Result, option, output_options
from mpgk_core.cli.input import INPUT, Given, read_input
from mpgk_core.embedding import kernel_pca
from mpgk_core.embedding.methods import VERTEX_METHODS, vertex_plane, vertex_vectors
from mpgk_core.evaluation.feature_comparison import ADVICE, needs_comparison
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.feature_names import FEATURE_NAMES
from mpgk_core.kernels import MessagePassingGraphKernel, MessagePassingNodeKernel
from mpgk_core.kernels.estimator import FeatureKernel
from mpgk_core.kernels.graph_kernel import LEVELS, VARIANTS
from mpgk_core.text import cell_text

_PARAMETERS: dict[str, tuple[str, dict[str, Any]]] = {
    "alpha": ("weight of the previous similarity", {"type": float, "metavar": "X"}),
    "beta": ("weight of the neighbourhoods", {"type": float, "metavar": "X"}),
    "n_iterations": ("number of rounds", {"type": int, "metavar": "N"}),
    "branching": ("clusters per split of a hierarchy (A only)", {"type": int, "metavar": "N"}),
    "depth": ("depth of the hierarchies (A only)", {"type": int, "metavar": "N"}),
    "random_state": ("seed of the clustering (A only)", {"type": int, "metavar": "N"}),
    "normalize": (
        "divide by the lengths, so that everything has similarity 1 with itself",
        {"action": BooleanOptionalAction},
    ),
    "features": (
        "initial features of the vertices: auto, or names joined by + (added as they are) or by , "
        f"(balanced): {', '.join(FEATURE_NAMES)}; auto balances labels, standardised attributes "
        "and degree",
        {"metavar": "NAMES"},
    ),
    "edges": (
        "what is used of edges: ignore, or labels, weights (only with neighbourhood R; weights/4 "
        "for four bins) and one of follow, reverse, both, joined by +",
        {"metavar": "USE"},
    ),
}
_FLAGS = {"n_iterations": "-T --iterations", "random_state": "--seed", "normalize": "--normalise"}


def _kernel_options(also_graphs: bool) -> Options:
    """Return the parameters that all message passing kernels share, as options.

    Those that the user does not give are absent from the result, so that the defaults of the
    kernels hold. The help tells the defaults of graph kernels too, where these differ.
    """
    of_vertices = MessagePassingNodeKernel().get_params()
    of_graphs = MessagePassingGraphKernel().get_params()
    options = []
    for key, (meaning, settings) in _PARAMETERS.items():
        default = _shown(of_vertices[key])
        if also_graphs and of_graphs[key] != of_vertices[key]:
            default = f"{default} between vertices, {_shown(of_graphs[key])} between graphs"
        text = f"{meaning} (default: {default})"
        options.append(
            option(_FLAGS.get(key, f"--{key}"), text, dest=key, default=SUPPRESS, **settings)
        )
    return ["kernel", *options]


def _shown(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


_OUTPUT = output_options("csv", "json", "npz")
_NEIGHBOURHOOD = option(
    "--neighbourhood",
    "between vertices: neighbourhoods are compared by the sum over all pairs (R) or by the best "
    "assignment (A) (default: R)",
    choices=("R", "A"),
    default=SUPPRESS,
)
_OF_NODE2VEC = {
    "p": "node2vec: how rarely a walk turns back (default: 1)",
    "q": "node2vec: how near to the vertex before a walk stays; below 1 it leaves (default: 2)",
}

OPTIONS = {
    "embed": [
        *INPUT,
        *_kernel_options(also_graphs=False),
        "embedding",
        option(
            "--method",
            "mpgk: the message passing kernel and kernel PCA; others place the vertices of one "
            f"graph by its structure alone: {', '.join(VERTEX_METHODS)} (default: %(default)s)",
            choices=("mpgk", *VERTEX_METHODS),
            default="mpgk",
        ),
        *(
            option(f"--{name}", text, type=float, default=SUPPRESS, metavar="X")
            for name, text in _OF_NODE2VEC.items()
        ),
        _NEIGHBOURHOOD,
        option(
            "--components",
            "number of axes (default: %(default)s)",
            type=int,
            default=2,
            metavar="N",
        ),
        *_OUTPUT,
    ],
    "kernel": [
        *INPUT,
        "what is compared: by default the vertices of one graph, or the graphs if there are more",
        option("--vertices", "compare vertices", action="store_true"),
        option("--graphs", "compare graphs", action="store_true"),
        _NEIGHBOURHOOD,
        option(
            "--variant",
            "between graphs: the first letter as above, the second for the graphs "
            "themselves (default: AA)",
            choices=VARIANTS,
            default=SUPPRESS,
        ),
        option(
            "--levels",
            "between graphs: the kernel of the last round, T, or the sum of rounds 0 to T "
            "(default: last)",
            choices=LEVELS,
            type=lambda text: {"all": "sum"}.get(text, text),  # the earlier name
            default=SUPPRESS,
        ),
        *_kernel_options(also_graphs=True),
        *_OUTPUT,
    ],
}


def embed(chosen: Namespace, console: Console) -> Result:
    r"""Place every vertex so that vertices with similar surroundings lie close.

    The node kernel compares neighbourhoods for T rounds, k' = alpha k + beta k_N, and
    kernel PCA gives its main axes. Vertices that an automorphism maps onto each other get
    the same point. The vertices of several graphs are embedded together, and can be
    compared. With --method, vertices are placed by other methods, for comparison.

    output:
      name       the vertex, as the file calls it, or its number from 0
      graph      its graph: name, or number from 0
      axis_1     its coordinate along the axis of largest variance; axis_2 the next, ...
      variance   json, npz: variance along every axis
      explained  json, npz: its share of the whole variance

    example:
      $ printf 'a b\nb c\nc d\n' | mpgk embed - -T 2 --features degree
      name,graph,axis_1,axis_2
      a,0,0.529…,0.0
      b,0,-0.529…,0.0
      c,0,-0.529…,0.0
      d,0,0.529…,0.0

      $ printf 'a b\nb c\nc d\n' | mpgk embed - --method degree --components 1
      name,graph,axis_1
      a,0,0.5
      b,0,-0.5
      c,0,-0.5
      d,0,0.5
    """
    if chosen.method != "node2vec" and _given(chosen, *_OF_NODE2VEC):
        raise ArgumentError(None, "--p and --q are parameters of --method node2vec")
    given = read_input(chosen, console)
    if chosen.method == "mpgk":
        estimator = MessagePassingNodeKernel(**_given(chosen, "neighbourhood", *_PARAMETERS))
        embedding = kernel_pca(estimator.fit(given.graphs).kernel_, chosen.components)
        parameters = _fitted_parameters(estimator)
        _note_features(estimator, given.graphs, console)
    else:
        own = {"wl": ("n_iterations",), "node2vec": tuple(_OF_NODE2VEC)}
        parameters = _given(chosen, *own.get(chosen.method, ()))
        vectors = vertex_vectors(chosen.method, given.graphs, **parameters)
        embedding = vertex_plane(vectors, chosen.components)
        console.note(VERTEX_METHODS[chosen.method].note)
    shares = ", ".join(f"{100 * share:.1f} %" for share in embedding.explained.tolist())
    console.note(f"The axes explain {shares} of the variance.")
    names, graph = given.graphs.names, given.graph_of_vertex
    return Result(
        source=given.source(),
        parameters=given.parameters()
        | {"method": chosen.method, **parameters, "n_components": chosen.components},
        header=("name", "graph", *(f"axis_{axis + 1}" for axis in range(chosen.components))),
        rows=zip(names, graph, strict=True),
        numbers=embedding.points,
        values={
            "names": names,
            "graph": graph,
            "points": embedding.points,
            "variance": embedding.variance,
            "explained": embedding.explained,
        },
    )


def kernel(chosen: Namespace, console: Console) -> Result:
    r"""Compute a message passing kernel.

    Of one graph, it says how similar any two vertices are after T rounds. Of several
    graphs, or of a data set, it says how similar any two graphs are: the Gram matrix that
    a support vector machine takes.

    output:
      vertex, graph  first column and first row: what is compared; of several graphs, a
                     vertex is written graph/vertex
      numbers        the kernel of row and column, with all digits
      classes        json, npz: the class of every graph, where the file has them

    example:
      $ printf 'a b\nb c\n' | mpgk kernel - -T 1 --alpha 1 --beta 1 --features degree
      vertex,a,b,c
      a,5.0,6.0,5.0
      b,6.0,8.0,6.0
      c,5.0,6.0,5.0

      $ mpgk kernel MUTAG --variant RR --out mutag.npz
    """
    own = _given(chosen, "neighbourhood", "variant", "levels")
    wants_vertices = chosen.vertices or "neighbourhood" in own
    wants_graphs = chosen.graphs or "variant" in own or "levels" in own
    if wants_vertices and wants_graphs:
        raise ArgumentError(
            None,
            "--vertices and --neighbourhood compare vertices, --graphs, --variant and --levels "
            "compare graphs: choose one of the two",
        )
    given = read_input(chosen, console)
    of_vertices = wants_vertices or (len(given.graphs) == 1 and not wants_graphs)
    kind = MessagePassingNodeKernel if of_vertices else MessagePassingGraphKernel
    estimator: FeatureKernel = kind(**own, **_given(chosen, *_PARAMETERS))
    matrix = estimator.fit_transform(given.graphs)
    _note_features(estimator, given.graphs, console)
    keys = _vertex_keys(given) if of_vertices else given.graph_titles
    values: dict[str, Any]
    if of_vertices:
        values = {"names": given.graphs.names, "graph": given.graph_of_vertex}
    else:
        classes = given.tables.classes
        values = {"graphs": keys} | ({} if classes is None else {"classes": classes})
    return Result(
        source=given.source(),
        parameters={"between": "vertices" if of_vertices else "graphs"}
        | given.parameters()
        | _fitted_parameters(estimator),
        header=("vertex" if of_vertices else "graph", *keys),
        rows=((key,) for key in keys),
        numbers=matrix,
        values=values | {"kernel": matrix},
    )


def _vertex_keys(given: Given) -> list[Hashable]:
    """Return names that distinguish the vertices of all graphs."""
    names = given.graphs.names
    if len(given.graphs) == 1:
        return names
    pairs = zip(given.graph_of_vertex, names, strict=True)
    return [f"{cell_text(graph)}/{cell_text(name)}" for graph, name in pairs]


def _given(chosen: Namespace, *names: str) -> dict[str, Any]:
    """Return those of some options that the user has given."""
    return {name: getattr(chosen, name) for name in names if hasattr(chosen, name)}


def _fitted_parameters(estimator: FeatureKernel) -> dict[str, Any]:
    """Return all parameters of a fitted kernel, and the features that "auto" stands for."""
    parameters: dict[str, Any] = estimator.get_params()
    return parameters | {"features_": estimator.features_}


def _note_features(estimator: FeatureKernel, graphs: GraphSet, console: Console) -> None:
    """Report the features that "auto" stands for, and advice where the choice is open."""
    if estimator.features == "auto":
        console.note(f"Features: auto, which is {estimator.features_} here.")
        if needs_comparison(graphs):
            console.note(ADVICE)
