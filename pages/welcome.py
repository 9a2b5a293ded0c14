"""The first page: what the explorer is about, with a live number from the engine."""

import networkx as nx
import streamlit as st

from mpgk_core import MessagePassingNodeKernel, kernel_pca, orbits

st.title("Message passing graph kernels")
st.markdown(
    "Similarity between vertices travels along the edges. After $T$ rounds, vertices that play "
    "the same role in a graph have become indistinguishable:"
)
st.latex(r"k^{t+1}(v,u) = \alpha\, k^{t}(v,u) + \beta\, k_N\big(N(v), N(u)\big)")

rounds = st.slider(
    "Rounds T", 0, 8, 5, key="rounds", help="How many times vertices listen to their neighbours."
)
barbell = nx.barbell_graph(10, 10)
kernel = MessagePassingNodeKernel("R", n_iterations=rounds, features="degree").fit(barbell)
points = {tuple(point) for point in kernel_pca(kernel.kernel_).points.round(9).tolist()}
classes = orbits(barbell).n_orbits

st.metric(
    "Classes of the barbell graph B(10, 10) told apart",
    f"{len(points)} of {classes}",
    help="Distinct points in the kernel-PCA plane, against the orbits of the automorphism group.",
)
