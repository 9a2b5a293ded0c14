"""What can be taken away from the page of graph classification."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from mpgk_core.evaluation import Evaluation, as_csv, fold_rows, summary_csv
from mpgk_core.takeaway import ClassificationStudy, notebook, script, study_file_name
from ui.data_set_source import ChosenSet

__all__ = ["classification_downloads"]


def classification_downloads(chosen: ChosenSet, found: Sequence[Evaluation]) -> None:
    """Offer folds, table, notebook and script; programs are written when they are asked for."""
    methods = tuple(evaluation.spec.method for evaluation in found)
    study = ClassificationStudy(chosen.data, methods, found[0].protocol)
    with st.container(horizontal=True):
        st.download_button(
            "Folds as CSV", as_csv([row for e in found for row in fold_rows(chosen.name, e)]),
            study_file_name(study, "folds", "csv"), "text/csv", key="csv",
            help="Every fold with the chosen C and T, its accuracy and its predictions.",
        )  # fmt: skip
        st.download_button(
            "Table as CSV", summary_csv({chosen.name: list(found)}),
            study_file_name(study, "table", "csv"), "text/csv", key="table-csv",
            help="One row for every kernel.",
        )  # fmt: skip
        st.download_button(
            "Notebook", lambda: notebook(study), study_file_name(study, "notebook", "ipynb"),
            "application/x-ipynb+json", key="notebook",
            help="For Jupyter: computes the same numbers with mpgk_core, and draws them.",
        )  # fmt: skip
        st.download_button(
            "Python script", lambda: script(study), study_file_name(study, "script", "py"),
            "text/x-python", key="script", help="The same without pictures.",
        )  # fmt: skip
