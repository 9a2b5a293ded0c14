"""The MPGK Explorer: page set-up and navigation, nothing else."""

from pathlib import Path

import streamlit as st

from ui.jobs import keep_jobs_alive
from ui.lesson_library import lesson_notice

st.set_page_config(page_title="MPGK Explorer", page_icon="🕸️", layout="wide")

st.html(Path(__file__).parent / "ui" / "page_style.css")

lessons = st.Page("pages/lessons.py", title="Lessons")
page = st.navigation(
    [
        st.Page("pages/playground.py", title="Playground", default=True),
        lessons,
        st.Page("pages/tuning.py", title="Tuning"),
        st.Page("pages/variants.py", title="R against A"),
        st.Page("pages/graph_classification.py", title="Graph classification"),
        st.Page("pages/node_classification.py", title="Node classification"),
    ],
    position="top",
)
if page != lessons:
    lesson_notice()
keep_jobs_alive()
page.run()
