"""What MkDocs does for this project besides its own work; see ``hooks`` in mkdocs.yml.

The page of equations names functions and tests; in the site each name leads to its line of code.
``::: mpgk_core.kernels`` in a page stands for the docstring of the package and for all names of its
``__all__``, wherever they are defined.


Pages link to files outside of docs/ the way a code host wants it, for example
``../benchmarks/RESULTS.md`` or ``../mpgk_core/kernels/update.py``. Every such file becomes a page
under ``repository/``, so that the links work in the site too and nothing is copied by hand.
Formulas become MathML, so that a browser needs no script to show them; a font with the signs of
mathematics comes with the site, since not every computer has one.
"""

from __future__ import annotations

import ast
import html
import posixpath
import re
from importlib.resources import files as files_of
from pathlib import Path

from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"(?<=\]\()(?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?(?=\))")
PACKAGE = re.compile(r"^::: (mpgk_core(?:\.\w+)*)$", re.MULTILINE)
SYMBOL = re.compile(r"`((mpgk_core(?:\.\w+)+)|(tests/[\w/]+\.py)::(\w+))`")
LINE = re.compile(r"#L(\d+)(?:-L?\d+)?$")
FORMULA = re.compile(
    r'<(?P<tag>span|div) class="arithmatex">\\[(\[](?P<latex>.*?)\\[)\]]</(?P=tag)>', re.DOTALL
)
ROLE = re.compile(r":(?:class|func|meth|data|attr|mod|exc):<code>~?([\w.]+)</code>")
SHOWN = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "benchmarks/RESULTS.md",
    "lessons/README.md",
    "sample_graphs/README.md",
)
"""Files of the repository that the navigation names, as pages under ``repository/``."""
LANGUAGES = {".py": "python", ".toml": "toml", ".cff": "yaml", ".yml": "yaml", ".json": "json"}

FONT = "STIXTwoMath-Regular.ttf"
"""Under the SIL Open Font License; the package ziamath brings it."""

_PAGES: set[str] = set()
"""Files of the repository outside of docs/ that have a page."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for every file of the repository that the pages or the navigation name."""
    waiting = [f"docs/{file.src_uri}" for file in files.documentation_pages()]
    waiting += SHOWN
    while waiting:
        path = waiting.pop()
        if files.get_file_from_path(_in_site(path)) is None:
            content = _as_page(path)
            _PAGES.add(path)
            files.append(File.generated(config, _in_site(path), content=content))
        if path.endswith(".md"):
            targets = (_target(path, link) for link, _ in LINK.findall(_text(path)))
            waiting += [
                target
                for target in targets
                if (ROOT / target).is_file()
                and not target.startswith("docs/")
                and files.get_file_from_path(_in_site(target)) is None
            ]
    font = str(files_of("ziamath") / "fonts" / FONT)
    files.append(File.generated(config, f"stylesheets/{FONT}", abs_src_path=font))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links lead to the pages of files, and list the public names of packages."""
    here = page.file.src_uri
    path = next((path for path in _PAGES if _in_site(path) == here), f"docs/{here}")
    if not path.endswith(".md"):
        return markdown

    def led(link: re.Match[str]) -> str:
        target = _in_site(_target(path, link[1]))
        anchor = LINE.sub(r"#__codelineno-0-\1", link[2] or "")
        return posixpath.relpath(target, posixpath.dirname(here) or ".") + anchor

    return PACKAGE.sub(_public_names, LINK.sub(led, _with_lines(markdown, path)))


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Write formulas as MathML, and Sphinx's roles in docstrings as links."""
    return FORMULA.sub(_as_mathml, ROLE.sub(_as_reference, html))


def _as_mathml(formula: re.Match[str]) -> str:
    latex = html.unescape(formula["latex"]).strip()
    if formula["tag"] == "div":
        return f'<div class="formula">{convert(latex, display="block")}</div>'
    return convert(latex)


def _as_reference(role: re.Match[str]) -> str:
    name = role[1].rpartition(".")[2]
    return f'<autoref identifier="{role[1]}" optional><code>{name}</code></autoref>'


def _public_names(directive: re.Match[str]) -> str:
    """Return a heading for a package or module, and a directive for each of its public names."""
    package = directive[1]
    path = ROOT / package.replace(".", "/")
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    tree = ast.parse(source.read_text("utf-8"))
    homes = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    names = [homes.get(name, f"{package}.{name}") for name in _exported(tree)]
    options = "    options:\n      heading_level: 3\n"
    text = [f"## `{package}`\n\n::: {package}\n{options}      members: false\n"]
    root = "      show_root_heading: true\n      show_root_toc_entry: true\n"
    text += [f"::: {name}\n{options}{root}" for name in names]
    return "\n".join(text)


def _exported(tree: ast.Module) -> list[str]:
    """Return the names of ``__all__``, or else those that are defined without an underscore."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return sorted(ast.literal_eval(node.value), key=_kind)
    defined = (node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef))
    return [node.name for node in defined if not node.name.startswith("_")]


def _kind(name: str) -> tuple[int, str]:
    """Sort classes before functions, and both before constants."""
    return (2 if name.isupper() else 0 if name[0].isupper() else 1), name


def _target(path: str, link: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), link))


def _in_site(path: str) -> str:
    """Return where a file of the repository lies among the pages."""
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return f"repository/{path.removesuffix('.md').removesuffix('/README')}.md"


def _text(path: str) -> str:
    return _with_lines((ROOT / path).read_text("utf-8"), path)


def _with_lines(markdown: str, path: str) -> str:
    """Let the functions and tests that the page of equations names lead to their lines."""
    return SYMBOL.sub(_with_line, markdown) if path == "docs/equations.md" else markdown


def _with_line(symbol: re.Match[str]) -> str:
    if symbol[2]:
        file, names = _module_of(symbol[2].split("."))
    else:
        file, names = symbol[3], [symbol[4]]
    scope: list[ast.stmt] = ast.parse((ROOT / file).read_text("utf-8")).body
    line = 1
    for name in names:
        found = [node for node in scope if getattr(node, "name", None) == name]
        if not found:
            raise PluginError(f"docs/equations.md: there is no {name} in {file}.")
        scope, line = getattr(found[0], "body", []), found[0].lineno
    shown = symbol[4] or symbol[2].removeprefix("mpgk_core.")
    return f"[`{shown}`](../{file}#L{line})"


def _module_of(parts: list[str]) -> tuple[str, list[str]]:
    """Split a dotted name into the file of its module and the names inside it."""
    for length in range(len(parts), 0, -1):
        file = "/".join(parts[:length]) + ".py"
        if (ROOT / file).is_file():
            return file, parts[length:]
    raise PluginError(f"docs/equations.md: there is no module of {'.'.join(parts)}.")


def _as_page(path: str) -> str:
    if path.endswith(".md"):
        return _text(path)
    fence = "`" * 5
    language = LANGUAGES.get(Path(path).suffix, "text")
    numbered = f'{fence}{{ .{language} linenums="1" }}'
    return f"---\nhide: [toc]\n---\n\n# `{path}`\n\n{numbered}\n{_text(path)}\n{fence}\n"
