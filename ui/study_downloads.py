"""Files that every page offers: its graphs, and programs that compute its numbers again."""

from __future__ import annotations

from mpgk_core import GraphSet
from mpgk_core.takeaway import Study, notebook, script, study_file_name
from mpgk_core.writers import write_graphs
from ui.downloads import Download

__all__ = ["graph_files", "program_files"]


_HELD = (
    "With labels (“label”) and attributes (“attribute_1”, …); undirected, without weights, "
    "self-loops and classes."
)


def graph_files(study: Study, graphs: GraphSet, prefix: str) -> list[Download]:
    """Return the graphs as GraphML and JSON; ``prefix`` begins the keys."""
    what = "graph" if len(graphs) == 1 else "graphs"
    return [
        Download(
            f"{prefix}graphml",
            "GraphML",
            study_file_name(study, what, "graphml"),
            lambda: write_graphs(graphs, "graphml"),
            f"For Gephi, yEd, Cytoscape or networkx. {_HELD}",
        ),
        Download(
            f"{prefix}json",
            "JSON",
            study_file_name(study, what, "json"),
            lambda: write_graphs(graphs, "json"),
            f"As vertices and links. {_HELD}",
        ),
    ]


def program_files(study: Study, prefix: str) -> list[Download]:
    """Return a script and a notebook; ``prefix`` begins the keys."""
    return [
        Download(
            f"{prefix}script",
            "Python script",
            study_file_name(study, "script", "py"),
            lambda: script(study),
            "Computes the same numbers with mpgk_core, and saves them.",
        ),
        Download(
            f"{prefix}notebook",
            "Notebook",
            study_file_name(study, "notebook", "ipynb"),
            lambda: notebook(study),
            "The same for Jupyter, step by step and with pictures.",
        ),
    ]
