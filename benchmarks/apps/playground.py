"""The playground as it is, or, with ``MPGK_STORED=1``, with the kernel taken from a store.

The stored kernel is that of the first alpha seen, so a moved slider costs everything but it.
"""

import os
import runpy
from dataclasses import replace
from pathlib import Path

import streamlit as st

import ui.cached
import ui.study
from ui.choices import GraphChoice, KernelChoice

ROOT = Path(__file__).parents[2]
st.set_page_config(layout="wide")

if os.environ.get("MPGK_STORED") == "1" and not hasattr(ui.cached, "computed_kernel_of"):
    ui.cached.computed_kernel_of = ui.cached.kernel_of

    def stored_kernel_of(graph: GraphChoice, kernel: KernelChoice):
        """Return the kernel for alpha = 0.8, whatever was asked for."""
        return ui.cached.computed_kernel_of(graph, replace(kernel, alpha=0.8))

    ui.cached.kernel_of = stored_kernel_of
    ui.study.kernel_of = stored_kernel_of

runpy.run_path(str(ROOT / "pages" / "playground.py"))
