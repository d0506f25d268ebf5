"""Sort things by numbers, equal ones as they come."""

import numpy as np
import pytest

from treelab.kernels.sorting import RUN, sort_by


@pytest.mark.parametrize("n", [0, 1, 2, RUN, RUN + 1, 2 * RUN, 5 * RUN + 3, 1000])
@pytest.mark.parametrize("n_keys", [1, 3, 10_000])
def test_sort_by_is_a_stable_argsort(n, n_keys):
    random = np.random.default_rng([n, n_keys])
    keys = random.integers(0, n_keys, n) / 7
    keys[random.random(n) < 0.1] = np.inf
    items = random.permutation(n).astype(np.int64)
    order = np.argsort(keys, kind="stable")
    expected = keys[order], items[order]

    sort_by(keys, items)

    assert np.array_equal(keys, expected[0])
    assert np.array_equal(items, expected[1])
