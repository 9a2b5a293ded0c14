"""What importing costs: names come when they are asked for, and no page waits for others' needs."""

import subprocess
import sys
from pathlib import Path

import pytest

import mpgk_core
from mpgk_core.kernels.node_kernel import MessagePassingNodeKernel

APP = Path(__file__).parents[1] / "app.py"
HEAVY = (
    "numba",
    "scipy.sparse",
    "sklearn",
    "scipy.stats",
    "pandas",
    "pyarrow",
    "distributed",
    "plotly",
    "streamlit",
)
"""Libraries that take long to import."""

ENGINE = ["numba", "scipy.sparse"]
LARGE_TABLES = ["scipy.sparse", "pyarrow"]
COMMAND_LINE = "from io import BytesIO, StringIO; from mpgk_core.cli import main"


@pytest.fixture(autouse=True)
def no_known_results(monkeypatch, tmp_path):
    """Results of other tests on this computer would be shown, which takes further libraries."""
    monkeypatch.setenv("MPGK_CACHE", str(tmp_path))


def imported_by(program):
    """Return which heavy libraries a program has imported at its end."""
    report = f"import sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\n{report}"], check=True, capture_output=True, text=True
    )
    return eval(done.stdout.splitlines()[-1])


def test_every_public_name_is_found():
    assert sorted(mpgk_core._HOMES) == mpgk_core.__all__
    assert set(mpgk_core.__all__) <= set(dir(mpgk_core))
    for name in mpgk_core.__all__:
        assert getattr(mpgk_core, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'Verdicts'"):
        mpgk_core.Verdicts  # noqa: B018


@pytest.mark.parametrize(
    ("program", "needed"),
    [
        ("import mpgk_core", []),
        ("import mpgk_core; mpgk_core.MessagePassingGraphKernel; mpgk_core.orbits", ENGINE),
        (f"{COMMAND_LINE}; main(['--help'], BytesIO(), BytesIO(), StringIO())", []),
        (f"{COMMAND_LINE}; main(['orbits', '-'], BytesIO(b'a b'), BytesIO(), StringIO())", ENGINE),
        ("from mpgk_core.datasets import load; load('MUTAG')", LARGE_TABLES),
        (
            "from mpgk_core.formats import read_graphs; read_graphs('x', b'a b\\n' * 10**6)",
            LARGE_TABLES,
        ),
    ],
)
def test_nothing_is_imported_that_is_not_used(program, needed):
    assert imported_by(program) == needed


@pytest.mark.parametrize(
    ("page", "needed"),
    [
        ("playground", []),
        ("lessons", []),
        ("tuning", []),
        ("variants", []),
        ("graph_classification", []),
        ("node_classification", ["sklearn", "scipy.stats"]),
        ("graph_regression", []),
    ],
)
def test_a_page_at_rest_imports_a_library_for_learning_only_if_it_learns(page, needed):
    program = (
        "import logging; logging.disable()\n"
        "from streamlit.testing.v1 import AppTest\n"
        f"app = AppTest.from_file({str(APP)!r}, default_timeout=300)\n"
        f"app.switch_page('pages/{page}.py').run()\n"
        "assert not app.exception and len(app.markdown) + len(app.metric) > 0"
    )
    found = imported_by(program)
    assert [name for name in found if name in ("sklearn", "scipy.stats", "distributed")] == needed


def test_the_first_page_needs_no_library_for_classification():
    program = (
        "import logging; logging.disable()\n"
        "from streamlit.testing.v1 import AppTest\n"
        f"app = AppTest.from_file({str(APP)!r}, default_timeout=300).run()\n"
        "assert not app.exception and app.success[0].value == 'All orbits are separated at t = 5.'"
    )
    assert set(imported_by(program)) & {"sklearn", "scipy.stats", "distributed"} == set()


def test_an_unknown_parameter_is_named_with_those_there_are():
    with pytest.raises(mpgk_core.InvalidParameterError, match=r"no parameter 'gamma'.*alpha, beta"):
        MessagePassingNodeKernel().set_params(gamma=1)
