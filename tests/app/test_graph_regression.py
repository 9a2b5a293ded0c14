"""The page of graph regression: sources, targets, run, molecules, and what it refuses."""

import sys

import numpy as np
import pytest

from mpgk_core.export import Session
from mpgk_core.formats import read_tables
from tests.app.opening_sessions import opened
from tests.app.test_graph_classification import wait_until

pytest.importorskip("rdkit")

ALCOHOLS = ["C" * n + "O" for n in range(1, 13)] + ["C" * n + "N" for n in range(1, 13)]
TABLE = "id,smiles,length,oxygen\n" + "".join(
    f"m{i},{smiles},{len(smiles)},{smiles.count('O') + i / 100}\n"
    for i, smiles in enumerate(ALCOHOLS)
)


@pytest.fixture
def app(open_page):
    return open_page("pages/graph_regression.py")


def upload(app, content, name="a.csv"):
    app.segmented_control(key="set-source").set_value("file").run()
    files = [(name, content.encode(), "text/csv")]
    return app.file_uploader(key="upload-molecules").set_value(files).run()


def run(app, models):
    app.multiselect(key="models").set_value(models).run()
    app.button(key="regress-run").click().run()
    wait_until(app, lambda app: any(one.key == "closer" for one in app.segmented_control))
    return app


def texts(app):
    shown = [*app.text, *app.caption, *app.info, *app.error, *app.warning]
    return " ".join(str(one.value) for one in shown)


def errors_of(app):
    (table,) = [one.value for one in app.dataframe if "model" in one.value.columns]
    return dict(zip(table["model"], table["MAE / deviation"], strict=True))


def test_molecules_of_qm9_are_offered_at_the_first_start(app):
    assert not app.exception
    assert (
        "Molecules of QM9: 2,000 graphs, 17,621 vertices. Target: dipole moment, mu [D]."
        in texts(app)
    )
    assert "CC0" in texts(app)
    assert not app.button(key="regress-run").disabled
    assert len(app.selectbox(key="regress-target").options) == 14


def test_the_set_its_target_and_the_baselines_are_shown_before_a_run(app, charts):
    upload(app, TABLE)
    drawn = [words for key, words in charts.items() if key.startswith("example")]
    assert len(drawn) == 5
    assert charts["target"].startswith("From 2 to 13, median 7.5, mean 7.5")
    assert charts["baselines"].startswith("Mean absolute error over the standard deviation: Mean")
    assert "Linear on counts of labels: 0.0" in charts["baselines"]
    charts.clear()
    run(app, ["linear-counts"])
    charts.clear()
    app.run()
    assert "errors" in charts
    assert "baselines" not in charts


def test_molecules_on_both_sides_of_the_split_are_told_before_a_run(app):
    upload(app, TABLE)
    assert "cannot be told apart" not in texts(app)
    upload(app, TABLE + "\n".join(TABLE.splitlines()[1:]) + "\n", "b.csv")
    assert "cannot be told apart from a training graph" in texts(app)


def test_names_of_columns_mean_properties_of_qm9_in_its_own_table_only(app):
    upload(app, TABLE.replace("length", "gap"))
    assert "Target: gap." in texts(app)


def test_a_kernel_beats_counting_and_molecules_are_drawn(app, charts):
    upload(app, TABLE)
    assert "24 graphs" in texts(app)
    run(app, ["mean", "linear-counts", "ridge"])
    errors = errors_of(app)
    assert (
        errors["Mean of the training part"]
        > errors["Ridge on the explicit map, RA after composition"]
    )
    assert "of the test part" not in texts(app)
    assert charts["truth ridge"].startswith("2 test graphs: predictions of Ridge")
    drawn = [words for key, words in charts.items() if key.startswith("drawn ridge")]
    assert len(drawn) == 2
    assert all("Prediction = " in words for words in drawn)
    assert any(key.startswith("near ridge") for key in charts)
    app.number_input(key="molecule ridge").set_value(1).run()
    assert not app.exception


def test_a_model_without_parts_shows_molecules_without_contributions(app, charts):
    upload(app, TABLE)
    run(app, ["mean"])
    drawn = [words for key, words in charts.items() if key.startswith("drawn mean")]
    assert drawn
    assert not any("Prediction = " in words for words in drawn)
    assert not any(key.startswith("near") for key in charts)


def test_intervals_and_the_learning_curve_are_shown(app, charts):
    rows = [f"{'C' * (i % 30 + 1)}{'ON'[i % 2]},{i % 30}\n" for i in range(300)]
    many = "smiles,y\n" + "".join(rows)
    upload(app, many)
    app.toggle(key="size-curve").set_value(True).run()
    run(app, ["linear-counts", "gaussian-process"])
    assert "training graphs" in charts["sizes"]
    assert "cannot be told apart from a training graph" in texts(app)
    labels = app.segmented_control(key="closer")
    labels.set_value("gaussian-process").run()
    assert "lie in the interval of 95 %" in charts["calibration"]


