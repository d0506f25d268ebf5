"""Presets: settings of a learner under the name of the program they make the trees of.

A preset is nothing but a dictionary of options of `Learner`: every rule of C4.5 release 8 and of
Weka's J48 (SPEC 12.4) is an option of its own. `tests/reference/j48.py` has made the trees that
those of `j48` are compared with.
"""

from functools import partial
from typing import Any

from treelab._registry import Registry
from treelab.errors import check_number, check_truth
from treelab.learner import Learner

Options = dict[str, Any]

PRESETS: Registry[Options] = Registry("preset", "treelab.presets")


def preset(spec: str) -> Options:
    """Return the options that a name stands for: 'j48', 'j48:binary=true', 'c45:cf=0.1', ...

    They are for `Learner`, `grow` and `TreeClassifier` alike.

    Parameters
    ----------
    spec
        A name of `treelab.preset_names()`, with parameters of `treelab.c45`, if any.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.grow(tl.load("iris"), **tl.preset("j48"), max_depth=2)
    <Tree for 'class': 3 leaves, 5 nodes, depth 2>
    """
    return PRESETS.make(spec)


def preset_names() -> list[str]:
    """Return the names of all presets."""
    return PRESETS.names()


def j48(
    *,
    cf: float = 0.25,
    min_branch: float = 2,
    pruned: bool = True,
    raising: bool = True,
    binary: bool = False,
) -> Learner:
    """Return the learner that makes the trees of Weka's J48, node for node (SPEC 12.4).

    A case whose label no training case had at a test stops there and gets its class shares, as in
    J48's empty leaves; the tree does not list them.

    Parameters
    ----------
    cf
        The confidence of pruning, J48's -C.
    min_branch
        Two branches of every split hold so many cases, J48's -M; a node of less than twice as many
        is a leaf.
    pruned
        False for J48's -U: subtrees that spare no training error are collapsed, and that is all.
    raising
        False for J48's -S: no node is replaced by its largest branch.
    binary
        True for J48's -B: one value of a nominal feature against the rest, chosen by gain ratio.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.j48(pruned=False).fit(tl.load("voting"))
    <Tree for 'class': 19 leaves, 37 nodes, depth 8>
    """
    return Learner(**_j48(cf, min_branch, pruned, raising, binary))


def c45(
    *,
    cf: float = 0.25,
    min_branch: float = 2,
    pruned: bool = True,
    raising: bool = True,
    binary: bool = False,
    method: str = "c45",
    idle: bool = True,
    tie: float = 1e-7,
) -> Learner:
    """Return the learner that makes the trees of C4.5 release 8 (SPEC 12.4).

    Parameters
    ----------
    cf, min_branch, pruned, raising, binary
        As of `treelab.j48`. The first two are C4.5's -c and -m; C4.5 writes both the tree that is
        pruned and the one that is not, and always raises.
    method
        The estimate of errors; 'j48' for that of J48.
    idle
        Whether a nominal feature without any gain may be taken; in J48 it may not.
    tie
        By how much scores differ that are equal: here what single precision leaves, in J48 1e-6.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.c45(cf=0.1).fit(tl.load("voting"))
    <Tree for 'class': 6 leaves, 11 nodes, depth 5>
    """
    return Learner(**_c45(cf, min_branch, pruned, raising, binary, method, idle, tie))


def _c45(
    cf: float = 0.25,
    min_branch: float = 2,
    pruned: bool = True,
    raising: bool = True,
    binary: bool = False,
    method: str = "c45",
    idle: bool = True,
    tie: float = 1e-7,
) -> Options:
    check_number("min_branch", min_branch, 1)
    check_truth("pruned", pruned)
    check_truth("binary", binary)
    metric = _spec(
        "gain-ratio-c45", price="numeric", waive=False, average="admissible", idle=idle,
        groups="ratio", tie=tie,
    )  # fmt: skip
    return {
        "metric": metric,
        "pruner": _spec("pessimistic", cf=cf, raising=raising, method=method)
        if pruned
        else "collapse",
        "missing": "fractional",
        "min_cases": 2 * min_branch,
        "min_branch": min_branch,
        "splits": "binary" if binary else "multiway",
        "cuts": "c45",
        "unseen": "rest" if binary else "stop",
        "probabilities": "shares",
    }


_j48 = partial(_c45, method="j48", idle=False, tie=1e-6)


def _spec(name: str, **parameters: Any) -> str:
    """Return what names a thing with its parameters, as a text that model files can keep."""
    return f"{name}:{','.join(f'{key}={value}' for key, value in parameters.items())}"


PRESETS.add("c45", _c45)
PRESETS.add("j48", _j48)
