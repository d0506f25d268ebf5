"""What chance leaves in branches of every size, against sums of every size by itself."""

import naive_chance
import numpy as np
import pytest

from treelab.kernels.by_size import entropy_by_size
from treelab.kernels.expectation import MANY, entropy_parts
from treelab.stats.formulas.expectation import expected_entropy
from treelab.stats.formulas.impurity import n_log_n
from treelab.stats.formulas.margin_formula import MarginFormula

MARGINS = {
    "no case": [0, 0],
    "one case": [0, 1],
    "one class": [0, 9, 0],
    "a case each": [1, 1, 1],
    "even": [40, 40, 41],
    "rare": [300, 1, 2],
    "absent": [150, 0, 151],
    "many classes": [3] * 30,
}
margins = pytest.mark.parametrize("classes", MARGINS.values(), ids=MARGINS)


def filled(*classes, span=None):
    """Return what the kernel fills in for some class margins, one array each."""
    classes = np.array(classes, float)
    lengths = classes.sum(axis=1).astype(int) + 1
    firsts = np.concatenate([[0], np.cumsum(lengths)])
    parts = np.full(firsts[-1], np.nan)
    x_log_x = n_log_n(np.arange(float(lengths.max())))
    entropy_by_size(classes, firsts, x_log_x, span or (0, len(classes)), parts)
    return np.split(parts, firsts[1:-1])


@margins
def test_every_size_has_its_plain_sum(classes):
    n = sum(classes)
    whole = naive_chance.entropy(classes) if n else 0.0
    plain = [whole * naive_chance.kept(a, classes, n) / n if a else 0.0 for a in range(n + 1)]

    # Sums of n log n are rounded; their difference is of the size of a bit.
    np.testing.assert_allclose(filled(classes)[0], plain, atol=1e-13)


@pytest.mark.parametrize(
    "classes", [[999, 1], [600, 640], [5000, 4000, 1000], [29_900, 60, 40], [70_000, 30_000]]
)
def test_large_branches_are_read_off_polynomials_as_exactly_as_they_are_summed(classes):
    n = sum(classes)
    sizes = np.unique(np.linspace(1, n - 1, 400).astype(int))
    # Only margins count: the first classes fill the branch.
    before = np.cumsum([0, *classes[:-1]])
    branch = np.clip(sizes[:, None] - before, 0, classes)
    tables = np.stack([branch, classes - branch], axis=1).astype(float)
    summed = entropy_parts(tables, np.inf)
    found = filled(classes)[0]

    # n log n of 100,000 cases has 10 digits behind the point, of which n takes 5 off again.
    np.testing.assert_allclose(found[sizes], summed[:, 0], atol=3e-13)
    np.testing.assert_allclose(found[n - sizes], summed[:, 1], atol=3e-13)


@pytest.mark.compiled("ten million sizes")
def test_too_many_cases_are_taken_to_second_order():
    n = int(MANY) + 3
    found = filled([n - 3, 3])[0]
    table = np.array([[[n - 1003.0, 0.0], [1000.0, 3.0]]])

    assert found[[n - 1003, 1003]].tolist() == entropy_parts(table, np.inf)[0].tolist()


def test_margins_are_filled_by_themselves_and_those_of_the_span_only():
    classes = [[4, 3], [0, 0], [60, 90], [1, 1]]
    together = filled(*classes)
    of_span = filled(*classes, span=(1, 3))

    for margin, found in zip(classes, together, strict=True):
        np.testing.assert_array_equal(found, filled(margin)[0])
    assert [np.isnan(part).all() for part in of_span] == [True, False, False, True]


@pytest.mark.parametrize("n_margins", [0, 1, 2, 700])
def test_threads_share_the_margins_out(n_margins):
    classes = np.random.default_rng(1).integers(0, 30, (n_margins, 3)).astype(float)
    firsts, values = expected_entropy.of_sizes(classes)

    assert isinstance(expected_entropy, MarginFormula)
    assert len(firsts) == n_margins
    if n_margins:
        np.testing.assert_array_equal(values, np.concatenate(filled(*classes)))
