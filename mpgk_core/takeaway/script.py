"""A study as a Python script, complete by itself."""

from __future__ import annotations

from mpgk_core.takeaway.literals import comment
from mpgk_core.takeaway.steps import Step
from mpgk_core.takeaway.study import Study

__all__ = ["script"]


def script(study: Study) -> str:
    """Return a program that computes the numbers of a study, saves them and prints a summary.

    Parameters
    ----------
    study : Study
        Of any kind.

    Returns
    -------
    str
        Python, ASCII only. It uses nothing but the standard library, ``mpgk_core``, and, where
        work is long, ``threadpoolctl``, which comes with it.

    Examples
    --------
    >>> from mpgk_core.takeaway import KernelParameters, NodeStudy, PresetGraph
    >>> text = script(NodeStudy(PresetGraph("barbell"), KernelParameters(features="degree")))
    >>> [line for line in text.splitlines() if line.startswith("graph =")]
    ["graph = as_graph_set(build_graph('barbell', h=10, k=10))"]
    """
    parts = [_part(step) for step in study.steps() if not step.is_picture]
    return "\n\n".join(parts) + "\n"


def _part(step: Step) -> str:
    said = [comment(words) for words in (step.heading, step.words) if words]
    return "\n".join([*said, *([step.code] if step.code else [])])
