"""The parameters of message passing, as options."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, BooleanOptionalAction, Namespace
from typing import Any

from mpgk_core.cli.console import Console
from mpgk_core.evaluation.feature_comparison import ADVICE, needs_comparison
from mpgk_core.graphs import GraphSet
from mpgk_core.graphs.initial_features import FEATURE_NAMES
from mpgk_core.kernels import MessagePassingGraphKernel, MessagePassingNodeKernel
from mpgk_core.kernels.block_kernel import FeatureKernel

_NUMBERS: dict[str, tuple[str, type, str]] = {
    "alpha": ("--alpha", float, "weight of the previous similarity"),
    "beta": ("--beta", float, "weight of its neighbourhood"),
    "n_iterations": ("-T", int, "number of rounds"),
    "branching": ("--branching", int, "clusters per split of a hierarchy (A only)"),
    "depth": ("--depth", int, "depth of the hierarchies (A only)"),
    "random_state": ("--seed", int, "seed of the clustering (A only)"),
}
_SHARED = (*_NUMBERS, "features", "normalize")


def add_kernel_options(parser: ArgumentParser, also_graphs: bool = False) -> None:
    """Add the parameters that all message passing kernels share.

    Those that the user does not give are absent from the result, so that the defaults of the
    kernels hold.

    Parameters
    ----------
    parser : ArgumentParser
    also_graphs : bool
        Whether the help tells the defaults of graph kernels too, where these differ.
    """
    group = parser.add_argument_group("kernel")
    for key, (option, kind, meaning) in _NUMBERS.items():
        names = (option, "--iterations") if option == "-T" else (option,)
        group.add_argument(
            *names,
            dest=key,
            type=kind,
            metavar="X" if kind is float else "N",
            default=SUPPRESS,
            help=f"{meaning} ({_default(key, also_graphs)})",
        )
    group.add_argument(
        "--features",
        default=SUPPRESS,
        metavar="NAMES",
        help="what vertices know at first: auto, or names joined by + (added as they are) or by , "
        f"(balanced): {', '.join(FEATURE_NAMES)} (default: auto, which balances labels, "
        "standardised attributes and degree)",
    )
    group.add_argument(
        "--normalise",
        dest="normalize",
        action=BooleanOptionalAction,
        default=SUPPRESS,
        help="divide by the lengths, so that everything has similarity 1 with itself "
        f"({_default('normalize', also_graphs)})",
    )


def kernel_parameters(chosen: Namespace) -> dict[str, Any]:
    """Return the parameters that the user has given, by the names that the kernels have for them.

    Examples
    --------
    >>> kernel_parameters(Namespace(alpha=0.5, files=["a.gml"]))
    {'alpha': 0.5}
    """
    return {key: getattr(chosen, key) for key in _SHARED if hasattr(chosen, key)}


def fitted_parameters(estimator: FeatureKernel) -> dict[str, Any]:
    """Return all parameters of a fitted kernel, and what "auto" was resolved to."""
    parameters: dict[str, Any] = estimator.get_params()
    return parameters | {"features_": estimator.features_}


def say_features(estimator: FeatureKernel, graphs: GraphSet, console: Console) -> None:
    """Say what "auto" was resolved to, and what no rule can know."""
    if estimator.features == "auto":
        console.note(f"Features: auto, which is {estimator.features_} here.")
        if needs_comparison(graphs):
            console.note(ADVICE)


def _default(key: str, also_graphs: bool) -> str:
    of_vertices = _shown(MessagePassingNodeKernel().get_params()[key])
    of_graphs = _shown(MessagePassingGraphKernel().get_params()[key])
    if not also_graphs or of_vertices == of_graphs:
        return f"default: {of_vertices}"
    return f"default: {of_vertices} between vertices, {of_graphs} between graphs"


def _shown(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
