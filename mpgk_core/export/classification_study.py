"""A study of graph classification, and the steps of a program that repeats it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from mpgk_core.errors import InvalidParameterError
from mpgk_core.evaluation import METHODS, Protocol
from mpgk_core.export.data_steps import set_step
from mpgk_core.export.file_names import study_file_name
from mpgk_core.export.literals import call
from mpgk_core.export.set_sources import ClassifiedGraphs
from mpgk_core.export.steps import UPDATE, Step, files_step, imports_step, requirements
from mpgk_core.parameters import check_choice


@dataclass(frozen=True, eq=False)
class ClassificationStudy:
    """What the page on classification shows: accuracies of kernels under one protocol.

    Parameters
    ----------
    data : NamedSet, GeneratedSet or GivenSet
    methods : tuple of str
        Keys of :data:`~mpgk_core.evaluation.METHODS`, evaluated with the choices of
        :func:`~mpgk_core.evaluation.table_spec`.
    protocol : Protocol

    Examples
    --------
    >>> from mpgk_core.export.set_sources import NamedSet
    >>> ClassificationStudy(NamedSet("MUTAG"), ("AA", "WL"), Protocol().quick()).name
    'MUTAG'
    """

    data: ClassifiedGraphs
    methods: tuple[str, ...]
    protocol: Protocol

    def __post_init__(self) -> None:
        object.__setattr__(self, "methods", tuple(self.methods))
        if not self.methods:
            raise InvalidParameterError(
                "The 'methods' parameter of ClassificationStudy is empty. Give at least one."
            )
        for method in self.methods:
            check_choice(method, list(METHODS), "methods", "ClassificationStudy")

    @property
    def name(self) -> str:
        """Name of the data set, fit for a line of text."""
        return self.data.name

    def steps(self) -> list[Step]:
        """Return what a script and a notebook that compute it are made of."""
        return classification_steps(self)

    def file_parts(self) -> list[str]:
        """Return data set, kernels and protocol."""
        protocol = self.protocol
        folds = f"{protocol.n_repeats}x{protocol.n_folds}folds"
        return [self.data.file_part, "-".join(self.methods), folds, f"seed{protocol.random_state}"]


if TYPE_CHECKING:
    from mpgk_core.export.classification_study import ClassificationStudy


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
    >>> from mpgk_core.export import ClassificationStudy, NamedSet
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
