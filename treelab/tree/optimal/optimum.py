"""What is known of a tree of least cost."""

import attrs

from treelab._typing import FloatArray


@attrs.frozen
class Optimum:
    """What is known of the tree that a search for the least cost has grown, before any pruning.

    `errors` and `leaf_price` are weights of training cases, and so are the cost and the bound: no
    tree that was searched for costs less.

    Examples
    --------
    >>> print(Optimum(errors=4.0, n_leaves=3, leaf_price=1.5, bound=8.5))
    optimal: 4 errors + 3 leaves x 1.5 = 8.5, no tree costs less
    """

    errors: float
    n_leaves: int
    leaf_price: float
    bound: float

    @classmethod
    def of(cls, leaves: FloatArray, price: float, proven: bool, bound: float) -> "Optimum":
        """Return what is known of a tree whose leaves have these class weights (leaf, class)."""
        errors = float((leaves.sum(axis=1) - leaves.max(axis=1)).sum())
        cost = errors + price * len(leaves)
        return cls(errors, len(leaves), price, cost if proven else min(bound, cost))

    @property
    def cost(self) -> float:
        return self.errors + self.leaf_price * self.n_leaves

    @property
    def gap(self) -> float:
        """By which share of its cost it may be too dear; 0 if it is proven to be the best."""
        return 0.0 if self.proven else 1.0 - max(self.bound, 0.0) / self.cost

    @property
    def proven(self) -> bool:
        # Weights that are not whole add up inexactly.
        return self.cost - self.bound <= 1e-9 * max(1.0, self.cost)

    def __str__(self) -> str:
        leaves = "1 leaf" if self.n_leaves == 1 else f"{self.n_leaves} leaves"
        cost = f"{self.errors:.6g} errors + {leaves} x {self.leaf_price:.6g} = {self.cost:.6g}"
        if self.proven:
            return f"optimal: {cost}, no tree costs less"
        return f"stopped: {cost}, at least {self.bound:.6g} (gap {self.gap:.1%}); machines may differ"
