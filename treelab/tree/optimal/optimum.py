"""What is known of a tree of least cost."""

import attrs

from treelab._typing import FloatArray


@attrs.frozen
class Optimum:
    """What a search for the tree of least cost has found, before any pruning.

    Parameters
    ----------
    errors
        The weight of the training cases that the tree gets wrong.
    n_leaves
        The number of its leaves.
    leaf_price
        What a leaf costs, as a weight of training cases; so the cost is errors + price x leaves.
    bound
        No tree that was searched for costs less.
    proven
        Whether the search came to its end: then no tree costs less, and none that costs the same
        has fewer leaves. Otherwise time ran out, and the tree may depend on the machine.

    Examples
    --------
    >>> print(Optimum(errors=4.0, n_leaves=3, leaf_price=1.5, bound=8.5, proven=True))
    optimal: 4 errors + 3 leaves x 1.5 = 8.5, no tree costs less
    >>> print(Optimum(errors=4.0, n_leaves=3, leaf_price=1.5, bound=6.8, proven=False))
    out of time: 4 errors + 3 leaves x 1.5 = 8.5, no tree costs less than 6.8 (gap 20.0%)
    """

    errors: float
    n_leaves: int
    leaf_price: float
    bound: float
    proven: bool

    @classmethod
    def of(cls, leaves: FloatArray, price: float, bound: float, proven: bool) -> "Optimum":
        """Return what is known of a tree whose leaves have these class weights (leaf, class)."""
        errors = float((leaves.sum(axis=1) - leaves.max(axis=1)).sum())
        cost = errors + price * len(leaves)
        return cls(errors, len(leaves), price, cost if proven else min(bound, cost), proven)

    @property
    def cost(self) -> float:
        """The errors and the price of all leaves."""
        return self.errors + self.leaf_price * self.n_leaves

    @property
    def gap(self) -> float:
        """The share of its cost that a better tree may save; 0 where none can."""
        return 1.0 - self.bound / self.cost if self.bound < self.cost else 0.0

    def __str__(self) -> str:
        leaves = "1 leaf" if self.n_leaves == 1 else f"{self.n_leaves} leaves"
        errors = "1 error" if self.errors == 1 else f"{self.errors:.6g} errors"
        cost = f"{errors} + {leaves} x {self.leaf_price:.6g} = {self.cost:.6g}"
        if self.proven:
            return f"optimal: {cost}, no tree costs less"
        return f"out of time: {cost}, no tree costs less than {self.bound:.6g} (gap {self.gap:.1%})"
