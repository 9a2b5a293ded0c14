"""The MPGK Explorer: page set-up and navigation, nothing else."""

from pathlib import Path

import streamlit as st

from ui.frame import run_page
from ui.shared.charts import load_charts

st.set_page_config(page_title="MPGK Explorer", page_icon="🕸️", layout="wide")

st.html(Path(__file__).parent / "ui" / "assets" / "page_style.css")

playground = st.Page("pages/playground.py", title="Playground", default=True)
lessons = st.Page("pages/lessons.py", title="Lessons")
page = st.navigation(
    [
        playground,
        lessons,
        st.Page("pages/tuning.py", title="Tuning"),
        st.Page("pages/variants.py", title="Kernel variants"),
        st.Page("pages/graph_classification.py", title="Graph classification"),
        st.Page("pages/node_classification.py", title="Node classification"),
        st.Page("pages/graph_regression.py", title="Graph regression"),
    ],
    position="top",
)
if page in (playground, lessons):
    load_charts()
run_page(page, is_lessons=page == lessons)
