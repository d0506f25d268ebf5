"""Which features a tree owes its knowledge to: by gain, by permutation, corrected for chance."""

from typing import Any, Literal, get_args

import attrs
import numpy as np

from treelab._markup import Table, notebook_html
from treelab._random import stream
from treelab._text import aligned
from treelab._typing import AnyArray, FloatArray, IntArray
from treelab.data.dataset import Dataset, label_array
from treelab.data.frames_out import frame_of
from treelab.data.order import by_content
from treelab.errors import DataError, ParameterError, check_choice, check_number
from treelab.metrics import metric
from treelab.metrics.normalized import Normalized
from treelab.stats.formulas.impurity import weighted_gini
from treelab.stats.stores.node import copies_of
from treelab.tree.model import Tree
from treelab.tree.node import Node
from treelab.tree.predict import predicted_codes
from treelab.tree.prune.cutting import class_codes
from treelab.tree.revisit import revisit, training_data
from treelab.tree.weighting import altered

By = Literal["gain", "permutation", "corrected"]

WHAT = {
    "gain": "share in lowering the Gini impurity",
    "permutation": "loss of accuracy when permuted",
    "corrected": "share beyond what chance gives",
}
"""What the figures are, in words."""


@attrs.frozen(eq=False)
class Importances:
    """Features, the most important first.

    Parameters
    ----------
    by
        'gain', 'permutation' or 'corrected'; see `treelab.importances`.
    features
        Their names; equals stand in the order of the data.
    values
        How important each is.
    deviations
        The standard deviation over the permutations; NaN where none were drawn.
    """

    by: str
    features: tuple[str, ...]
    values: FloatArray
    deviations: FloatArray

    @classmethod
    def of(
        cls, by: str, names: tuple[str, ...], values: FloatArray, sd: FloatArray
    ) -> "Importances":
        """Sort features by their importance."""
        order = np.argsort(-values, kind="stable")
        return cls(by, tuple(names[f] for f in order), values[order], sd[order])

    @property
    def what(self) -> str:
        """What the figures are, in words."""
        return WHAT[self.by]

    def to_dict(self) -> dict[str, float]:
        """Return the importance of each feature by its name."""
        return dict(zip(self.features, self.values.tolist(), strict=True))

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return a frame with a row for each feature."""
        columns: dict[str, AnyArray] = {
            "feature": label_array(self.features), "importance": self.values
        }  # fmt: skip
        if not np.isnan(self.deviations).all():
            columns["deviation"] = self.deviations
        return frame_of(columns, backend)

    def _table(self) -> Table:
        has_sd = not np.isnan(self.deviations).all()
        rows = [
            [name, f"{value:.4f}", *([f"{sd:.4f}"] if has_sd else [])]
            for name, value, sd in zip(self.features, self.values, self.deviations, strict=True)
        ]
        heads = ["feature", "importance", *(["sd"] if has_sd else [])]
        return heads, rows, [False] + [True] * (len(heads) - 1)

    def __str__(self) -> str:
        heads, rows, to_the_right = self._table()
        return aligned([heads, *rows], to_the_right)

    def __repr__(self) -> str:
        first = f", first {self.features[0]!r}" if self.features else ""
        return f"<Importances by {self.by} of {len(self.features):,} features{first}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        return notebook_html(self.what, self._table())


def importances(
    tree: Tree, data: Any = None, by: By = "gain", *, repeats: int = 10, seed: int = 0
) -> Importances:
    """Return how important the features are to a tree.

    Parameters
    ----------
    tree
        The tree.
    data
        For 'permutation' cases that the tree has not seen; for 'corrected' those it was grown from,
        which need not be given while they are alive. A `Dataset` or a frame with the target.
    by
        'gain': the share of each feature in lowering the Gini impurity, as
        `Tree.feature_importances`; features of many values are favoured, even where they know
        nothing. 'permutation': by how much the accuracy falls, or with costs the mean cost rises,
        when the values of a feature are dealt out anew among the cases. 'corrected': as by gain,
        but each test counts only by what it gains beyond the best test of its feature when chance
        has dealt the classes (`treelab.Normalized` of 'feature', by difference), as a share of all
        that the tree gains: an identifier, which gains as much by chance, has none.
    repeats
        How often values or classes are dealt out anew.
    seed
        For these draws, which do not depend on the order of the cases.

    Returns
    -------
    Importances
        `treelab.plots.draw_importances` draws them.

    Examples
    --------
    >>> import treelab as tl
    >>> data = tl.load("iris")
    >>> tl.importances(tl.grow(data), data, "corrected").features[0]
    'petal width'
    """
    if not isinstance(tree, Tree):
        raise ParameterError(f"expected a Tree, got {type(tree).__name__}")
    check_choice("by", by, get_args(By))
    check_number("repeats", repeats, 1, whole=True)
    check_number("seed", seed, -np.inf, whole=True)
    nothing = np.full(len(tree.features), np.nan)
    if by == "gain":
        return Importances.of(by, tree.features, tree.feature_importances, nothing)
    if by == "corrected":
        return Importances.of(by, tree.features, _corrected(tree, data, repeats, seed), nothing)
    if data is None:
        raise DataError("importances by permutation need cases: pass held-out ones as data=")
    return Importances.of(by, tree.features, *_by_permutation(tree, data, repeats, seed))


# By permutation


def _by_permutation(
    tree: Tree, data: Any, repeats: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    cases = unit_cases(training_data(tree, data))
    y = class_codes(tree, cases)
    base = _loss(tree, cases, y)
    losses = np.full((repeats, len(tree.features)), base)
    for place in tree.tested:
        rng = stream(seed, "importances", tree.features[place])
        for k in range(repeats):
            losses[k, place] = _loss(tree, _permuted(cases, place, rng), y)
    sd = losses.std(axis=0, ddof=1) if repeats > 1 else np.full(len(tree.features), np.nan)
    return np.asarray((losses - base).mean(axis=0)), sd


def unit_cases(data: Dataset) -> Dataset:
    """Return cases of known class in an order of their own; one of weight 2 is two cases."""
    known = data.usable()
    if not len(known):
        raise DataError("there is no case of known class and weight above 0")
    cases = by_content(known)
    copies = copies_of(cases.weights)
    units = cases.take(np.repeat(np.arange(len(cases)), copies))
    return units.reweighted(np.repeat(cases.weights / copies, copies))


def _permuted(data: Dataset, place: int, rng: np.random.Generator) -> Dataset:
    columns = [*data.columns]
    columns[place] = columns[place][rng.permutation(len(data))]
    return Dataset.of(data.schema, columns, data.y, data.weights, data.name, len(data))


def _loss(tree: Tree, data: Dataset, y: IntArray) -> float:
    """Return the share of errors, or with costs the mean cost."""
    found = predicted_codes(tree, data)
    wrong = found != y if tree.costs is None else tree.costs[y, found]
    return float(np.average(wrong, weights=data.weights))


# Corrected for chance


def _corrected(tree: Tree, data: Any, repeats: int, seed: int) -> FloatArray:
    grown = altered(tree)
    cases = training_data(grown, data)
    chance = Normalized(metric("gini"), summary="difference", of="feature", rounds=repeats)
    gained, beyond = 0.0, np.zeros(len(tree.features))
    seeded = attrs.evolve(grown, settings={**grown.settings, "seed": seed})
    for node, path in _tests(seeded):
        own = _gain(node)
        gained += own
        place = int(seeded.feature[node.number])
        expected = _by_chance(seeded, path, cases, chance, place)
        beyond[place] += own - node.weight * expected
    # Tests of a feature that chance was kind to and others it was not make up for each other.
    beyond = np.maximum(beyond, 0.0)
    return beyond / gained if gained > 0 else beyond


def _tests(tree: Tree) -> list[tuple[Node, tuple[int, ...]]]:
    """Return all tests with their paths."""
    found: list[tuple[Node, tuple[int, ...]]] = []
    waiting: list[tuple[Node, tuple[int, ...]]] = [(tree.root, ())]
    while waiting:
        node, path = waiting.pop()
        if not node.is_leaf:
            found.append((node, path))
            waiting += [(child, (*path, k)) for k, child in enumerate(node.children)]
    return found


def _gain(node: Node) -> float:
    below = sum(float(weighted_gini(child.counts)) for child in node.children)
    return float(weighted_gini(node.counts)) - below


def _by_chance(
    tree: Tree, path: tuple[int, ...], data: Dataset, chance: Normalized, place: int
) -> float:
    """Return what the best test of a feature gains by chance at a node, for each of its cases.

    Nothing where the data leave no way to split there: other ones than the tree was grown from.
    """
    try:
        view = revisit(tree, path, data)
    except DataError:
        return 0.0
    runs = view.counts.runs
    at = np.flatnonzero(runs.feature == place)
    if not len(at):
        return 0.0
    compared = chance.compared(view)
    return float((compared.expected * compared.known)[at[0]])
