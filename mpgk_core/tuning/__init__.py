"""Which parameters suit a graph, or a set of graphs: sweeps over α, β, T and more.

>>> import networkx as nx
>>> from mpgk_core.tuning import Grid, sweep
>>> found = sweep(nx.barbell_graph(10, 10), Grid(iterations=[3, 5]), ["recovered", "points"])
>>> found.n_done, found.best("recovered").T
(800, 5)
"""

from mpgk_core.tuning.grid import NEIGHBOURHOODS, Cell, Grid
from mpgk_core.tuning.possible_scores import score_problems
from mpgk_core.tuning.record import Progress, ScoredCell
from mpgk_core.tuning.result import Sweep
from mpgk_core.tuning.scores import SCORES, Score
from mpgk_core.tuning.set_sweep import sweep_sets, sweep_sets_steps
from mpgk_core.tuning.vertex_sweep import sweep, sweep_steps

__all__ = [
    "NEIGHBOURHOODS",
    "SCORES",
    "Cell",
    "Grid",
    "Progress",
    "Score",
    "ScoredCell",
    "Sweep",
    "score_problems",
    "sweep",
    "sweep_sets",
    "sweep_sets_steps",
    "sweep_steps",
]
