"""Graph regression: numbers predicted from graphs, such as properties of molecules."""

import streamlit as st

from mpgk_core.export import RegressionStudy
from mpgk_core.formats import counted
from ui.frame import through_app
from ui.regression.export import regression_downloads
from ui.regression.molecules import molecule_source
from ui.regression.views import details, model_controls, molecules, regression_run
from ui.sessions import page_sessions
from ui.shared.widgets import local_choice
from ui.state.address import remember_page

through_app()
remember_page("graph_regression")
st.markdown(
    "**Which numbers can be predicted from graphs?** Models learn from eight tenths of the "
    "molecules, their settings are chosen on one tenth, and errors are measured on the last tenth. "
    "Counting atoms is the baseline that a kernel has to beat."
)
counts = st.container()
chosen = molecule_source()
page_sessions("graph_regression", chosen and chosen.data)
if chosen is None:
    st.stop()
with st.sidebar:
    choice = model_controls(chosen)
target = chosen.target
meaning = f"{chosen.meaning}, {target.title}" if chosen.meaning else target.title
with counts:
    st.text(
        f"{chosen.name}: {counted(len(chosen.graphs), 'graph')}, "
        f"{counted(chosen.graphs.n_vertices, 'vertex', 'vertices')}. Target: {meaning}."
    )
    for note in chosen.notes:
        st.text(note)
if not choice.specs:
    st.info("Choose a model.")
    st.stop()
results = regression_run(chosen, choice)
if results:
    study = RegressionStudy(chosen.data, target.name, target.unit, choice.specs, choice.protocol)
    regression_downloads(chosen, results, study)
    st.subheader("Predictions", anchor=False)
    last = max(one.size for one in results)
    by_model = {one.spec.model: one for one in results if one.size == last}
    titles = {model: one.spec.title for model, one in by_model.items()}
    usual = next((model for model in titles if model not in ("mean", "linear-counts")), None)
    ordered = {model: titles[model] for model in sorted(titles, key=lambda model: model != usual)}
    result = by_model.get(local_choice("closer", "Details of", ordered), results[-1])
    details(chosen, result)
    molecules(chosen, result)
if chosen.about:
    st.caption(f"Source: {chosen.about}")
