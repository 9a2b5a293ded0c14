"""The documentation is true: programs run, links lead to files, tables are complete."""

import re
import tomllib
from contextlib import redirect_stdout
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest

import mpgk_core
from mpgk_core.formats import Bounds
from scripts.check_site import outside_resources
from scripts.serve_class import class_settings

ROOT = Path(__file__).parents[1]
PAGES = [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*.md"))]
PAGES += [ROOT / "lessons" / "README.md", ROOT / "sample_graphs" / "README.md"]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)(?:#[^)\s]*)?\)")
VARIABLE = re.compile(r"MPGK_[A-Z0-9_]*[A-Z0-9]")


def relative(path):
    return str(path.relative_to(ROOT))


def blocks(path):
    """Return pairs of language and content."""
    return BLOCK.findall(path.read_text("utf-8"))


def programs(path):
    """Return the Python blocks of a page, each with what it should print."""
    return [
        (code, output if kind == "text" else None)
        for (language, code), (kind, output) in pairwise([*blocks(path), ("", "")])
        if language == "python"
    ]


WITH_PROGRAMS = [page for page in PAGES if programs(page)]


def test_programs_are_found():
    names = {relative(page) for page in WITH_PROGRAMS}
    assert {"README.md", "docs/tutorials/library.md", "docs/guides/own-data.md"} <= names


@pytest.mark.parametrize("page", WITH_PROGRAMS, ids=relative)
def test_programs_print_what_stands_below_them(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    namespace = {}
    for code, expected in programs(page):
        printed = StringIO()
        with redirect_stdout(printed):
            exec(compile(code, relative(page), "exec"), namespace)
        if expected is not None:
            assert printed.getvalue() == expected


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_links_lead_to_files(page):
    without_code = BLOCK.sub("", page.read_text("utf-8"))
    missing = [link for link in LINK.findall(without_code) if not (page.parent / link).exists()]
    assert not missing


ABOUT_THE_APP = [ROOT / "docs/tutorials/app.md", *sorted((ROOT / "docs/guides").glob("*.md"))]


@pytest.mark.parametrize("page", ABOUT_THE_APP, ids=relative)
def test_bold_words_are_on_screen(page):
    on_screen = (ROOT / "tests/app/words_on_screen.txt").read_text("utf-8").lower()
    on_screen += (ROOT / "app.py").read_text("utf-8").lower()
    bold = re.findall(r"\*\*([^*]+)\*\*", page.read_text("utf-8"))
    assert not [words for words in bold if " ".join(words.lower().split()) not in on_screen]


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[2]
    pages = [str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")]
    assert not [page for page in pages if page not in navigation]


def test_every_environment_variable_is_described():
    folders = ("mpgk_core", "ui", "pages", "scripts", "benchmarks")
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    used = {name for path in sources for name in VARIABLE.findall(path.read_text("utf-8"))}
    used |= {f"MPGK_MAX_{limit.upper()}" for limit in vars(Bounds())}
    table = (ROOT / "docs" / "reference" / "environment.md").read_text("utf-8")
    described = set(VARIABLE.findall(table))
    assert described == used - {"MPGK_MAX"}


def test_limits_of_files_are_those_of_the_code():
    table = (ROOT / "docs" / "reference" / "environment.md").read_text("utf-8")
    rows = re.findall(
        r"^\| `(MPGK_MAX_\w+)` \| [^|]+ \| ([^|]+) \| ([^|]+) \|$", table, re.MULTILINE
    )
    for name, default, in_class in rows:
        in_code = getattr(Bounds(), name.removeprefix("MPGK_MAX_").lower())
        assert as_number(default) == in_code
        assert as_number(in_class) == int(class_settings({}).get(name, in_code))
    assert len(rows) == len(vars(Bounds()))


def as_number(text):
    """Return the number that "20 MB" or "20,000" stands for."""
    number, _, unit = text.replace(",", "").partition(" ")
    return int(number) * {"": 1, "MB": 10**6, "GB": 10**9}[unit]


def test_every_public_package_is_in_the_reference():
    public = {path.parent.name for path in (ROOT / "mpgk_core").glob("[a-z]*/__init__.py")}
    pages = "\n".join(page.read_text("utf-8") for page in (ROOT / "docs/reference").glob("*.md"))
    shown = set(re.findall(r"^::: mpgk_core\.(\w+)$", pages, re.MULTILINE))
    assert shown == (public | {"errors"}) - {"cli"}


def test_versions_agree():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert mpgk_core.__version__ == version
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"{{{version}}}" in (ROOT / "docs" / "cite.md").read_text("utf-8")
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest
    assert version.startswith(newest[1])


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("a.html", '<script src="https://cdn.example.org/x.js"></script>'),
        ("a.html", '<link rel="stylesheet" href="//fonts.example.org/css">'),
        ("a.html", '<p style="background: url(https://example.org/x.png)">'),
        ("a.html", '<script>fetch("https://example.org/count")</script>'),
        ("a.css", '@import "https://example.org/a.css";'),
        ("a.css", "@font-face { src: url('https://example.org/a.woff2') }"),
        ("a.js", "import('https://unpkg.com/something')"),
        ("a.svg", '<svg><image src="http://example.org/x.png"/></svg>'),
    ],
)
def test_what_a_page_loads_from_outside_is_found(file, content, tmp_path):
    (tmp_path / file).write_text(content)
    assert [path.name for path, _ in outside_resources(tmp_path)] == [file]


def test_links_to_the_outside_and_files_of_the_site_are_allowed(tmp_path):
    page = (
        '<a href="https://arxiv.org">a</a><img src="images/x.png"><link rel="canonical" href="/">'
    )
    (tmp_path / "a.html").write_text(page)
    (tmp_path / "a.css").write_text("a { background: url(data:image/png;base64,AA==) }")
    assert not list(outside_resources(tmp_path))
