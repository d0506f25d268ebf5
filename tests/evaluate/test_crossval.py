"""Cross-validation: the same result for any order of the rows."""

import numpy as np

import treelab as tl


def test_the_order_of_the_rows_changes_nothing():
    for name in ("iris", "zoo"):
        data = tl.load(name)
        turned = data.take(np.random.default_rng(0).permutation(len(data)))

        one, other = (tl.cross_validate(each, tl.Learner().fit, 5) for each in (data, turned))
        assert one == other
