"""`grow`: a tree from data in one call."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from treelab._hints import hinted
from treelab.choosing import Auto
from treelab.data.checks import check_dataset
from treelab.data.class_weight import ClassWeight
from treelab.data.constraints import Constraints
from treelab.data.dataset import Dataset
from treelab.data.frames import eager
from treelab.errors import DataError, ParameterError
from treelab.learner.learner import Elsewhere, Learner
from treelab.protocols import Discretizer, Pruner, SplitMetric
from treelab.stats.stores.context import SplitStrategy
from treelab.stats.stores.nodes import Missing
from treelab.tree.grow import Unseen
from treelab.tree.model import Tree
from treelab.tree.probabilities import Estimate
from treelab.tree.searches import Search

_DEFAULT = Learner()


@hinted
def grow(
    data: Any,
    metric: str | SplitMetric | Auto = _DEFAULT.metric,
    discretizer: str | Discretizer | None = _DEFAULT.discretizer,
    pruner: str | Pruner | None = _DEFAULT.pruner,
    missing: Missing = _DEFAULT.missing,
    *,
    min_cases: float = _DEFAULT.min_cases,
    min_branch: float = _DEFAULT.min_branch,
    max_depth: int | None = _DEFAULT.max_depth,
    max_leaves: int | None = _DEFAULT.max_leaves,
    splits: SplitStrategy = _DEFAULT.splits,
    bins: int | None = _DEFAULT.bins,
    cuts: str = _DEFAULT.cuts,
    unseen: Unseen = _DEFAULT.unseen,
    cut_metric: str | SplitMetric = _DEFAULT.cut_metric,
    search: str | Search = _DEFAULT.search,
    width: int = _DEFAULT.width,
    seed: int = _DEFAULT.seed,
    probabilities: str | Estimate = _DEFAULT.probabilities,
    class_weight: ClassWeight | None = None,
    costs: Any = None,
    constraints: Constraints | Mapping[str, Any] | None = None,
    target: str | None = None,
) -> Tree:
    """Grow and prune a tree: short for `Learner(...).fit(data)`.

    Parameters
    ----------
    data
        The cases to learn from, a `Dataset` or a frame, or where they are: `treelab.scan`.
    metric, discretizer, pruner, missing, splits, bins, cuts, unseen, cut_metric
        How to grow and prune; see `Learner`.
    search, width, seed
        How to search; see `Learner`.
    min_cases, min_branch, max_depth, max_leaves
        When to stop; see `Learner`.
    probabilities
        How class weights become probabilities; see `Learner`.
    class_weight, costs, constraints
        What classes count, what mistakes cost, and what the tree has to keep to; see `Learner`.
    target
        The column of a frame to predict.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.grow(tl.load("lenses"), "gain", pruner="none", min_branch=1)
    <Tree for 'class': 7 leaves, 13 nodes, depth 4>
    """
    learner = Learner(
        metric=metric,
        discretizer=discretizer,
        pruner=pruner,
        missing=missing,
        min_cases=min_cases,
        min_branch=min_branch,
        max_depth=max_depth,
        max_leaves=max_leaves,
        splits=splits,
        bins=bins,
        cuts=cuts,
        unseen=unseen,
        cut_metric=cut_metric,
        search=search,
        width=width,
        seed=seed,
        probabilities=probabilities,
        class_weight=class_weight,
        costs=costs,
        constraints=constraints,
    )
    return learner.fit(_as_cases(data, target))


def _as_cases(data: Any, target: str | None) -> "Dataset | Elsewhere":
    """Return what was given as cases to learn from."""
    if isinstance(data, Dataset | Elsewhere):
        own = data.target if isinstance(data, Dataset) else target
        if target not in (None, own):
            raise ParameterError(
                f"target= is for frames: the target of these data is {own!r}, not {target!r}"
            )
        return data
    if target is not None:
        return Dataset.from_frame(data, target=target)
    with suppress(DataError):  # what is no frame either is refused as what is no data
        eager(data)
        raise ParameterError("name the column of the frame to predict with target=")
    check_dataset(data)
    cases: Dataset = data
    return cases
