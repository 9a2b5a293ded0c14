"""Downloads of tuning: cells, report, programs and the graph."""

from __future__ import annotations

from dataclasses import asdict
from math import isnan
from typing import Any

from mpgk_core.evaluation.tables import as_csv
from mpgk_core.export import ClassifiedGraphs, ReportFigure, ReportTable, SweepStudy, report
from mpgk_core.graphs.features import resolved_features
from mpgk_core.plotting.sweep_figures import (
    heat_map_figure,
    heat_map_words,
    rounds_figure,
    rounds_words,
)
from mpgk_core.tuning import Cell, SetSweepTask, Sweep, VertexSweepTask
from mpgk_core.tuning.sweeps import SweepTask
from ui.shared.downloads import Offer, download_row
from ui.state.choices import ChosenGraph
from ui.tuning.views import SweepView, majority_of


def vertex_sweep_downloads(
    chosen: ChosenGraph, task: VertexSweepTask, sweep: Sweep, view: SweepView
) -> None:
    """Offer a sweep over the vertices of a graph, and the graph."""
    study = SweepStudy(chosen.source, task.grid, task.scores, task.n_folds, task.random_state)
    _downloads(study, sweep, view, "tune-", task)
    download_row("The graph", Offer(study, "tune-").graphs(chosen.graph))


def set_sweep_downloads(
    data: ClassifiedGraphs, task: SetSweepTask, sweep: Sweep, view: SweepView
) -> None:
    """Offer a sweep over a set of graphs."""
    rules = task.protocol
    study = SweepStudy(data, task.grid, ("recovered",), rules.n_folds, rules.random_state)
    _downloads(study, sweep, view, "tune-set-", task)


def _downloads(
    study: SweepStudy, sweep: Sweep, view: SweepView, prefix: str, task: SweepTask
) -> None:
    offer = Offer(study, prefix)
    cells = offer.file("csv", "Cells as CSV", ("sweep", "csv"), lambda: as_csv(sweep.rows()))
    page = offer.report(lambda: tuning_report(study, sweep, view, task))
    download_row("The sweep", [cells, page])
    download_row("Python code for all cells", offer.programs())


def tuning_report(study: SweepStudy, sweep: Sweep, view: SweepView, task: SweepTask) -> str:
    """Return the map and the rounds that are shown, a map of every other score, and the best."""
    best = {name: sweep.best(name) or view.best for name in sweep.titles}
    others = [name for name in best if name != view.score]
    rounds = ReportFigure(
        rounds_figure(sweep, view.score, view.cell),
        f"{sweep.titles[view.score]} over the number of rounds.",
        rounds_words(sweep, view.score, view.cell),
    )
    maps = [_map(sweep, view.score, view.cell), *(_map(sweep, one, best[one]) for one in others)]
    figures = [maps[0], rounds, *maps[1:]]
    notes = [
        f"{sweep.n_done:,} of {sweep.n_cells:,} cells have been tried.",
        "The best of many is optimistically biased.",
    ]
    tables = [_table(sweep, view, best, majority_of(task))]
    return report(study.title, figures, _parameters(study, task), tables, notes)


def _map(sweep: Sweep, score: str, cell: Cell) -> ReportFigure:
    return ReportFigure(
        heat_map_figure(sweep, score, cell),
        f"{sweep.titles[score]} for every α and β, at T = {cell.T}. The star is the best cell.",
        heat_map_words(sweep, score, cell),
    )


def _table(
    sweep: Sweep, view: SweepView, best: dict[str, Cell], majority: float | None
) -> ReportTable:
    named = {f"best by {sweep.titles[name].lower()}": cell for name, cell in best.items()}
    rows = [
        [words, *cell, *(_score(sweep, name, cell) for name in sweep.titles)]
        for words, cell in {**named, "selected": view.cell}.items()
    ]
    if majority is not None:
        scores = (f"{majority:.6g}" if name == "accuracy" else "" for name in sweep.titles)
        rows.append(["majority class", "", "", "", "", "", *scores])
    header = ("cell", "kernel", "initial features", "α", "β", "T", *sweep.titles.values())
    return ReportTable("Cells", header, rows)


def _score(sweep: Sweep, name: str, cell: Cell) -> str:
    value = sweep.score(name, cell)
    return "not tried yet" if isnan(value) else f"{value:.6g}"


def _parameters(study: SweepStudy, task: SweepTask) -> dict[str, Any]:
    grid = {
        key: ", ".join(map(str, value)) if isinstance(value, tuple) else value
        for key, value in asdict(study.grid).items()
    }
    if "auto" in study.grid.features:
        grid["features: auto"] = resolved_features("auto", task.graphs)
    return {
        "graph" if study.is_about_vertices else "data set": study.data.name,
        **grid,
        **({"scores": ", ".join(study.scores)} if study.is_about_vertices else {}),
        "folds": study.n_folds,
        "seed of the folds": study.random_state,
    }
