"""A Python module without dependencies: the tree as a table, and a function that walks it.

A table, not nested ifs: Python refuses a hundred levels of indentation, and a name in a literal
can never become code.
"""

from typing import Any

from treelab.data.moments import Moments
from treelab.writers.export_tree import STOP, ExportNode, ExportTree, LabelTest

HEAD = '''\
"""A decision tree, written by treelab.

A case is a dictionary of the features' values; None, NaN or no entry is a missing value.
"""

from bisect import bisect_left, bisect_right

'''

MOMENTS = '''\
from datetime import datetime, time, timedelta, timezone

# The features that are dates or times, given as ISO text or as objects of datetime; or as numbers:
# days since 1970-01-01, seconds since then, or seconds since midnight.
SCALES = @scales@


def _number(value, scale):
    """Return the number of a date or time."""
    if isinstance(value, str):
        kind = time if scale == "time" else datetime
        value = kind.fromisoformat(value.strip().replace("Z", "+00:00"))
    if not hasattr(value, "isoformat"):
        return value
    if scale == "date":
        return value.toordinal() - datetime(1970, 1, 1).toordinal()
    if scale == "time":
        value = datetime.combine(datetime(1970, 1, 1), value)
    elif not isinstance(value, datetime):
        value = datetime.combine(value, time())
    zone = timezone.utc if scale == "datetime-utc" else None
    return (value - datetime(1970, 1, 1, tzinfo=zone)) / timedelta(seconds=1)


'''

NODES = """\
# Of each node: the class shares and, at a test, its feature, how values are compared, the limits,
# the node each step or label leads to (-1: the case ends here), and where missing values go.
"""

WALK = '''

def predict_proba(case):
    """Return the probability of each class."""
    total = [0.0] * len(CLASSES)
    waiting = [(0, 1.0)]
    while waiting:
        node, part = waiting.pop()
        shares, test = NODES[node]
        onward = _onward(test, case) if test else ()
        waiting += [(child, part * share) for child, share in onward]
        if not onward:
            total = [a + part * b for a, b in zip(total, shares)]
    return dict(zip(CLASSES, total))


@predict@

def _onward(test, case):
    """Return where a case goes: pairs of a node and the part of the case that goes there."""
    feature, sign, limits, children, missing = test
    value = case.get(feature)
    if value is None or value != value:
        return missing
    if sign == "=":
        child = children.get(value, -1)
    else:
        place = bisect_left if sign == "<=" else bisect_right
        child = children[place(limits, @number@)]
    return () if child < 0 else ((child, 1.0),)
'''


MOST_PROBABLE = '''\
def predict(case):
    """Return the most probable class; the first one among equals."""
    shares = predict_proba(case)
    enough = max(shares.values()) * (1 - 1e-12)
    return next(label for label, share in shares.items() if share >= enough)
'''

CHEAPEST = '''\
def predict(case):
    """Return the class of minimum expected cost; the first one among equals."""
    shares = predict_proba(case).values()
    expected = [sum(p * cost for p, cost in zip(shares, column)) for column in zip(*COSTS)]
    enough = min(expected) + 1e-12 * max(map(max, COSTS))
    return next(label for label, cost in zip(CLASSES, expected) if cost <= enough)
'''

COSTS = """\
# What it costs to predict a class (column) for a case of a class (row).
COSTS = @costs@

"""


def write(form: ExportTree) -> str:
    """Return the source of the module."""
    # !a and not !r: no character of a name depends on how the file is read.
    classes = f"TARGET = {form.target!a}\nCLASSES = {form.classes!a}\n\n"
    nodes = "".join(f"    ({node.probabilities!a}, {_test(node)!a}),\n" for node in form.nodes)
    scales = {c.name: c.scale.name for c in form.features if isinstance(c.scale, Moments)}
    moments = MOMENTS.replace("@scales@", ascii(scales)) if scales else ""
    read = "_number(value, SCALES.get(feature))" if scales else "value"
    walk = WALK.replace("@number@", read)
    walk = walk.replace("@predict@", CHEAPEST if form.costs else MOST_PROBABLE)
    costs = COSTS.replace("@costs@", repr(form.costs)) if form.costs else ""
    return f"{HEAD}{moments}{classes}{costs}{NODES}NODES = [\n{nodes}]\n{walk}"


def _test(node: ExportNode) -> tuple[Any, ...] | None:
    test = node.test
    if test is None:
        return None
    if isinstance(test, LabelTest):
        children: Any = {label: node.children[to] for label, to in test.branch_of.items()}
        return test.feature, "=", (), children, _missing(node)
    children = tuple(node.children[to] if to != STOP else STOP for to in test.branches)
    return test.feature, "<=" if test.closed else "<", test.limits, children, _missing(node)


def _missing(node: ExportNode) -> tuple[tuple[int, float], ...]:
    if node.spread:
        return tuple(zip(node.children, node.spread, strict=True))
    return ((node.children[node.missing], 1.0),) if node.missing != STOP else ()
