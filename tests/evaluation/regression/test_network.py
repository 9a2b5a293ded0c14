import numpy as np

from mpgk_core.evaluation.regression.network import Network, _slopes, train_network

SETTINGS = Network(hidden=8, epochs=30, learning_rate=0.01, batch=16)


def _data(n=96, d=5, k=3, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, d))
    y = np.column_stack([np.sin(x[:, j % d]) + 0.1 * x[:, 0] * x[:, 1] for j in range(k)])
    return x, y


def test_networks_side_by_side_are_networks_on_their_own():
    x, y = _data()
    together = train_network(x, y, x, y, SETTINGS, seed=3)
    for target in range(3):
        own = y[:, [target]]
        alone = train_network(x, own, x, own, SETTINGS, seed=3)
        np.testing.assert_allclose(
            alone.predict(x)[:, 0], together.predict(x)[:, target], atol=1e-3
        )


def test_the_seed_decides():
    x, y = _data()
    one, two, other = (train_network(x, y, x, y, SETTINGS, seed) for seed in (0, 0, 1))
    assert one.predict(x).tobytes() == two.predict(x).tobytes()
    assert one.predict(x).tobytes() != other.predict(x).tobytes()


def test_slopes_are_the_derivatives_of_the_loss():
    rng = np.random.default_rng(0)
    x, y = _data(n=20, k=2)
    parameters = [
        rng.standard_normal((5, 8)),
        rng.standard_normal(8),
        rng.standard_normal((2, 4)),
        rng.standard_normal(2),
    ]

    def loss():
        inner, shift, outer, constant = parameters
        hidden = np.maximum(x @ inner + shift, 0).reshape(20, 2, 4)
        return 0.5 * np.sum((np.einsum("nkh,kh->nk", hidden, outer) + constant - y) ** 2) / 20

    found = _slopes(parameters, x, y)
    for parameter, slope in zip(parameters, found, strict=True):
        for place in list(np.ndindex(parameter.shape))[:6]:
            before = parameter[place]
            parameter[place] = before + 1e-5
            above = loss()
            parameter[place] = before - 1e-5
            below = loss()
            parameter[place] = before
            np.testing.assert_allclose(slope[place], (above - below) / 2e-5, atol=1e-5)


def test_the_epoch_with_the_least_error_on_the_validation_part_is_taken():
    x, y = _data()
    longer = train_network(x, y, x[:10], -y[:10], SETTINGS, seed=0)
    assert max(longer.epochs) < SETTINGS.epochs
