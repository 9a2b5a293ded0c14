"""Make the files of ``sample_graphs``: ``python -m scripts.make_sample_graphs``.

``sample_graphs/samples.json`` describes them and is written by hand; the README there follows
from it. MUTAG is copied from GraKeL and QM9 from qm9pack, which must be installed.
"""

from __future__ import annotations

import ast
import csv
import importlib.util
import io
import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path

import networkx as nx
import numpy as np

from mpgk_core import GraphSet
from mpgk_core.datasets import samples
from mpgk_core.formats import write_graphs
from mpgk_core.formats.archives import packed
from mpgk_core.graphs.generators import houses_on_a_ring

FOLDER = Path(__file__).parents[1] / "sample_graphs"

WEALTH = {
    "Acciaiuoli": 10,
    "Albizzi": 36,
    "Barbadori": 55,
    "Bischeri": 44,
    "Castellani": 20,
    "Ginori": 32,
    "Guadagni": 8,
    "Lamberteschi": 42,
    "Medici": 103,
    "Pazzi": 48,
    "Peruzzi": 49,
    "Ridolfi": 27,
    "Salviati": 10,
    "Strozzi": 146,
    "Tornabuoni": 48,
}
CAFFEINE = (
    "N1-C2 C2-N3 N3-C4 C4-C5 C5-C6 C6-N1 C5-N7 N7-C8 C8-N9 N9-C4 C2-O2 C6-O6 N1-C1m N3-C3m N7-C7m"
)
EATEN_BY = {
    "algae": ["mayfly", "snail", "tadpole"],
    "pondweed": ["mayfly", "snail", "tadpole"],
    "mayfly": ["minnow", "newt"],
    "snail": ["minnow", "newt"],
    "tadpole": ["minnow", "newt", "water beetle"],
    "minnow": ["heron", "pike"],
    "newt": ["heron", "pike"],
    "water beetle": ["heron"],
    "heron": [],
    "pike": [],
}
KITE = ["Andre", "Beverley", "Carol", "Diane", "Ed", "Fernando", "Garth", "Heather", "Ike", "Jane"]
QM9_TARGETS = {
    "mu": "Dipole_debye",
    "alpha": "Polarizability_bohr3",
    "homo": "HOMO_au",
    "lumo": "LUMO_au",
    "gap": "HOMO_LUMO_gap_au",
    "r2": "R2_bohr2",
    "zpve": "ZPVE_au",
    "u0": "InternalEnergy_0K_au",
    "u298": "InternalEnergy_298K_au",
    "h298": "Enthalphy_298K_au",
    "g298": "GibbsFreeEnergy_298K_au",
    "cv": "Heatcapacity_Cv_cal_mol_K",
}
FREE_ATOMS = {"H": -0.500273, "C": -37.846772, "N": -54.583861, "O": -75.064579, "F": -99.71873}
"""Energies of single atoms at 0 K, in Hartree, as they come with QM9."""

KCAL_PER_HARTREE = 627.509
QM9_MOLECULES = 2_000
SKIPS = [2, 3, 4, 5, 6, 9, 11, 12, 13, 16]


def barbell() -> bytes:
    """Return two cliques of ten, joined by a path of ten."""
    content = io.BytesIO()
    nx.write_graphml_xml(nx.barbell_graph(10, 10), content)
    return content.getvalue()


def karate_club() -> bytes:
    """Return Zachary's club, numbered from 1 as in his paper."""
    club = nx.get_node_attributes(nx.karate_club_graph(), "club")
    graph = nx.Graph((u + 1, v + 1) for u, v in nx.karate_club_graph().edges)
    nx.set_node_attributes(graph, {v + 1: name for v, name in club.items()}, "club")
    return _lines(nx.generate_gml(_in_order(graph)))


def florentine_families() -> bytes:
    """Return marriages between families, with the wealth of each."""
    number = {family: i for i, family in enumerate(WEALTH)}
    nodes = [
        f'      <node id="{number[family]}" label="{family}">'
        f'<attvalues><attvalue for="0" value="{wealth}"/></attvalues></node>'
        for family, wealth in WEALTH.items()
    ]
    pairs = sorted(sorted(map(number.get, edge)) for edge in nx.florentine_families_graph().edges)
    edges = [f'      <edge id="{i}" source="{u}" target="{v}"/>' for i, (u, v) in enumerate(pairs)]
    return _lines(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<gexf xmlns="http://gexf.net/1.3" version="1.3">',
            '  <graph defaultedgetype="undirected">',
            '    <attributes class="node">',
            '      <attribute id="0" title="wealth" type="integer"/>',
            "    </attributes>",
            "    <nodes>",
            *nodes,
            "    </nodes>",
            "    <edges>",
            *edges,
            "    </edges>",
            "  </graph>",
            "</gexf>",
        ]
    )


