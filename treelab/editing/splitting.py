"""From what a person asks for to a split of the cases at a node."""

from collections.abc import Sequence
from typing import NamedTuple

import attrs
import numpy as np

from treelab._text import weight_text
from treelab._typing import FloatArray, IndexArray, IntArray
from treelab.data.scales import UNKNOWN
from treelab.editing.place import Place, borders, threshold_range
from treelab.errors import ParameterError, UnknownNameError, shown
from treelab.explain.own import admission, cut_metric, own_metric
from treelab.metrics import metric as find_metric
from treelab.stats.candidates.choice import Judgement, Judges, cut_scores
from treelab.stats.candidates.splits import NONE, Splits
from treelab.stats.stores.node import InMemoryNode
from treelab.tree.edits import BEST, EACH, KNOWN, Group, Split
from treelab.tree.model import Tree
from treelab.tree.show import limit_of


class Asked(NamedTuple):
    """A split, what the metric says of it (NaN where it has no such candidate), its threshold.

    The threshold is as it was given; None where the split has none, or has that of a candidate.
    """

    splits: Splits
    score: float
    threshold: float | None = None
    by_counts: bool = True


def asked_for(edit: Split, tree: Tree, view: InMemoryNode) -> Asked:
    """Return the split that an edit asks for at a node."""
    place = Place.of(tree, view, edit.node, edit.feature)
    if edit.by == BEST:
        return _best(place)
    if edit.by == EACH:
        return _scored(place, _each(place))
    if edit.by == KNOWN:
        return _scored(place, _known(place))
    if isinstance(edit.by, tuple):
        return _scored(place, _grouping(place, edit.by))
    return _cut(place, _number(place, edit.by))


# Cuts


def _number(place: Place, by: str | float) -> float:
    """Return a threshold as a number."""
    column = place.tree.schema.features[place.feature]
    if column.is_nominal:
        some = ", ".join((column.labels or ())[:2])
        raise ParameterError(
            f"{column.name!r} has no thresholds but values: give groups of them, such as [[{some}]]"
        )
    if isinstance(by, float):
        return by
    if column.scale is None:
        raise ParameterError(f"a threshold of {column.name!r} must be a number, got {shown(by)}")
    try:
        found = column.scale.read(by)
    except ValueError as error:
        raise ParameterError(f"a threshold of {column.name!r}: {error}") from None
    if found == UNKNOWN:
        raise UnknownNameError("value", by, column.scale.labels, of=repr(column.name))
    return found


def _cut(place: Place, threshold: float) -> Asked:
    known, axis = borders(place), place.axis
    if known is not None:
        last = int(np.abs(known - threshold).argmin()) if len(known) else 0
        threshold = float(known[last]) if len(known) else threshold
    else:
        last = int(np.searchsorted(axis.points, threshold, side="right")) - 1
    below, above = place.codes[place.codes <= last], place.codes[place.codes > last]
    if not len(below) or not len(above):
        raise _one_sided(place, threshold, known)
    feature, low, high = (np.array([n]) for n in (place.feature, below[-1], above[0]))
    found = _scored(place, Splits(feature, low, high))
    return found if axis.kind == "interval" else found._replace(threshold=threshold)


def _one_sided(place: Place, threshold: float, known: FloatArray | None) -> ParameterError:
    column = place.tree.schema.features[place.feature]
    start = (
        f"{column.name} <= {limit_of(column, threshold)} leaves a branch of node {place.path} empty"
    )
    limits = threshold_range(place)
    if limits is None:
        weight = weight_text(float(place.weights.sum()))
        return ParameterError(f"{start}: its {weight} cases of known {column.name!r} are all alike")
    low, high = (limit_of(column, limit) for limit in limits)
    if known is not None:
        return ParameterError(f"{start}: the borders there are from {low} to {high}")
    return ParameterError(f"{start}: give a threshold from {low} to below {high}")


def _known(place: Place) -> Splits:
    if not place.has_branch_for_missing or place.column.is_nominal:
        raise ParameterError(
            "'known' is for numbers in trees with missing='branch'; of labels, null in a group "
            "stands for missing"
        )
    if not len(place.codes) or not place.missing:
        which = "missing" if not place.missing else "known"
        raise ParameterError(f"no value of {place.name!r} is {which} at node {place.path}")
    feature, last = np.array([place.feature]), np.array([place.axis.n_codes - 1])
    return Splits(feature, last, np.array([NONE]))


# Groups


def _labels(place: Place) -> tuple[str, ...]:
    if place.axis.kind == "numeric":
        raise ParameterError(f"{place.name!r} has no groups of values: give a threshold")
    return place.column.labels or ()


def _each(place: Place) -> Splits:
    labels = _labels(place)
    groups: list[Group] = [(labels[code],) for code in place.codes]
    if place.has_branch_for_missing and place.missing:
        groups.append((None,))
    if len(groups) < 2:
        raise ParameterError(f"all cases at node {place.path} are alike in {place.name!r}")
    return _grouping(place, groups)


