"""The steps of a study of classification: take the graphs, evaluate every kernel, compare, save."""

from __future__ import annotations

from dataclasses import asdict

from mpgk_core.takeaway.classification_study import (
    ClassificationStudy,
    ClassifiedGraphs,
    GeneratedSet,
    NamedSet,
)
from mpgk_core.takeaway.file_names import study_file_name
from mpgk_core.takeaway.literals import call
from mpgk_core.takeaway.steps import Step, files_step, given_graphs, requirements

__all__ = ["classification_steps"]

_NEEDED = ("Protocol", "as_csv", "evaluate", "fold_rows", "summary_csv", "summary_markdown",
           "table_spec")  # fmt: skip


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
    >>> steps = classification_steps(ClassificationStudy(NamedSet("MUTAG"), ("AA",), Protocol()))
    >>> print(steps[2].code)
    name = 'MUTAG'
    data = load('MUTAG')
    """
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
        Step(code=_imports(study.data)),
        _data_step(study),
        Step(
            words="The protocol: folds, repetitions, and what may be chosen among.",
            code=f"protocol = {call('Protocol', **asdict(study.protocol))}",
        ),
        Step(
            words="Evaluate every kernel. This is the long part.",
            formula=r"k^{t+1}(v, u) = \alpha\, k^t(v, u) + \beta\, k_N(N(v), N(u))",
            code=f"methods = {list(study.methods)!a}\n"
            "evaluations = []\n"
            "for method in methods:\n"
            "    spec = table_spec(method, data.graphs)\n"
            "    evaluations.append(evaluate(data.graphs, data.classes, spec, protocol))",
        ),
        Step(
            words="Accuracies in per cent.",
            code="table = {name: evaluations}\n"
            "folds = [row for evaluation in evaluations for row in fold_rows(name, evaluation)]\n"
            "print(summary_markdown(table))",
        ),
        *_pictures(),
        files_step(files),
    ]


def _imports(data: ClassifiedGraphs) -> str:
    needed = sorted((*_NEEDED, "generate")) if isinstance(data, GeneratedSet) else _NEEDED
    names = "".join(f"    {name},\n" for name in needed)
    before = "from mpgk_core.datasets import load\n" if isinstance(data, NamedSet) else ""
    is_given = not isinstance(data, (NamedSet, GeneratedSet))
    after = "\nfrom mpgk_core.takeaway import unpacked" if is_given else ""
    return (
        f"from pathlib import Path\n\n{before}from mpgk_core.evaluation import (\n{names}){after}"
    )


def _data_step(study: ClassificationStudy) -> Step:
    data = study.data
    name = f"name = {study.name!a}\n"
    if isinstance(data, NamedSet):
        return Step(
            words="The data set, by its name. If it is not at hand, fetch_tu of mpgk_core.datasets "
            "downloads those of the TU collection.",
            code=f"{name}data = {call('load', data.name)}",
        )
    if isinstance(data, GeneratedSet):
        made = call("generate", data.recipe, data.n_per_class, data.random_state)
        return Step(words="A data set made by a seeded generator.", code=f"{name}data = {made}")
    return Step(
        words="The graphs and classes themselves. Large sets are compressed.",
        code=name + given_graphs("data", data.graphs, data.classes),
    )


def _pictures() -> list[Step]:
    return [
        Step(
            words="Accuracies, with their standard deviation over the repetitions.",
            code="from mpgk_core.evaluation import PUBLISHED\n"
            "from mpgk_core.plotting.evaluation_figures import accuracy_figure, confusion_figure\n"
            "\naccuracy_figure(evaluations, PUBLISHED.best.get(name))",
            is_picture=True,
        ),
        Step(
            words="Which classes the best kernel takes for which.",
            code="confusion_figure(max(evaluations, key=lambda evaluation: evaluation.mean))",
            is_picture=True,
        ),
    ]
