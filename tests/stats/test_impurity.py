"""Sums over tables: what kernels compute is what numpy computes."""

import numba
import numpy as np
import pytest
import scipy.special

from treelab.stats.candidates.grouped import admissible
from treelab.stats.formulas.impurity import BITS, log_gamma, n_log_n

NUMBERS = [0.5, 1.0, 2.0, 3.7, 1e-9, 170.0, 1e6]


@numba.njit
def compiled_log_gamma(count):
    return log_gamma(count)


@numba.njit
def compiled_n_log_n(count):
    return n_log_n(count)


@pytest.mark.parametrize("count", NUMBERS)
def test_the_gamma_function_is_scipys_compiled_and_not(count):
    expected = scipy.special.gammaln(count)

    assert log_gamma(np.array([count]))[0] == expected
    # The two libraries may round the last digits apart.
    assert compiled_log_gamma(count) == pytest.approx(expected, rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("count", [0.0, *NUMBERS])
def test_n_log_n_is_scipys_compiled_and_not(count):
    expected = scipy.special.xlogy(count, count) * BITS

    assert n_log_n(np.array([count]))[0] == expected
    assert compiled_n_log_n(count) == pytest.approx(expected, rel=1e-15)


def test_what_leaves_all_cases_in_one_branch_parts_nothing():
    tables = np.array([[[1.0, 2.0], [0.0, 0.0]], [[1.0, 0.0], [0.0, 2.0]], [[0.5, 0.0], [3, 4]]])

    assert admissible(tables, 0.0).tolist() == [False, True, True]
    assert admissible(tables, 1.0).tolist() == [False, True, False]
