"""Change one thing in the engine at a time, and count how often the tests notice.

Every mutant differs from the source in one place: an operator, a comparison, a constant, a
condition, a returned value. Texts (docstrings, error messages) and annotations stay as they are. A
mutant is killed if a test fails or takes too long. Sources and tests are copied, and loops run
without compilation. A first run notes which functions each test calls; a mutant is then tried with
the tests of its room that call the changed function, the quickest first.

``python -m scripts.mutation_score 300`` prints the survivors and the score.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import os
import pickle
import random
import re
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("kernels", "refinement", "automorphism")
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
    function: str
    """The outermost function or method with that place; empty outside of all"""
    line: int
    before: str
    after: str
    source: str


class Called(NamedTuple):
    """What one test calls."""

    test: str
    seconds: float
    functions: frozenset[str]
    """``room/file.py:name``, for every function of the rooms"""


def places(path: Path) -> list[tuple[Path, int, int]]:
    """Return all that can be changed in a file: nodes of its tree, and ways to change them."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kept = set(_texts_and_annotations(tree))
    nodes = [(i, node) for i, node in enumerate(ast.walk(tree)) if id(node) not in kept]
    return [(path, i, j) for i, node in nodes for j in range(len(_changes(node)))]


def mutant_at(path: Path, i: int, j: int) -> Mutant:
    """Return the file with one thing changed."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    owners = _owners(tree)
    node = next(node for k, node in enumerate(ast.walk(tree)) if k == i)
    before = ast.unparse(node)
    _changes(node)[j]()
    texts = before, ast.unparse(node), ast.unparse(tree)
    return Mutant(path, owners.get(id(node), ""), getattr(node, "lineno", 0), *texts)


def _texts_and_annotations(tree: ast.AST) -> Iterator[int]:
    """Yield what stays: error messages, annotations, decorators, ``strict`` of ``zip``."""
    for node in ast.walk(tree):
        kept: list[ast.AST | None] = []
        if isinstance(node, ast.Raise):
            kept.append(node.exc)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("check_memory", "not_fitted"):
            kept += node.args
        if isinstance(node, ast.keyword) and node.arg == "strict":
            kept.append(node.value)
        if isinstance(node, ast.arg | ast.AnnAssign):
            kept.append(node.annotation)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            kept += node.decorator_list
        if isinstance(node, ast.FunctionDef):
            kept.append(node.returns)
        for part in kept:
            yield from map(id, ast.walk(part) if part is not None else ())


def _owners(tree: ast.Module) -> dict[int, str]:
    """Return the function or method whose body holds each node."""
    found = {}
    for outer in tree.body:
        for inner in outer.body if isinstance(outer, ast.ClassDef) else [outer]:
            if isinstance(inner, ast.FunctionDef):
                name = inner.name if inner is outer else f"{outer.name}.{inner.name}"
                for statement in inner.body:
                    found |= {id(node): name for node in ast.walk(statement)}
    return found


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


def survives(mutant: Mutant, folder: Path, tests: list[str]) -> bool:
    """Run tests against the mutant in a process of its own."""
    target = folder / mutant.path.relative_to(ROOT)
    original = target.read_text(encoding="utf-8")
    target.write_text(mutant.source, encoding="utf-8")
    process = get_context("fork").Process(target=_try, args=(mutant, tests))
    process.start()
    process.join()
    target.write_text(original, encoding="utf-8")
    return process.exitcode == 0


def _try(mutant: Mutant, tests: list[str]) -> None:
    """Replace the function, or import everything anew where the change lies outside of all."""
    if mutant.function:
        module = mutant.path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        found: Any = importlib.import_module(module)
        for name in mutant.function.split("."):
            found = vars(found)[name]
        for attribute in ("fget", "func", "__func__"):
            found = getattr(found, attribute, found)
        found.__code__ = _code(compile(mutant.source, mutant.path, "exec"), mutant.function)
    else:
        for name in [name for name in sys.modules if name.split(".")[0] in ("mpgk_core", "tests")]:
            del sys.modules[name]
    os._exit(_run(tests, _TimeLimit()))


def _code(code: CodeType, function: str) -> CodeType:
    """Return the code of a function within the code of a module."""
    inner = [part for part in code.co_consts if isinstance(part, CodeType)]
    for part in inner:
        if part.co_qualname == function:
            return part
    return next(_code(part, function) for part in inner if function.startswith(part.co_name + "."))


def _run(tests: list[str], plugin: object) -> int:
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    options = ["-q", "-x", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:randomly"]
    options += ["-W", "ignore::RuntimeWarning", *(f"--deselect={test}" for test in LEFT_OUT)]
    return int(pytest.main([*options, *tests], plugins=[plugin]))


class _TimeLimit:
    """Ends the process when one test takes too long."""

    def pytest_runtest_setup(self) -> None:
        """Start the clock."""
        signal.signal(signal.SIGPROF, lambda *_: os._exit(1))
        signal.setitimer(signal.ITIMER_PROF, SECONDS_PER_TEST)


class _Recorder:
    """Notes which functions of the rooms each test calls."""

    def __init__(self) -> None:
        self.found: list[Called] = []

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Watch one test."""
        functions: set[CodeType] = set()
        start = time.process_time()
        sys.setprofile(lambda frame, event, _: functions.add(frame.f_code))
        yield
        sys.setprofile(None)
        names = {
            f"{'/'.join(Path(code.co_filename).parts[-2:])}:{code.co_qualname.split('.<')[0]}"
            for code in functions
            if Path(code.co_filename).parent.name in ROOMS
        }
        seconds = time.process_time() - start
        self.found.append(Called(item.nodeid, seconds, frozenset(names)))


