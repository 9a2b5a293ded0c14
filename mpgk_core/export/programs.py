"""Programs that repeat a study: a script, and a notebook."""

from __future__ import annotations

import json
import re
from typing import Any

from mpgk_core.errors import shortened
from mpgk_core.export.literals import comment
from mpgk_core.export.steps import Step
from mpgk_core.export.study import Study


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
    >>> from mpgk_core.export import KernelParameters, NodeStudy, PresetGraph
    >>> text = script(NodeStudy(PresetGraph("barbell"), KernelParameters(features="degree")))
    >>> [line for line in text.splitlines() if line.startswith("graph =")]
    ["graph = as_graph_set(build_graph('barbell', h=10, k=10))"]
    """
    parts = [_part(step) for step in study.steps() if not step.is_picture]
    return "\n\n".join(parts) + "\n"


def _part(step: Step) -> str:
    said = [comment(words) for words in (step.heading, step.words) if words]
    return "\n".join([*said, *([step.code] if step.code else [])])


_LONGEST_HEADING = 200
_MARKS = re.compile(r"[^\w\s.,?’–-]")


def notebook(study: Study) -> str:
    """Return a notebook that computes the numbers of a study and draws its figures.

    Parameters
    ----------
    study : Study
        Of any kind.

    Returns
    -------
    str
        JSON, notebook format 4.5. The same study gives the same text.

    Examples
    --------
    >>> from mpgk_core.export import KernelParameters, NodeStudy, PresetGraph
    >>> text = notebook(NodeStudy(PresetGraph("barbell"), KernelParameters(features="degree")))
    >>> [cell["cell_type"] for cell in json.loads(text)["cells"]][:4]
    ['markdown', 'code', 'markdown', 'code']
    """
    sources = [source for step in study.steps() for source in _sources(step)]
    content = {
        "cells": [
            {"id": f"step-{number}", **_cell(kind, text)}
            for number, (kind, text) in enumerate(sources, start=1)
        ],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, indent=1) + "\n"


def _sources(step: Step) -> list[tuple[str, str]]:
    heading = f"# {_safe_markdown(step.heading)}" if step.heading else ""
    formula = f"$${step.formula}$$" if step.formula else ""
    words = "\n\n".join(part for part in (heading, step.words, formula) if part)
    return [(kind, text) for kind, text in (("markdown", words), ("code", step.code)) if text]


def _cell(kind: str, text: str) -> dict[str, Any]:
    cell = {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True)}
    return cell | {"execution_count": None, "outputs": []} if kind == "code" else cell


def _safe_markdown(text: str) -> str:
    """Return a line in which no mark means anything: no HTML, links, pictures or formulas."""
    line = shortened(text, _LONGEST_HEADING)
    return _MARKS.sub(lambda mark: f"&#{ord(mark[0])};", line)