def test_targets_and_labels_can_be_chosen(app):
    upload(app, TABLE)
    app.selectbox(key="regress-target").set_value("oxygen").run()
    assert "Target: oxygen" in texts(app)
    app.toggle(key="explicit").set_value(True).run()
    with_hydrogens = read_tables("a.csv", TABLE.encode())
    n = with_hydrogens.n_vertices + int(with_hydrogens.columns["hydrogens"].sum())
    assert f"24 graphs, {n} vertices" in texts(app)
    app.multiselect(key="atom-facts").set_value([]).run()
    assert not app.exception


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("smiles,note\nCCO,good\n", "No column holds numbers of whole graphs"),
        ("smiles,y\nCCO,a\nCC,b\nC,1\n", "No column holds numbers of whole graphs"),
        ("smiles,y\nCCO,1\nCC,1\nC,1\n", "nothing to predict"),
        ("smiles,y\nCCO,1\n", "There is one graph with the target"),
        ("smiles,y\nC(C,1\n", "This molecule cannot be read"),
        ("a,b\n1,2\n", "No column holds numbers of whole graphs"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(app, content, words):
    upload(app, content)
    assert not app.exception
    assert words in texts(app)


def test_too_few_graphs_are_refused_before_a_run(app):
    upload(app, "smiles,y\nC,1\nCC,2\nCCC,3\n")
    assert not app.exception
    assert "regress-run" not in {one.key for one in app.button}
    assert "Regression needs at least 5 graphs" in texts(app)


def test_rows_that_are_left_out_are_named(app):
    salt = TABLE + "bad,C(C,1,1\nsalt,[Na+].[Cl-],2,\n"
    upload(app, salt)
    assert "1 of 26 molecules is left out (line 26: C(C: this is not valid SMILES)." in texts(app)
    assert "1 molecule consists of several fragments" in texts(app)
    app.selectbox(key="regress-target").set_value("oxygen").run()
    assert "1 row was left out" in texts(app)
    app.toggle(key="one-part").set_value(True).run()
    assert not app.exception


def test_without_rdkit_the_page_says_what_to_install(app, monkeypatch):
    monkeypatch.setitem(sys.modules, "rdkit.Chem", None)
    upload(app, TABLE + "# other\n")
    assert not app.exception
    assert "pip install rdkit" in texts(app)


def test_files_of_the_folder_of_the_server_are_offered_and_no_others(app, tmp_path, monkeypatch):
    app.segmented_control(key="set-source").set_value("server").run()
    assert "MPGK_DATA" in texts(app)
    (tmp_path / "mine.csv").write_text(TABLE)
    (tmp_path / "notes.txt").write_text("secret")
    monkeypatch.setenv("MPGK_DATA", str(tmp_path))
    app.run()
    assert not app.exception
    assert app.selectbox(key="server-file").options == ["mine.csv"]
    assert "24 graphs" in texts(app)


def test_a_session_opens_with_the_same_molecules(app):
    upload(app, TABLE)
    app.number_input(key="split-seed").set_value(5).run()
    from mpgk_core.export import GivenSet

    tables = read_tables("a.csv", TABLE.encode())
    graphs = tables.graph_set({"element": "label"})
    data = GivenSet("a.csv", graphs, tuple(tables.targets["length"].tolist()))
    other = opened(app, Session("graph_regression", {"split-seed": ("5",)}, data))
    assert not other.exception
    assert other.number_input(key="split-seed").value == 5
    assert "24 graphs" in texts(other)


def test_published_figures_stand_beside_molecules_of_their_kind_only(app):
    from mpgk_core.evaluation.regression import TargetColumn
    from ui.regression.export import published_errors
    from ui.regression.molecules import ChosenMolecules

    def chosen(smiles, target):
        tables = read_tables("a.smi", "\n".join(smiles).encode())
        graphs = tables.graph_set({"element": "label"})
        column = TargetColumn(target, np.arange(len(smiles), dtype=float))
        return ChosenMolecules("a", graphs, column, tuple(smiles))

    assert published_errors(chosen(["CCO", "CCN"], "mu"))["MPGK"][0] == 0.51
    assert published_errors(chosen(["CCO", "CCN"], "length")) == {}
    assert published_errors(chosen(["CCO", "CCBr"], "mu")) == {}
    assert published_errors(chosen(["CCO", "C" * 12], "mu")) == {}
