"""Where the classes are dealt out by chance: which attribute is chosen, and what it is worth.

    python experiments/trust/null.py [--quick]

Attributes of 2 to 40 values know nothing of the class. A fair metric chooses each equally often
(chi-square test over the seeds); the exact expectation of a metric is the mean over permutations.
Beside them stands a number, of which every cut is a candidate: the best of many has to be compared
with the best of many by chance (SPEC 12.2), at the root and one level down.
"""

import sys
from collections.abc import Callable, Iterator

import numpy as np
from report import tell
from scipy.stats import chisquare

import treelab as tl
from treelab._typing import FloatArray, IndexArray
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.data.schema import Column, Schema
from treelab.metrics.adapters import CountMetric
from treelab.metrics.discrimination import ContextualMerit1
from treelab.protocols import SplitMetric
from treelab.stats.formulas.permutation import values_of
from treelab.stats.stores.in_memory import root_node
from treelab.stats.stores.node import InMemoryNode

VALUES = (2, 3, 5, 10, 20, 40)
RAW = ("gain", "gini", "chi2", "gain-ratio", "mantaras")
RATIOS = ("normalized-gini", "normalized-entropy", "gain-over-chance")
FAIR = ("p-chi2", "gain-p-value", "gini-p-value")
"""Tests of significance: what they say is spread alike for every attribute that knows nothing."""
KINDS = {"2": 2, "10": 10, "40": 40, "number": 0}
"""Attributes that know nothing, by how many values they have."""
OF_FEATURES = ("gain-p-value", "chi2-p-value")
IS_CHANCE = 0.001
IS_EVEN = 0.01
IS_BIAS = 1e-6
OF = ("treelab.learner",)
"""The modules that choose, with what they need."""


def metric_of(name: str, rounds: int = 99) -> SplitMetric:
    """Return a metric by name, or a normalized one."""
    if name.endswith("-p-value"):
        return tl.Normalized(name.removesuffix("-p-value"), summary="p-value", rounds=rounds)
    if name.endswith("-over-chance"):
        return tl.Normalized(name.removesuffix("-over-chance"))
    return tl.metric(name)


def null_data(seed: int, cases: int = 400, classes: int = 2) -> Dataset:
    """Return attributes of 2 to 40 values, in a random order, and classes dealt out by chance."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(VALUES))  # of equally good ones the first is chosen
    features = [Column(f"x{VALUES[f]}", tuple(map(str, range(VALUES[f])))) for f in order]
    columns = [rng.permutation(np.arange(cases) % VALUES[f]) for f in order]
    schema = Schema(tuple(features), Column("class", tuple(map(str, range(classes)))))
    return Dataset.of(schema, columns, rng.permutation(np.arange(cases) % classes))


def node_of(data: Dataset, seed: int = 0) -> InMemoryNode:
    return root_node(Coded.of(data, Coding()), "multiway", seed=seed)


def choices(metric: SplitMetric, seeds: range, cases: int = 400) -> IndexArray:
    """Return how often each attribute is chosen, by its number of values."""
    chosen = []
    for seed in seeds:
        node = node_of(null_data(seed, cases), seed)
        best = int(node.counts.best(values_of(metric(node)))[0])
        chosen.append(node.coded.axes[node.counts.feature[best]].n_codes)
    return np.array([chosen.count(n) for n in VALUES])


def mixed_data(seed: int, cases: int = 300) -> Dataset:
    """Return attributes of all kinds that know nothing, in a random order, behind one that knows.

    'known' is right in 4 of 5 cases, so that it is the root; its branches know no more.
    """
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, cases)
    known = np.where(rng.random(cases) < 0.8, label, 1 - label)
    features, columns = [Column("known", ("0", "1"))], [known]
    for name in rng.permutation(list(KINDS)):  # of equally good ones the first is chosen
        n = KINDS[name]
        features.append(Column(name, tuple(map(str, range(n)))) if n else Column(name))
        columns.append(rng.integers(0, n, cases) if n else rng.normal(size=cases))
    schema = Schema(tuple(features), Column("class", ("0", "1")))
    return Dataset.of(schema, columns, label)


def choices_of_kinds(
    metric: SplitMetric, seeds: range, splits: str, below: bool, cases: int = 300
) -> IndexArray:
    """Return how often each kind is chosen at the root, or in the branches of 'known'."""
    chosen: list[str | None] = []
    for seed in seeds:
        data = mixed_data(seed, cases)
        data = data if below else data.select(data.features[1:])
        tree = tl.grow(
            data, metric, max_depth=1 + below, splits=splits, min_branch=1, pruner="none", seed=seed
        )
        nodes = tree.root.children if below else [tree.root]
        chosen += [node.feature for node in nodes]
    return np.array([chosen.count(kind) for kind in KINDS])


def deviations(metric: CountMetric, rounds: int, seed: int = 0) -> Iterator[float]:
    """Yield how many standard errors the exact expectation lies from the mean of permutations."""
    rng = np.random.default_rng(seed)
    for n_values in VALUES:
        for n_classes in (2, 3, 6):
            value = rng.choice(n_values, 120, p=rng.dirichlet(np.full(n_values, 2.0)))
            label = rng.choice(n_classes, 120, p=rng.dirichlet(np.full(n_classes, 2.0)))
            tables = np.zeros((rounds, n_values, n_classes))
            for table in tables:
                np.add.at(table, (value, rng.permutation(label)), 1.0)
            exact = metric.expectation(tables[:1], **metric.parameters)[0]
            yield standard_errors(metric.raw(tables), exact)


def merit_deviations(rounds: int, seed: int = 0) -> Iterator[float]:
    """Yield the same for Contextual Merit (eq. 35), each feature being shuffled."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 60)
    columns = [rng.integers(0, v, 60) for v in (2, 5, 12)]
    features = [Column(f"x{f}", tuple(map(str, range(12)))) for f in range(3)]
    schema = Schema((*features, Column("number")), Column("class", ("no", "yes")))
    node = node_of(Dataset.of(schema, [*columns, rng.normal(size=60)], y))
    metric = ContextualMerit1()
    exact, draws = metric.expected(node, "exact"), metric.null_samples(node, rounds)
    for f in range(len(exact)):
        yield standard_errors(draws[:, f], exact[f])


