"""Which parameters suit a graph, or a set of graphs: sweeps over α, β, T and more.

Examples
--------
>>> import networkx as nx
>>> from mpgk_core.tuning import Grid, sweep
>>> found = sweep(nx.barbell_graph(10, 10), Grid(iterations=[3, 5]), ["recovered", "points"])
>>> found.n_done, found.best("recovered").T
(800, 5)
"""

from mpgk_core.tuning.grid import NEIGHBOURHOODS, Cell, Grid, Sweep
from mpgk_core.tuning.scores import SCORES, Score, score_problems
from mpgk_core.tuning.sweeps import SetSweepTask, SweepTask, VertexSweepTask, sweep, sweep_sets

__all__ = [
    "NEIGHBOURHOODS",
    "SCORES",
    "Cell",
    "Grid",
    "Score",
    "SetSweepTask",
    "Sweep",
    "SweepTask",
    "VertexSweepTask",
    "score_problems",
    "sweep",
    "sweep_sets",
]
