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


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three files with loops, each of which imports the one before, and a file without loops."""
    package = tmp_path / "mpgk_core"
    package.mkdir()
    uses = "from mpgk_core._compiled import compiled\n"
    sources = {
        "_compiled": uses,
        "base": uses,
        "middle": f"{uses}from mpgk_core.base import loop\n",
        "top": f"{uses}from mpgk_core.middle import (\n    loop)\nfrom mpgk_core.plain import x\n",
        "plain": "x = 1\n",
    }
    for name, text in sources.items():
        (package / f"{name}.py").write_text(text)
    monkeypatch.setattr(_compiled, "__file__", str(package / "_compiled.py"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    monkeypatch.setattr(_compiled, "_folder", _compiled._folder.__wrapped__)
    return package


def _folder(package: Path, name: str) -> Path:
    folder = _compiled._folder(package / f"{name}.py")
    assert folder is not None
    return folder


@pytest.mark.parametrize(
    ("edited", "compiled_anew"),
    [
        ("base", {"base", "middle", "top"}),
        ("middle", {"middle", "top"}),
        ("top", {"top"}),
        ("plain", set()),
        ("_compiled", {"base", "middle", "top"}),
    ],
)
def test_an_edited_file_compiles_its_own_loops_and_those_that_call_them(
    package: Path, edited: str, compiled_anew: set[str]
) -> None:
    loops = ("base", "middle", "top")
    before = {name: _folder(package, name) for name in loops}
    assert len(set(before.values())) == 3
    path = package / f"{edited}.py"
    path.write_text(f"{path.read_text()}# edited\n")
    after = {name: _folder(package, name) for name in loops}
    assert {name for name in loops if before[name] != after[name]} == compiled_anew


def test_folders_of_earlier_sources_are_found(package: Path) -> None:
    old = [_folder(package, name) for name in ("base", "middle", "top")]
    assert _compiled.other_versions() == []
    (package / "middle.py").write_text("from mpgk_core._compiled import compiled\n# edited\n")
    assert _compiled.other_versions() == sorted(old[1:])
    assert old[0].is_dir()


def test_code_of_a_package_that_cannot_be_written_is_taken_over(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Path.home()
    folder = _folder(package, "base")
    assert folder.is_relative_to(package)
    (folder / "loops").mkdir()
    (folder / "loops" / "code.nbc").write_bytes(b"code")
    monkeypatch.setattr(os, "access", lambda path, mode: not Path(path).is_relative_to(package))
    own = _folder(package, "base")
    assert own.is_relative_to(home)
    assert (own / "loops" / "code.nbc").read_bytes() == b"code"
    assert [path.name for path in own.parent.iterdir()] == [own.name]
    (own / "loops" / "code.nbc").write_bytes(b"newer")
    assert _folder(package, "base") == own
    assert (own / "loops" / "code.nbc").read_bytes() == b"newer"
