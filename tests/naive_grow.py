"""The tree of an exhaustive search: every candidate scored, the best taken; what it predicts."""

import itertools
import math
from dataclasses import dataclass, field
from typing import Any

from naive import TIE, class_margin, class_weights, entropy, value_margin
from naive_candidates import candidates, is_admissible, part
from naive_formulas import gain, score

# Scores


def scores(task, metric, found, node_weight):
    """Return the score of each candidate; None where the metric cannot judge it."""
    if metric == "gain-ratio-c45":
        return c45_scores(task, found, node_weight)
    return [_known_score(metric, candidate) for candidate in found]


def _known_score(metric, candidate):
    """A feature known for half of the cases tells half as much more than no information."""
    value = score(metric, candidate.table)
    if value is None or candidate.known > 1 - TIE:
        return value
    of_known, of_all = (
        score_without_information(metric, value_margin(candidate.table), classes)
        for classes in (class_margin(candidate.table), candidate.classes)
    )
    return of_all + candidate.known * (value - of_known)


def score_without_information(metric, values, classes):
    """Score the table in which every class takes the values in the same proportions."""
    if metric in ("normalized-gini", "normalized-entropy"):
        return -1.0  # chance itself, which the table below reaches for many cases only
    if metric in ("p-chi2", "p-g", "log-p-chi2", "log-p-g"):
        return 0.0  # with one degree of freedom a P-value shows the root of a rounding error
    return score(metric, [[c * v / sum(values) for c in classes] for v in values]) or 0.0


def c45_scores(task, found, node_weight):
    """Gain ratio among the candidates of at least average gain, as C4.5 release 8 has it."""
    gains = [gain(candidate.table) * candidate.known for candidate in found]
    entering = [i == _best_of_feature(found, gains, c.feature) for i, c in enumerate(found)]
    priced = []
    for i, candidate in enumerate(found):
        bits = candidate.log2_ways
        if bits is None:
            bits = math.log2(sum(c.feature == candidate.feature for c in found))
        priced.append(gains[i] - bits / node_weight)
    # Where nothing is worth its price the price is waived.
    if any(priced[i] > 1e-9 for i in range(len(found)) if entering[i]):
        gains = priced
    worthy = [i for i in range(len(found)) if entering[i] and gains[i] > 1e-9]
    few = [i for i in worthy if not _has_many_values(task, found[i].feature)]
    judged = few or worthy
    result = [None] * len(found)
    for i in worthy:
        average = sum(gains[j] for j in judged) / len(judged)
        if gains[i] >= average - 1e-3:
            cost = _split_information(found[i])
            result[i] = gains[i] / cost if cost > TIE else 0.0
    return result


def _best_of_feature(found, gains, feature):
    """Return the place of the first candidate of the largest gain of a feature."""
    places = [i for i, c in enumerate(found) if c.feature == feature]
    best = max(gains[i] for i in places)
    return next(i for i in places if gains[i] >= best - TIE)


def _has_many_values(task, feature):
    """Tell whether a feature has 0.3 times as many values, used or not, as there are cases."""
    n_training = sum(case.weight for case in task.cases)
    many = task.n_codes[feature] >= 0.3 * n_training * (1 - TIE)
    return task.kinds[feature] != "numeric" and many


def _split_information(candidate):
    """Return the entropy of the branches, the missing cases being one more branch."""
    sizes = value_margin(candidate.table)
    missing = sum(sizes) / candidate.known - sum(sizes)
    return entropy([*sizes, missing if missing > 0 else 0.0])


def choose(found, scored):
    """Return the place of the best score: among equals the lowest feature, then the first."""
    judged = [i for i, score in enumerate(scored) if score is not None]
    if not judged:
        return None
    best = max(scored[i] for i in judged)
    equal = [i for i in judged if scored[i] >= best - TIE * max(1.0, abs(best))]
    return min(equal, key=lambda i: (found[i].feature, i))


def is_clear(scored):
    """Tell whether rounding cannot change which scores are equal within the tie rule."""
    known = [score for score in scored if score is not None]
    best = max(known)
    scale = TIE * max(1.0, abs(best))
    return not any(0.01 * scale < best - score < 100 * scale for score in known)


# Growing


@dataclass
class Node:
    counts: list
    split: Any = None
    score: Any = None
    children: list = field(default_factory=list)


def judged_candidates(task, cases, metric, splits="auto", missing="fractional", min_branch=1):
    """Return all admissible candidates of a node and their scores."""
    found = candidates(task, cases, splits, missing)
    found = [candidate for candidate in found if is_admissible(candidate, min_branch)]
    return found, scores(task, metric, found, sum(case.weight for case in cases))


def grow(
    task, metric, splits="auto", missing="fractional", cases=None,
    *, min_cases=2, min_branch=1, max_depth=math.inf,
):  # fmt: skip
    """Return the whole unpruned tree, or the part of it that grows from some of the cases."""
    cases = task.cases if cases is None else cases
    node = Node(class_weights(cases, task.n_classes))
    weight = sum(node.counts)
    is_pure = weight - max(node.counts) <= 1e-12 * weight
    if is_pure or weight < min_cases - 1e-9 or max_depth < 1:
        return node
    found, scored = judged_candidates(task, cases, metric, splits, missing, min_branch)
    best = choose(found, scored)
    if best is not None:
        node.split, node.score = found[best], scored[best]
        stop = {"min_cases": min_cases, "min_branch": min_branch, "max_depth": max_depth - 1}
        parts = part(node.split, cases, missing)
        node.children = [grow(task, metric, splits, missing, each, **stop) for each in parts]
    return node


# Predicting


def probabilities(node, values, missing):
    """Return the class shares of one case."""
    own = [count / sum(node.counts) for count in node.counts]
    if node.split is None:
        return own
    value = values[node.split.feature]
    branch = node.split.branch(value)
    if branch is not None:
        return probabilities(node.children[branch], values, missing)
    if value is not None or missing != "fractional":
        return own
    total = sum(sum(child.counts) for child in node.children)
    result = [0.0] * len(own)
    for child in node.children:
        for c, share in enumerate(probabilities(child, values, missing)):
            result[c] += share * sum(child.counts) / total
    return result


def node_probabilities(node, kind="shares", parameter=0.0, above=(), prior=None):
    """The probabilities of all nodes of a tree in preorder, each by the nodes above it."""
    counts = node.counts.tolist()
    n, path = sum(counts), [*above, node.counts.tolist()]
    prior = [count / n for count in counts] if prior is None else prior
    if kind == "laplace":
        counts = [count + 1 for count in counts]
    elif kind == "m-estimate":
        counts = [count + parameter * p for count, p in zip(counts, prior, strict=True)]
    mine = [count / sum(counts) for count in counts]
    if kind == "shrunk":
        mine = list(prior)
        for parent, child in itertools.pairwise(path):
            for c in range(len(mine)):
                step = child[c] / sum(child) - parent[c] / sum(parent)
                mine[c] += step / (1 + parameter / sum(parent))
    below = [node_probabilities(child, kind, parameter, path, prior) for child in node.children]
    return [mine, *(row for rows in below for row in rows)]
