"""`steps`: how a tree grows and how it is pruned, as one page with a slider."""

from os import PathLike
from typing import Any

import attrs

from treelab._files import write_text
from treelab._markup import check_page, framed
from treelab._text import aligned, count
from treelab.choosing import Auto
from treelab.data.checks import check_target
from treelab.data.dataset import Dataset
from treelab.data.folds import folds_by_content
from treelab.errors import ParameterError, check_number
from treelab.explain.own import own_metric
from treelab.learner import Learner
from treelab.metrics import metric as find_metric
from treelab.protocols import SplitMetric
from treelab.teaching.growth import GrowthStep, growth_steps, n_tests
from treelab.teaching.pruning import PruningStep, pruning_steps
from treelab.tree.model import Tree
from treelab.tree.revisit import training_data


@attrs.frozen(eq=False)
class Steps:
    """How a tree grows, test by test, and how pruning takes it back; made by `treelab.steps`.

    Parameters
    ----------
    tree
        The tree.
    metric
        What chose the tests.
    growth
        The tests, level by level; those beyond a limit are left out.
    pruning
        The trees of cost-complexity pruning, from the whole tree to its root.
    gone
        For each node from which of these trees on it is a leaf or gone.
    kept
        How many leaves the learner's own pruner keeps; None for a finished tree.
    """

    tree: Tree
    metric: str
    growth: tuple[GrowthStep, ...]
    pruning: tuple[PruningStep, ...]
    gone: tuple[int, ...]
    kept: int | None = None

    @property
    def heading(self) -> str:
        """What is shown."""
        shown, tests = len(self.growth), n_tests(self.tree)
        of = count(tests, "test") if shown == tests else f"the first {shown} of {tests:,} tests"
        kept = "" if self.kept is None else f"; its pruner keeps {self.kept:,}"
        leaves = count(self.tree.n_leaves, "leaf", "leaves")
        return f"{of} by {self.metric}, {leaves}{kept}"

    def to_dict(self) -> dict[str, Any]:
        """Return the steps in plain values, ready for JSON."""
        return {
            "metric": self.metric,
            "kept": self.kept,
            "growth": [attrs.asdict(step) for step in self.growth],
            "pruning": [attrs.asdict(step) for step in self.pruning],
        }

    def __str__(self) -> str:
        rows = [
            [str(k), _chosen(step), f"{step.n_candidates:,}"]
            for k, step in enumerate(self.growth, 1)
        ]
        table = aligned([["step", "test", "candidates"], *rows], [True, False, True])
        return f"{self.heading}\n\n{table}"

    def __repr__(self) -> str:
        return f"<Steps: {self.heading}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        from treelab.teaching.page import steps_page

        return framed(steps_page(self))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page, which needs nothing else, to an .html file."""
        from treelab.teaching.page import steps_page

        check_page(path)
        write_text(path, steps_page(self))


def _chosen(step: GrowthStep) -> str:
    own = next((each for each in step.candidates if each.chosen), None)
    return step.split if own is None or own.score is None else f"{step.split}  {own.score:.4g}"


def steps(
    tree: Tree | Learner,
    data: Any = None,
    *,
    held_out: Any = None,
    most: int = 60,
    per_feature: int = 3,
) -> Steps:
    """Return how a tree grows, with all candidates' scores, and how pruning takes it back.

    Parameters
    ----------
    tree
        A tree, whose tests are shown as they are; or a `Learner`, whose tree is grown in full and
        not pruned.
    data
        The data the tree was or is grown from; of a tree they need not be given while they are
        alive.
    held_out
        Cases of which the errors are drawn beside those of training: a `Dataset` or frame; or, with
        a learner, the share of the data that is held out.
    most
        How many tests are shown, level by level.
    per_feature
        How many candidates of each feature are shown, the best ones.

    Returns
    -------
    Steps
        A notebook shows it; `save` writes the page.

    Examples
    --------
    >>> import treelab as tl
    >>> found = tl.steps(tl.Learner(metric="gini"), tl.load("iris"), held_out=0.3)
    >>> found.growth[0].split, [step.leaves for step in found.pruning][-3:]
    ('petal length <= 2.45 | petal length > 2.45', [3, 2, 1])
    """
    check_number("most", most, 1, whole=True)
    check_number("per_feature", per_feature, 1, whole=True)
    if isinstance(tree, Learner):
        return _of_learner(tree, data, held_out, most, per_feature)
    if not isinstance(tree, Tree):
        raise ParameterError(f"expected a Tree or a Learner, got {type(tree).__name__}")
    own = own_metric(tree)
    if own is None:
        raise ParameterError("the tree's metric is not known here: pass the Learner instead")
    if isinstance(held_out, float | int):
        raise ParameterError("a share is held out before a tree grows: pass the Learner instead")
    cases = training_data(tree, data)
    new = None if held_out is None else training_data(tree, held_out)
    return _steps(tree, own, cases, new, most, per_feature)


def _of_learner(learner: Learner, data: Any, held_out: Any, most: int, per_feature: int) -> Steps:
    if data is None:
        raise ParameterError("a learner needs data: treelab.steps(learner, data)")
    check_target(data)
    cases, new = _parted(data, held_out, learner.seed)
    learner, _ = learner.settled(cases)
    metric = learner.metric
    assert not isinstance(metric, Auto)  # it has just been chosen
    grown = attrs.evolve(learner, pruner="none").fit(cases)
    new = None if new is None else training_data(grown, new)
    found = _steps(grown, metric, cases, new, most, per_feature)
    return attrs.evolve(found, kept=learner.fit(cases).n_leaves)


def _parted(data: Dataset, held_out: Any, seed: int) -> tuple[Dataset, Any]:
    """Return the cases to learn from and those held out, of which a share may be said."""
    if not isinstance(held_out, float | int):
        return data, held_out
    check_number("held_out", held_out, 0)
    if not 0 < held_out <= 0.5:
        raise ParameterError(f"held_out must be above 0 and at most 0.5, got {held_out!r}")
    known = data.usable()
    fold = folds_by_content(known, round(1 / held_out), seed)
    return known.take(fold > 0), known.take(fold == 0)


def _steps(
    tree: Tree, metric: str | SplitMetric, data: Dataset, held_out: Dataset | None,
    most: int, per_feature: int,
) -> Steps:  # fmt: skip
    pruning, gone = pruning_steps(tree, held_out)
    growth = growth_steps(tree, data, find_metric(metric), most, per_feature)
    name = metric if isinstance(metric, str) else str(metric)
    return Steps(tree, name, growth, pruning, tuple(gone))
