"""In its unit every number can be squared, and none is rounded."""

import numpy as np
import pytest

from treelab.stats.units import unit_of


@pytest.mark.parametrize("size", [5e-324, 1e-300, 0.3, 1.0, 3.0, 1e200, 1.7e308])
def test_the_largest_number_is_of_the_order_of_one(size):
    values = np.array([[size, 0.0], [-size / 3, 0.0]])
    unit, nothing = unit_of(values)

    assert np.frexp(unit)[0] == 0.5, "a power of 2"
    assert 2.0**-52 <= size / unit < 2, "the smallest numbers of all have no unit of their own"
    assert size < 1e-300 or size / unit >= 1
    assert (values[:, 0] / unit * unit == values[:, 0]).all()
    assert 0.0 < nothing < np.inf


def test_no_numbers_have_a_unit():
    assert unit_of(np.empty(0)) > 0
