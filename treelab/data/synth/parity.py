"""Classes that are the parity of some bits, so that no feature alone tells anything of them."""

from collections.abc import Sequence

import attrs
import numpy as np

from treelab._typing import AnyArray
from treelab.data.dataset import Dataset
from treelab.data.schema import Column
from treelab.data.synth.draw import below, chance, some_of, source
from treelab.data.synth.table import BITS, numbered, several, together
from treelab.errors import ParameterError, check_number, check_share

MOST_BITS = 20


def exor(n: int = 3, m: int = 10, cases: int = 200, seed: int = 0) -> Dataset:
    """Exclusive or of n bits among m random ones: EXOR(n, m, N) (hong1996 section 4).

    The truth table of n bits is stacked until it has more than 2 N rows, of which N are drawn
    without replacement; so the rows of the table are nearly equally frequent.

    Parameters
    ----------
    n
        The bits X1, X2, ... whose parity is the class.
    m
        The bits R1, R2, ... that are random.
    cases
        N, the number of cases.
    seed
        For everything that is left to chance.
    """
    _check_sizes(n, m, cases)
    rng = source(seed, "exor")
    row = some_of(rng, stacked_rows(n, cases), cases) % 2**n
    bits = (row >> np.arange(n - 1, -1, -1)[:, None]) & 1
    return _parity("exor", bits, below(rng, 2, (m, cases)), bits.sum(axis=0) % 2)


def stacked_rows(n: int, cases: int) -> int:
    """Return the smallest multiple of 2^n above 2 N, the rows that EXOR draws from."""
    if n > MOST_BITS:
        raise ParameterError(
            f"n must be at most {MOST_BITS}, for the truth table has 2^n rows, got {n}"
        )
    return int((2 * cases // 2**n + 1) * 2**n)


def rannum(
    n: int = 3,
    m: int = 10,
    cases: int = 200,
    numeric: str | Sequence[str] = ("X3", "R1", "R2", "R3", "R4"),
    spread: int = 100,
    seed: int = 0,
) -> Dataset:
    """EXOR with some bits made numbers, which a metric may like too much (hong1996 section 4).

    RANNUM turns 0 into a random whole number from 0 to R - 1 and 1 into one from R to 2 R - 1. As
    it comes this is case B of Table 2; case C differs in how the metric measures distances.

    Parameters
    ----------
    n, m, cases, seed
        As for 'exor': with the same seed, the bits are the same.
    numeric
        The columns to make numeric; as one word 'X3+R1'.
    spread
        R, how many numbers stand for a bit.
    """
    check_number("spread", spread, 1, whole=True)
    data = exor(n, m, cases, seed)
    features, columns = list(data.schema.features), list(data.columns)
    for name in several(numeric):
        place = data.schema.index(name)
        features[place] = Column(name)
        offset = below(source(seed, "rannum", name), spread, cases)
        columns[place] = data.columns[place] * spread + offset
    schema = attrs.evolve(data.schema, features=tuple(features))
    return Dataset.of(schema, columns, data.y, name="rannum")


def parity(n: int = 3, m: int = 10, cases: int = 200, noise: float = 0.0, seed: int = 0) -> Dataset:
    """Parity of n fair bits among m random ones, with some classes turned round.

    Parameters
    ----------
    n
        The bits X1, X2, ... whose parity is the class.
    m
        The bits R1, R2, ... that are random.
    cases
        The number of cases, each drawn on its own.
    noise
        How likely a case has the other class.
    seed
        For everything that is left to chance.
    """
    _check_sizes(n, m, cases)
    check_share("noise", noise)
    rng = source(seed, "parity")
    bits, rest = below(rng, 2, (n, cases)), below(rng, 2, (m, cases))
    return _parity("parity", bits, rest, (bits.sum(axis=0) + chance(rng, noise, cases)) % 2)


def _check_sizes(n: int, m: int, cases: int) -> None:
    check_number("n", n, 1, whole=True)
    check_number("m", m, 0, whole=True)
    check_number("cases", cases, 1, whole=True)


def _parity(name: str, bits: AnyArray, rest: AnyArray, y: AnyArray) -> Dataset:
    return together(name, numbered("X", bits, BITS) + numbered("R", rest, BITS), y, BITS)
