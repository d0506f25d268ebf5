"""Pruning: from a tree to a smaller one, chosen by name or object."""

from collections.abc import Mapping
from inspect import signature
from typing import Any

from treelab._registry import Registry, Spec
from treelab.data.class_weight import reweighted
from treelab.data.costs import altered_priors
from treelab.errors import ParameterError, shown
from treelab.protocols import Pruner
from treelab.tree.model import Tree
from treelab.tree.predict import as_dataset
from treelab.tree.prune.chance import Chance
from treelab.tree.prune.collapse import Collapse
from treelab.tree.prune.cost_complexity import CostComplexity
from treelab.tree.prune.minimum_error import MinimumError
from treelab.tree.prune.nothing import NoPruning
from treelab.tree.prune.pep import QuinlanPessimistic
from treelab.tree.prune.pessimistic import Pessimistic
from treelab.tree.prune.reduced_error import ReducedError
from treelab.tree.weighting import altered, restored

PRUNERS: Registry[Pruner] = Registry("pruner", "treelab.pruners")
PRUNERS.add("pessimistic", Pessimistic)
PRUNERS.add("collapse", Collapse)
PRUNERS.add("chance", Chance)
PRUNERS.add("pep", QuinlanPessimistic)
PRUNERS.add("reduced-error", ReducedError)
PRUNERS.add("cost-complexity", CostComplexity)
PRUNERS.add("minimum-error", MinimumError)
PRUNERS.add("none", NoPruning)


def pruner(spec: Spec | Pruner | None, **parameters: Any) -> Pruner:
    """Return a pruner by name ('pessimistic', 'pessimistic:cf=0.1', ...), or the pruner itself."""
    if isinstance(spec, str | Mapping):
        return PRUNERS.make(spec, **parameters)
    if parameters:
        raise ParameterError("parameters go with the name of a pruner, not with a pruner itself")
    if spec is None:
        return NoPruning()
    if not callable(spec):
        raise ParameterError(f"expected the name of a pruner or a callable, got {spec!r}")
    _check_arguments(spec)
    return spec


def _check_arguments(given: Pruner) -> None:
    try:
        signature(given).bind("tree", "data", "regrow")
    except TypeError:
        raise ParameterError(
            "a pruner takes a tree, the cases to prune by and a function that grows other trees, "
            f"{shown(given)} does not"
        ) from None
    except ValueError:  # a callable that does not tell
        pass


def prune(tree: Tree, method: str | Pruner = "pessimistic", data: Any = None) -> Tree:
    """Return a pruned tree.

    Parameters
    ----------
    tree
        The tree to prune; it is not changed.
    method
        A pruner or its name.
    data
        The cases to prune by, a `Dataset` or a frame. 'pessimistic' needs the training cases for
        subtree raising and only replaces subtrees by leaves without them; 'reduced-error' needs
        cases that were held out of training; 'cost-complexity' chooses its alpha by held-out cases.

    Examples
    --------
    >>> import treelab as tl
    >>> data = tl.load("voting")
    >>> full = tl.grow(data, pruner="none")
    >>> tl.prune(full, "pessimistic", data).n_leaves < full.n_leaves
    True
    """
    if not isinstance(tree, Tree):
        raise ParameterError(f"expected a Tree to prune, got {type(tree).__name__}")
    cases = None if data is None else as_dataset(tree, data, tree.schema.target.name)
    if tree.costs is None:
        return check_pruned(pruner(method)(tree, cases, None))
    if cases is not None:
        cases = reweighted(cases, altered_priors(tree.costs))
    return restored(check_pruned(pruner(method)(altered(tree), cases, None)), tree.costs)


def check_pruned(result: object) -> Tree:
    """Return what a pruner has made, if it is a tree."""
    if not isinstance(result, Tree):
        raise ParameterError(f"a pruner must return a Tree, got {type(result).__name__}")
    return result
