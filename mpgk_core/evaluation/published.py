"""Figures that others reported, read from data: who measured what, and how far it compares."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from mpgk_core.evaluation.methods import METHODS


@dataclass(frozen=True)
class PublishedFigure:
    """An accuracy that others reported.

    Attributes
    ----------
    title : str
        The method, as the paper calls it.
    method : str or None
        The same method here, a key of ``METHODS``; None where it cannot be run here.
    mean, std : float
        Accuracy and standard deviation in per cent.
    source : str
        Who measured it, where the paper takes it from others; else empty.
    """

    title: str
    method: str | None
    mean: float
    std: float
    source: str = ""


@dataclass(frozen=True)
class Published:
    """Accuracies that others reported.

    Attributes
    ----------
    source : str
        Where they stand.
    caveat : str
        How far they can be compared.
    taken_from : mapping of str to str
        From methods to the publications that the paper takes their figures from.
    accuracy : mapping
        From data set and method to accuracy and standard deviation, in per cent.
    """

    source: str
    caveat: str
    taken_from: Mapping[str, str]
    accuracy: Mapping[str, Mapping[str, tuple[float, float]]]

    @property
    def best(self) -> dict[str, float]:
        """The best accuracy of any method, by the name of the data set, in per cent."""
        return {name: max(mean for mean, _ in of.values()) for name, of in self.accuracy.items()}

    def figures(self, name: str) -> tuple[PublishedFigure, ...]:
        """Return all figures for a data set of the paper; none for other names.

        Examples
        --------
        >>> [f"{one.title} {one.mean}" for one in PUBLISHED.figures("MUTAG") if not one.method]
        ['PSCN (k=10) 88.95', 'DGCNN 85.83']
        """
        return tuple(
            PublishedFigure(title, _method_of(title), mean, std, self.taken_from.get(title, ""))
            for title, (mean, std) in self.accuracy.get(name, {}).items()
        )


def _method_of(title: str) -> str | None:
    name = title.removeprefix("MPGK ")
    return name if name in METHODS else None


_PUBLISHED = files("mpgk_core.evaluation").joinpath("published.json").read_text(encoding="utf-8")
PUBLISHED = Published(**json.loads(_PUBLISHED))
"""What the paper reports, read from data.

>>> PUBLISHED.best["MUTAG"]
88.95
"""


@dataclass(frozen=True)
class PublishedErrors:
    """Errors that others reported, of targets with mean 0 and variance 1.

    Attributes
    ----------
    source, caveat : str
        Where they stand, and how far they can be compared.
    taken_from : mapping of str to str
        From methods to the publications that the paper takes their figures from.
    titles, words, units : mapping of str to str
        The targets as the paper calls them, what they are, and their units, by the column of QM9.
    errors : mapping
        From target and method to mean absolute and root mean squared error.
    """

    source: str
    caveat: str
    taken_from: Mapping[str, str]
    titles: Mapping[str, str]
    words: Mapping[str, str]
    units: Mapping[str, str]
    errors: Mapping[str, Mapping[str, tuple[float, float]]]

    def best(self, target: str) -> tuple[float, float]:
        """Return the smallest MAE and RMSE of any method."""
        of = self.errors[target].values()
        return min(mae for mae, _ in of), min(rmse for _, rmse in of)


PUBLISHED_TABLE2 = PublishedErrors(
    **json.loads(
        files("mpgk_core.evaluation").joinpath("published_table2.json").read_text(encoding="utf-8")
    )
)
"""What the paper reports for QM9, read from data.

>>> PUBLISHED_TABLE2.best("mu")
(0.48, 0.67)
"""
