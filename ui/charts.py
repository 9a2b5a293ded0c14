"""How the charts of all pages behave: no foreign logo, and saved as SVG under a telling name."""

from __future__ import annotations

from typing import Any

from mpgk_core.takeaway import file_name

__all__ = ["camera_config", "chart_config"]


def chart_config(*parts: object) -> dict[str, Any]:
    """Return plotly's settings; the parts say what the saved picture shows."""
    name = file_name(*parts, extension="svg").removesuffix(".svg")
    return {"displaylogo": False, "toImageButtonOptions": {"format": "svg", "filename": name}}


def camera_config(*parts: object) -> dict[str, Any]:
    """Return the same for small charts: of the buttons, only the one that saves is shown."""
    return chart_config(*parts) | {"modeBarButtons": [["toImage"]]}