def _record(folder: Path) -> list[Called]:
    """Run all tests once, and note what each of them calls; the quickest come first."""
    notes = folder / "notes.pickle"

    def run() -> None:
        recorder = _Recorder()
        code = _run([f"{top}/{room}" for room in ROOMS for top in ("tests", "mpgk_core")], recorder)
        notes.write_bytes(pickle.dumps(recorder.found))
        os._exit(code)

    process = get_context("fork").Process(target=run)
    process.start()
    process.join()
    if process.exitcode != 0:
        sys.exit("The tests fail without any mutation.")
    found: list[Called] = pickle.loads(notes.read_bytes())
    return sorted(found, key=lambda called: called.seconds)


def _prepare(folder: Path) -> None:
    """Copy the tree, and import the engine and the tests, without compilation."""
    for part in ("mpgk_core", "tests", "pyproject.toml", "sample_graphs", "docs"):
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / part)
    for path in (folder / "tests").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        capped = re.sub(r"max_examples=[\d_]+", f"max_examples={MAX_EXAMPLES}", text)
        path.write_text(capped, encoding="utf-8")
    os.chdir(folder)
    os.environ |= {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(folder)}
    sys.path[:] = [str(folder), *(path for path in sys.path if Path(path).resolve() != ROOT)]
    sys.dont_write_bytecode = True
    importlib.import_module("tests.conftest")
    for room in ROOMS:
        for path in [*Path("tests", room).glob("*.py"), *Path("mpgk_core", room).glob("*.py")]:
            importlib.import_module(path.with_suffix("").as_posix().replace("/", "."))


def _report(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> None:
    """Draw mutants, try each, and print the score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("n_mutants", type=int)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    files = [path for room in ROOMS for path in sorted((ROOT / "mpgk_core" / room).glob("*.py"))]
    everything = [place for path in files for place in places(path)]
    drawn = random.Random(options.seed).sample(everything, options.n_mutants)
    chosen = [mutant_at(*place) for place in drawn]
    n_survivors = 0
    with TemporaryDirectory() as name:
        folder = Path(name)
        _prepare(folder)
        calls = _record(folder)
        for number, mutant in enumerate(chosen, 1):
            room = mutant.path.parent.name
            key = f"{room}/{mutant.path.name}:{mutant.function}"
            own = [c for c in calls if c.test.split("/")[1] == room]
            tests = [c.test for c in own if not mutant.function or key in c.functions]
            if not tests or survives(mutant, folder, tests):
                n_survivors += 1
                where = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
                _report(f"{number} survives {where}: {mutant.before} -> {mutant.after}")
            if number % 10 == 0:
                _report(f"{number} tried, {n_survivors} survive")
    score = 1 - n_survivors / len(chosen)
    _report(f"{len(chosen)} of {len(everything)} mutants, {score:.1%} killed")


if __name__ == "__main__":
    main()
