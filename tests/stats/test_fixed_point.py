"""Functions of counts in whole units: exact, fine enough, and the same whatever came before."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from treelab.kernels.fixed_point import look_up
from treelab.kernels.ties import TIE
from treelab.stats.formulas import margin_formula
from treelab.stats.formulas.expectation import expected_entropy
from treelab.stats.formulas.fixed_point import SMALL, FixedCell, in_units
from treelab.stats.formulas.impurity import n_log_n
from treelab.stats.stores.cases import MOST_WHOLE

MORE = (1, 3, SMALL, SMALL + 1, 2 * SMALL, 2 * SMALL + 1, 5 * SMALL)


def cubes_and_roots(n):
    return n**3 + np.sqrt(n)


def longest_needed(n):
    """Return the number of cases that a node of n cases has the units of."""
    most = SMALL
    while most < n:
        most *= 2
    return most


def test_h_is_kept_in_whole_units_that_are_exact_if_it_is_whole():
    fixed = FixedCell(np.square).up_to(50_000)

    for n in (SMALL, 50_000):
        units, unit = look_up(fixed, np.uint64(n))
        np.testing.assert_array_equal(units[: n + 1] * unit, np.arange(n + 1.0) ** 2)


@pytest.mark.parametrize("n_classes", [2, 10, 100])
def test_the_units_of_n_log_n_are_finer_than_ties_and_sums_do_not_overflow(n_classes):
    more = [SMALL << k for k in range(1, (MOST_WHOLE // SMALL).bit_length())]
    assert more[-1] == MOST_WHOLE
    for n, least in [(SMALL, 3), *((n, n // 2 + 1) for n in more)]:
        table = in_units(n_log_n, n)
        # So many cells of a node of `least` cases, in three branches, may not be 0; h of 1 and 2
        # is whole. Each is off by half a unit at most.
        cells = min(3 * n_classes, least)
        assert cells * table.unit[0] / 2 / least < TIE
        assert int(table.units[n]) < 2**61


@pytest.mark.parametrize("h", [cubes_and_roots, np.expm1])
def test_there_are_no_tables_where_units_would_be_too_coarse(h):
    assert in_units(h, SMALL) is None
    assert FixedCell(h).up_to(10) is None


def test_a_table_that_is_too_coarse_leaves_the_shorter_ones():
    """Cubes are whole, but those of 2**21 cases have too many digits."""
    calls = []
    # Products are exact; powers by numpy 1 are not on every processor.
    cell = FixedCell(lambda n: calls.append(len(n)) or n * n * n)

    assert cell.up_to(2**21) is None
    calls.clear()
    assert cell.up_to(2**22) is None
    assert cell.up_to(2**20) is not None
    assert calls == []


def test_tables_of_h_are_made_anew_only_when_more_is_needed():
    calls = []
    cell = FixedCell(lambda n: calls.append(len(n)) or n**2)
    for n in (100, 50, 200, SMALL):
        cell.up_to(n)
    assert calls == [SMALL + 1]
    cell.up_to(SMALL + 1)
    cell.up_to(2 * SMALL)

    assert calls == [SMALL + 1, SMALL + 1, 2 * SMALL + 1]


@pytest.mark.parametrize("seen", [1, SMALL + 1, 4 * SMALL, 20 * SMALL])
@pytest.mark.parametrize("h", [np.square, n_log_n], ids=["square", "n_log_n"])
def test_what_a_node_looks_up_depends_on_its_cases_alone(h, seen):
    cell = FixedCell(h)
    cell.up_to(seen)
    for n in MORE:
        units, unit = look_up(cell.up_to(n), np.uint64(n))
        alone = in_units(h, longest_needed(n))

        assert unit == alone.unit[0]
        assert units[: n + 1].tobytes() == alone.units[: n + 1].tobytes()


def shaken(work, jobs):
    """Return the work of all jobs, begun at once by a thread each."""
    start, patience = threading.Barrier(len(jobs)), sys.getswitchinterval()

    def begin(job):
        start.wait()
        return work(job)

    sys.setswitchinterval(1e-6)  # threads take turns in the midst of things
    try:
        with ThreadPoolExecutor(len(jobs)) as pool:
            return list(pool.map(begin, jobs))
    finally:
        sys.setswitchinterval(patience)


def test_threads_that_ask_for_more_and_more_get_tables_as_long_as_they_ask_for():
    """Those that look up while others make longer tables must never see a half of them."""
    sizes = [SMALL // 2, SMALL + 1, 2 * SMALL + 1, 4 * SMALL + 1]
    jobs = [sizes[k % 4 :] + sizes[: k % 4] for k in range(12)]

    for _ in range(10):
        ask = FixedCell(np.square).up_to
        found = shaken(lambda sizes, ask=ask: [(n, ask(n)) for n in sizes], jobs)
        for given in found:
            for n, fixed in given:
                units, unit = look_up(fixed, np.uint64(n))

                assert len(fixed.units) == fixed.firsts[-1]
                assert len(fixed.unit) == len(fixed.firsts) - 1
                assert units[n] * unit == float(n) ** 2


def test_threads_share_what_sizes_are_looked_up_in():
    """A thread with few cases must not hand its short table to one with many."""
    margins = [np.array([[n // 3, n - n // 3]], float) for n in (10, 100, 1000, 5000) * 3]
    alone = [expected_entropy.of_sizes(each)[1].tobytes() for each in margins]

    for _ in range(10):
        margin_formula._x_log_x.cache_clear()
        found = shaken(expected_entropy.of_sizes, margins)
        assert [values.tobytes() for _, values in found] == alone
