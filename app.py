"""The MPGK Explorer: page set-up and navigation, nothing else."""

import streamlit as st

st.set_page_config(page_title="MPGK Explorer", page_icon="🕸️", layout="wide")

page = st.navigation(
    [st.Page("pages/playground.py", title="Playground", icon="🕸️", default=True)], position="top"
)
page.run()
