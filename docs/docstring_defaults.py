"""What Griffe reads from docstrings, corrected by the signatures; see mkdocs.yml.

Griffe takes the first of several choices in braces for the default, and gives "alpha, beta" the
default of alpha.
"""

from __future__ import annotations

from typing import Any

from griffe import Class, DocstringSectionKind, Extension, Function, GriffeLoader


class DefaultsOfSignatures(Extension):
    """Let every parameter show the default of the signature."""

    def on_class(self, *, cls: Class, loader: GriffeLoader, **kwargs: Any) -> None:
        """Correct the docstring of a class."""
        _correct(cls)

    def on_function(self, *, func: Function, loader: GriffeLoader, **kwargs: Any) -> None:
        """Correct the docstring of a function."""
        _correct(func)


def _correct(described: Class | Function) -> None:
    if described.docstring is None:
        return
    defaults = {parameter.name: parameter.default for parameter in described.parameters}
    for section in described.docstring.parsed:
        if section.kind is DocstringSectionKind.parameters:
            for parameter in section.value:
                parameter.value = defaults.get(parameter.name)
