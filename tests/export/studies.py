"""Studies to take away, some of them hostile, and fresh processes to run their programs in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np

import mpgk_core
from mpgk_core import GraphSet
from mpgk_core.evaluation import NodeProtocol, Protocol, checked_roles
from mpgk_core.evaluation.regression import RegressionProtocol, RegressionSpec
from mpgk_core.export import (
    ClassificationStudy,
    GeneratedSet,
    GivenGraph,
    GivenRoles,
    GivenSet,
    KernelParameters,
    LandmarkStudy,
    NodeStudy,
    PairStudy,
    PresetGraph,
    PresetRoles,
    RegressionStudy,
    RoleStudy,
    SweepStudy,
    VariantStudy,
    notebook,
    script,
)
from mpgk_core.graphs import as_graph_set
from mpgk_core.tuning import Grid

NASTY = (
    '"""\nimport os; os.abort()\n"""',
    "'''\nraise SystemExit(3)\n'''",
    "\\",
    "\\'",
    '"); raise SystemExit(4)  # ',
    "{0}{__import__('os').abort()}%s%(x)s",
    "</script><img src=x onerror=alert(1)>",
    "\u2028\u2029\x85\x0b\x0c\r\n\0",
    "\u202eevil\u202c",
    "=HYPERLINK(1)",
    "",
    "7",
    "é👩‍👧",
)


def nasty_graph() -> GraphSet:
    """A ring in which every name and label tries to become code; labels need their order kept."""
    graph = nx.cycle_graph(len(NASTY))
    graph.add_edge(0, 5)
    graph = nx.relabel_nodes(graph, dict(enumerate(NASTY)))
    chance = np.random.default_rng(0)
    for place, vertex in enumerate(graph):
        label = (NASTY[place % 4], 0.1, None) if place % 2 else NASTY[place % 3]
        graph.nodes[vertex].update(label=label, attributes=chance.normal(size=2).tolist())
    return GraphSet.from_networkx(graph)


def large_graph() -> GraphSet:
    """So large that a program holds it compressed; names are pairs, and there is a self-loop."""
    graph = nx.grid_2d_graph(12, 30)
    graph.add_edge((0, 0), (0, 0))
    return GraphSet.from_networkx(graph, self_loops="keep")


STUDIES = {
    "preset R": NodeStudy(PresetGraph("barbell"), KernelParameters("R", features="degree")),
    "preset A": NodeStudy(
        PresetGraph("barbell", {"h": 4, "k": 5}),
        KernelParameters("A", n_iterations=3, features="degree+triangles", random_state=7),
        n_axes=3,
    ),
    "nasty R": NodeStudy(
        GivenGraph(NASTY[0], nasty_graph()), KernelParameters("R", 0.7, 1 / 3, 4, normalize=True)
    ),
    "nasty A": NodeStudy(
        GivenGraph(NASTY[4], nasty_graph()), KernelParameters("A", 1.0, 0.05, 3, branching=2)
    ),
    "large A": NodeStudy(
        GivenGraph("Grid", large_graph()), KernelParameters("A", features="log-degree", depth=5)
    ),
}

PROTOCOL = Protocol(n_folds=3, n_repeats=1, C=(0.1, 10.0), iterations=(1, 2), inner_folds=2)
MADE = GeneratedSet("synthie", 5, random_state=3).build()
NASTY_SET = GivenSet(NASTY[0], MADE.graphs, [NASTY[len(c) + ord(c[0]) % 2] for c in MADE.classes])
COMPARISONS = {
    "generated": ClassificationStudy(GeneratedSet("rings", 8), ("AA", "size"), PROTOCOL),
    "given": ClassificationStudy(NASTY_SET, ("RA", "WL"), PROTOCOL),
    "own splits and kernel matrix": ClassificationStudy(
        GeneratedSet("rings", 8),
        ("size",),
        replace(PROTOCOL, splits=((0, 1, -1, -2) * 4,)),
        has_own_matrix=True,
    ),
}
OWN_MATRIX = np.arange(16.0)[:, np.newaxis] == np.arange(16.0)
"""The file that the program of this study reads."""

TRIALS = NodeProtocol((0.3, 0.6), 2, n_neighbours=3, random_state=5)
ROLES = {
    "roles of a preset": RoleStudy(
        PresetRoles("barbell", 3, 7),
        ("R", "A", "WL", "degree"),
        TRIALS,
        KernelParameters("R", 0.7, 1 / 3, 2, "degree+triangles"),
    ),
    "roles of a nasty graph": RoleStudy(
        GivenRoles(
            NASTY[4], nasty_graph(), checked_roles([NASTY[v % 2 * 4] for v in range(13)], 13)
        ),
        ("A", "R"),
        TRIALS,
        KernelParameters(n_iterations=1, random_state=2),
    ),
}
SWEEPS = {
    "sweep of a preset": SweepStudy(
        PresetGraph("barbell", {"h": 4, "k": 3}),
        Grid((0.5, 1), (0, 1 / 3), (1, 3), ("R", "A"), ("degree", "constant"), random_state=3),
        ("recovered", "gap", "points"),
    ),
    "sweep of a nasty graph": SweepStudy(
        GivenGraph(NASTY[0], nasty_graph()),
        Grid((0.7,), (0.2, 0.4), (1, 2)),
        ("silhouette", "accuracy"),
        n_folds=2,
        random_state=6,
    ),
    "sweep of a set": SweepStudy(
        GeneratedSet("rings", 9),
        Grid((0.5,), (0.2, 0.4), (1, 2), ("RR", "AA")),
        n_folds=3,
        random_state=4,
    ),
    "sweep of a nasty set": SweepStudy(NASTY_SET, Grid((0.8,), (0.2,), (1,), ("AA",)), n_folds=2),
}
NASTY_PAIR = GivenSet(NASTY[4], as_graph_set([nasty_graph(), nasty_graph()]), NASTY[:2])
VARIANTS = {
    "kernels of a preset": VariantStudy(
        GeneratedSet("rings", 3), KernelParameters("R", 0.7, 1 / 3, 2, "degree")
    ),
    "kernels of a nasty set": VariantStudy(NASTY_SET, KernelParameters(n_iterations=1)),
}
PAIRS = {
    "pair of a preset": PairStudy(
        GeneratedSet("rings", 3), KernelParameters("R", 0.7, 1 / 3, 2, "degree"), (5, 0)
    ),
    "nasty pair": PairStudy(
        NASTY_PAIR, KernelParameters("R", 0.8, 0.2, 1, "labels+attributes-standardised"), (0, 1)
    ),
}
LANDMARKS = {"landmarks": LandmarkStudy(NASTY_SET, (2, 50), "AR", KernelParameters(n_iterations=1))}
REGRESSIONS = {
    "numbers of a nasty set": RegressionStudy(
        GivenSet(NASTY[0], MADE.graphs, [float(n) for n in range(len(MADE.graphs))]),
        NASTY[3],
        NASTY[4],
        (
            RegressionSpec.of("mean"),
            RegressionSpec.of("ridge", ["AA", "SP"], True, {"n_iterations": 1}),
            RegressionSpec.of("gaussian-process", "RR", widths=[1.0], n_landmarks=10),
        ),
        RegressionProtocol(sizes=(8, None), random_state=4),
    )
}
ALL = STUDIES | COMPARISONS | ROLES | SWEEPS | VARIANTS | PAIRS | LANDMARKS | REGRESSIONS


def run_fresh(programs: dict[str, str], folder: Path) -> dict[str, str]:
    """Run each program in a folder of its own, all in one fresh process; return what they print."""
    for name, program in programs.items():
        (folder / name).mkdir()
        for study in COMPARISONS.values():
            if study.has_own_matrix and study.matrix_file in program:
                np.save(folder / name / study.matrix_file, OWN_MATRIX)
        (folder / name / "program.py").write_text(program, encoding="utf-8")
    (folder / "all.py").write_text(
        "import contextlib, io, json, os, runpy, sys, warnings\n"
        "warnings.simplefilter('error')\n"
        "said = {}\n"
        "for name in sys.argv[1:]:\n"
        "    os.chdir(name)\n"
        "    with contextlib.redirect_stdout(io.StringIO()) as out:\n"
        "        runpy.run_path('program.py')\n"
        "    said[name] = out.getvalue()\n"
        "    os.chdir('..')\n"
        "print(json.dumps(said))\n"
    )
    done = subprocess.run(
        [sys.executable, "all.py", *programs],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(mpgk_core.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def code_of_notebook(text: str) -> str:
    """Return the code cells of a notebook as one program."""
    cells = json.loads(text)["cells"]
    return "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")


FORMS = {"script": script, "notebook": lambda study: code_of_notebook(notebook(study))}
