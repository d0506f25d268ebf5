"""The table of values and classes that discretizers count in."""

from math import fsum

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from strategies import steady

from treelab.discretize.profile import Profile

CASES = st.lists(
    st.tuples(
        st.sampled_from([-1.0, 0.0, 0.1, 3.0]),
        st.integers(0, 2),
        st.one_of(st.sampled_from([0.1, 0.3, 1.0, 1e-30]), st.floats(1e-3, 1e3)),
    ),
    min_size=1,
    max_size=30,
)


def profile_of(cases):
    values, y, weights = map(np.array, zip(*cases, strict=True))
    return Profile.of(values, weights, y, 3)


def naive_counts(cases):
    """Return the weight of each value and class that occur, as exactly as numbers can be."""
    points, classes = (sorted({case[place] for case in cases}) for place in (0, 1))
    return np.array(
        [[fsum(w for v, c, w in cases if (v, c) == (p, k)) for k in classes] for p in points]
    )


@steady()
@given(CASES, st.randoms())
def test_counts_of_any_order_of_the_cases_are_the_same_and_sum_up_exactly(cases, random):
    profile, shuffled = profile_of(cases), random.sample(cases, len(cases))
    cells = profile.counts.ravel().tolist()

    assert np.array_equal(profile_of(shuffled).counts, profile.counts)
    for _ in range(5):
        some = random.sample(cells, random.randint(1, len(cells)))
        assert sum(some) == fsum(some)  # term by term, nothing is rounded


@steady()
@given(CASES)
def test_counts_are_those_of_the_cases_but_for_their_last_bits(cases):
    naive, counts = naive_counts(cases), profile_of(cases).counts

    assert np.array_equal(counts > 0, naive > 0)
    # A unit of 2^-51 of the total rounded up to a power of two, and what sums of 30 terms lose.
    assert np.abs(counts - naive).max() <= 2.0**-45 * naive.sum()


@steady()
@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 2.0]), st.integers(0, 2)), min_size=1))
def test_whole_counts_stay_as_they_are(cases):
    weighted = [(value, label, 1.0 + label) for value, label in cases]

    assert np.array_equal(profile_of(weighted).counts, naive_counts(weighted))
