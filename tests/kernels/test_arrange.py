"""The arranging kernels against Python's own sorting and lists."""

import numpy as np
import pytest
from nodes import AWKWARD, nodes, sorted_keys

from treelab.kernels import arrange as kernels

awkward = pytest.mark.parametrize("how", AWKWARD.values(), ids=AWKWARD.keys())


def sort(made, dtype=np.uint32):
    n = len(made.rows)
    keys = np.zeros((len(made.n_codes), n), dtype)
    order = np.full((len(made.n_codes), n), -7, np.int32)
    kernels.sort_cases(
        made.codes, made.features, made.n_codes, made.nodes, made.bits, (0, len(made.n_codes)),
        keys, order,
    )  # fmt: skip
    return keys, order


# Sorting


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
@awkward
def test_cases_are_sorted_by_code_and_equal_ones_stay_as_they_come(how, dtype):
    made = nodes(**how)
    expected = sorted_keys(made, dtype)
    keys, order = sort(made, dtype)

    np.testing.assert_array_equal(expected[0], keys)
    np.testing.assert_array_equal(expected[1], order)


@pytest.mark.parametrize("size", [kernels.FEW - 1, kernels.FEW, kernels.FEW + 1])
def test_few_and_many_cases_are_sorted_alike(size):
    made = nodes(3, sizes=[size, size], n_codes=[5])

    np.testing.assert_array_equal(sorted_keys(made)[1], sort(made)[1])


def naive_tallies(made, f, k):
    """Return the keys of a node, ascending, and the weight of each."""
    tallies = {}
    for place in made.places(k):
        key = made.code(f, place) << made.bits | int(made.labels[place])
        tallies[key] = tallies.get(key, 0.0) + made.weight(made.ids[place])
    return sorted(tallies.items())


@awkward
def test_cases_of_the_same_code_and_class_are_tallied(how):
    made = nodes(5, **how)
    shape = len(made.n_codes), len(made.rows) + 1
    keys, order, tallies = np.zeros(shape, np.uint32), np.zeros(shape, np.int32), np.zeros(shape)
    ends = np.full((len(made.n_codes), len(made.starts)), -9)
    kernels.tally_cases(
        made.codes, made.features, made.n_codes, made.nodes, made.bits, (0, len(made.n_codes)),
        made.starts, keys, order, tallies, ends,
    )  # fmt: skip

    for f in made.features:
        for k in made.numbers:
            here = slice(made.starts[k], ends[f, k])
            weights = tallies.ravel()[order[f, here]]
            found = zip(keys[f, here].tolist(), weights.tolist(), strict=True)
            assert naive_tallies(made, f, k) == list(found)


def test_large_codes_with_many_classes_need_large_keys():
    made = nodes(n_codes=[2**21], sizes=[3, 30], n_classes=4096, dtype=np.uint32)
    keys, order = sort(made, np.uint64)
    expected = sorted_keys(made, np.uint64)

    assert keys.max() > 2**32
    np.testing.assert_array_equal(expected[0], keys)
    np.testing.assert_array_equal(expected[1], order)


def test_threads_sort_the_features_of_their_span_only():
    made = nodes(2)
    keys, order = np.zeros((3, len(made.rows)), np.uint32), np.zeros((3, len(made.rows)), np.int32)
    kernels.sort_cases(
        made.codes, made.features, made.n_codes, made.nodes, made.bits, (1, 2), keys, order
    )

    np.testing.assert_array_equal(keys[1], sorted_keys(made)[0][1])
    assert not keys[[0, 2]].any()


@awkward
def test_histograms_that_were_counted_elsewhere_are_listed_alike(how):
    made = nodes(5, **how)
    offsets = np.concatenate([[0], np.cumsum(made.n_codes + 1)])
    histograms = np.zeros((len(made.starts), offsets[-1], made.n_classes))
    for k in made.numbers:
        for f in made.features:
            for key, weight in naive_tallies(made, f, k):
                histograms[k, offsets[f] + (key >> made.bits), key % (1 << made.bits)] += weight
    rooms = np.full(len(made.starts), (made.n_codes.max(initial=0) + 1) << made.bits)
    to, shape = np.cumsum(rooms) - rooms, (len(made.n_codes), int(rooms.sum()) + 1)
    keys, order, tallies = np.zeros(shape, np.uint32), np.zeros(shape, np.int32), np.zeros(shape)
    ends = np.full((len(made.n_codes), len(made.starts)), -9)
    kernels.list_histograms(histograms, offsets, made.bits, to, keys, order, tallies, ends)

    for f in made.features:
        for k in made.numbers:
            here = slice(to[k], ends[f, k])
            listed = zip(keys[f, here].tolist(), tallies.ravel()[order[f, here]], strict=True)
            assert list(listed) == naive_tallies(made, f, k)
