"""The wheel, installed where there is no source tree, brings samples, lessons and the program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from mpgk_core.lessons import lesson_files

ROOT = Path(__file__).parents[1]
BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
USE = """
import json
import mpgk_core
from mpgk_core.datasets import load, samples
from mpgk_core.export import KernelParameters, NodeStudy, PresetGraph, report, script
from mpgk_core.lessons import glossary, lessons
print(json.dumps({
    "place": mpgk_core.__file__, "graphs": len(load("MUTAG").graphs), "samples": len(samples()),
    "lessons": [lesson.key for lesson in lessons()], "terms": len(glossary()),
    "report": "color-scheme" in report("A report", [], {}),
    "script": script(NodeStudy(PresetGraph("path"), KernelParameters())),
}))
"""


def run(*command: object, cwd: Path, env: dict[str, str] | None = None) -> str:
    """Run a program and return what it prints."""
    done = subprocess.run(list(map(str, command)), cwd=cwd, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_installed(*command: object, cwd: Path) -> str:
    """Run a program that knows nothing of this process, without waiting for machine code."""
    silent = {key: value for key, value in os.environ.items() if not key.startswith("MPGK_")}
    silent.pop("PYTHONPATH", None)
    return run(*command, cwd=cwd, env=silent | {"NUMBA_DISABLE_JIT": "1"})


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has the wheel, and of this one only the libraries."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    nothing_made = shutil.ignore_patterns("__pycache__")
    for name in ("mpgk_core", "lessons", "sample_graphs"):
        shutil.copytree(ROOT / name, source / name, ignore=nothing_made)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    run(sys.executable, "-c", BUILD, folder, cwd=source)
    shutil.rmtree(source)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "empty")
    paths = sysconfig.get_paths("venv", {"base": str(folder / "empty")})
    python = Path(paths["scripts"]) / Path(sys.executable).name
    install = ("install", "--quiet", "--no-index", "--no-deps", wheel)
    run(sys.executable, "-m", "pip", "--python", python, *install, cwd=folder)
    # A path that a .pth file names is searched, but its own .pth files (this source tree) are not.
    libraries = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (Path(paths["purelib"]) / "libraries.pth").write_text("\n".join(sorted(libraries)))
    return python.parent


def test_samples_and_lessons_come_along(scripts: Path, tmp_path: Path) -> None:
    found = json.loads(run_installed(scripts / "python", "-I", "-c", USE, cwd=tmp_path))
    assert Path(found["place"]).is_relative_to(scripts.parent)
    assert found["graphs"] == 188
    assert found["samples"] == len(json.loads((ROOT / "sample_graphs/samples.json").read_text()))
    assert len(found["lessons"]) == len(lesson_files(ROOT / "lessons")) > 0
    assert found["terms"] > 0
    assert found["report"]
    assert "orbits(graph)" in found["script"]


def test_the_program_is_installed_and_finds_samples_by_name(scripts: Path, tmp_path: Path) -> None:
    assert "info" in run_installed(scripts / "mpgk", "--help", cwd=tmp_path)
    assert "34" in run_installed(scripts / "mpgk", "info", "karate_club", cwd=tmp_path)
