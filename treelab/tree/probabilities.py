"""From the class weights of a tree's nodes to the probabilities it gives, chosen by name."""

from collections.abc import Mapping
from typing import Protocol

import attrs
import numpy as np

from treelab._registry import Registry, Spec
from treelab._typing import FloatArray, IndexArray
from treelab.errors import ParameterError, check_number, shown
from treelab.kernels.shrinking import shrunk_shares


class Estimate(Protocol):
    """Gives every node the probabilities of its classes.

    `counts` are the class weights (node, class) in preorder, `parent` the parents of the nodes, -1
    at the root.
    """

    def __call__(self, counts: FloatArray, parent: IndexArray, /) -> FloatArray: ...


@attrs.frozen
class Shares:
    """The share of each class among the training cases of the node: n_c / n."""

    def __call__(self, counts: FloatArray, _parent: IndexArray) -> FloatArray:
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))


@attrs.frozen
class Laplace:
    """Laplace's rule of succession: (n_c + 1) / (n + number of classes)."""

    def __call__(self, counts: FloatArray, _parent: IndexArray) -> FloatArray:
        return Shares()(counts + 1.0, _parent)


@attrs.frozen
class MEstimate:
    """Cestnik's m-estimate: (n_c + m p_c) / (n + m), p_c being the share of class c at the root.

    Parameters
    ----------
    m
        How many cases the shares at the root are worth; 0 gives the shares.
    """

    m: float = 2.0

    def __attrs_post_init__(self) -> None:
        check_number("m", self.m, 0)

    def __call__(self, counts: FloatArray, parent: IndexArray) -> FloatArray:
        shares = Shares()
        return shares(counts + self.m * shares(counts[:1], parent), parent)


@attrs.frozen
class Shrunk:
    """Hierarchical shrinkage (Agarwal et al., ICML 2022; SPEC 12.7).

    p(root) + sum over the nodes t on the path of (p(t) - p(parent t)) / (1 + lambda / n(parent t)):
    what a test says counts the less, the fewer cases it was learnt from. The most probable class
    may be another one than the most frequent of the leaf.

    Parameters
    ----------
    lambda_
        How many cases a parent must have for its test to count half; 0 gives the shares. 10 has
        the least log loss over the bundled data sets (`experiments/defaults`).
    """

    lambda_: float = 10.0

    def __attrs_post_init__(self) -> None:
        check_number("lambda", self.lambda_, 0)

    def __call__(self, counts: FloatArray, parent: IndexArray) -> FloatArray:
        shares = Shares()(counts, parent)
        if self.lambda_ == 0:  # exactly: sums of differences differ from the last term by rounding
            return shares
        return Shares()(
            shrunk_shares(parent, shares, counts.sum(axis=1), float(self.lambda_)), parent
        )


PROBABILITIES: Registry[Estimate] = Registry("kind of probabilities", "treelab.probabilities")
PROBABILITIES.add("shares", Shares)
PROBABILITIES.add("laplace", Laplace)
PROBABILITIES.add("m-estimate", MEstimate)
PROBABILITIES.add("shrunk", Shrunk)


def probabilities(spec: Spec | Estimate) -> Estimate:
    """Return what makes probabilities by name, 'laplace' or 'shrunk:lambda=10', or itself.

    It must have a name, for a tree keeps it in its file.

    >>> probabilities("shrunk:5") == probabilities({"name": "shrunk", "lambda": 5}) == Shrunk(5)
    True
    """
    if isinstance(spec, str | Mapping):
        return PROBABILITIES.make(spec)
    if PROBABILITIES.describe(spec) is None:
        known = ", ".join(map(repr, PROBABILITIES.names()))
        raise ParameterError(f"probabilities must be one of {known}, got {shown(spec)}")
    return spec
