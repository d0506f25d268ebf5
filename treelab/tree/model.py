"""`Tree`: flat arrays inside, small readable `Node` cursors (see `node`) outside.

Nodes are numbered in preorder: a parent comes before its children, node 0 is the root.
"""

import os
import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import ref

import attrs
import numpy as np

from treelab._registry import Spec
from treelab._typing import AnyArray, FloatArray, IndexArray, IntArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset, label_array
from treelab.data.schema import Schema
from treelab.errors import ParameterError
from treelab.kernels.route import FlatTree
from treelab.stats.decision import decided
from treelab.stats.stores.nodes import Missing
from treelab.tree import predict
from treelab.tree.metric_choice import MetricChoice
from treelab.tree.monotone import monotone_probabilities
from treelab.tree.node import Node
from treelab.tree.optimal.optimum import Optimum
from treelab.tree.path import branches_in_words, read_path, write_path
from treelab.tree.probabilities import probabilities as estimated
from treelab.tree.relabel import relabelled_probabilities

if TYPE_CHECKING:
    from treelab.tree.edits import Edit


def _if_any(labels: IntArray | None) -> IntArray | None:
    return labels if labels is not None and (labels >= 0).any() else None


@attrs.frozen(eq=False, repr=False)
class Tree:
    """A decision tree; make one with `treelab.grow`.

    Parameters
    ----------
    schema
        The features and the target, as the training data had them.
    coding
        The cut points of discretized features.
    missing
        What happens to missing values: 'fractional', 'branch' or 'majority'.
    feature, threshold, first_child, children, first_code, branch_of, missing_branch
        The tests; see `treelab.kernels.route.FlatTree`.
    counts
        The weight of each class at each node.
    scores
        What the metric said of each node's split; NaN at a leaf.
    settings
        The parameters of the learner that made the tree, as plain data: `Learner.of_settings`
        makes that learner again.
    probabilities
        How class weights become probabilities, by name: 'shares', 'laplace', 'm-estimate' or
        'shrunk', see `treelab.tree.probabilities`; `with_probabilities` changes it.
    by_counts
        Whether every split was chosen among the candidates of all features, by their tables;
        otherwise a metric judged features as a whole, and only the rest was such a choice.
    optimum
        What `search="optimal"` has found and proven of the tree before it was pruned; None for
        trees of other searches. It is not compared.
    costs
        What it costs to predict a class for a case of another one (actual class, predicted class);
        the class of minimum expected cost is predicted. None: the most probable one.
    monotone
        The features with which the probability of the second class rises (1) or falls (-1).
    metric_choice
        Which metric the learner chose for the data, and why, where it was to choose one
        (`metric="auto"`); else None. The settings name the metric chosen. It is not compared.
    complete
        Whether all training cases are known to have every value the tree asks for; not compared.
    relabelled
        The class that each leaf was given by hand, -1 for none; None where none was: see
        `treelab.tree.relabel`.
    edits
        What was changed by hand since the tree was grown, in order: see `treelab.edit`. It is not
        compared: a tree is what it is, however it was made.
    grown_from
        A weak reference to the data it was grown from, which is neither compared nor kept in files.
    """

    schema: Schema
    coding: Coding
    missing: Missing
    feature: IntArray
    threshold: FloatArray
    first_child: IndexArray
    children: IndexArray
    first_code: IndexArray
    branch_of: IntArray
    missing_branch: IntArray
    counts: FloatArray
    scores: FloatArray
    settings: Mapping[str, Any] = attrs.field(factory=dict)
    by_counts: bool = True
    probabilities: Spec = "shares"
    optimum: Optimum | None = None
    costs: FloatArray | None = None
    monotone: Mapping[str, int] = attrs.field(factory=dict)
    metric_choice: MetricChoice | None = None
    complete: bool = False
    relabelled: IntArray | None = attrs.field(default=None, converter=_if_any)
    edits: "tuple[Edit, ...]" = ()
    grown_from: "ref[Dataset] | None" = None

    def __attrs_post_init__(self) -> None:
        for name in ARRAYS:
            getattr(self, name).flags.writeable = False
        if self.relabelled is not None:
            self.relabelled.flags.writeable = False

    # What it is

    @property
    def learner(self) -> str:
        """How the tree was made, as the call that makes the learner."""
        from treelab.tree.settings import as_text

        return as_text(self.settings)

    @property
    def score(self) -> FloatArray:
        """The old name of `scores`."""
        warnings.warn(
            "tree.score will become a method: what the metric said of the splits is tree.scores",
            FutureWarning,
            stacklevel=2,
        )
        return self.scores

    @property
    def n_nodes(self) -> int:
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        return int((self.feature < 0).sum())

    @cached_property
    def depth(self) -> int:
        """The largest number of tests on a path from the root to a leaf."""
        return int(self.depths.max())

    @cached_property
    def depths(self) -> IndexArray:
        """The number of tests above each node."""
        depths = np.zeros(self.n_nodes, np.int64)
        for node in range(self.n_nodes):
            below = self.children[self.first_child[node] : self.first_child[node + 1]]
            depths[below] = depths[node] + 1
        return depths

    @cached_property
    def parents(self) -> IndexArray:
        """The parent of each node; -1 for the root."""
        parents = np.full(self.n_nodes, -1)
        parents[self.children] = np.repeat(np.arange(self.n_nodes), np.diff(self.first_child))
        return parents

    @property
    def features(self) -> tuple[str, ...]:
        return self.schema.names

    @property
    def classes(self) -> tuple[str, ...]:
        return self.schema.target.labels or ()

    @cached_property
    def tested(self) -> tuple[int, ...]:
        """The places of the features that some node tests."""
        return tuple(np.unique(self.feature[self.feature >= 0]).tolist())

    @cached_property
    def flat(self) -> FlatTree:
        """The arrays that routing needs."""
        shared = {name: getattr(self, name) for name in FlatTree._fields[:-2]}
        weight, fractional = self.counts.sum(axis=1), self.missing == "fractional"
        return FlatTree(**shared, weight=weight, fractional=fractional)

    @cached_property
    def class_probabilities(self) -> FloatArray:
        """The probability of each class (column) at each node (row)."""
        given = estimated(self.probabilities)(self.counts, self.parents)
        if self.relabelled is not None:
            given = relabelled_probabilities(given, self.relabelled, self.costs)
        return monotone_probabilities(self, given, self.monotone) if self.monotone else given

    @cached_property
    def winners(self) -> IndexArray:
        """The class that each node predicts; the first one among equals."""
        return decided(self.class_probabilities, self.costs)

    @property
    def feature_importances(self) -> FloatArray:
        """How much each feature lowers the Gini impurity, as shares that sum to 1.

        Measured by the class weights in the tree, whatever the metric, so that trees grown with
        different metrics can be compared. All 0 for a tree without tests.
        """
        return predict.importances(self)

    # What it says

    def predict(self, data: Any) -> AnyArray:
        """Return the class label of each case: the most probable, or with `costs` the cheapest.

        By the same probabilities as `predict_proba` gives; the first one among equals.
        """
        return np.asarray(label_array(self.classes)[predict.predicted_codes(self, data)])

    def predict_proba(self, data: Any) -> FloatArray:
        """Return the probability of each class (column) for each case (row).

        `data` is a `Dataset` or a frame; a case as a dictionary or a row of a frame (pandas), or a
        list of dictionaries; columns are found by name. An array has the features in the order of
        `features`; with a single axis it is one case. A category the training data did not have,
        or not at a node, gives the probabilities of that node. Missing values are treated as in
        training.
        """
        return predict.probabilities(self, data)

    def with_probabilities(self, probabilities: Spec) -> "Tree":
        """Return the same tree with other probabilities.

        Examples
        --------
        >>> import treelab as tl
        >>> tree = tl.grow(tl.load("lenses"), pruner="none")
        >>> tree.with_probabilities("laplace").predict_proba(tl.load("lenses"))[0].round(2).tolist()
        [0.07, 0.87, 0.07]
        """
        estimated(probabilities)
        return attrs.evolve(self, probabilities=probabilities)

    def apply(self, data: Any) -> IndexArray:
        """Return the number of the node where each case ends, or the largest part of it."""
        return predict.ends(self, data)

    def decision_path(self, data: Any) -> Any:
        """Return which nodes (columns) each case (row) visits, as a sparse matrix of ones."""
        from treelab.tree.visits import visits

        return visits(self, data)

    # A closer look

    @property
    def root(self) -> Node:
        return Node(self, 0)

    def node(self, path: str | Sequence[int]) -> Node:
        """Return the node reached from the root by a path, such as (0, 2) or '0.2'."""
        path, node = read_path(path), self.root
        for depth, step in enumerate(path):
            if not 0 <= step < len(node.children):
                raise ParameterError(
                    f"there is no node {write_path(path)}: "
                    f"node {write_path(path[:depth])} {branches_in_words(node.branch_labels)}"
                )
            node = node.children[step]
        return node

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes, parents before children."""
        return tuple(Node(self, number) for number in range(self.n_nodes))

    def __str__(self) -> str:
        from treelab.tree.show import text

        return text(self)

    def __repr__(self) -> str:
        leaves = f"{self.n_leaves} {'leaf' if self.n_leaves == 1 else 'leaves'}"
        nodes = f"{self.n_nodes} {'node' if self.n_nodes == 1 else 'nodes'}"
        return f"<Tree for {self.schema.target.name!r}: {leaves}, {nodes}, depth {self.depth}>"

    def _repr_svg_(self) -> str:
        """Show itself in a notebook."""
        from treelab.writers import export

        return str(export(self, "svg"))

    def _repr_html_(self) -> str:
        from treelab.writers import notebook

        return notebook.view(self)

    def __eq__(self, other: object) -> bool:
        """Tell whether two trees make the same tests on the same data, by any metric."""
        if not isinstance(other, Tree):
            return NotImplemented
        return (
            (self.schema, self.coding, self.missing) == (other.schema, other.coding, other.missing)
            and estimated(self.probabilities) == estimated(other.probabilities)
            and self.monotone == other.monotone and np.array_equal(self.costs, other.costs)  # type: ignore[arg-type]
            and np.array_equal(self.relabelled, other.relabelled)  # type: ignore[arg-type]
            and all(_same(getattr(self, name), getattr(other, name)) for name in ARRAYS[:-1])
        )  # fmt: skip

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickled arrays come back writable; making the tree anew freezes them.
        fields = [field.name for field in attrs.fields(Tree) if field.name != "grown_from"]
        return Tree, tuple(getattr(self, name) for name in fields)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tree to a versioned JSON file, whole or not at all."""
        from treelab.tree.file import save

        save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Tree":
        """Read a tree from a file that `save` wrote."""
        from treelab.tree.file import load

        return load(path)


ARRAYS = (
    "feature", "threshold", "first_child", "children", "first_code", "branch_of",
    "missing_branch", "counts", "scores",
)  # fmt: skip


def _same(a: AnyArray, b: AnyArray) -> bool:
    return a.shape == b.shape and bool(np.array_equal(a, b, equal_nan=a.dtype.kind == "f"))
