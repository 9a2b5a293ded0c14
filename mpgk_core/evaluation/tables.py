"""Evaluations as a table for people (Markdown) and for programs (CSV)."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from mpgk_core.evaluation.feature_comparison import ADVICE, FeatureComparison
from mpgk_core.evaluation.published import PUBLISHED
from mpgk_core.evaluation.results import Evaluation, with_majority


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
        Accuracies in per cent; ``std`` is None for one repetition, and ``published`` where the
        paper has no such set.
    """
    protocol = evaluation.protocol
    planned = protocol.n_folds * protocol.n_repeats
    return {
        "data set": data_set,
        "kernel": evaluation.spec.method,
        "accuracy": round(100 * evaluation.mean, 2),
        "std": round(100 * evaluation.std, 2) if protocol.n_repeats > 1 else None,
        "published": PUBLISHED.best.get(data_set),
        "protocol": f"{protocol.n_repeats} x {protocol.n_folds}",
        "folds": f"{len(evaluation.records)} of {planned}",
        "C": _usual(evaluation.chosen["C"]),
        "T": _usual(evaluation.chosen["T"]),
        "levels": _usual(evaluation.chosen["levels"]),
        "parameters": _usual(_settings(evaluation)),
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


def comparison_markdown(data_set: str, comparison: FeatureComparison) -> str:
    """Return the accuracies of single choices of features as a table, and how to read it.

    Parameters
    ----------
    data_set : str
        Its name.
    comparison : FeatureComparison

    Returns
    -------
    str
    """
    lines = ["| data set | features | accuracy |", "|---|---|---|"]
    for row in comparison.rows():
        lines.append(f"| {data_set} | {row['features']} | {row['accuracy']:.1f} |")
    return "\n".join([*lines, "", f"{comparison.about} {ADVICE}", ""])


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
    """
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
            "parameters": evaluation.spec.settings[record.setting],
        }
        for record in evaluation.records
    ]


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows of equal columns as comma-separated values.

    Parameters
    ----------
    rows : sequence of mappings

    Returns
    -------
    str
        Empty without rows.

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
        writer.writerows(rows)
    return text.getvalue()


def _rows(evaluations: Mapping[str, Sequence[Evaluation]]) -> list[dict[str, Any]]:
    return [
        summary_row(name, one)
        for name, several in evaluations.items()
        for one in with_majority(several)
    ]


def _settings(evaluation: Evaluation) -> Counter[Any]:
    settings = evaluation.spec.settings
    return Counter(
        {settings[number]: count for number, count in evaluation.chosen["setting"].items()}
    )


def _usual(counts: Counter[Any]) -> str:
    """Return the values with how often they were chosen, the most frequent first."""
    if len(counts) == 1:
        (only,) = counts
        return "" if only is None else f"{only}"
    return ", ".join(f"{value} ({count})" for value, count in counts.most_common())


def _with_spread(row: Mapping[str, Any]) -> str:
    spread = "" if row["std"] is None else f" ± {row['std']:.2f}"
    return f"{row['accuracy']:.2f}{spread}"
