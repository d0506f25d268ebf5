"""Two old acquaintances of machine learning: LED digits and the monks' problems."""

import numpy as np

from treelab._typing import AnyArray, IndexArray
from treelab.data.dataset import Dataset
from treelab.data.schema import Column
from treelab.data.synth.draw import below, chance, some_of, source
from treelab.data.synth.table import BITS, counted, numbered, together
from treelab.errors import check_choice, check_number, check_share

DIGITS = np.array(
    [[int(lit) for lit in digit] for digit in (
        "1110111", "0010010", "1011101", "1011011", "0111010",
        "1101011", "1101111", "1010010", "1111111", "1111011",
    )]
)  # fmt: skip
"""Which segments are lit: top, upper left, upper right, middle, lower left, lower right, bottom."""

MONK_SIZES = {"a": 3, "b": 3, "c": 2, "d": 3, "e": 4, "f": 2}
MONK_TRAINING = {1: 124, 2: 169, 3: 122}
MONK_NOISE = {1: 0.0, 2: 0.0, 3: 0.05}


def led(cases: int = 1000, irrelevant: int = 17, noise: float = 0.1, seed: int = 0) -> Dataset:
    """Digits on a display of seven segments that are sometimes wrong (Breiman et al. 1984).

    With a tenth of the segments wrong, no classifier is right in more than 74 % of the cases.

    Parameters
    ----------
    cases
        The number of cases; all ten digits are equally likely.
    irrelevant
        The bits R1, R2, ... that are random, beside the segments X1..X7.
    noise
        How likely a segment is wrong.
    seed
        For everything that is left to chance.
    """
    check_number("cases", cases, 1, whole=True)
    check_number("irrelevant", irrelevant, 0, whole=True)
    check_share("noise", noise)
    rng = source(seed, "led")
    y = below(rng, 10, cases)
    lit = DIGITS[y].T ^ chance(rng, noise, (7, cases))
    rest = below(rng, 2, (irrelevant, cases))
    parts = numbered("X", lit, BITS) + numbered("R", rest, BITS)
    return together("led", parts, y, tuple("0123456789"))


def monks(problem: int = 1, part: str = "all", seed: int = 0) -> Dataset:
    """One of the monks' problems: six attributes of robots, three hidden rules (Thrun et al. 1991).

    The class is 1 where, in problem 1, a = b or e = 1; in problem 2, exactly two attributes are 1;
    in problem 3, e = 3 and d = 1, or neither e = 4 nor b = 3.

    Parameters
    ----------
    problem
        1, 2 or 3.
    part
        'all': the 432 robots there can be, in order; 'training': a random part of the classic size
        (124, 169 or 122), in problem 3 with 5 % of the classes wrong.
    seed
        For the choice of the training part.
    """
    check_choice("problem", str(problem), counted(3))
    check_choice("part", part, ("all", "training"))
    number, rng = int(problem), source(seed, "monks", int(problem))
    robots = np.indices(tuple(MONK_SIZES.values())).reshape(6, -1) + 1
    y = _is_monk(number, robots).astype(np.int64)
    if part == "training":
        drawn = some_of(rng, len(y), MONK_TRAINING[number])
        robots, y = robots[:, drawn], y[drawn]
        y[some_of(rng, len(y), round(MONK_NOISE[number] * len(y)))] ^= 1
    columns = [Column(name, counted(size)) for name, size in MONK_SIZES.items()]
    return together(f"monks-{number}", list(zip(columns, robots - 1, strict=True)), y, BITS)


def _is_monk(problem: int, robots: IndexArray) -> AnyArray:
    a, b, _, d, e, _ = robots
    if problem == 1:
        return np.asarray((a == b) | (e == 1))
    if problem == 2:
        return np.asarray((robots == 1).sum(axis=0) == 2)
    return np.asarray(((e == 3) & (d == 1)) | ((e != 4) & (b != 3)))
