"""Searches for the best set of features.

Among equals the features of the lowest numbers win. Every search returns the sets it went through,
the result last.
"""

from collections.abc import Callable, Iterable
from heapq import heappop, heappush
from itertools import chain, combinations
from math import comb, isnan
from typing import NamedTuple

import attrs

from treelab.errors import ParameterError
from treelab.kernels.ties import TIE
from treelab.selection.criteria import Worth
from treelab.selection.joint_codes import Subset
from treelab.stats.ties import settled

MOST_SUBSETS = 100_000
"""Exhaustive search judges no more sets than this."""

PATIENCE = 5
"""Best-first search gives up after so many sets whose neighbours bring nothing better."""

LOWEST = float("-inf")


class Step(NamedTuple):
    """A set of features and its score."""

    subset: Subset
    score: float


class Judge:
    """Judges sets of features, each once, and counts them."""

    def __init__(self, worth: Worth, n_features: int, watch: Callable[[int], object]) -> None:
        self.worth, self.n_features, self.watch = worth, n_features, watch
        self._steps = getattr(worth, "step", None)
        self._known: dict[frozenset[int], float] = {}

    @property
    def n_judged(self) -> int:
        return len(self._known)

    def __call__(self, subset: Subset) -> Step:
        """Return a set with its score; what cannot be judged is worse than all else."""
        key = frozenset(subset)
        if key not in self._known:
            score = self.worth(subset)
            self._known[key] = LOWEST if isnan(score) else score
            self.watch(len(self._known))
        return Step(subset, self._known[key])

    def others(self, subset: Subset) -> list[int]:
        """Return the features that are not in a set."""
        return [f for f in range(self.n_features) if f not in subset]

    def larger(self, subset: Subset) -> list[Step]:
        """Judge all sets of one more feature."""
        return [self((*subset, f)) for f in self.others(subset)]

    def smaller(self, subset: Subset) -> list[Step]:
        """Judge all sets of one feature less; the last ones go first."""
        return [self(tuple(f for f in subset if f != out)) for out in sorted(subset, reverse=True)]

    def added(self, now: Step) -> tuple[Step, bool]:
        """Return a set with its best further feature, and whether that is an improvement."""
        if self._steps is None:
            best = first_best(self.larger(now.subset))
            return best, better(best.score, now.score)
        steps = [
            Step((*now.subset, f), self._steps(now.subset, f)) for f in self.others(now.subset)
        ]
        best = first_best(steps)
        return self(best.subset), better(best.score, 0.0)


@attrs.frozen
class Goal:
    """When to stop: at k features, at a score, or, without k, when nothing improves."""

    k: int | None = None
    threshold: float | None = None
    width: int = 5

    def reached(self, now: Step) -> bool:
        """Tell whether a growing set is large or good enough."""
        good = self.threshold is not None and now.score >= self.threshold
        return good or len(now.subset) == self.k


def greedy(judge: Judge, goal: Goal) -> list[Step]:
    """Add the best feature, again and again."""
    path: list[Step] = []
    now = judge(())
    while len(now.subset) < judge.n_features and not (path and goal.reached(now)):
        best, improves = judge.added(now)
        if path and goal.k is None and not improves:
            break
        now = best
        path.append(now)
    return path


def backward(judge: Judge, goal: Goal) -> list[Step]:
    """Begin with all features and remove the worst, as long as the set gets no worse.

    With k it goes on to k features; with a threshold, as long as the score stays there.
    """
    now = judge(tuple(range(judge.n_features)))
    path = [now]
    while len(now.subset) > max(goal.k or 1, 1):
        best = first_best(judge.smaller(now.subset))
        least = now.score if goal.threshold is None else goal.threshold
        if (goal.k is None or goal.threshold is not None) and better(least, best.score):
            break
        now = best
        path.append(now)
    return path


