"""Networks with one hidden layer, trained side by side: one network for every target.

    f(x) = a · max(W x + b, 0) + c

minimises the mean squared error by Adam (Kingma & Ba 2015), whose rate falls linearly to zero over
all steps. scikit-learn's networks cannot do that, and learn one target at a time; here the first
layers of all networks are one matrix product. They share inputs and batches, and nothing else.
Numbers are of single precision.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from mpgk_core._compiled import compiled
from mpgk_core.arrays import FloatArray
from mpgk_core.checks import check_positive, check_whole
from mpgk_core.evaluation.regression.models import Data, Learnt, Model
from mpgk_core.kernels.update import derived_seed

_Single = NDArray[np.float32]
_DECAY_1, _DECAY_2, _TINY = 0.9, 0.999, 1e-8
_PREDICTED_AT_ONCE = 4096


@dataclass(frozen=True, eq=False)
class Networks:
    """Trained networks.

    Attributes
    ----------
    inner : ndarray of shape (d, k · h)
        W of all k networks.
    shift : ndarray of shape (k · h,)
        b.
    outer : ndarray of shape (k, h)
        a.
    constant : ndarray of shape (k,)
        c.
    epochs : list of int
        The epoch after which each network had the smallest error on the validation part.
    """

    inner: _Single
    shift: _Single
    outer: _Single
    constant: _Single
    epochs: list[int]

    def predict(self, inputs: FloatArray) -> FloatArray:
        """Return the predictions of all networks, of shape (number of samples, k)."""
        k, h = self.outer.shape
        found = np.empty((len(inputs), k))
        for start in range(0, len(inputs), _PREDICTED_AT_ONCE):
            some = inputs[start : start + _PREDICTED_AT_ONCE].astype(np.float32)
            hidden = np.maximum(some @ self.inner + self.shift, 0).reshape(len(some), k, h)
            found[start : start + len(some)] = (
                np.einsum("nkh,kh->nk", hidden, self.outer) + self.constant
            )
        return found


def train_network(
    inputs: FloatArray,
    targets: FloatArray,
    validation_inputs: FloatArray,
    validation_targets: FloatArray,
    settings: Network,
    seed: int,
) -> Networks:
    """Train a network for every target.

    Parameters
    ----------
    inputs, targets : ndarray of shapes (n, d) and (n, k)
    validation_inputs, validation_targets : ndarray of shapes (m, d) and (m, k)
        Decide after which epoch each network is taken.
    settings : Network
    seed : int
        Of initial weights (He et al. 2015) and of the batches.

    Returns
    -------
    Networks

    Examples
    --------
    >>> x = np.linspace(-1.0, 1.0, 64)[:, np.newaxis]
    >>> settings = Network(hidden=16, epochs=200, learning_rate=0.02, batch=16)
    >>> found = train_network(x, abs(x), x, abs(x), settings, seed=0)
    >>> bool(abs(found.predict(x) - abs(x)).max() < 0.1)
    True
    """
    (n, d), k, h = inputs.shape, targets.shape[1], settings.hidden
    generator = np.random.default_rng(seed)
    one = generator.standard_normal((d, h)) * np.sqrt(2.0 / max(d, 1))
    last = generator.standard_normal(h) * np.sqrt(1.0 / h)
    parameters: list[_Single] = [
        np.tile(one, k).astype(np.float32),
        np.zeros(k * h, dtype=np.float32),
        np.tile(last, (k, 1)).astype(np.float32),
        np.zeros(k, dtype=np.float32),
    ]
    adam = _Adam(parameters)
    x, y = inputs.astype(np.float32), targets.astype(np.float32)
    n_steps = settings.epochs * -(-n // settings.batch)
    step, least, epochs = 0, np.full(k, np.inf), [0] * k
    best = [parameter.copy() for parameter in parameters]
    for epoch in range(1, settings.epochs + 1):
        order = generator.permutation(n)
        for start in range(0, n, settings.batch):
            chosen = order[start : start + settings.batch]
            slopes = _slopes(parameters, x[chosen], y[chosen])
            adam.step(slopes, settings.learning_rate * (1.0 - step / n_steps))
            step += 1
        now = _networks(parameters, epochs)
        errors = np.mean((now.predict(validation_inputs) - validation_targets) ** 2, axis=0)
        for target in np.flatnonzero(errors < least).tolist():
            least[target], epochs[target] = errors[target], epoch
            own = slice(target * h, (target + 1) * h)
            best[0][:, own], best[1][own] = parameters[0][:, own], parameters[1][own]
            best[2][target], best[3][target] = parameters[2][target], parameters[3][target]
    return _networks(best, epochs)


def _networks(parameters: list[_Single], epochs: list[int]) -> Networks:
    inner, shift, outer, constant = parameters
    return Networks(inner, shift, outer, constant, epochs)


def _slopes(parameters: list[_Single], x: _Single, y: _Single) -> list[_Single]:
    """Return the derivatives of half the mean squared error, summed over the networks."""
    inner, shift, outer, constant = parameters
    k, h = outer.shape
    flat = x @ inner
    flat += shift
    np.maximum(flat, 0, out=flat)
    hidden = flat.reshape(len(x), k, h)
    rest = (np.einsum("nkh,kh->nk", hidden, outer) + constant - y) / np.float32(len(x))
    slope_outer = np.einsum("nkh,nk->kh", hidden, rest)
    back = (flat > 0).reshape(len(x), k, h) * (rest[:, :, np.newaxis] * outer)
    back = back.reshape(len(x), k * h)
    return [x.T @ back, back.sum(axis=0), slope_outer, rest.sum(axis=0)]


class _Adam:
    """Changes parameters in place."""

    def __init__(self, parameters: list[_Single]) -> None:
        self.parameters = parameters
        self.means = [np.zeros_like(parameter) for parameter in parameters]
        self.squares = [np.zeros_like(parameter) for parameter in parameters]
        self.n_steps = 0

    def step(self, slopes: list[_Single], rate: float) -> None:
        """Take a step against the slopes."""
        self.n_steps += 1
        first, second = 1.0 - _DECAY_1**self.n_steps, 1.0 - _DECAY_2**self.n_steps
        factor = np.float32(rate * np.sqrt(second) / first)
        tiny = np.float32(_TINY * np.sqrt(second))
        flat = (
            [array.ravel() for array in arrays]  # views: all arrays are contiguous
            for arrays in (self.parameters, self.means, self.squares, slopes)
        )
        for parameter, mean, square, slope in zip(*flat, strict=True):
            _descend(parameter, mean, square, slope, factor, tiny)


@compiled
def _descend(
    parameter: _Single,
    mean: _Single,
    square: _Single,
    slope: _Single,
    factor: np.float32,
    tiny: np.float32,
) -> None:
    """Take Adam's step in one pass: in several, memory would take longer than the networks."""
    new_1, new_2 = np.float32(1.0 - _DECAY_1), np.float32(1.0 - _DECAY_2)
    for i in range(len(parameter)):
        mean[i] += new_1 * (slope[i] - mean[i])
        square[i] += new_2 * (slope[i] * slope[i] - square[i])
        parameter[i] -= factor * mean[i] / (np.sqrt(square[i]) + tiny)


