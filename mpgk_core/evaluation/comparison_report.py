"""What a table of accuracies leaves open, in sentences: which kernel is better, and how sure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

from mpgk_core.automorphism.isomorphism import IsomorphicGraphs
from mpgk_core.evaluation.average_ranks import ranks_of_evaluations, ranks_text
from mpgk_core.evaluation.isomorphism_bias import bias_text, isomorphism_bias
from mpgk_core.evaluation.paired_comparison import against_best
from mpgk_core.evaluation.results import Evaluation

METHODS_USED = (
    "Probabilities: Bayesian correlated t-test (Corani & Benavoli 2015); p: corrected resampled "
    "t-test (Nadeau & Bengio 2003); equally good: within 1 point."
)
"""How the sentences on two methods were found."""


def comparison_report(
    found: Mapping[str, Sequence[Evaluation]],
    isomorphic: Mapping[str, IsomorphicGraphs] | None = None,
) -> str:
    """Compare kernels on every data set and over all of them, as Markdown.

    Parameters
    ----------
    found : mapping
        From the name of a data set to its evaluations.
    isomorphic : mapping, optional
        From the name of a data set to its isomorphic graphs.

    Returns
    -------
    str
        Empty where there is nothing to compare.

    Examples
    --------
    >>> comparison_report({})
    ''
    """
    lines = []
    for name, several in found.items():
        tested = [one for one in several if one.records]
        sentences = [one.sentence for one in against_best(tested)]
        if isomorphic is not None and name in isomorphic and tested:
            sentences += isomorphism_sentences(tested, isomorphic[name])
        if sentences:
            lines += [f"Comparison on {name}:", "", *(f"- {text}" for text in sentences), ""]
    ranks = ranks_of_evaluations(found)
    if ranks is not None:
        lines += [ranks_text(ranks), ""]
    return "\n".join([*lines, METHODS_USED, ""]) if lines else ""


def isomorphism_sentences(
    evaluations: Sequence[Evaluation], isomorphic: IsomorphicGraphs
) -> list[str]:
    """Say what isomorphic graphs change: nothing, or the accuracies without them.

    Parameters
    ----------
    evaluations : sequence of Evaluation
        Of one data set, each with a fold.
    isomorphic : IsomorphicGraphs

    Returns
    -------
    list of str
        Empty without isomorphic graphs.
    """
    biases = {one.spec.method: isomorphism_bias(one, isomorphic) for one in evaluations}
    first = next(iter(biases.values()))
    text = bias_text(isomorphic, first)
    if not text or first.share == 0:
        return [text] if text else []
    pairs = [
        f"{method} {100 * bias.strict.mean:.1f} % instead of {100 * bias.usual.mean:.1f} %"
        for method, bias in biases.items()
        if isfinite(bias.strict.mean)
    ]
    return [text, f"Accuracy without these: {', '.join(pairs) or 'no test graph is left'}."]
