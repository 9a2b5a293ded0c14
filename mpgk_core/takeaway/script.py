"""A study as a Python script, complete by itself."""

from __future__ import annotations

from mpgk_core.takeaway.classification_steps import classification_steps
from mpgk_core.takeaway.file_names import Study
from mpgk_core.takeaway.literals import comment
from mpgk_core.takeaway.node_steps import node_steps
from mpgk_core.takeaway.node_study import NodeStudy
from mpgk_core.takeaway.steps import Step

__all__ = ["script", "steps_of"]


def script(study: Study) -> str:
    """Return a program that computes the numbers of a study, saves them and prints a summary.

    Parameters
    ----------
    study : NodeStudy or ClassificationStudy

    Returns
    -------
    str
        Python, ASCII only. It uses nothing but the standard library and ``mpgk_core``.

    Examples
    --------
    >>> from mpgk_core.takeaway.node_study import KernelParameters, PresetGraph
    >>> text = script(NodeStudy(PresetGraph("barbell"), KernelParameters(features="degree")))
    >>> [line for line in text.splitlines() if line.startswith("graph =")]
    ["graph = as_graph_set(build_graph('barbell', h=10, k=10))"]
    """
    parts = [_part(step) for step in steps_of(study) if not step.is_picture]
    return "\n\n".join(parts) + "\n"


def steps_of(study: Study) -> list[Step]:
    """Return the steps of a study of either kind."""
    return node_steps(study) if isinstance(study, NodeStudy) else classification_steps(study)


def _part(step: Step) -> str:
    said = [comment(words) for words in (step.heading, step.words) if words]
    return "\n".join([*said, *([step.code] if step.code else [])])
