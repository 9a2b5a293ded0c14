"""Fixed splits and a kernel matrix of the user's, from files: read, checked, and described."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

import streamlit as st

from mpgk_core.arrays import FloatArray
from mpgk_core.errors import MPGKError, shortened
from mpgk_core.evaluation import Protocol
from mpgk_core.evaluation.methods import KernelSpec
from mpgk_core.evaluation.protocol import checked_classes
from mpgk_core.evaluation.samples import indefinite_words, symmetric_matrix
from mpgk_core.formats import matrix_of_graphs, splits_of_graphs
from ui.shared.widgets import NOT_USABLE, show_problem
from ui.sources.sets import TABLES, ChosenSet
from ui.sources.uploads import GivenFile, file_box, is_given
from ui.state.cache import cached


@dataclass(frozen=True, eq=False)
class OwnMatrix:
    """A kernel matrix of the user's, checked.

    Attributes
    ----------
    spec : KernelSpec
        Stands for its content.
    values : ndarray of shape (N, N)
        In the order of the graphs.
    warning : str
        What is wrong with its eigenvalues; empty if nothing is.
    """

    spec: KernelSpec
    values: FloatArray
    warning: str

    def content(self) -> tuple[KernelSpec]:
        """Return what stands for this in keys."""
        return (self.spec,)

    @property
    def of_spec(self) -> Mapping[KernelSpec, FloatArray]:
        """The matrix by its spec, as tasks take it."""
        return {self.spec: self.values}


def with_own_splits(chosen: ChosenSet, protocol: Protocol) -> Protocol | None:
    """Let the user give fixed splits; None until there are any that fit.

    Parameters
    ----------
    chosen : ChosenSet
    protocol : Protocol
        All but the splits.

    Returns
    -------
    Protocol or None
    """
    try:
        given = file_box("upload-splits", "Table of splits", TABLES)
        if given is None:
            return None
        rules = replace(protocol, splits=_splits(given, tuple(chosen.names)))
        checked_classes(chosen.classes, len(chosen.graphs), rules)
    except MPGKError as problem:
        show_problem(str(problem), "splits-problem", NOT_USABLE)
        return None
    st.text(f"{shortened(given.source.name, 60)}: {rules.split_words}")
    return rules


@cached()
def _splits(given: GivenFile, names: tuple[Hashable, ...]) -> tuple[tuple[int, ...], ...]:
    return splits_of_graphs(given.source, names)


def own_matrix(chosen: ChosenSet) -> OwnMatrix | None:
    """Let the user give a kernel matrix; None without one that fits."""
    with st.expander("Own kernel matrix", expanded=is_given("upload-matrix")):
        try:
            given = file_box("upload-matrix", "Kernel matrix", ["npy", *TABLES])
            if given is None:
                return None
            matrix = _matrix(given, tuple(chosen.names))
        except MPGKError as problem:
            show_problem(str(problem), "matrix-problem", NOT_USABLE)
            return None
        n = len(chosen.graphs)
        st.text(f"{shortened(given.source.name, 60)}: kernel matrix of {n:,} × {n:,} numbers")
        if matrix.warning:
            st.warning(matrix.warning)
        return matrix


@cached(spinner="Reading …")
def _matrix(given: GivenFile, names: tuple[Hashable, ...]) -> OwnMatrix:
    values = symmetric_matrix(matrix_of_graphs(given.source, names), len(names))
    return OwnMatrix(KernelSpec.of_matrix(values), values, indefinite_words(values))
