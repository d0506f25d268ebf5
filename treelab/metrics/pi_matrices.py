"""The matrices of the framework Pi, to be looked at (vilalta2001 algorithm 2, eq. 10; SPEC 5.2)."""

import attrs
import numpy as np

from treelab._text import aligned, visible
from treelab._typing import FloatArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.intervals import MISSING
from treelab.errors import DataError
from treelab.metrics.pi import Pi, Theta
from treelab.stats.pairs.schemes import Decay
from treelab.stats.stores.in_memory import root_of

CASES = ("same value, same class", "same value, other class",
         "other value, same class", "other value, other class")  # fmt: skip


@attrs.frozen(eq=False, repr=False)
class PiMatrices:
    """What pairs of cases say of a feature; in print a line for each value and class.

    Attributes
    ----------
    feature
        Its name.
    values, classes
        What the first axes stand for: the values that occur, missing ones being the last.
    shares
        The share |T_m| / |T| of each value.
    R_m
        (value, class, case): the weights of the pairs of a case with that value and class.
    R
        (class, case): the same where all have one value.
    """

    feature: str
    values: tuple[str, ...]
    classes: tuple[str, ...]
    shares: FloatArray
    R_m: FloatArray
    R: FloatArray

    def __repr__(self) -> str:
        rows = [[visible(self.feature), "share", "class", *CASES]]
        rows += self._lines("all", 1.0, self.R)
        for value, share, matrix in zip(self.values, self.shares, self.R_m, strict=True):
            rows += self._lines(visible(value), share, matrix)
        return aligned(rows, [False, True, False, True, True, True, True])

    def _lines(self, value: str, share: float, matrix: FloatArray) -> list[list[str]]:
        heads = [[value, f"{share:.3f}"], *[["", ""]] * (len(self.classes) - 1)]
        return [
            [*head, visible(label), *(f"{cell:.6g}" for cell in row)]
            for head, label, row in zip(heads, self.classes, matrix, strict=True)
        ]


def pi_matrices(
    data: Dataset,
    feature: str,
    theta: Theta = (1.0, 1.0, 1.0, 1.0),
    alpha: float = 0.1,
    decay: Decay = "exponential",
    self_pairs: bool = True,
    bins: int = 10,
    max_cases: int | None = None,
    seed: int = 0,
) -> PiMatrices:
    """Return the matrices R_m and R of a feature (vilalta2001 algorithm 2, eq. 10; SPEC 5.2).

    They are what `Pi` gives its `aggregate` at the root of a tree; the parameters are `Pi`'s. A
    numeric feature is cut into `bins` intervals of equal width, all others are for the distances.

    Examples
    --------
    >>> import treelab as tl
    >>> found = tl.pi_matrices(tl.load("voting"), "crime", alpha=0)
    >>> found.values, found.R_m.shape
    (('n', 'y', 'missing'), (3, 2, 4))
    >>> found.R.tolist()  # with alpha = 0 all 435 x 435 pairs count 1
    [[71289.0, 44856.0, 0.0, 0.0], [28224.0, 44856.0, 0.0, 0.0]]
    """
    pi = Pi(theta, alpha, decay, self_pairs=self_pairs, bins=bins, max_cases=max_cases)
    place = data.schema.index(feature)
    view = root_of(data, "multiway", seed=seed)
    if not len(view.rows):
        raise DataError("matrices need at least one case with a known class and weight above 0")
    of_values, of_all = pi.matrices(view)
    shares = view.value_shares(pi.scheme)[place]
    occurring = np.flatnonzero(shares)
    names = dict(enumerate(_values(data.take(view.rows), place, bins)))
    names[len(shares) - 1] = MISSING
    return PiMatrices(
        feature, tuple(names[m] for m in occurring.tolist()), data.classes, shares[occurring],
        of_values[place, occurring], of_all[place],
    )  # fmt: skip


def _values(data: Dataset, place: int, bins: int) -> tuple[str, ...]:
    """Return what the values of a feature are called, missing not among them."""
    column, numbers = data.schema.features[place], data.columns[place]
    if column.labels is not None:
        return column.labels
    known = numbers[~np.isnan(numbers)]
    if not bins or not len(known) or known.min() == known.max():
        return Coding({column.name: np.empty(0)}).labels(column.name)
    # In halves, whose difference is a number whatever they are.
    cuts = 2 * np.linspace(known.min() / 2, known.max() / 2, bins + 1)[1:-1]
    if (cuts[1:] <= cuts[:-1]).any():  # hardly a number lies between the ends
        return tuple(f"interval {place} of {bins}" for place in range(1, bins + 1))
    return Coding({column.name: cuts}).labels(column.name)
