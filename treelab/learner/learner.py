"""`Learner`: everything it takes to grow a tree, as a value."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Protocol, runtime_checkable
from weakref import ref

import attrs

from treelab._registry import Registry
from treelab._zeros import one_zero
from treelab.choosing import CHOOSERS, Auto
from treelab.data.checks import check_target
from treelab.data.class_weight import class_weight
from treelab.data.coding import Coding
from treelab.data.constraints import Constraints, constraints
from treelab.data.costs import costs
from treelab.data.cut_rule import cut_rule
from treelab.data.dataset import Dataset
from treelab.data.order import canonical_order
from treelab.discretize import DISCRETIZERS
from treelab.discretize import discretizer as find_discretizer
from treelab.errors import ParameterError, shown
from treelab.metrics import metric as find_metric
from treelab.metrics.registry import METRICS
from treelab.protocols import Discretizer, Pruner, SplitMetric
from treelab.stats.candidates.choice import check_judges_cuts
from treelab.stats.stores.context import KINDS_OF, SplitStrategy
from treelab.stats.stores.nodes import Missing
from treelab.tree.grow import Growth, Unseen
from treelab.tree.keeping import check_kept, misplaced
from treelab.tree.metric_choice import MetricChoice
from treelab.tree.model import Tree
from treelab.tree.optimal.settings import Optimal
from treelab.tree.probabilities import PROBABILITIES, Estimate
from treelab.tree.probabilities import probabilities as estimated
from treelab.tree.prune import PRUNERS, check_pruned
from treelab.tree.prune import pruner as find_pruner
from treelab.tree.searches import SEARCHES, Search
from treelab.tree.searches import search as find_search
from treelab.tree.settings import KINDS, READ, as_text, check_settings, check_values
from treelab.tree.stop import Stop
from treelab.tree.weighting import restored, weighted


def metric_or_chooser(given: Any) -> SplitMetric | Auto:
    """Return a metric, or what chooses one for the data, by name; or what was given itself."""
    if isinstance(given, Auto):
        return given
    name = given.partition(":")[0] if isinstance(given, str) else None
    name = given.get("name") if isinstance(given, Mapping) else name
    return CHOOSERS.make(given) if name in CHOOSERS.names() else find_metric(given)


def _metric(given: Any) -> str | SplitMetric | Auto:
    return metric_or_chooser(given) if isinstance(given, Mapping) else given


def _discretizer(given: Any) -> str | Discretizer | None:
    return find_discretizer(given) if isinstance(given, Mapping) else given


def _pruner(given: Any) -> str | Pruner | None:
    return find_pruner(given) if isinstance(given, Mapping) else given


def _probabilities(given: Any) -> str | Estimate:
    return estimated(given) if isinstance(given, Mapping) else given


def _search(given: Any) -> str | Search:
    return find_search(given) if isinstance(given, Mapping) else given


def _plain(registry: Registry[Any], part: Any) -> Any:
    """Return a part as plain data: its name, its table or, without any, how it is written."""
    if part is None or isinstance(part, str):
        return part
    written = str(getattr(part, "__qualname__", None) or repr(part))
    return registry.describe(part) or CHOOSERS.describe(part) or {"repr": written}


@runtime_checkable
class Elsewhere(Protocol):
    """Data that are not in memory, and know how a tree is grown of them: `treelab.scan`."""

    def grown_by(self, learner: "Learner", /) -> Tree:
        """Return the pruned tree."""
        ...

    def unpruned_by(self, learner: "Learner", /) -> Tree:
        """Return the tree as it grows, for pruners that grow trees of parts of the data."""
        ...


@attrs.frozen(kw_only=True, repr=False)
class Learner:
    """How to make a tree of data. Names may stand for metric, discretizer and pruner.

    A name may bring parameters, 'relieff:k=5' or {'name': 'relieff', 'k': 5}. All parameters are
    checked here, before there are data; what only data can tell is told by `fit`.

    The defaults are those of small, accurate trees over the bundled data sets: see
    `experiments/defaults`.

    Parameters
    ----------
    metric
        What a split is worth: a name (`treelab.metric_names()`) or any callable that takes a
        node view and returns a score per candidate. 'auto' chooses one for the data before the
        tree grows, 'auto:pi' a setting of Pi; see `treelab.Auto`.
    discretizer
        Cuts numeric features into intervals first, by the training data; None keeps them numeric.
    pruner
        What makes the grown tree smaller; None or 'none' for nothing.
    missing
        'fractional': a case whose value is missing goes down all branches, in parts (C4.5);
        'branch': missing is a value of its own; 'majority': it goes with most cases.
    min_cases, min_branch, max_depth, max_leaves
        When to stop; see `treelab.tree.stop.Stop`.
    splits
        'multiway': a branch for each value of a nominal or discretized feature; 'binary': one
        value against the rest; 'subset': two groups of values; 'auto': two groups for nominal
        features, a branch for each interval for discretized ones. Numeric features are always
        cut at a threshold.
    bins
        Consider only the borders of so many equally filled bins as thresholds; None: all.
    cuts
        Which thresholds of numeric features are considered, and where they are put: 'all', or 'c45'
        with C4.5's least side, distance and place; see `treelab.data.cut_rule.CutRule`.
    unseen
        A label that no training case had at a test: 'stop': the case stops there and gets the
        class shares of the test, as of C4.5's empty leaves; 'rest': where one value is tested
        against the rest, it is of the rest.
    cut_metric
        Chooses the threshold or group where the metric judges a feature as a whole.
    search, width
        'greedy': every node gets the best split; 'beam': `width` trees grow side by side, so that
        a split may be taken for what comes after it; see `treelab.tree.beam`. 'lookahead': of the
        `width` best features the one under which the cheapest tree grows, with parameters price
        and cf; see `treelab.tree.lookahead`. 'optimal': of all
        trees of `max_depth` 4 at most, or `max_leaves` 16 at most, the one with the least share of
        training errors + price x leaves, whatever the metric; 'optimal:price=0.01,time_limit=60',
        see `treelab.Optimal`.
    seed
        For everything that is left to chance.
    probabilities
        How the class weights of a leaf become probabilities, by which the class is predicted, too:
        'shrunk:lambda=10' towards those of the nodes above; 'shares'; 'laplace';
        'm-estimate:m=2'. The tree is the same. See `treelab.tree.probabilities`.
    class_weight
        The weight of the cases of each class, on top of their own: {class: weight}, 1 where it says
        nothing, or 'balanced' for the same total in each class. The total stays that of the cases.
    costs
        What mistakes cost, {actual class: {predicted class: cost}} or a frame with the actual
        classes as its index: the class of minimum expected cost is predicted, and priors are
        altered for growing and pruning; see `treelab.data.costs`. Probabilities stay those of the
        cases.
    constraints
        What the tree has to keep to: `treelab.Constraints`.
    """

    metric: str | SplitMetric | Auto = attrs.field(default="gain-ratio-c45", converter=_metric)
    discretizer: str | Discretizer | None = attrs.field(default=None, converter=_discretizer)
    pruner: str | Pruner | None = attrs.field(
        default="pessimistic:cf=0.2,chance=0.5", converter=_pruner
    )
    missing: Missing = "fractional"
    min_cases: float = 2
    min_branch: float = attrs.field(default=2, converter=one_zero)
    max_depth: int | None = None
    max_leaves: int | None = None
    splits: SplitStrategy = "auto"
    bins: int | None = None
    cuts: str = "all"
    unseen: Unseen = "stop"
    cut_metric: str | SplitMetric = attrs.field(default="gain", converter=_metric)
    search: str | Search = attrs.field(default="greedy", converter=_search)
    width: int = 5
    seed: int = 0
    probabilities: str | Estimate = attrs.field(
        default="shrunk:lambda=10", converter=_probabilities
    )
    class_weight: Any = attrs.field(default=None, converter=class_weight)
    costs: Any = attrs.field(default=None, converter=costs)
    constraints: Any = attrs.field(default=None, converter=constraints)

    def __attrs_post_init__(self) -> None:
        given = attrs.astuple(self, recurse=False)
        check = _check_plain if all(type(value) in _PLAIN for value in given) else _check
        check(*given)

    @property
    def settings(self) -> dict[str, Any]:
        """All parameters as plain data, as a model file holds them."""
        given = {field.name: getattr(self, field.name) for field in attrs.fields(Learner)}
        for name, kind in KINDS.items():
            given[name] = _plain(_REGISTRIES[kind], given[name])
        for name in READ:
            value = given.pop(name)
            if value is not None:
                given[name] = getattr(value, "plain", value)
        return {name: getattr(value, "item", lambda v=value: v)() for name, value in given.items()}

    @classmethod
    def of_settings(cls, settings: Mapping[str, Any]) -> "Learner":
        """Return the learner of settings, such as those of a tree: `Tree.settings`.

        Examples
        --------
        >>> import treelab as tl
        >>> learner = tl.Learner(metric=tl.metric("relieff", k=5), max_depth=3)
        >>> tl.Learner.of_settings(learner.fit(tl.load("lenses")).settings) == learner
        True
        """
        check_settings(settings)
        if "repr" in settings:
            raise ParameterError(f"there are no settings, only a text: {shown(settings['repr'])}")
        return cls(**settings)

    def __repr__(self) -> str:
        return as_text(self.settings)

    def fit(self, data: "Dataset | Elsewhere") -> Tree:
        """Return the pruned tree of some data."""
        if isinstance(data, Elsewhere):
            return self._with_costs(data.grown_by(self))
        check_target(data)
        cases = self.in_canonical_order(weighted(data, self.settings))
        learner, choice = self.settled(data)
        tree = learner.pruned(learner._growth(cases)(cases), cases)
        return attrs.evolve(_grown_from(self._with_costs(tree), data), metric_choice=choice)

    def settled(self, data: Dataset) -> "tuple[Learner, MetricChoice | None]":
        """Return the learner with the metric that it chooses for some data; itself, if it has one.

        With what was chosen, and why.
        """
        chooser = metric_or_chooser(self.metric)
        if not isinstance(chooser, Auto):
            return self, None
        choice = chooser.choose(self, self.in_canonical_order(data))
        return attrs.evolve(self, metric=choice.metric), choice

    def _with_costs(self, tree: Tree) -> Tree:
        return restored(tree, None if self.costs is None else self.costs.matrix(tree.classes))

    def in_canonical_order(self, data: Dataset) -> Dataset:
        """Return the cases in an order of their own, where that leaves a trace in sums."""
        return canonical_order(data, shared_out=self.missing == "fractional")

    @property
    def prunes_by_cases(self) -> bool:
        """Whether the pruner needs more than the class weights of the nodes."""
        return bool(getattr(find_pruner(self.pruner), "needs_cases", True))

    @property
    def prunes_elsewhere(self) -> bool:
        """Whether the pruner takes cases that lie elsewhere."""
        return bool(getattr(find_pruner(self.pruner), "takes_elsewhere", False))

    @property
    def holds_out(self) -> bool:
        """Whether the pruner holds cases out, and takes those that lie elsewhere."""
        return bool(getattr(find_pruner(self.pruner), "holds_out", False))

    def pruned(self, grown: Tree, cases: Any) -> Tree:
        """Return a grown tree as `fit` returns it: pruned, by the cases it was grown from."""
        prune = find_pruner(self.pruner)
        if getattr(prune, "seed", self.seed) is None:
            prune = attrs.evolve(prune, seed=self.seed)  # type: ignore[misc]
        tree = check_pruned(prune(grown, cases, self.regrow))
        if self.constraints is not None:
            if misplaced(tree, self.constraints) and getattr(prune, "raising", False):
                # Replacing subtrees by leaves leaves the depths of all tests as they are.
                prune = attrs.evolve(prune, raising=False)  # type: ignore[misc]
                tree = check_pruned(prune(grown, cases, self.regrow))
            check_kept(tree, self.constraints)
        probabilities = _plain(PROBABILITIES, self.probabilities)
        return attrs.evolve(tree, probabilities=probabilities, optimum=grown.optimum)

    def trees_met(self, data: Dataset) -> Iterator[Tree]:
        """Yield every tree of some data that the search finishes, as it was grown: not pruned.

        The greedy search has only one; a beam some, and look-ahead its own and those in which a
        node takes another of the options it has completed, see `treelab.tree.met`.
        """
        check_target(data)
        cases = self.in_canonical_order(weighted(data, self.settings))
        probabilities = _plain(PROBABILITIES, self.probabilities)
        learner, choice = self.settled(data)
        known = {"metric_choice": choice, "probabilities": probabilities}
        for met in learner._growth(cases).met(cases):
            yield attrs.evolve(_grown_from(self._with_costs(met), data), **known)

    def regrow(self, data: "Dataset | Elsewhere") -> Tree:
        """Return the tree of some of the cases, not pruned, as pruners ask for it."""
        if isinstance(data, Elsewhere):
            return data.unpruned_by(self)
        return self._growth(data)(data)

    def _growth(self, data: Dataset) -> Growth:
        return self.growth(self._coding(data))

    def growth(self, coding: Coding) -> Growth:
        """Return how trees are grown of data that are cut by a coding."""
        metric = metric_or_chooser(self.metric)
        if isinstance(metric, Auto):
            raise ParameterError(
                f"metric {shown(self.metric)} is chosen by cases in memory: choose it with "
                "treelab.tune on a part of the data, and give its name"
            )
        return Growth(
            metric=metric,
            cut_metric=find_metric(self.cut_metric),
            coding=coding,
            splits=self.splits,
            bins=self.bins,
            cuts=cut_rule(self.cuts),
            missing=self.missing,
            unseen=self.unseen,
            stop=Stop(self.min_cases, self.min_branch, self.max_depth, self.max_leaves),
            search=find_search(self.search),
            width=self.width,
            seed=self.seed,
            constraints=self._checked_constraints(coding),
            settings=self.settings,
        )

    def _checked_constraints(self, coding: Coding) -> Constraints | None:
        given: Constraints | None = self.constraints
        is_cut = KINDS_OF[self.splits]["interval"] == "cut"
        for name, _ in () if given is None or is_cut else given.monotone:
            if name in coding:
                raise ParameterError(
                    f"monotone {name!r} needs cuts of numbers, but the discretizer leaves "
                    "intervals with a branch each: splits='binary' cuts between intervals"
                )
        return given

    def _coding(self, data: Dataset) -> Coding:
        if self.discretizer is None:
            return Coding()
        found = find_discretizer(self.discretizer).fit(data.take(data.y >= 0))
        return found.on(data.schema) if isinstance(found, Coding) else found  # refused by `grow`


def _grown_from(tree: Tree, data: Dataset) -> Tree:
    """Return a tree that knows its data, and whether they lacked values that it asks for."""
    lacking = data.missing()
    complete = not any(tree.features[place] in lacking for place in tree.tested)
    return attrs.evolve(tree, grown_from=ref(data), complete=complete)


def _check(*given: Any) -> None:
    """Raise unless the fields of a learner are what they may be."""
    settings = dict(zip(_FIELDS, given, strict=True))
    check_values(settings)
    metric_or_chooser(settings["metric"])
    check_judges_cuts(find_metric(settings["cut_metric"]))
    find_pruner(settings["pruner"])
    estimated(settings["probabilities"])
    find_search(settings["search"])
    if settings["discretizer"] is not None:
        find_discretizer(settings["discretizer"])
    if settings["constraints"] is not None and isinstance(find_search(settings["search"]), Optimal):
        raise ParameterError("search='optimal' looks at all trees: it takes no constraints")


_FIELDS = tuple(field.name for field in attrs.fields(Learner))
_PLAIN = (str, int, float, bool, type(None))
_check_plain = lru_cache(maxsize=64, typed=True)(_check)
"""Thousands of trees of a study have the same settings; what is wrong with some is found anew."""

_REGISTRIES: dict[str, Registry[Any]] = {
    "metric": METRICS,
    "discretizer": DISCRETIZERS,
    "pruner": PRUNERS,
    "probabilities": PROBABILITIES,
    "search": SEARCHES,
}
