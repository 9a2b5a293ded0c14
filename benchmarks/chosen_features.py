"""How far features chosen by the training folds stay from the best single choice, and from WL."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.features import GENERATED, SINGLE
from benchmarks.report import Table
from mpgk_core import GraphSet
from mpgk_core.evaluation import KernelSpec, Protocol, evaluate, table_spec
from tests.mixed_sets import mixed_set

SEEDS = (101, 102, 103)
VARIANTS = ("AA", "RA", "AR", "RR")
PER_CLASS = 50
PROTOCOL = Protocol(n_folds=5, n_repeats=1)


def measure() -> Table:
    """Compare the protocol with labels, attributes and degree alone, on sets never seen before."""
    table = Table(
        "Features chosen by the training folds",
        f"The protocol of the page with 1 x {PROTOCOL.n_folds} folds; accuracy in per cent, mean "
        f"over {len(SEEDS)} generated sets of 2 × {PER_CLASS} graphs each, made with seeds that "
        "nothing else uses. Labels, attributes and degree: RA with these features; T, C and the "
        "use of the rounds are chosen by the folds. Variants: with all choices of the one rule. "
        "Goals: RA no more than 1 point below the best single choice, the best variant no more "
        "than 1 below WL; the last two columns are these distances. With 100 graphs, the standard "
        "error of a mean over three sets is about 2 points.",
        ["set", *SINGLE, *VARIANTS, "WL", "RA below best single", "best below WL"],
    )
    for carrier, options in GENERATED:
        rows = [_accuracies(carrier, options, seed) for seed in SEEDS]
        mean = {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}
        single = max(mean[name] for name in SINGLE if name in mean)
        best = max(mean[name] for name in VARIANTS)
        words = ", ".join(f"{key} {value}" for key, value in options.items())
        table.add(
            f"{carrier} ({words})",
            *(mean.get(name, "") for name in (*SINGLE, *VARIANTS, "WL")),
            f"{single - mean['RA']:.1f}",
            f"{mean['WL'] - best:.1f}",
        )
    return table


def _accuracies(carrier: str, options: dict[str, Any], seed: int) -> dict[str, float]:
    """Return the accuracies of single features, of the variants and of WL on one set."""
    made = mixed_set(carrier, PER_CLASS, random_state=seed, **options)
    graphs: GraphSet = made.graphs
    specs = {name: KernelSpec.of("RA", features=name) for name in SINGLE}
    if graphs.label_codes is None:
        del specs["labels"]
    specs |= {method: table_spec(method, graphs) for method in (*VARIANTS, "WL")}
    return {
        name: 100 * evaluate(graphs, made.classes, spec, PROTOCOL).mean
        for name, spec in specs.items()
    }
