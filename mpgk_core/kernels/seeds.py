"""One seed in, a separate seed for every random step out."""

from __future__ import annotations

import zlib

import numpy as np


def derived_seed(random_state: int, purpose: str, t: int) -> int:
    """Return a 63-bit seed that depends on the user's seed, the purpose and the round.

    Parameters
    ----------
    random_state : int
        The user's seed.
    purpose : str
        What the random numbers are for.
    t : int
        The round.

    Returns
    -------
    int
    """
    sequence = np.random.SeedSequence([random_state, zlib.crc32(purpose.encode()), t])
    return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))