@dataclass(frozen=True)
class Network(Model):
    """The paper's network: one hidden layer, Adam, a rate that falls linearly to zero.

    One network for every target. The inputs are standardised. The epoch with the smallest error on
    the validation part is taken.

    Parameters
    ----------
    hidden : int
        Units of the hidden layer; 512 in the paper.
    epochs : int
        200 in the paper.
    learning_rate : float
        At the start.
    batch : int
        Graphs in a step.
    """

    hidden: int = 512
    epochs: int = 200
    learning_rate: float = 1e-3
    batch: int = 128

    def __post_init__(self) -> None:
        for name in ("hidden", "epochs", "batch"):
            check_whole(getattr(self, name), 1, name, "Network", maximum=100_000)
        check_positive(self.learning_rate, "learning_rate", "Network")

    def fit(self, data: Data) -> Learnt:
        """Train the networks of all targets side by side."""
        inputs = np.asarray(data.rows.toarray())
        mean, deviation = inputs.mean(axis=0), inputs.std(axis=0)
        deviation[deviation == 0.0] = 1.0

        def scaled(rows: csr_array) -> FloatArray:
            found: FloatArray = (rows.toarray() - mean) / deviation
            return found

        seed = derived_seed(data.random_state, "network", 0)
        network = train_network(
            (inputs - mean) / deviation,
            data.targets,
            scaled(data.validation_rows),
            data.validation_targets,
            self,
            seed,
        )
        chosen = [{"epoch": epoch} for epoch in network.epochs]
        return Learnt(chosen, lambda rows: (network.predict(scaled(rows)), None))
