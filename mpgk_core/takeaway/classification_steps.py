"""The steps of a study of classification: take the graphs, evaluate every kernel, compare, save."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from mpgk_core.takeaway.data_steps import set_step
from mpgk_core.takeaway.file_names import study_file_name
from mpgk_core.takeaway.literals import call
from mpgk_core.takeaway.steps import UPDATE, Step, files_step, imports_step, requirements

if TYPE_CHECKING:
    from mpgk_core.takeaway.classification_study import ClassificationStudy

__all__ = ["classification_steps"]

_NEEDED = {
    "pathlib": ["Path"],
    "mpgk_core.evaluation": [
        "Protocol",
        "as_csv",
        "evaluate",
        "fold_rows",
        "summary_csv",
        "summary_markdown",
        "table_spec",
    ],
}


def classification_steps(study: ClassificationStudy) -> list[Step]:
    """Return the steps that compute what the page on classification shows.

    Parameters
    ----------
    study : ClassificationStudy

    Returns
    -------
    list of Step

    Examples
    --------
    >>> from mpgk_core.evaluation import Protocol
    >>> from mpgk_core.takeaway import ClassificationStudy, NamedSet
    >>> steps = classification_steps(ClassificationStudy(NamedSet("MUTAG"), ("AA",), Protocol()))
    >>> print(steps[2].code)
    data = load('MUTAG')
    """
    data = set_step(study.data)
    files = [
        (study_file_name(study, "table", "csv"), "summary_csv(table).encode()"),
        (study_file_name(study, "folds", "csv"), "as_csv(folds).encode()"),
    ]
    return [
        Step(
            heading=f"How well do kernels tell classes of graphs apart? {study.name}",
            words="A support vector machine learns from all folds but one and is tested on that "
            "one. C, T and the weight of the neighbourhood are chosen on the training part alone. "
            f"{requirements()}",
        ),
        imports_step(_NEEDED, data.needed),
        data.step,
        Step(
            words="The protocol: folds, repetitions, and what may be chosen among.",
            code=f"protocol = {call('Protocol', **asdict(study.protocol))}",
        ),
        Step(
            words="Evaluate every kernel. This is the long part.",
            formula=UPDATE,
            code=f"methods = {list(study.methods)!a}\n"
            "evaluations = []\n"
            "for method in methods:\n"
            "    spec = table_spec(method, data.graphs)\n"
            "    evaluations.append(evaluate(data.graphs, data.classes, spec, protocol))",
        ),
        Step(
            words="Accuracies in per cent.",
            code=f"name = {study.name!a}\n"
            "table = {name: evaluations}\n"
            "folds = [row for evaluation in evaluations for row in fold_rows(name, evaluation)]\n"
            "print(summary_markdown(table))",
        ),
        *_pictures(),
        files_step(files),
    ]


def _pictures() -> list[Step]:
    return [
        Step(
            words="Accuracies, with their standard deviation over the repetitions.",
            code="from mpgk_core.evaluation import PUBLISHED, with_majority\n"
            "from mpgk_core.plotting.evaluation_figures import accuracy_figure, confusion_figure\n"
            "\naccuracy_figure(with_majority(evaluations), PUBLISHED.best.get(name))",
            is_picture=True,
        ),
        Step(
            words="Which classes the best kernel takes for which.",
            code="confusion_figure(max(evaluations, key=lambda evaluation: evaluation.mean))",
            is_picture=True,
        ),
    ]
