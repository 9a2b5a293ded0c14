"""Scripts and notebooks give the numbers of the engine, and their files have safe names."""

import ast
import csv
import io
import json
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mpgk_core
from mpgk_core import (
    InvalidGraphError,
    InvalidParameterError,
    MessagePassingNodeKernel,
    colour_refinement,
    orbits,
)
from mpgk_core.embedding.trajectory import trajectory
from mpgk_core.evaluation import Protocol, as_csv, evaluate, fold_rows, table_spec
from mpgk_core.export import (
    ClassificationStudy,
    GeneratedSet,
    GivenGraph,
    GivenSet,
    KernelParameters,
    NamedSet,
    NodeStudy,
    PresetGraph,
    file_name,
    notebook,
    script,
)
from mpgk_core.graphs.generators import PRESETS
from tests.export.studies import (
    ALL,
    COMPARISONS,
    FORMS,
    LANDMARKS,
    MADE,
    NASTY,
    OWN_MATRIX,
    REGRESSIONS,
    ROLES,
    STUDIES,
    SWEEPS,
    code_of_notebook,
    nasty_graph,
)

LONG = COMPARISONS | ROLES | SWEEPS | LANDMARKS | REGRESSIONS
BOTH = pytest.mark.parametrize("form", FORMS)


@BOTH
@pytest.mark.parametrize("name", STUDIES)
def test_a_program_gives_the_numbers_of_the_engine(runs, form, name):
    study, folder = STUDIES[name], runs[0] / f"{form} {name}"
    graph = study.data.build()
    kernel = MessagePassingNodeKernel(**study.kernel.settings()).fit(graph)
    way = trajectory(graph, kernel, study.n_axes)
    saved = np.load(folder / study.file_name("kernel", "npz"))
    np.testing.assert_allclose(saved["kernel"], kernel.kernel_, rtol=1e-12, atol=1e-12)
    saved = np.load(folder / study.file_name("embedding", "npz"))
    points = way.points[:, way.class_of_vertex]
    np.testing.assert_allclose(saved["points"], points, rtol=0, atol=1e-12)
    np.testing.assert_array_equal(saved["orbit"], orbits(graph).of_vertex + 1)
    colours = colour_refinement(graph, way.n_rounds)
    np.testing.assert_array_equal(saved["colour"][-1], colours + 1)
    text = (folder / study.file_name("embedding", "csv")).read_text("utf-8")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    axes = [[float(row[f"axis_{i + 1}"]) for i in range(study.n_axes)] for row in rows]
    np.testing.assert_allclose(axes, points[-1], rtol=0, atol=1e-12)
    text = (folder / study.file_name("kernel", "csv")).read_text("utf-8")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    table = np.array([row[1:] for row in rows[1:]], dtype=np.float64)
    np.testing.assert_allclose(table, kernel.kernel_, rtol=1e-12, atol=1e-12)


@BOTH
@pytest.mark.parametrize("name", COMPARISONS)
def test_a_program_gives_the_folds_of_the_engine(runs, form, name):
    study, (folder, said) = COMPARISONS[name], runs
    data = study.data.build()
    specs = [table_spec(method, data.graphs) for method in study.methods]
    specs += [OWN_MATRIX] if study.has_own_matrix else []
    rows = [
        row
        for spec in specs
        for row in fold_rows(
            study.data.name, evaluate(data.graphs, data.classes, spec, study.protocol)
        )
    ]
    file = folder / f"{form} {name}" / study.file_name("folds", "csv")
    assert file.read_text("utf-8") == as_csv(rows)
    assert "| data set | kernel | accuracy |" in said[f"{form} {name}"]


def test_every_part_of_the_programs_belongs_to_a_study():
    text = (Path(mpgk_core.export.__file__).parent / "programs.toml").read_text("utf-8")
    used = {name for study in ALL.values() for name in study.program()[0]}
    kinds = {"PresetGraph", "GivenGraph", "NamedSet", "GeneratedSet", "GivenSet"}
    kinds |= {"PresetRoles", "GivenRoles"}
    assert set(tomllib.loads(text)) == used | kinds | {"save"}
    for study in ALL.values():
        assert study.steps()[0].words.endswith(f"written by version {mpgk_core.__version__}.")
        assert study.steps()[0].words.split(" This needs")[0]


