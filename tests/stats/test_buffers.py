"""Memory that is handed on from array to array."""

import gc

import numpy as np
import pytest
from strategies import random_dataset

import treelab as tl
from treelab.stats.stores.buffers import LARGE, BufferPool

N = LARGE // 8


def address(array):
    return array.__array_interface__["data"][0]


def test_an_array_is_given_the_memory_of_one_that_is_gone():
    pool = BufferPool()
    first = pool.empty((4, N), np.int64)
    there = address(first)
    del first
    second = pool.empty((N, 3), np.float64)

    assert address(second) == there
    assert second.shape == (N, 3)
    assert second.dtype == np.float64
    assert second.flags.c_contiguous
    assert second.flags.writeable
    assert second.flags.aligned


@pytest.mark.parametrize(
    "part", [lambda a: a[3:], lambda a: a.T[::2], lambda a: a.ravel()[5:9], lambda a: a.view("u4")]
)
def test_memory_is_not_handed_on_while_a_part_of_an_array_is_in_use(part):
    pool = BufferPool()
    kept = part(pool.empty((4, N), np.int64))
    gc.collect()
    other = pool.empty((4, N), np.int64)

    assert not np.shares_memory(kept, other)


def test_the_smallest_piece_that_is_large_enough_is_taken():
    pool = BufferPool()
    arrays = [pool.empty((k * N,), np.int64) for k in (5, 2, 3)]
    where = [address(array) for array in arrays]
    del arrays

    # Taken in turn: a piece is given to one array only.
    taken = [pool.empty((k * N,), np.int64) for k in (2, 2, 4)]
    assert [address(array) for array in taken] == [where[1], where[2], where[0]]


def test_where_no_piece_is_large_enough_those_there_are_let_go():
    pool = BufferPool()
    small = pool.empty((N,), np.int64)
    del small
    large = pool.empty((2 * N,), np.int64)

    assert not pool._free
    del large
    assert [len(piece) for piece in pool._free] == [16 * N]


def test_small_arrays_are_of_no_interest():
    pool = BufferPool()
    first = pool.empty((3, 5), np.int32)
    del first

    assert not pool._free


def test_a_tree_needs_the_memory_of_two_levels_whatever_its_depth(monkeypatch):
    data = random_dataset(0, 20_000, numeric=20, nominal=0, ties=False, missing=0.0)
    pieces, take = [], BufferPool._piece

    def piece(pool, size):
        pieces.append(take(pool, size))
        return pieces[-1]

    monkeypatch.setattr(BufferPool, "_piece", piece)
    tl.grow(data, "gain", pruner="none", max_depth=8)

    # Keys and order of a level and of the next, the cuts and the scores.
    assert len(pieces) >= 4 * 8
    assert len({address(piece) for piece in pieces}) <= 6
