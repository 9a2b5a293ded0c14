"""A bare page: one slider and two charts as large as the playground's."""

import networkx as nx
import numpy as np
import plotly.graph_objects as go
import streamlit as st

st.set_page_config(layout="wide")


@st.cache_data(max_entries=4)
def drawn(n: int) -> tuple[np.ndarray, list[float | None], list[float | None]]:
    """Return positions and edge lines of a graph of n vertices."""
    graph = nx.barbell_graph(10, 10) if n == 30 else nx.gnp_random_graph(n, 4 / n, seed=0)
    positions = np.random.default_rng(0).random((n, 2))
    xs = [x for a, b in graph.edges for x in (positions[a, 0], positions[b, 0], None)]
    ys = [y for a, b in graph.edges for y in (positions[a, 1], positions[b, 1], None)]
    return positions, xs, ys


with st.sidebar:
    alpha = st.slider("alpha", 0.0, 1.0, 0.8, 0.05, key="alpha", bind="query-params")
positions, xs, ys = drawn(int(st.query_params.get("n", "30")))
st.latex(rf"\alpha = {alpha:g}")
left, right = st.columns(2)
edges = go.Scatter(x=xs, y=ys, mode="lines", hoverinfo="skip")
vertices = go.Scatter(x=positions[:, 0], y=positions[:, 1], mode="markers")
left.plotly_chart(go.Figure([edges, vertices]), key="graph")
mixed = alpha * positions + (1 - alpha) * positions[:, ::-1]
moved = go.Scatter(x=mixed[:, 0], y=mixed[:, 1], mode="markers")
right.plotly_chart(go.Figure([moved]), key="embedding")
