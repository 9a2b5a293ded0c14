"""Change one thing in the engine at a time, and count how often the tests notice.

Every mutant differs from the source in one place: an operator, a comparison, a constant, a
condition, a returned value. Texts (docstrings, error messages) and annotations stay as they are. A
mutant is killed if a test fails or takes too long. Sources and tests are copied, and loops run
without compilation, so that a mutant costs seconds.

``python -m scripts.mutation_score 300`` prints the survivors and the score.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import os
import random
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("kernels", "refinement", "automorphism")
FIRST = {"kernels": ("tests/kernels/test_update.py", "tests/kernels/test_against_oracle.py")}
"""Tests that notice most, by room."""
LEFT_OUT = (
    "tests/automorphism/test_orbits.py::test_orbits_of_well_known_graphs[hypercube]",
    "tests/kernels/test_bad_input.py::test_growth_beyond_floating_point_is_an_error",
    "tests/kernels/test_bad_input.py::test_node_kernel_overflow_is_an_error",
    "tests/kernels/test_node_kernels_at_all_t.py::"
    "test_few_vertices_of_a_large_graph_take_little_memory",
    "tests/kernels/test_reproducibility.py",
    "tests/kernels/test_robustness.py::test_a_failed_fit_leaves_no_half_fitted_kernel",
    "tests/kernels/test_robustness.py::"
    "test_transform_equals_block_where_sums_of_decimals_are_not_exact",
)
"""Tests on graphs that are too large for loops that are not compiled, or in new processes."""
MAX_EXAMPLES = 10
"""Of every law; fewer than in the tests proper, so the score is rather too low."""
SECONDS_PER_TEST = 10
"""Of processor time, after which a mutant is taken for one that never ends."""

_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Break: ast.Continue,
    ast.Continue: ast.Break,
    ast.UAdd: ast.USub,
}


class Mutant(NamedTuple):
    """A place in a file, and the file with that place changed."""

    path: Path
    line: int
    before: str
    after: str
    source: str


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield the file with one thing changed, for everything that can be changed."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kept = set(_texts_and_annotations(tree))
    for i, node in enumerate(ast.walk(tree)):
        if id(node) in kept:
            continue
        for j in range(len(_changes(node))):
            changed = copy.deepcopy(tree)
            twin = next(n for k, n in enumerate(ast.walk(changed)) if k == i)
            before = ast.unparse(twin)
            _changes(twin)[j]()
            after = ast.unparse(twin)
            yield Mutant(path, getattr(node, "lineno", 0), before, after, ast.unparse(changed))


def _texts_and_annotations(tree: ast.AST) -> Iterator[int]:
    """Yield what stays: error messages, annotations, decorators, examples of types."""
    for node in ast.walk(tree):
        kept: list[ast.AST | None] = []
        if isinstance(node, ast.Raise):
            kept.append(node.exc)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("check_memory", "not_fitted"):
            kept += node.args
        if isinstance(node, ast.arg | ast.AnnAssign):
            kept.append(node.annotation)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            kept += node.decorator_list
        if isinstance(node, ast.FunctionDef):
            kept.append(node.returns)
        for part in kept:
            yield from map(id, ast.walk(part) if part is not None else ())


def _changes(node: ast.AST) -> list:
    """Return functions that each change the node in one way."""
    found = []
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.UnaryOp) and type(node.op) in _SWAPS:
        found.append(lambda: setattr(node, "op", _SWAPS[type(node.op)]()))
    if isinstance(node, ast.BoolOp):
        found.append(lambda: setattr(node, "op", _SWAPS[type(node.op)]()))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        found.append(lambda: setattr(node, "op", ast.UAdd()))
    if isinstance(node, ast.Compare):
        found.append(lambda: node.ops.__setitem__(0, _SWAPS[type(node.ops[0])]()))
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        found.append(lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), node.test)))
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        found.append(lambda: setattr(node, "value", not node.value))
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        found.append(lambda: setattr(node, "value", node.value + 1))
    if isinstance(node, ast.Return) and node.value is not None:
        found.append(lambda: setattr(node, "value", ast.Constant(None)))
    return found


def survives(mutant: Mutant, folder: Path) -> bool:
    """Write the mutant into a copy of the tree, and run the tests of its room in a new process."""
    target = folder / mutant.path.relative_to(ROOT)
    original = target.read_text(encoding="utf-8")
    target.write_text(mutant.source, encoding="utf-8")
    process = get_context("fork").Process(target=_test, args=(mutant.path.parent.name,))
    process.start()
    process.join()
    target.write_text(original, encoding="utf-8")
    return process.exitcode == 0


def _test(room: str) -> None:
    """Run the tests of a room; libraries are imported already, the engine is not."""
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    places = [*FIRST.get(room, ()), f"tests/{room}", f"mpgk_core/{room}"]
    options = ["-q", "-x", "-p", "no:cacheprovider", "-W", "ignore::RuntimeWarning"]
    options += [f"--deselect={test}" for test in LEFT_OUT]
    os._exit(pytest.main([*options, *places], plugins=[_TimeLimit()]))


class _TimeLimit:
    """Ends the process when one test takes too long."""

    def pytest_runtest_setup(self) -> None:
        """Start the clock."""
        signal.signal(signal.SIGPROF, lambda *_: os._exit(1))
        signal.setitimer(signal.ITIMER_PROF, SECONDS_PER_TEST)


def _prepare(folder: Path) -> None:
    """Copy the tree, and import the libraries that all tests use."""
    for part in ("mpgk_core", "tests", "pyproject.toml", "sample_graphs", "docs"):
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / part)
    os.chdir(folder)
    os.environ |= {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(folder)}
    sys.path[:] = [str(folder), *(path for path in sys.path if Path(path).resolve() != ROOT)]
    sys.dont_write_bytecode = True
    for library in ("networkx", "numba", "scipy.sparse.csgraph", "sklearn.svm"):
        importlib.import_module(library)
    for path in (folder / "tests").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        capped = re.sub(r"max_examples=[\d_]+", f"max_examples={MAX_EXAMPLES}", text)
        path.write_text(capped, encoding="utf-8")


def main() -> None:
    """Draw mutants, try each, and print the score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("n_mutants", type=int)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    files = [path for room in ROOMS for path in sorted((ROOT / "mpgk_core" / room).glob("*.py"))]
    everything = [mutant for path in files for mutant in mutants(path)]
    chosen = random.Random(options.seed).sample(everything, options.n_mutants)
    n_survivors = 0
    with TemporaryDirectory() as name:
        folder = Path(name)
        _prepare(folder)
        for path in {mutant.path.parent: mutant.path for mutant in chosen}.values():
            source = path.read_text(encoding="utf-8")
            if not survives(Mutant(path, 0, "", "", source), folder):
                sys.exit(f"The tests of {path.parent.name} fail without any mutation.")
        for number, mutant in enumerate(chosen, 1):
            if survives(mutant, folder):
                n_survivors += 1
                where = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
                sys.stdout.write(f"{number} survives {where}: {mutant.before} -> {mutant.after}\n")
            if number % 10 == 0:
                sys.stdout.write(f"{number} tried, {n_survivors} survive\n")
            sys.stdout.flush()
    score = 1 - n_survivors / len(chosen)
    sys.stdout.write(f"{len(chosen)} of {len(everything)} mutants, {score:.1%} killed\n")


if __name__ == "__main__":
    main()