def floating(judge: Judge, goal: Goal) -> list[Step]:
    """Add the best feature, then remove others while that beats the best set of that size.

    Source: Pudil, Novovicova and Kittler 1994.
    """
    best_of: dict[int, Step] = {}
    path: list[Step] = []
    now = judge(())
    while len(now.subset) < judge.n_features and not (path and goal.reached(now)):
        best, improves = judge.added(now)
        if path and goal.k is None and not improves:
            break
        now = _keep(best_of, path, best)
        while len(now.subset) > 2:
            fewer = first_best(judge.smaller(now.subset))
            if not better(fewer.score, best_of[len(fewer.subset)].score):
                break
            now = _keep(best_of, path, fewer)
    return path


def _keep(best_of: dict[int, Step], path: list[Step], found: Step) -> Step:
    """Remember the best set of each size, and go on from it."""
    size = len(found.subset)
    if size not in best_of or better(found.score, best_of[size].score):
        best_of[size] = found
    path.append(best_of[size])
    return best_of[size]


def best_first(judge: Judge, goal: Goal) -> list[Step]:
    """Go on from the best set seen so far, one feature more or less, until nothing gets better."""
    waiting: list[tuple[float, int, Subset, Step]] = []
    seen: set[frozenset[int]] = {frozenset()}
    path: list[Step] = []
    now, failures = judge(()), 0
    while failures < PATIENCE:
        before = len(path)
        for step in _neighbours(judge, now.subset, goal.k):
            if frozenset(step.subset) in seen:
                continue
            seen.add(frozenset(step.subset))
            heappush(waiting, (*_order(step), step))
            if goal.k in (None, len(step.subset)) and _leads(step, path):
                path.append(step)
        failures = 0 if len(path) > before or not path else failures + 1
        if not waiting or (path and goal.threshold is not None and goal.reached(path[-1])):
            break
        now = heappop(waiting)[-1]
    return path


def _neighbours(judge: Judge, subset: Subset, k: int | None) -> Iterable[Step]:
    larger = judge.larger(subset) if k is None or len(subset) < k else []
    return chain(larger, judge.smaller(subset) if len(subset) > 1 else [])


def _leads(step: Step, path: list[Step]) -> bool:
    return not path or better(step.score, path[-1].score)


def beam(judge: Judge, goal: Goal) -> list[Step]:
    """Keep the best `width` sets of each size, and add a feature to each of them."""
    kept, path = [judge(())], list[Step]()
    while len(kept[0].subset) < judge.n_features and not (path and goal.reached(path[-1])):
        larger = {frozenset(step.subset): step for one in kept for step in judge.larger(one.subset)}
        kept = sorted(larger.values(), key=_order)[: goal.width]
        if path and goal.k is None and not better(kept[0].score, path[-1].score):
            break
        path.append(kept[0])
    return path


def exhaustive(judge: Judge, goal: Goal) -> list[Step]:
    """Judge every set of k features, or every set there is; the smallest of equals wins."""
    n = judge.n_features
    sizes = range(1, n + 1) if goal.k is None else [goal.k]
    n_subsets = sum(comb(n, size) for size in sizes)
    if n_subsets > MOST_SUBSETS:
        raise ParameterError(
            f"exhaustive search would judge {n_subsets:,} sets of {n} features, more than "
            f"{MOST_SUBSETS:,}; give a smaller k or take another search"
        )
    path: list[Step] = []
    for subset in chain.from_iterable(combinations(range(n), size) for size in sizes):
        step = judge(subset)
        if _leads(step, path):
            path.append(step)
            if goal.threshold is not None and goal.reached(step):
                break
    return path


Search = Callable[[Judge, Goal], list[Step]]

SEARCHES: dict[str, Search] = {
    "greedy": greedy,
    "backward": backward,
    "floating": floating,
    "best-first": best_first,
    "beam": beam,
    "exhaustive": exhaustive,
}


def better(one: float, other: float) -> bool:
    """Tell whether a score is better than another by more than rounding."""
    if other == LOWEST:
        return one > LOWEST
    return one > other + TIE * max(1.0, abs(other))


def first_best(steps: list[Step]) -> Step:
    """Return the first of the best."""
    best = steps[0]
    for step in steps[1:]:
        if better(step.score, best.score):
            best = step
    return best


def _order(step: Step) -> tuple[float, int, Subset]:
    """Sort from the best on; what differs by rounding goes by size and numbers of features."""
    return -settled(step.score), len(step.subset), tuple(sorted(step.subset))
