"""C4.5's error-based pruning with subtree raising (release 8; SPEC 6.2)."""

from typing import ClassVar

import attrs

from treelab._typing import FloatArray
from treelab.data.dataset import Dataset
from treelab.errors import ParameterError, check_choice, check_number, check_truth
from treelab.kernels.raising import SLACK
from treelab.protocols import Regrow
from treelab.tree.model import Tree
from treelab.tree.prune.chance import Chance
from treelab.tree.prune.collapse import Collapse
from treelab.tree.prune.cutting import ended, errors, own_errors, with_leaves
from treelab.tree.prune.dealt import CasesElsewhere
from treelab.tree.prune.estimate import METHODS, compiled, extra_errors
from treelab.tree.prune.raising import raised


@attrs.frozen
class Pessimistic:
    """Replaces a subtree by a leaf or by its largest branch where the estimate is no worse.

    Parameters
    ----------
    cf
        Confidence of the upper error limit; smaller prunes more.
    raising
        Whether a node may be replaced by its largest branch. That takes the training cases, by
        which all class weights are counted again; a node that none of the given cases reaches
        becomes a leaf with the weights it had. Cases whose value the branch has not seen get a
        branch of their own, as the empty leaf that C4.5 has for every value (SPEC 12.4, item 4);
        one for all where the test sends values to branches in groups.
    method
        'c45' for the estimate of C4.5 release 8, with its table of deviates; 'j48' for that of
        Weka's J48, with the exact deviate (SPEC 12.4, item 6); 'exact' for the binomial limit.
    collapse
        Whether, to begin with, each subtree that makes no fewer training errors than a leaf becomes
        one; see `treelab.tree.prune.collapse.Collapse`.
    chance
        Before anything else, remove what chance would do as well: the level of
        `treelab.tree.prune.chance.Chance`; None, as in C4.5, for nothing.
    """

    cf: float = 0.25
    raising: bool = True
    method: str = "c45"
    collapse: bool = True
    chance: float | None = None
    takes_elsewhere: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        check_choice("method", self.method, METHODS)
        check_number("cf", self.cf, 0)
        if not 0 < self.cf <= 1:
            raise ParameterError(f"cf must be above 0 and at most 1, got {self.cf!r}")
        for name in ("raising", "collapse"):
            check_truth(name, getattr(self, name))
        if self.chance is not None:
            Chance(self.chance)  # which checks its level

    @property
    def needs_cases(self) -> bool:
        """Whether class weights of the nodes are not enough."""
        return self.raising or self.chance is not None

    def __call__(
        self,
        tree: Tree,
        data: Dataset | CasesElsewhere | None = None,
        _regrow: Regrow | None = None,
    ) -> Tree:
        if self.chance is not None:
            tree = Chance(self.chance)(tree, data)
        if self.collapse:
            tree = Collapse()(tree)
        if self.raising and data is not None:
            formula, deviate = compiled(self.method), METHODS[self.method].deviate(self.cf)
            return raised(tree, data, formula, float(self.cf), deviate)
        as_leaf = self.predicted(tree.counts.sum(axis=1), errors(tree))
        stays = self.predicted(ended(tree).sum(axis=1), own_errors(tree))
        return with_leaves(tree, as_leaf, stays, SLACK)

    def predicted(self, cases: FloatArray, wrong: FloatArray) -> FloatArray:
        """Return the errors to expect of leaves that saw so many cases and errors."""
        return wrong + extra_errors(self.method, cases, wrong, self.cf)
