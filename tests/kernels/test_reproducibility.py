"""Same seed, same bytes, also in a fresh process."""

import hashlib
import subprocess
import sys

import pytest

SCRIPT = """
import hashlib, sys
import networkx as nx, numpy as np
from mpgk_core import MessagePassingGraphKernel, MessagePassingNodeKernel
rng = np.random.default_rng(7)
graphs = [nx.gnp_random_graph(int(rng.integers(4, 20)), 0.3, seed=s) for s in range(15)]
for graph in graphs:
    nx.set_node_attributes(graph, {v: "CNO"[rng.integers(3)] for v in graph}, "label")
    nx.set_node_attributes(graph, {v: rng.normal(size=3) for v in graph}, "attributes")
digest = hashlib.sha256()
for variant in ("RR", "RA", "AR", "AA"):
    for approximation in (None, "nystroem"):
        kernel = MessagePassingGraphKernel(
            variant, approximation=approximation, n_landmarks=9, random_state=int(sys.argv[1]))
        digest.update(kernel.fit_transform(graphs).tobytes())
digest.update(MessagePassingNodeKernel("A", random_state=int(sys.argv[1])).fit_transform(graphs))
print(digest.hexdigest())
"""


def digest(seed: int, hash_seed: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(seed)],
        env={"PYTHONHASHSEED": hash_seed, "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout.strip()


def test_same_seed_gives_same_bytes_in_a_fresh_process():
    first = digest(0, "1")
    assert len(first) == hashlib.sha256().digest_size * 2
    assert first == digest(0, "2")
    assert first != digest(1, "1")


def test_importing_the_engine_does_not_import_streamlit():
    code = "import sys, mpgk_core; sys.exit('streamlit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", ["mpgk_core.warm_up"])
def test_warm_up_runs_as_a_module(name):
    assert subprocess.run([sys.executable, "-m", name], check=False).returncode == 0