def standard_errors(draws: FloatArray, exact: float) -> float:
    spread = draws.std(ddof=1) / np.sqrt(len(draws))
    # Where chance has no choice both are the same but for rounding.
    return float((draws.mean() - exact) / max(spread, 1e-9))


def declaring() -> list[CountMetric]:
    """Return the metrics that declare what chance gives them."""
    found = [tl.metric(name) for name in tl.metric_names()]
    return [m for m in found if isinstance(m, CountMetric) and m.expectation is not None]


def tell_choices(name: str, seeds: int, judge: Callable[[float, IndexArray], bool]) -> bool:
    counts = choices(metric_of(name), range(seeds))
    p = chisquare(counts).pvalue
    shares = ", ".join(f"{n}: {c / seeds:.0%}" for n, c in zip(VALUES, counts, strict=True))
    figure = f"{seeds} seeds, chosen by number of values {shares}; chi-square P = {p:.2g}"
    return tell(f"null: choices of {name}", figure, judge(p, counts), OF)


def tell_kinds(name: str, seeds: int, splits: str, below: bool) -> bool:
    counts = choices_of_kinds(metric_of(name), range(seeds), splits, below)
    p, where = chisquare(counts).pvalue, "one level down" if below else "at the root"
    shares = ", ".join(f"{k}: {c / counts.sum():.0%}" for k, c in zip(KINDS, counts, strict=True))
    figure = f"{seeds} seeds, splits {splits}, chosen {where} {shares}; chi-square P = {p:.2g}"
    return tell(f"null: {name} of features, {splits}, {where}", figure, p > IS_EVEN, OF)


def tell_deviations(name: str, found: list[float], rounds: int) -> bool:
    worst, mean_square = max(map(abs, found)), float(np.mean(np.square(found)))
    figure = (
        f"{len(found)} tables x {rounds} permutations: worst {worst:.1f} standard errors, "
        f"mean square {mean_square:.2f}"
    )
    # By chance 5 standard errors are passed once in a million.
    return tell(f"null: expectation of {name}", figure, worst < 5, OF)


def main() -> int:
    quick = "--quick" in sys.argv
    seeds, trials, rounds = (120, 60, 500) if quick else (2000, 600, 20_000)
    done = [tell_choices(name, seeds, lambda p, _: p < IS_BIAS) for name in RAW]
    # Fair on average, but values by chance spread the more the more branches there are.
    done += [tell_choices(name, seeds, lambda _, n: n.max() < 0.5 * seeds) for name in RATIOS]
    for name in FAIR:
        many = trials if name.endswith("-p-value") else seeds
        done.append(tell_choices(name, many, lambda p, _: p > IS_CHANCE))
    many = 100 if quick else 500
    for name in OF_FEATURES:
        for splits in ("auto", "multiway"):
            done += [tell_kinds(name, many, splits, below) for below in (False, True)]
    for metric in declaring():
        done.append(tell_deviations(str(metric.name), list(deviations(metric, rounds)), rounds))
    rounds = 100 if quick else 2000
    done.append(tell_deviations("contextual-merit-1", list(merit_deviations(rounds)), rounds))
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