def caffeine() -> bytes:
    """Return the atoms of caffeine, hydrogen left out, as Cytoscape exports networks."""
    bonds = [bond.split("-") for bond in CAFFEINE.split()]
    atoms = sorted({atom for bond in bonds for atom in bond}, key=lambda atom: (atom[1:], atom))
    nodes = [{"data": {"id": atom, "element": atom[0]}} for atom in atoms]
    edges = [
        {"data": {"id": "=".join(ends), "source": ends[0], "target": ends[1]}} for ends in bonds
    ]
    return _json({"data": {"name": "caffeine"}, "elements": {"nodes": nodes, "edges": edges}})


def decalin_and_bicyclopentyl() -> bytes:
    """Return two fused rings of six, and two rings of five joined by a bond."""
    decalin = nx.cycle_graph(10)
    decalin.add_edge(0, 5)
    bicyclopentyl = nx.disjoint_union(nx.cycle_graph(5), nx.cycle_graph(5))
    bicyclopentyl.add_edge(0, 5)
    return _graph6(decalin, bicyclopentyl)


def shrikhande_and_rook() -> bytes:
    """Return the two strongly regular graphs with parameters (16, 6, 2, 2)."""
    cells = [(i, j) for i in range(4) for j in range(4)]
    steps = {(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)}
    shrikhande = [
        (a, b) for a in cells for b in cells if ((a[0] - b[0]) % 4, (a[1] - b[1]) % 4) in steps
    ]
    rook = [(a, b) for a in cells for b in cells if (a[0] == b[0]) != (a[1] == b[1])]
    number = {cell: i for i, cell in enumerate(cells)}
    return _graph6(
        *(nx.Graph((number[a], number[b]) for a, b in edges) for edges in (shrikhande, rook))
    )


def houses() -> bytes:
    """Return four houses on a ring, with the role of every vertex."""
    graph = houses_on_a_ring(houses=4, spacing=3)
    nodes = [{"id": v, "role": role} for v, role in graph.nodes("label")]
    edges = [{"source": u, "target": v} for u, v in graph.edges]
    return _json(
        {"directed": False, "multigraph": False, "graph": {}, "nodes": nodes, "links": edges}
    )


def petersen() -> bytes:
    """Return the lower half of the adjacency matrix of the Petersen graph."""
    entries = sorted((max(u, v) + 1, min(u, v) + 1) for u, v in nx.petersen_graph().edges)
    return _lines(
        [
            "%%MatrixMarket matrix coordinate pattern symmetric",
            "% The Petersen graph",
            f"10 10 {len(entries)}",
            *(f"{row} {column}" for row, column in entries),
        ]
    )


def les_miserables() -> bytes:
    """Return who meets whom in the novel, weighted by the number of chapters."""
    graph = nx.les_miserables_graph()
    number = {name: i for i, name in enumerate(graph, start=1)}
    edges = sorted((number[u], number[v], weight) for u, v, weight in graph.edges(data="weight"))
    return _lines(
        [
            f"*Vertices {len(graph)}",
            *(f'{i} "{name}"' for name, i in number.items()),
            "*Edges",
            *(f"{u} {v} {weight}" for u, v, weight in edges),
        ]
    )


def binary_tree() -> bytes:
    """Return a binary tree of five generations."""
    edges = (f"{u} {v}" for u, v in nx.balanced_tree(2, 4).edges)
    return _lines(["# A binary tree: one line per edge, the root is vertex 0.", *edges])


def pond() -> bytes:
    """Return who is eaten by whom in a made-up pond, as a matrix with names."""
    rows = (
        ",".join([prey, *(str(int(eater in eaters)) for eater in EATEN_BY)])
        for prey, eaters in EATEN_BY.items()
    )
    return _lines([",".join(["", *EATEN_BY]), *rows])


def southern_women() -> bytes:
    """Return women and the events that they attended, as a table of each."""
    graph = nx.davis_southern_women_graph()
    kind = {v: "woman" if side == 0 else "event" for v, side in graph.nodes("bipartite")}
    return packed(
        {
            "nodes.csv": _lines(["id,kind", *(f"{v},{kind[v]}" for v in graph)]),
            "edges.csv": _lines(["source,target", *(f"{u},{v}" for u, v in graph.edges)]),
        }
    )


def kite() -> bytes:
    """Return Krackhardt's kite, with the names of his paper."""
    edges = (f"  {KITE[u]} -- {KITE[v]};" for u, v in nx.krackhardt_kite_graph().edges)
    return _lines(["graph kite {", *edges, "}"])


