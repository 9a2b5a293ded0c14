"""List the files that a task passes through: a slider move, an upload, one fold of a run.

A file counts if one of its functions runs; modules that are only imported do not count.

``python -m scripts.trace_hops`` prints the lists.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

import networkx as nx
from streamlit.testing.v1 import AppTest, local_script_runner

from mpgk_core.evaluation import ClassificationTask, KernelSpec, Protocol
from mpgk_core.graphs import GraphSet

ROOT = Path(__file__).parents[1]
_FOLDERS = ("mpgk_core", "ui", "pages")


@contextmanager
def files_in_use() -> Iterator[set[str]]:
    """Collect the files of the project in which functions run, in all threads."""
    found: set[str] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_name != "<module>":
            path = Path(code.co_filename)
            if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in _FOLDERS:
                found.add(str(path.relative_to(ROOT)))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]  # the stub leaves None out


def slider_move() -> set[str]:
    """Move α on the playground; as in a browser, only the fragment with the sliders runs again."""
    app = _playground()
    (fragment,) = app._fragment_storage._fragments
    only_fragment = partial(local_script_runner.RerunData, fragment_id=fragment)
    with patch.object(local_script_runner, "RerunData", only_fragment), files_in_use() as found:
        app.slider(key="alpha").set_value(0.55).run()
    return found


def upload() -> set[str]:
    """Upload an edge list on the playground."""
    app = _playground(source="file")
    with files_in_use() as found:
        app.file_uploader(key="upload").set_value(("a.csv", b"a,b\nb,c\nc,d\n", "text/csv")).run()
    return found


def one_fold() -> set[str]:
    """Evaluate one kernel in one fold of a graph classification."""
    made = [make(n) for make in (nx.cycle_graph, nx.star_graph) for n in range(3, 13)]
    protocol = Protocol(n_folds=5, n_repeats=1)
    classes = ("ring",) * 10 + ("star",) * 10
    graphs = GraphSet.from_networkx(made)
    task = ClassificationTask(graphs, classes, (KernelSpec.of("AA"),), protocol)
    unit = task.units()[0]
    with files_in_use() as found:
        task.run(unit, {})
    return found


def _playground(**query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def main() -> None:
    """Print the files of every task."""
    tasks: dict[str, Callable[[], set[str]]] = {
        "slider move": slider_move,
        "fold": one_fold,
        "upload": upload,
    }
    for name, task in tasks.items():
        found = sorted(task())
        lines = "\n  ".join([f"{name}: {len(found)} files", *found])
        sys.stdout.write(f"{lines}\n")


if __name__ == "__main__":
    main()
