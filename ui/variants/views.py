"""The four kernels of the same graphs side by side, and exact kernels against landmarks."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from mpgk_core import MessagePassingGraphKernel, kernel_pca
from mpgk_core.evaluation.nystroem_quality import LandmarkTask, NystroemQuality
from mpgk_core.explain import GraphPair, comparison_words, explain_four_variants, formula
from mpgk_core.explain.words import contributions_words
from mpgk_core.export import GivenSet
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.kernels.update import KernelParameters
from ui.shared.charts import chart
from ui.shared.jobs import Results, is_running, job_box
from ui.shared.widgets import help_of, one_of
from ui.sources.sets import ChosenSet
from ui.state.cache import cached
from ui.variants.export import (
    PAIR_CAPTION,
    four_kernels,
    landmark_downloads,
    landmark_pictures,
    landmark_rows,
    maps_picture,
    pair_downloads,
    pair_pictures,
    pair_rows,
    set_downloads,
)

_MOST_GRAPHS = 600
_MOST_VERTICES_AT_ONCE = 5_000
_LANDMARKS = (5, 10, 20, 50, 100, 200, 400)
_MOST_ROWS = 500


def within_set_limit(chosen: ChosenSet) -> ChosenSet:
    """Return the set, or an even part of one that is too large, with a warning."""
    if len(chosen.graphs) <= _MOST_GRAPHS:
        return chosen
    st.warning(
        f"This page takes at most {_MOST_GRAPHS} graphs. Shown is an even part of the "
        f"{len(chosen.graphs):,}; results differ from those of the whole."
    )
    return _even_part(chosen)


@cached(spinner="Taking a part …")
def _even_part(chosen: ChosenSet) -> ChosenSet:
    part = np.linspace(0, len(chosen.graphs) - 1, _MOST_GRAPHS).round().astype(int)
    graphs, classes = chosen.graphs[part], [chosen.classes[g] for g in part.tolist()]
    given = GivenSet(f"{chosen.name}, {_MOST_GRAPHS} graphs", graphs, tuple(classes))
    return ChosenSet(chosen.name, graphs, classes, chosen.about, given)


def pair_view(chosen: ChosenSet, left: int, right: int, kernel: KernelParameters) -> None:
    """Show two graphs under the four kernels: in words, as pictures with links, and as matrices."""
    pairs = _pairs(chosen, left, right, kernel)
    st.text(comparison_words(pairs))
    st.caption(PAIR_CAPTION)
    for variant, pictures in pair_pictures(pairs).items():
        with st.container(horizontal=True, vertical_alignment="center"):
            value = f"{pairs[variant].similarity:.4f}"
            st.metric(variant, value, help=help_of("pair-similarity"), width="content")
            st.text(pictures[1].caption)
        columns = st.columns([3, 2])
        for column, name, one in zip(columns, ("links", "shares"), pictures, strict=True):
            with column:
                saved_as = (chosen.name, variant, name)
                chart(one.figure, f"{name}-{variant}", one.alternative, saved_as, True, height=420)
    variant = one_of("variant-apart", "Kernel to decompose", list(pairs), "AA")
    _decomposed(pairs[variant])
    pair_downloads(chosen, (left, right), kernel, pairs)


def _decomposed(pair: GraphPair) -> None:
    st.text(formula(pair))
    found, rows = pair.contributions, pair_rows(pair, _MOST_ROWS)
    st.dataframe(rows, hide_index=True, height=220)
    words = contributions_words(len(rows), len(found), found.total)
    st.caption(f"{words}, before normalisation.")


@cached(spinner="Comparing the two graphs …")
def _pairs(
    chosen: ChosenSet, left: int, right: int, kernel: KernelParameters
) -> Mapping[str, GraphPair]:
    fresh = MessagePassingGraphKernel(**kernel.passing())
    return explain_four_variants(chosen.graphs, left, right, fresh)


def set_view(chosen: ChosenSet, kernel: KernelParameters) -> None:
    """Show the whole set under the four kernels."""
    planes = _planes(chosen, kernel)
    picture = maps_picture(chosen, planes)
    chart(picture.figure, "set-maps", picture.alternative, (chosen.name, "maps"))
    st.caption(picture.caption)
    set_downloads(chosen, kernel, planes)


@cached(spinner="Comparing all graphs …")
def _planes(chosen: ChosenSet, kernel: KernelParameters) -> dict[str, NDArray[np.float64]]:
    kernels = four_kernels(chosen.graphs, kernel)
    return {variant: kernel_pca(gram, 2).points for variant, gram in kernels.items()}


def nystroem_box(chosen: ChosenSet, kernel: KernelParameters) -> None:
    """Measure landmark approximations against the exact kernel."""
    st.markdown(
        "The paper compares vertices through a few **landmarks** (Nyström's method). It is an "
        "**approximation**; here the exact kernel is usually cheaper. See what it costs."
    )
    variant = one_of("nystroem-variant", "Kernel", VARIANTS, "AA")
    task = _landmark_task(chosen, variant, kernel)

    def show(results: Results, _is_running: bool) -> None:
        found = task.qualities(results)
        if found[0].n_landmarks is None:
            _quality(chosen, found)

    most = inf if chosen.graphs.n_vertices <= _MOST_VERTICES_AT_ONCE else 0
    known = job_box(task, "nystroem", f"Landmarks on {chosen.name}", show, most_at_once=most)
    if known and not is_running(task):
        qualities = task.qualities(known)
        landmark_downloads(chosen, variant, _LANDMARKS, kernel, qualities)


@cached()
def _landmark_task(chosen: ChosenSet, variant: str, kernel: KernelParameters) -> LandmarkTask:
    return LandmarkTask(chosen.graphs, _LANDMARKS, variant, kernel.passing())


def _quality(chosen: ChosenSet, found: list[NystroemQuality]) -> None:
    for column, name, one in zip(
        st.columns(2), ("error", "overlay"), landmark_pictures(found), strict=False
    ):
        with column:
            saved_as = (chosen.name, "landmarks", name)
            chart(one.figure, f"nystroem-{name}", one.alternative, saved_as, height=340)
            st.caption(one.caption)
    st.dataframe(landmark_rows(found), hide_index=True)
