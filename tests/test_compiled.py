"""Machine code is kept as long as nothing that it depends on has changed."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

import mpgk_core
from mpgk_core import _compiled
from mpgk_core._compiled import files_with_loops

ROOT = Path(mpgk_core.__file__).parent
LOOPS = files_with_loops()


def _names_from_other_files(tree: ast.Module) -> set[str]:
    """Return what a file imports from files of the package without loops."""
    names = set()
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith(
            "mpgk_core"
        ):
            path = ROOT.parent / f"{statement.module.replace('.', '/')}.py"
            if path not in LOOPS:
                names |= {alias.asname or alias.name for alias in statement.names}
    return names


def _is_compiled(function: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "compiled" for d in function.decorator_list)


def test_there_are_files_with_loops() -> None:
    assert ROOT / "kernels" / "clustering.py" in LOOPS


@pytest.mark.parametrize("path", LOOPS, ids=lambda path: path.stem)
def test_a_loop_uses_nothing_from_files_that_its_cache_does_not_watch(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    foreign = _names_from_other_files(tree)
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and _is_compiled(function):
            used = {
                node.id
                for node in ast.walk(ast.Module(function.body, []))
                if isinstance(node, ast.Name)
            }
            assert not used & foreign, f"{function.name} uses {used & foreign}"


def test_code_of_a_package_that_cannot_be_written_is_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package, home = tmp_path / "package", tmp_path / "home"
    monkeypatch.setattr(_compiled, "__file__", str(package / "_compiled.py"))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setattr(_compiled, "_digest_of_sources", lambda: "version")
    folder = _compiled._folder.__wrapped__()
    assert folder.is_relative_to(package)
    (folder / "loops").mkdir()
    (folder / "loops" / "code.nbc").write_bytes(b"code")
    monkeypatch.setattr(os, "access", lambda path, mode: not Path(path).is_relative_to(package))
    own = _compiled._folder.__wrapped__()
    assert own.is_relative_to(home)
    assert (own / "loops" / "code.nbc").read_bytes() == b"code"
    assert [path.name for path in own.parent.iterdir()] == [own.name]
    (own / "loops" / "code.nbc").write_bytes(b"newer")
    assert _compiled._folder.__wrapped__() == own
    assert (own / "loops" / "code.nbc").read_bytes() == b"newer"
