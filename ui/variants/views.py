"""The four kernels of the same graphs side by side, and exact kernels against landmarks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from mpgk_core import MessagePassingGraphKernel, kernel_pca
from mpgk_core.datasets import recognised, with_label_names
from mpgk_core.evaluation.nystroem_quality import LandmarkTask, NystroemQuality
from mpgk_core.explain import (
    GraphPair,
    comparison_words,
    dominant_words,
    explain_four_variants,
    formula,
)
from mpgk_core.explain.words import contributions_words
from mpgk_core.export import GivenSet
from mpgk_core.kernels.graph_kernel import VARIANTS
from mpgk_core.kernels.parameters import KernelParameters
from mpgk_core.plotting import set_maps_figure as maps
from mpgk_core.plotting.matching_figure import (
    facing_layouts,
    graph_matching_figure,
    matching_words,
    pair_matrix_figure,
    vertex_titles,
)
from ui.shared.charts import chart
from ui.shared.jobs import Results, is_running, job_box
from ui.shared.widgets import help_of, one_of
from ui.sources.sets import ChosenSet
from ui.state.cache import cached
from ui.variants.export import (
    PAIR_CAPTION,
    four_kernels,
    landmark_downloads,
    pair_downloads,
    set_downloads,
)

_MOST_GRAPHS = 600
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
    places = facing_layouts(pairs["AA"])
    for variant, pair in pairs.items():
        words = f"{dominant_words(pair)}."
        with st.container(horizontal=True, vertical_alignment="center"):
            value = f"{pair.similarity:.4f}"
            st.metric(variant, value, help=help_of("pair-similarity"), width="content")
            st.text(words[0].upper() + words[1:])
        drawn, matrix = st.columns([3, 2])
        with drawn:
            figure, alt = graph_matching_figure(pair, places), matching_words(pair)
            saved_as = (chosen.name, variant, "links")
            chart(figure, f"links-{variant}", alt, saved_as, is_small=True, height=420)
        with matrix:
            alt = f"Shares of all pairs of vertices under {variant}: {words}"
            saved_as = (chosen.name, variant, "shares")
            chart(pair_matrix_figure(pair), f"shares-{variant}", alt, saved_as, True, height=420)
    variant = one_of("variant-apart", "Kernel to decompose", list(pairs), "AA")
    _decomposed(pairs[variant])
    pair_downloads(chosen, (left, right), kernel, pairs)


def _decomposed(pair: GraphPair) -> None:
    st.text(formula(pair))
    found = pair.contributions
    order = found.largest(min(len(found), _MOST_ROWS))
    names = [title[:60] for title in vertex_titles(pair.graphs)]
    rows = [
        {
            "vertex of the first": names[found.left[i]],
            "of the second": names[found.right[i]],
            "contributes": round(float(found.values[i]), 6),
        }
        | ({} if found.nodes is None else {"meet at tree node": int(found.nodes[i])})
        for i in order
    ]
    st.dataframe(rows, hide_index=True, height=220)
    words = contributions_words(len(order), len(found), found.total)
    st.caption(f"{words}, before normalisation.")


@cached(spinner="Comparing the two graphs …")
def _pairs(
    chosen: ChosenSet, left: int, right: int, kernel: KernelParameters
) -> Mapping[str, GraphPair]:
    fresh = MessagePassingGraphKernel(**kernel.passing())
    found = explain_four_variants(chosen.graphs, left, right, fresh)
    known = recognised(chosen.graphs, chosen.classes)
    if known is None:
        return found
    return {
        variant: replace(pair, graphs=with_label_names(pair.graphs, known.label_names))
        for variant, pair in found.items()
    }


def set_view(chosen: ChosenSet, kernel: KernelParameters) -> None:
    """Show the whole set under the four kernels."""
    planes = _planes(chosen, kernel)
    words = maps.set_maps_words(planes, chosen.classes)
    figure = maps.set_maps_figure(planes, chosen.classes)
    chart(figure, "set-maps", words, (chosen.name, "maps"))
    st.caption(
        "Every graph is a point in the kernel-PCA plane of each kernel, in the colour of its "
        f"class. {words}"
    )
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

    known = job_box(task, "nystroem", f"Landmarks on {chosen.name}", show)
    if known and not is_running(task):
        qualities = task.qualities(known)
        landmark_downloads(chosen, variant, _LANDMARKS, kernel, qualities)


@cached()
def _landmark_task(chosen: ChosenSet, variant: str, kernel: KernelParameters) -> LandmarkTask:
    return LandmarkTask(chosen.graphs, _LANDMARKS, variant, kernel.passing())


def _quality(chosen: ChosenSet, found: list[NystroemQuality]) -> None:
    exact, *others = found
    left, right = st.columns(2)
    with left:
        figure, words = maps.error_figure(found), maps.error_words(found)
        saved_as: tuple[str, ...] = (chosen.name, "landmarks", "error")
        chart(figure, "nystroem-error", words, saved_as, height=340)
        st.caption(
            "Error of the approximate matrix, in per cent of the exact one. With an A, landmarks "
            "also lead to other trees, as another seed would: the error need not decrease at every "
            "step, nor reach zero."
        )
    if others:
        last, saved_as = others[-1], (chosen.name, "landmarks", "planes")
        with right:
            figure, words = maps.overlay_figure(exact, last), maps.overlay_words(exact, last)
            chart(figure, "nystroem-overlay", words, saved_as, height=340)
            st.caption(
                f"Exact and approximate plane on top of each other: {last.n_landmarks} landmarks "
                f"miss {100 * last.disparity:.3g} % of the spread."
            )
    rows = [
        {
            "kernel": "exact" if one.n_landmarks is None else f"{one.n_landmarks} landmarks",
            "error (%)": round(100 * one.error, 3),
            "time (s)": round(one.seconds, 3),
            "features (MB)": round(one.megabytes, 3),
        }
        for one in found
    ]
    st.dataframe(rows, hide_index=True)
