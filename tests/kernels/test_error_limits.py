"""Errors to expect, against scipy; C4.5's and whole cases are in tests/tree/test_prune.py."""

import numpy as np
import pytest
from scipy.special import betainc, betaincinv

from treelab.kernels.error_limits import at_most, exact_extra_errors


@pytest.mark.parametrize("cf", [0.001, 0.25, 0.5, 0.99])
def test_exact_limits_of_parts_of_cases_are_those_of_scipy(cf):
    rng = np.random.default_rng(0)
    n = np.concatenate([[0.1, 0.5, 1.0, 2.5, 1e5], rng.exponential(50, 60)])
    e = n * np.concatenate([[0, 0.9, 0.99, 0.4, 0.3], rng.random(60)])
    limits = [e + exact_extra_errors(n, e, cf, 0.0) for n, e in zip(n, e, strict=True)]

    # scipy takes 1 - cf, which has lost up to three of its sixteen digits.
    assert limits == pytest.approx((n * betaincinv(e + 1, n - e, 1 - cf)).tolist(), rel=1e-9)


def test_binomial_tails_are_those_of_scipy():
    for n, e, rate in [(1, 0, 0.3), (10, 3, 0.5), (10.5, 2.25, 0.01), (1e4, 2e3, 0.21)]:
        # Logarithms of factorials of 1e4 are near 1e5: eleven digits are left of their difference.
        assert at_most(e, n, rate) == pytest.approx(betainc(n - e, e + 1, 1 - rate), rel=1e-9)


def test_all_errors_and_no_cases_leave_nothing_to_add():
    assert exact_extra_errors(5.0, 5.0, 0.25, 0.0) == exact_extra_errors(0.0, 0.0, 0.25, 0.0) == 0
