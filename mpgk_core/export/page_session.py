"""What a user has set up on a page whose settings are all in its address."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from mpgk_core.errors import InvalidParameterError
from mpgk_core.export.role_sources import GivenRoles
from mpgk_core.export.session import check_text
from mpgk_core.export.set_sources import GivenSet, NamedSet
from mpgk_core.graphs.recipes import GivenGraph
from mpgk_core.parameters import check_choice

PAGES = ("tuning", "variants", "graph_classification", "node_classification")
"""The pages that such a session can be of, as their addresses call them."""

CarriedData: TypeAlias = NamedSet | GivenGraph | GivenSet | GivenRoles
"""Data that an address cannot hold, or not everywhere."""

_MOST_SETTINGS = 200
_MOST_CHOICES = 200


@dataclass(frozen=True, eq=False)
class PageSession:
    """A page, its settings, and the data where the settings do not say where to get them.

    Parameters
    ----------
    page : str
        One of ``PAGES``.
    settings : mapping of str to tuple of str
        What stands in the address of the page, by the key of the control.
    data : NamedSet, GivenGraph, GivenSet, GivenRoles, optional

    Examples
    --------
    >>> PageSession("tuning", {"tune-last": ("4",)}).settings["tune-last"]
    ('4',)
    >>> PageSession("garden", {})
    Traceback (most recent call last):
        ...
    mpgk_core.errors.InvalidParameterError: The 'page' parameter of PageSession must be one of
    'tuning', 'variants', 'graph_classification', 'node_classification'. Got 'garden' instead.
    """

    page: str
    settings: Mapping[str, tuple[str, ...]]
    data: CarriedData | None = None

    def __post_init__(self) -> None:
        check_choice(self.page, PAGES, "page", "PageSession")
        if len(self.settings) > _MOST_SETTINGS:
            raise InvalidParameterError(
                f"There are {len(self.settings):,} settings, and at most {_MOST_SETTINGS} are "
                "kept. Leave some out."
            )
        for key, values in self.settings.items():
            check_text(key, "settings", "PageSession")
            _check_values(key, values)
        object.__setattr__(self, "settings", MappingProxyType(dict(self.settings)))


def _check_values(key: str, values: Any) -> None:
    if not isinstance(values, tuple) or len(values) > _MOST_CHOICES:
        raise InvalidParameterError(
            f"The setting {key!r} must be a tuple of at most {_MOST_CHOICES} texts. Got "
            f"{type(values).__name__} instead."
        )
    for value in values:
        check_text(value, key, "PageSession")
