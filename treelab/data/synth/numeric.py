"""Classes that are regions or clouds of numbers."""

import numpy as np

from treelab.data.dataset import Dataset
from treelab.data.synth.draw import normals, source
from treelab.data.synth.table import BITS, numbered, together
from treelab.errors import check_number


def four_gaussians(cases: int = 4000, a: float = 2.0, seed: int = 0) -> Dataset:
    """Four clouds in four dimensions, and a noisy copy of each dimension (duch2004 section 3).

    Class c = 0..3 is normal with unit variance about c a (1, 1/2, 1/3, 1/4). X5..X8 are 2 X1 + e,
    ..., 2 X4 + e, e being uniform with unit variance. The ideal ranking is X1 X5 X2 X6 X3 X7 X4 X8.

    Parameters
    ----------
    cases
        The number of cases; the classes take turns.
    a
        How far the clouds are apart.
    seed
        For everything that is left to chance.
    """
    check_number("cases", cases, 1, whole=True)
    check_number("a", a, 0)
    rng = source(seed, "four-gaussians")
    y = np.arange(cases) % 4
    first = y * a / np.arange(1, 5)[:, None] + normals(rng, (4, cases))
    copies = 2 * first + np.sqrt(3) * (2 * rng.random((4, cases)) - 1)
    classes = ("0", "1", "2", "3")
    return together("four-gaussians", numbered("X", [*first, *copies]), y, classes)


def checkerboard(squares: int = 4, m: int = 2, cases: int = 400, seed: int = 0) -> Dataset:
    """Black and white squares of a board: parity for numbers, with m random numbers beside.

    Parameters
    ----------
    squares
        The number of squares along a side; the sides X1 and X2 are 1 long.
    m
        The numbers R1, R2, ... that are random.
    cases
        The number of cases, drawn uniformly from the board.
    seed
        For everything that is left to chance.
    """
    check_number("squares", squares, 2, whole=True)
    check_number("m", m, 0, whole=True)
    check_number("cases", cases, 1, whole=True)
    rng = source(seed, "checkerboard")
    place, rest = rng.random((2, cases)), rng.random((m, cases))
    y = np.floor(place * squares).sum(axis=0) % 2
    return together("checkerboard", numbered("X", place) + numbered("R", rest), y, BITS)