def circular_skip_links() -> bytes:
    """Return rings of 41 with skips of ten lengths, five shuffled copies of each."""
    shuffler = random.Random(0)
    graphs, classes = [], []
    for skip in SKIPS:
        for _ in range(5):
            order = list(range(41))
            shuffler.shuffle(order)
            graph = nx.empty_graph(41)
            for step in (1, skip):
                graph.add_edges_from((order[v], order[(v + step) % 41]) for v in range(41))
            graphs.append(graph)
            classes.append(skip)
    return write_graphs(GraphSet.from_networkx(graphs), "tu", np.array(classes))


def mutag() -> bytes:
    """Return the copy of MUTAG that GraKeL carries for its tests."""
    folder = _folder_of("grakel") / "tests" / "data" / "MUTAG"
    return packed({f"MUTAG/{path.name}": path.read_bytes() for path in sorted(folder.iterdir())})


def _folder_of(package: str) -> Path:
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"{package} is not installed: pip install {package}")
    return Path(found.origin).parent


def qm9() -> bytes:
    """Return molecules of QM9 drawn at random, with the targets of the paper.

    ``omega1`` is the largest harmonic frequency, and ``u0_atom`` the energy at 0 K without that of
    the single atoms, in kcal/mol.
    """
    folder = _folder_of("qm9pack") / "data"
    rows = []
    for part in (1, 2, 3):
        with (folder / f"qm9_part{part}.csv").open(encoding="utf-8", newline="") as file:
            rows += list(csv.DictReader(file))
    chosen = np.random.default_rng(0).choice(len(rows), QM9_MOLECULES, replace=False)
    lines = [",".join(["id", "smiles", *QM9_TARGETS, "omega1", "u0_atom"])]
    for row in (rows[place] for place in sorted(chosen.tolist())):
        atoms = [FREE_ATOMS[element] for element in ast.literal_eval(row["Elements"])]
        bound = (float(row["InternalEnergy_0K_au"]) - sum(atoms)) * KCAL_PER_HARTREE
        omega = max(ast.literal_eval(row["Harmonic_Freq_cmi"]))
        targets = [f"{float(row[column]):.10g}" for column in QM9_TARGETS.values()]
        cells = [f"gdb_{row['Index']}", row["SMILES"], *targets, f"{omega:.8g}", f"{bound:.4f}"]
        lines.append(",".join(cells))
    return _lines(lines)


MAKERS: dict[str, Callable[[], bytes]] = {
    "barbell_10_10.graphml": barbell,
    "karate_club.gml": karate_club,
    "florentine_families.gexf": florentine_families,
    "caffeine.cyjs": caffeine,
    "decalin_and_bicyclopentyl.g6": decalin_and_bicyclopentyl,
    "shrikhande_and_rook.g6": shrikhande_and_rook,
    "houses_on_a_ring.json": houses,
    "petersen.mtx": petersen,
    "les_miserables.net": les_miserables,
    "binary_tree.edges": binary_tree,
    "pond_food_web.csv": pond,
    "southern_women.zip": southern_women,
    "krackhardt_kite.dot": kite,
    "circular_skip_links.zip": circular_skip_links,
    "MUTAG.zip": mutag,
    "qm9_sample.csv": qm9,
}


def readme(folder: Path) -> str:
    """Return the README of a folder of samples, from its list."""
    rows = [
        f"| `{sample.path.name}` | {sample.title} | {sample.teaches} | {sample.source} |"
        for sample in samples(folder)
    ]
    return "\n".join(
        [
            "# Sample graphs",
            "",
            "Small files in many formats, each to be opened in the app or read by",
            "`mpgk_core.formats.read_graphs`. The list is `samples.json`;",
            "`python -m scripts.make_sample_graphs` makes the files and this page.",
            "",
            "| file | title | what there is to see | source |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def main(folder: Path = FOLDER) -> None:
    """Write all files."""
    for name, make in MAKERS.items():
        (folder / name).write_bytes(make())
    (folder / "README.md").write_text(readme(folder), "utf-8")


def _in_order(graph: nx.Graph) -> nx.Graph:
    ordered = nx.Graph()
    ordered.add_nodes_from(sorted(graph.nodes(data=True)))
    ordered.add_edges_from(sorted(map(sorted, graph.edges)))
    return ordered


def _graph6(*graphs: nx.Graph) -> bytes:
    return b"".join(nx.to_graph6_bytes(_in_order(graph), header=False) for graph in graphs)


def _json(content: object) -> bytes:
    return (json.dumps(content, indent=1) + "\n").encode()


def _lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


if __name__ == "__main__":
    main()
