"""The playground as it is, or, with ``MPGK_STORED=1``, with every kernel taken from a store.

The store holds the kernels of all values of the alpha slider for the graph on screen, fitted
when the page is opened; so a moved slider costs everything but the kernel.
"""

import os
import runpy
from dataclasses import replace
from pathlib import Path

import streamlit as st

import ui.playground.study
import ui.shared.computed
from mpgk_core import MessagePassingNodeKernel
from mpgk_core.kernels.update import KernelParameters
from ui.state.choices import ChosenGraph

ROOT = Path(__file__).parents[2]
ALPHAS = [step / 20 for step in range(21)]
st.set_page_config(layout="wide")


def stored_kernel_of(graph: ChosenGraph, kernel: KernelParameters) -> MessagePassingNodeKernel:
    """Return a kernel from the store; the first call fills it."""
    store = ui.shared.computed.kernel_store
    if (graph.key, kernel) not in store:
        for alpha in ALPHAS:
            wanted = replace(kernel, alpha=alpha)
            store[graph.key, wanted] = ui.shared.computed.computed_kernel_of(graph, wanted)
    return store[graph.key, kernel]


if os.environ.get("MPGK_STORED") == "1" and not hasattr(ui.shared.computed, "kernel_store"):
    ui.shared.computed.kernel_store = {}
    ui.shared.computed.computed_kernel_of = ui.shared.computed.kernel_of
    ui.shared.computed.kernel_of = stored_kernel_of
    ui.playground.study.kernel_of = stored_kernel_of

st.page_link = lambda *_, **__: None  # it leads to a page that is not served here
runpy.run_path(str(ROOT / "pages" / "playground.py"))