def test_programs_say_what_they_found(runs):
    _, said = runs
    assert "7 orbits" in said["script preset R"]
    assert "t = 5: 7 points, 7 colours" in said["script preset R"]
    assert said["script preset R"] == said["notebook preset R"]


@BOTH
@pytest.mark.parametrize("name", LONG)
def test_a_long_program_keeps_linear_algebra_to_one_thread_before_it_works(form, name):
    lines = FORMS[form](LONG[name]).splitlines()
    limited = lines.index("threadpool_limits(1)")
    assert lines[limited - 1].startswith("# Linear algebra in one thread")
    before = [line for line in lines[:limited] if line and not line.startswith(("#", " ", ")"))]
    assert all(line.startswith(("import ", "from ")) for line in before)


@BOTH
@pytest.mark.parametrize("name", ALL)
def test_foreign_text_is_never_code(form, name):
    """All texts of a hostile graph stand in string constants; nothing else of them is left."""
    program = FORMS[form](ALL[name])
    assert program.isascii()
    code = ast.unparse(ast.parse(re.sub(r"(?m)^#.*$", "", program)))
    names = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    assert not names & {"os", "SystemExit", "__import__", "alert"}
    assert not any(isinstance(node, ast.Raise) for node in ast.walk(ast.parse(code)))


@pytest.mark.parametrize("text", NASTY)
def test_foreign_text_is_never_markup_in_a_notebook(text):
    study = NodeStudy(GivenGraph(f"![x](//evil) $x$ {text}", nasty_graph()), KernelParameters())
    heading = "".join(json.loads(notebook(study))["cells"][0]["source"]).split("\n")[0]
    assert re.fullmatch(r"# (?:[\w\s.,?’–-]|&#[0-9]+;)+", heading)


@pytest.mark.parametrize("name", ALL)
def test_a_notebook_has_the_form_of_version_4_5(name):
    content = json.loads(notebook(ALL[name]))
    assert (content["nbformat"], content["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in content["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in content["cells"]:
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", cell["id"])
        keys = {"id", "cell_type", "metadata", "source"}
        if cell["cell_type"] == "code":
            keys |= {"execution_count", "outputs"}
        assert set(cell) == keys
        assert all(line.endswith("\n") for line in cell["source"][:-1])


def test_a_notebook_is_the_script_with_pictures():
    study = STUDIES["preset R"]
    code = code_of_notebook(notebook(study))
    statements = [ast.dump(node) for node in ast.parse(script(study)).body]
    shown = [ast.dump(node) for node in ast.parse(code).body]
    assert [statement for statement in shown if statement in statements] == statements
    assert code.count("controls=True") == 3
    assert "plotting" not in script(study)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_rebuilt_by_name(preset):
    text = script(NodeStudy(PresetGraph(preset), KernelParameters()))
    assert "unpacked" not in text
    built = next(line for line in text.splitlines() if line.startswith("graph ="))
    values = [k.arg for k in ast.parse(built).body[0].value.args[0].keywords]
    assert values == [parameter.key for parameter in PRESETS[preset].parameters]


def test_a_program_needs_no_method_beside_an_own_matrix():
    study = ClassificationStudy(NamedSet("MUTAG"), (), Protocol().quick(), has_own_matrix=True)
    assert study.matrix_file == "MUTAG_own_1x10folds_seed0_own-matrix.npy"
    assert f"np.load('{study.matrix_file}', allow_pickle=False)" in script(study)


def test_a_set_by_name_is_loaded_by_name():
    text = script(ClassificationStudy(NamedSet("MU'TAG"), ("AA",), Protocol()))
    assert 'load("MU\'TAG")' in text


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: PresetGraph("dumbbell"), "'preset' parameter"),
        (lambda: PresetGraph("barbell", {"h": 1}), "'h' parameter"),
        (lambda: PresetGraph("barbell", {"x": 1}), "no parameter 'x'"),
        (lambda: KernelParameters("B"), "'neighbourhood' parameter"),
        (lambda: KernelParameters(alpha=float("nan")), "'alpha' parameter"),
        (lambda: KernelParameters(n_iterations=1.5), "n_iterations"),
        (lambda: KernelParameters(features="age"), "'features' parameter"),
        (lambda: KernelParameters(features=None), "'features' parameter"),
        (lambda: KernelParameters(features="degree+"), "'features' parameter"),
        (lambda: KernelParameters(normalize=1), "'normalize' parameter"),
        (lambda: NodeStudy(PresetGraph("path"), KernelParameters(), n_axes=4), "n_axes"),
        (lambda: GeneratedSet("stars"), "'recipe' parameter"),
        (lambda: GeneratedSet("rings", "5"), "n_per_class"),
        (lambda: ClassificationStudy(NamedSet("MUTAG"), (), Protocol()), "methods"),
        (lambda: ClassificationStudy(NamedSet("MUTAG"), ("AB",), Protocol()), "methods"),
    ],
)
def test_wrong_studies_are_refused(make, match):
    with pytest.raises(InvalidParameterError, match=match):
        make()


