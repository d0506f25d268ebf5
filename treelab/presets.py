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


def preset(spec: str, **parameters: Any) -> Options:
    """Return the options that a name stands for: 'j48', 'j48:binary=true', 'c45:cf=0.1', ...

    They are for `Learner`, `grow` and `TreeClassifier` alike, and may be changed on the way. See
    `c45` for the parameters.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.grow(tl.load("iris"), **tl.preset("j48"))
    <Tree for 'class': 5 leaves, 9 nodes, depth 4>
    """
    return PRESETS.make(spec, **parameters)


def preset_names() -> list[str]:
    """Return the names of all presets."""
    return PRESETS.names()


def c45(**parameters: Any) -> Learner:
    """Return the learner that makes the trees of C4.5 release 8 (SPEC 12.4).

    Parameters
    ----------
    cf
        The confidence of pruning (-c of C4.5, -C of J48), 0.25 unless given.
    min_branch
        Two branches of every split hold so many cases (-m, -M), 2 unless given; a node of less than
        twice as many is a leaf.
    pruned
        False: subtrees that spare no training error are collapsed, and that is all (J48's -U).
    raising
        False: no node is replaced by its largest branch (J48's -S).
    binary
        True: one value of a nominal feature against the rest, chosen by gain ratio (J48's -B).
    method, idle, tie
        What C4.5 and J48 do otherwise: the estimate of errors, 'c45' or 'j48'; whether a nominal
        feature without any gain may be taken, True or False; and by how much scores differ that are
        equal, 1e-7, which single precision leaves, or 1e-6.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.c45(cf=0.1).fit(tl.load("voting"))
    <Tree for 'class': 6 leaves, 11 nodes, depth 5>
    """
    return Learner(**preset("c45", **parameters))


def j48(**parameters: Any) -> Learner:
    """Return the learner that makes the trees of Weka's J48, node for node (SPEC 12.4).

    The parameters are those of `c45`, the last three with J48's defaults.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.j48(pruned=False).fit(tl.load("voting"))
    <Tree for 'class': 19 leaves, 37 nodes, depth 8>
    """
    return Learner(**preset("j48", **parameters))


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
    check_number("min_branch", min_branch, 0)
    check_truth("pruned", pruned)
    check_truth("binary", binary)
    metric = _spec(
        "gain-ratio-c45", price="numeric", waive=False, average="admissible", idle=idle,
        groups="ratio", tie=tie,
    )  # fmt: skip
    pruner = _spec("pessimistic", cf=cf, raising=raising, method=method) if pruned else "collapse"
    return {
        "metric": metric,
        "pruner": pruner,
        "min_cases": max(2 * min_branch, 1),
        "min_branch": min_branch,
        "splits": "binary" if binary else "multiway",
        "cuts": "c45",
        "unseen": "rest" if binary else "stop",
    }


def _spec(name: str, **parameters: Any) -> str:
    """Return what names a thing with its parameters, as a text that model files can keep."""
    return f"{name}:{','.join(f'{key}={value}' for key, value in parameters.items())}"


PRESETS.add("c45", _c45)
PRESETS.add("j48", partial(_c45, method="j48", idle=False, tie=1e-6))