def _grouping(place: Place, groups: Sequence[Group]) -> Splits:
    """Return the split with a branch for each group; one alone stands against the rest."""
    labels = _labels(place)
    code_of = {label: code for code, label in enumerate(labels)}
    found = Splits.groupings(np.array([place.feature]), np.array([len(labels)]))
    for branch, group in enumerate(groups):
        for value in group:
            code = _code(place, value, code_of)
            if found.maps[code] >= 0:
                raise ParameterError(f"the value {shown(value)} is in two groups")
            found.maps[code] = branch
    here = _codes_with_missing(place)
    left_out = here[found.maps[here] < 0]
    if len(groups) == 1:
        found.maps[left_out] = 1
    elif place.missing and list(left_out) == [len(labels)]:
        found.maps[left_out] = len(groups)  # missing values get a branch of their own
    elif len(left_out):
        raise ParameterError(
            f"the groups leave out {shown(_word(labels, left_out[0]))}, a value of "
            f"{place.name!r} at node {place.path}"
        )
    _check_groups(place, found, groups, here)
    return found


def _code(place: Place, value: str | None, code_of: dict[str, int]) -> int:
    if value is None:
        if not place.has_branch_for_missing:
            raise ParameterError(
                "missing values are in a group of their own or with others only in trees with "
                f"missing='branch', this one has missing={place.tree.missing!r}"
            )
        return len(code_of)
    if value not in code_of:
        raise UnknownNameError("value", value, code_of, of=repr(place.name))
    return code_of[value]


def _codes_with_missing(place: Place) -> IndexArray:
    """Return the codes that occur, with that of missing where it has a branch."""
    also = place.has_branch_for_missing and place.missing > 0
    return np.append(place.codes, place.axis.n_codes) if also else place.codes


def _check_groups(place: Place, found: Splits, groups: Sequence[Group], here: IndexArray) -> None:
    taken = set(found.maps[here].tolist())
    for branch, group in enumerate(groups):
        if branch not in taken:
            raise ParameterError(
                f"the group {shown(list(group))} is empty: no case at node {place.path} has such "
                f"a value of {place.name!r}"
            )
    if len(taken) < 2:
        raise ParameterError(
            f"the group {shown(list(groups[0]))} leaves nothing: all cases at node {place.path} "
            f"have such a value of {place.name!r}"
        )


def _word(labels: Sequence[str], code: int) -> str:
    return labels[code] if code < len(labels) else "missing"


# What the metric says


def _judgement(place: Place) -> Judgement | None:
    """Return what the tree's own metric says of the node, if it is known here."""
    metric = own_metric(place.tree)
    if metric is None or not len(place.view.counts):
        return None
    return Judges(find_metric(metric), cut_metric(place.tree), admission(place.tree))(place.view)


def _best(place: Place) -> Asked:
    """Return the split of a feature that the tree's own metric prefers."""
    if own_metric(place.tree) is None:
        raise ParameterError(
            "the metric of this tree has no name that is known here: give a threshold or groups"
        )
    judgement, mine = _judgement(place), place.view.counts.feature == place.feature
    if judgement is None or not mine.any():
        raise ParameterError(
            f"no split of {place.name!r} leaves two branches of min_branch cases at node "
            f"{place.path}"
        )
    worth, within = (np.where(mine, of, np.nan) for of in (judgement.worth, judgement.within))
    if np.isnan(worth).all():  # as the gate of gain-ratio-c45 leaves out most
        worth = within = np.where(mine, cut_scores(place.view, cut_metric(place.tree)), np.nan)
    chosen = attrs.evolve(judgement, worth=worth, within=within).best()
    if not len(chosen.nodes):
        raise ParameterError(
            f"the metric finds no split of {place.name!r} at node {place.path} it can judge"
        )
    return Asked(chosen.splits, float(chosen.scores[0]), by_counts=chosen.by_counts)


def _scored(place: Place, splits: Splits) -> Asked:
    """Return a split with what the metric says of it."""
    judgement = _judgement(place)
    at = None if judgement is None else _candidate(place.view, splits)
    if judgement is None or at is None:
        return Asked(splits, np.nan)
    return Asked(splits, float(judgement.said[at]), by_counts=judgement.by_counts)


def _candidate(view: InMemoryNode, splits: Splits) -> int | None:
    """Return which candidate a split is; None where it is none."""
    places = np.flatnonzero(view.counts.feature == splits.feature[0])
    offered = view.counts.splits(places)
    if not splits.is_grouping[0]:
        same = ~offered.is_grouping & (offered.low == splits.low) & (offered.high == splits.high)
    else:
        same = np.array([_same_map(offered, k, splits.maps) for k in range(len(places))], bool)
    return int(places[same.argmax()]) if same.any() else None


def _same_map(offered: Splits, k: int, wanted: IntArray) -> bool:
    first = offered.first_map[k]
    return bool(first >= 0 and np.array_equal(offered.maps[first : first + len(wanted)], wanted))
