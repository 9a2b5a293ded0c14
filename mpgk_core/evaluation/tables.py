"""Evaluations as tables, for people (Markdown) and for programs (CSV), and the paper's Table 1.

The training folds choose among what :mod:`mpgk_core.evaluation.choices` lists, by one rule for all
sets, in every fold anew. Baselines choose C, T where they have rounds, and the parameters in
``BASELINES``, which were settled after trials on ENZYMES, PROTEINS and Synthie; on these sets,
their figures are a little optimistic.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from mpgk_core.evaluation.choices import CHOSEN, alternatives_for
from mpgk_core.evaluation.methods import OWN, WITH_EDGES, KernelSpec
from mpgk_core.evaluation.nested_cv import evaluate
from mpgk_core.evaluation.protocol import Protocol
from mpgk_core.evaluation.published import PUBLISHED
from mpgk_core.evaluation.results import Evaluation, with_majority
from mpgk_core.evaluation.scores import SCORES, fold_scores, summarised
from mpgk_core.graphs import GraphSet
from mpgk_core.jobs import Engine, Progress
from mpgk_core.kernels.baselines.deep_graph import SUBSTRUCTURES
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.text import safe_text


def summary_row(data_set: str, evaluation: Evaluation) -> dict[str, Any]:
    """Return what is worth knowing of an evaluation, in one row.

    Parameters
    ----------
    data_set : str
        Its name.
    evaluation : Evaluation

    Returns
    -------
    dict
        Accuracies in per cent. ``std`` is the deviation over what ``std over`` names: repetitions
        or, where there is only one, its folds. ``published`` is None where the paper has no such
        set.
    """
    protocol = evaluation.protocol
    planned = protocol.n_folds * protocol.n_repeats
    return {
        "data set": data_set,
        "kernel": evaluation.spec.method,
        "accuracy": round(100 * evaluation.mean, 2),
        "std": round(100 * evaluation.spread, 2) if isfinite(evaluation.spread) else None,
        "std over": evaluation.spread_over,
        "published": PUBLISHED.best.get(data_set),
        "protocol": f"{protocol.n_repeats} x {protocol.n_folds}",
        "folds": f"{len(evaluation.records)} of {planned}",
        "C": _usual(evaluation.chosen["C"]),
        "T": _usual(evaluation.chosen["T"]),
        "levels": _usual(evaluation.chosen["levels"]),
        "parameters": "; ".join(
            f"{name}: {_usual(counts)}" for name, counts in chosen_parameters(evaluation).items()
        ),
        **_other_scores(evaluation),
        "other seconds": round(evaluation.other_seconds, 2),
        "SVM seconds": round(evaluation.svm_seconds, 1),
    }


def summary_markdown(evaluations: Mapping[str, Sequence[Evaluation]]) -> str:
    """Return a table with one row for every data set and kernel, and one for the majority class.

    Parameters
    ----------
    evaluations : mapping
        From the name of a data set to its evaluations.

    Returns
    -------
    str
        Ends with where the published figures come from.
    """
    rows = _rows(evaluations)
    if not rows:
        return "No evaluations yet.\n"
    shown = [{**row, "accuracy": _with_spread(row)} for row in rows]
    names = [name for name in shown[0] if name != "std"]
    lines = [f"| {' | '.join(names)} |", f"|{'---|' * len(names)}"]
    for row in shown:
        cells = ["" if row[name] is None else str(row[name]) for name in names]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", f"Published: {PUBLISHED.source}. {PUBLISHED.caveat}", ""])


def summary_csv(evaluations: Mapping[str, Sequence[Evaluation]]) -> str:
    """Return the same table as comma-separated values.

    Parameters
    ----------
    evaluations : mapping
        From the name of a data set to its evaluations.

    Returns
    -------
    str
    """
    return as_csv(_rows(evaluations))


def fold_rows(data_set: str, evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return one row for every fold: what was chosen in it, and how well that did.

    Parameters
    ----------
    data_set : str
        Its name.
    evaluation : Evaluation

    Returns
    -------
    list of dict
        Scores from 0 to 1; None for those that need decision values where none were kept.
    """
    others = zip(*(fold_scores(evaluation, name).tolist() for name in _OTHER_SCORES), strict=True)
    return [
        {
            "data set": data_set,
            "kernel": evaluation.spec.method,
            "repeat": record.repeat,
            "fold": record.fold,
            "accuracy": record.accuracy,
            "inner accuracy": record.inner_accuracy,
            "C": record.C,
            "T": record.T,
            "levels": record.levels,
            **{
                name: evaluation.spec.parameters(record.setting).get(name)
                for name in ("features", "alpha", "beta")
            },
            "parameters": evaluation.spec.settings[record.setting],
            **{
                name: value if isfinite(value) else None
                for name, value in zip(_OTHER_SCORES, values, strict=True)
            },
        }
        for record, values in zip(evaluation.records, others, strict=True)
    ]


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows of equal columns as comma-separated values.

    Parameters
    ----------
    rows : sequence of mappings

    Returns
    -------
    str
        Empty without rows. A spreadsheet runs no cell as a formula.

    Examples
    --------
    >>> print(as_csv([{"C": 1.0, "T": 2}]), end="")
    C,T
    1.0,2
    """
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            cells = {key: safe_text(x) if isinstance(x, str) else x for key, x in row.items()}
            writer.writerow(cells)
    return text.getvalue()


_OTHER_SCORES = tuple(name for name in SCORES if name != "accuracy")


def _other_scores(evaluation: Evaluation) -> dict[str, float | None]:
    """Return the mean of all other scores in per cent, None for those that are not known."""
    means = {name: summarised(evaluation, name).mean for name in _OTHER_SCORES}
    return {name: round(100 * mean, 2) if isfinite(mean) else None for name, mean in means.items()}


def _rows(evaluations: Mapping[str, Sequence[Evaluation]]) -> list[dict[str, Any]]:
    return [
        summary_row(name, one)
        for name, several in evaluations.items()
        for one in with_majority(several)
    ]


def chosen_parameters(evaluation: Evaluation) -> dict[str, Counter[Any]]:
    """Return how often every value of every parameter of a kernel was chosen.

    Parameters
    ----------
    evaluation : Evaluation

    Returns
    -------
    dict
        From the names of parameters to their values, the most frequent first. A parameter that
        is not given has its usual value.

    Examples
    --------
    >>> from mpgk_core.evaluation import KernelSpec, Protocol, evaluate, generate
    >>> made = generate("motif", n_per_class=10)
    >>> protocol = Protocol(n_folds=5, n_repeats=1, iterations=(1,), inner_folds=2)
    >>> spec = KernelSpec.of("RR", [{"beta": 0.1}, {"beta": 0.2}], features="degree")
    >>> chosen_parameters(evaluate(made.graphs, made.classes, spec, protocol))["features"]
    Counter({'degree': 5})
    """
    spec = evaluation.spec
    every = [spec.parameters(setting) for setting in range(len(spec.settings))]
    return {
        name: Counter(
            every[record.setting].get(name, _USUAL.get(name)) for record in evaluation.records
        )
        for name in dict.fromkeys(name for one in every for name in one)
    }


_USUAL = {"alpha": 0.8, "beta": 0.2, "edges": "ignore", "normalize": True, "gaussian": "no"}
"""Of parameters that settings leave out."""


def _usual(counts: Counter[Any]) -> str:
    """Return the values with how often they were chosen, the most frequent first."""
    if len(counts) == 1:
        (only,) = counts
        return "" if only is None else f"{only}"
    return ", ".join(f"{value} ({count})" for value, count in counts.most_common())


def _with_spread(row: Mapping[str, Any]) -> str:
    spread = "" if row["std"] is None else f" ± {row['std']:.2f}"
    return f"{row['accuracy']:.2f}{spread}"


BASELINES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "GL": [{"size": 3}, {"size": 4}],
    "GH": [{"attribute_kernel": "linear"}, {"gamma": 0.1}, {"gamma": 1.0}, {"gamma": 10.0}],
    "GI": [{"attribute_kernel": "linear"}, {"gamma": 0.1}, {"gamma": 1.0}, {"gamma": 10.0}],
    "P2K": [{"attribute_width": 1.0}, {"attribute_width": 0.5}, {"attribute_width": 0.25}],
    "HGK-WL": [
        {"n_hashes": 100, "width": width, **shape}
        for width in (2.0, 1.0, 0.25)
        for shape in ({}, {"normalize": False})
    ],
    "DGK": [{"substructures": name} for name in SUBSTRUCTURES],
    "WWL": [{"decay": decay} for decay in (0.01, 0.1, 1.0, 10.0)],
}
"""Parameters of baselines that the training folds choose from; the first one of those that only
matter for attributes is taken where there are none."""

_FOR_ATTRIBUTES = ("GH", "GI", "P2K", "HGK-WL")

Loader = Callable[[str], tuple[GraphSet, Any]]


def table_spec(
    method: str, graphs: GraphSet, edges: str = CHOSEN, features: str = CHOSEN, **fixed: Any
) -> KernelSpec:
    """Return a kernel with the choices of the table.

    Parameters
    ----------
    method : str
        A variant or a baseline.
    graphs : GraphSet
        What it has decides on the choices of the variants, see
        :mod:`mpgk_core.evaluation.choices`.
    edges : str
        What is used of edges, by the kernels of ``WITH_EDGES``; the others ignore them. By
        default the folds of the variants choose whether labels of edges are used, and WL and
        WL-OA ignore edges.
    features : str
        Of the variants, instead of a choice.
    **fixed : JSON values
        Further parameters of the variants, such as ``beta``, instead of a choice.

    Returns
    -------
    KernelSpec

    Examples
    --------
    >>> import networkx as nx
    >>> graphs = GraphSet.from_networkx([nx.DiGraph([(0, 1)]), nx.DiGraph([(0, 1), (1, 2)])])
    >>> table_spec("WL", graphs, edges="both").edges, table_spec("SP", graphs, edges="both").edges
    ('both', 'ignore')
    """
    if method in VARIANTS:
        return alternatives_for(method, graphs, features, edges, **fixed)
    used: dict[str, Any] = {}
    if edges not in ("ignore", CHOSEN) and method in WITH_EDGES:
        used = {"edges": edges}
    choices = BASELINES.get(method, ({},))
    spec = KernelSpec.of(method, choices, **used).resolved(graphs)
    if method in _FOR_ATTRIBUTES and "attributes" not in spec.features:
        spec = KernelSpec.of(method, choices[:1], **used).resolved(graphs)
    return spec


def reproduce(
    names: Sequence[str],
    load: Loader,
    out_folder: str | Path,
    methods: Sequence[str] = VARIANTS,
    protocol: Protocol | None = None,
    *,
    engine: Engine,
    progress: Callable[[str, str], Progress] | None = None,
    stop: Callable[[], bool] | None = None,
    activity: Callable[[str, str], Callable[[str], None]] | None = None,
    matrix: ArrayLike | None = None,
    **choices: Any,
) -> dict[str, list[Evaluation]]:
    """Evaluate kernels on data sets and keep a table of what is known so far.

    Parameters
    ----------
    names : sequence of str
        Data sets, in this order.
    load : callable
        Returns the graphs and their classes for a name.
    out_folder : path
        Receives ``table.md`` and ``table.csv`` after every evaluation.
    methods : sequence of str
        Variants and baselines.
    protocol : Protocol, optional
        Default: the paper's, 10 times 10 folds.
    engine : Engine
        Does the work. With its store, an interrupted run is resumed.
    progress : callable, optional
        Called with the name and the method; returns what is called after every fold.
    stop : callable, optional
        Once it returns True, no further fold begins.
    activity : callable, optional
        Called with the name and the method; returns what is told in words what is being computed.
    matrix : array-like of shape (N, N), optional
        A kernel matrix of your own, evaluated after the methods.
    **choices : Any
        For :func:`table_spec`: ``edges``, ``features`` and further parameters of the variants.

    Returns
    -------
    dict
        From the name of a data set to its evaluations.
    """
    folder = Path(out_folder)
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, list[Evaluation]] = {}
    for name in names:
        graphs, classes = load(name)
        for method in methods if matrix is None else (*methods, OWN):
            if stop is not None and stop():
                return found
            spec: Any = matrix if method == OWN else table_spec(method, graphs, **choices)
            evaluation = evaluate(
                graphs,
                classes,
                spec,
                protocol,
                engine=engine,
                progress=None if progress is None else progress(name, method),
                stop=stop,
                activity=None if activity is None else activity(name, method),
            )
            found.setdefault(name, []).append(evaluation)
            (folder / "table.md").write_text(summary_markdown(found), encoding="utf-8")
            (folder / "table.csv").write_text(summary_csv(found), encoding="utf-8")
            if not evaluation.is_complete:
                return found
    return found
