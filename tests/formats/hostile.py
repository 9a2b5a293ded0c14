"""What no reader may choke on: every prefix, noise, and changed bytes."""

import random

from mpgk_core.errors import InvalidGraphError, UnreadableFileError
from mpgk_core.formats import read_tables
from mpgk_core.graphs import GraphSet


def survives(name, content):
    """Read, or fail as promised; return the graphs if there are any."""
    message = ""
    try:
        graphs = read_tables(name, content).graph_set()
    except (UnreadableFileError, InvalidGraphError) as error:
        message = str(error)
    else:
        assert isinstance(graphs, GraphSet)
        return graphs
    assert message.endswith(".")
    return None


def survives_everything(name, content, seed=0):
    """Cut the file off at every byte, and change bytes at random."""
    for stop in range(len(content)):
        survives(name, content[:stop])
    chance = random.Random(seed)
    for _ in range(200):
        changed = bytearray(content)
        for _ in range(chance.randint(1, 4)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        survives(name, bytes(changed))
    for length in (1, 10, 1000):
        survives(name, chance.randbytes(length))
