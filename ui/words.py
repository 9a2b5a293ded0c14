"""Sentences and formulas that change with what is chosen."""

from __future__ import annotations

from ui.choices import KernelChoice


def update_formula(kernel: KernelChoice) -> str:
    """Return the update rule in LaTeX, with the current numbers in it."""
    neighbourhoods = {
        "R": r"\sum_{v' \in N(v)} \sum_{u' \in N(u)} k^{t}(v', u')",
        "A": r"\max_{B \in \mathfrak{B}(N(v), N(u))} \sum_{(v', u') \in B} k_s^{t}(v', u')",
    }[kernel.neighbourhood]
    return (
        rf"k^{{t+1}}(v, u) = {kernel.alpha:g}\; k^{{t}}(v, u) + {kernel.beta:g}\, "
        rf"{neighbourhoods}, \quad t < {kernel.n_iterations}"
    )


def in_glossary(term: str) -> str:
    """Return a link to a term of the glossary, for a help text."""
    return f"[More in the glossary](lessons?glossary={term})"