def test_studies_of_wrong_graphs_are_refused():
    with pytest.raises(InvalidGraphError, match="about one graph"):
        NodeStudy(GivenGraph("x", MADE.graphs), KernelParameters())
    with pytest.raises(InvalidGraphError, match="1 classes for 20 graphs"):
        GivenSet("x", MADE.graphs, ("a",))


def test_a_function_cannot_be_written_into_a_program():
    study = NodeStudy(PresetGraph("path"), KernelParameters(features=np.log))
    with pytest.raises(InvalidParameterError, match="cannot be written into a program"):
        script(study)


PARTS = st.lists(st.text() | st.sampled_from(NASTY) | st.floats() | st.integers(), max_size=12)


@settings(max_examples=60)
@given(parts=PARTS, extension=st.sampled_from(["csv", "npz", "ipynb", "mpgk.json"]))
def test_any_parts_make_a_safe_name(parts, extension):
    name = file_name(*parts, extension=extension)
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name)
    assert name.endswith(f".{extension}")
    assert len(name) <= 120
    assert not re.match(r"(?i)(con|prn|aux|nul|com\d|lpt\d)\.", name)


@settings(max_examples=30)
@given(parts=PARTS)
def test_what_is_inside_stays_in_the_longest_name(parts):
    assert file_name("x" * 40, *parts, "embedding", extension="csv").endswith("_embedding.csv")


def test_studies_are_named_after_what_they_compute():
    kernel = KernelParameters("A", 1, 0.25, 3, "labels+degree", True, random_state=4)
    study = NodeStudy(GivenGraph("Häuser/Ring", nasty_graph()), kernel)
    name = study.file_name("kernel", "npz")
    assert name == "Hauser-Ring_A_alpha1_beta0.25_T3_labels-degree_normalised_seed4_kernel.npz"
    study = NodeStudy(PresetGraph("barbell"), KernelParameters(features="degree"))
    name = study.file_name("embedding", "csv")
    assert name == "barbell-10-10_R_alpha0.8_beta0.2_T5_embedding.csv"
    study = ClassificationStudy(GeneratedSet("rings", 20), ("AA", "WL-OA"), Protocol())
    assert study.file_name("folds", "csv") == ("rings-20-0_AA-WL-OA_10x10folds_seed0_folds.csv")


def test_reserved_names_are_avoided():
    assert file_name("CON", extension="csv") == "graph-CON.csv"
    assert file_name("nul.x", extension="csv") == "graph-nul.x.csv"
    assert file_name("", None, "…", extension="csv") == "graph.csv"


@pytest.mark.parametrize("extension", ["", ".csv", "a/b", "exe\n", "x" * 20])
def test_strange_extensions_are_refused(extension):
    with pytest.raises(InvalidParameterError, match="extension"):
        file_name("a", extension=extension)
