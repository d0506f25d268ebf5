"""How good a tree made by hand is: on cases held out beforehand, or by making it in every fold."""

from collections.abc import Iterable, Sequence
from functools import cache, partial
from typing import Any

import attrs

from treelab._markup import Table, notebook_html
from treelab._text import aligned, percent, weight_text
from treelab.data.dataset import Dataset
from treelab.editing.applying import applied
from treelab.editing.ground import Ground
from treelab.editing.making import edit, grown, learner_of
from treelab.errors import TreelabError
from treelab.evaluate import Assessment, CrossValidation, assess, cross_validate
from treelab.evaluate.crossval import Watch
from treelab.learner import Learner
from treelab.tree.edits import Edit, edits_of
from treelab.tree.model import Tree
from treelab.tree.revisit import training_data


@attrs.frozen(eq=False)
class EditAssessment:
    """How good "grow, then edit" is, on cases that had no part in it.

    Parameters
    ----------
    edits
        The edits, in order.
    done
        In how many of the `folds` each of them could be made.
    reasons
        Why it could not the first time; None where it always could.
    folds
        How many trees were made; 1 where cases were held out.
    assessment, grown
        What was predicted for those cases by the edited trees, and by the same trees as grown.
    validation, grown_validation
        The same fold by fold; None where cases were held out.
    """

    edits: tuple[Edit, ...]
    done: tuple[int, ...]
    reasons: tuple[str | None, ...]
    folds: int
    assessment: Assessment
    grown: Assessment
    validation: CrossValidation | None = None
    grown_validation: CrossValidation | None = None

    @property
    def accuracy(self) -> float:
        """The accuracy of the edited trees; over folds, the mean."""
        return self.assessment.accuracy if self.validation is None else self.validation.accuracy

    @property
    def grown_accuracy(self) -> float:
        """The accuracy of the same trees before they were edited."""
        known = self.grown_validation
        return self.grown.accuracy if known is None else known.accuracy

    @property
    def words(self) -> str:
        """Which cases it was measured on."""
        cases = weight_text(float(self.assessment.cases.sum()))
        if self.validation is None:
            return (
                f"Measured on {cases} cases held out beforehand: the tree was neither grown nor "
                "edited by them."
            )
        return (
            f"Measured on {cases} cases, each by a tree that was grown and edited without it, in "
            f"{self.folds} folds; the edits themselves were chosen with all cases in view, which "
            "only cases held out beforehand can make up for."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything in plain values, ready for JSON."""
        made = zip(self.edits, self.done, self.reasons, strict=True)
        return {
            "words": self.words,
            "held_out": self.validation is None,
            "folds": self.folds,
            "accuracy": self.accuracy,
            "grown_accuracy": self.grown_accuracy,
            "deviation": None if self.validation is None else self.validation.deviation,
            "assessment": self.assessment.to_dict(),
            "grown": self.grown.to_dict(),
            "edits": [{**e.plain, "done": n, "reason": why} for e, n, why in made],
        }

    # For people

    @property
    def heading(self) -> str:
        """What it comes to, in a sentence."""
        return (
            f"accuracy {percent(self.accuracy)} as edited, {percent(self.grown_accuracy)} as grown "
            f"(always {self.assessment.majority}: {percent(self.assessment.baseline)})"
        )

    def _table(self) -> Table:
        rows = [
            [e.kind, str(e), f"{n} of {self.folds}", why or ""]
            for e, n, why in zip(self.edits, self.done, self.reasons, strict=True)
        ]
        return ["edit", "what", "folds", "why not"], rows, [False, False, True, False]

    def __str__(self) -> str:
        heads, rows, to_the_right = self._table()
        return "\n\n".join([self.heading, aligned([heads, *rows], to_the_right), self.words])

    def __repr__(self) -> str:
        return f"<EditAssessment: {self.heading}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        return notebook_html(f"{self.heading}. {self.words}", self._table())


def assess_edits(
    source: Tree | Learner,
    edits: Iterable[Any] | None = None,
    data: Any = None,
    *,
    held_out: Any = None,
    folds: int = 10,
    seed: int = 0,
    watch: Watch = iter,
) -> EditAssessment:
    """Return how good a tree is that was changed by hand, never on cases it was made by.

    Parameters
    ----------
    source
        The tree, or the learner that grew it.
    edits
        What was changed; without it, the log of the tree.
    data
        The data the tree was grown from; they need not be given while they are alive.
    held_out
        Cases that were set aside before anybody looked at them, a `Dataset` or a frame: the tree of
        `data` is measured on these. Without them, the tree is grown and edited anew in every fold
        of `data`; an edit that cannot be made there, because its node does not exist or its split
        is impossible, is skipped and counted.
    folds, seed, watch
        See `treelab.cross_validate`.

    Examples
    --------
    >>> import treelab as tl
    >>> from treelab.editing import Split
    >>> found = tl.assess_edits(
    ...     tl.Learner(), [Split("root", "petal width", 0.8)], tl.load("iris"), folds=5
    ... )
    >>> found.done, 0.9 < found.accuracy < 1
    ((5,), True)
    """
    given = source.edits if edits is None and isinstance(source, Tree) else edits or ()
    log = edits_of([*given])
    cases = training_data(source, data) if isinstance(source, Tree) else data
    if held_out is not None:
        return _on_held_out(source, log, cases, held_out)
    maker = _Maker(source, log)
    validation = cross_validate(cases, maker, folds, seed, watch)
    # The same trees once more, as grown: the folds are the same, and come in the same order.
    bases = iter(maker.bases)
    before = cross_validate(cases, lambda _data: next(bases), folds, seed)
    return EditAssessment(
        log, tuple(maker.done), tuple(maker.reasons), folds, validation.assessment,
        before.assessment, validation, before,
    )  # fmt: skip


def _on_held_out(
    source: Tree | Learner, log: tuple[Edit, ...], cases: Any, held_out: Any
) -> EditAssessment:
    base = grown(source, cases)
    found = assess(edit(base, *log, data=cases), held_out)
    nothing = (None,) * len(log)
    return EditAssessment(log, (1,) * len(log), nothing, 1, found, assess(base, held_out))


class _Maker:
    """Grows a tree and makes the edits that can be made, keeping count of them."""

    def __init__(self, source: Tree | Learner, edits: Sequence[Edit]) -> None:
        self.learner, self.edits = learner_of(source), edits
        self.probabilities = source.probabilities if isinstance(source, Tree) else None
        self.bases: list[Tree] = []
        self.done = [0] * len(edits)
        self.reasons: list[str | None] = [None] * len(edits)

    def __call__(self, data: Dataset) -> Tree:
        tree = self.learner.fit(data)
        if self.probabilities is not None:
            tree = tree.with_probabilities(self.probabilities)
        self.bases.append(tree)
        ground = cache(partial(Ground.of, tree, data))
        for place, each in enumerate(self.edits):
            try:
                tree = applied(tree, each, ground)
                self.done[place] += 1
            except TreelabError as error:
                self.reasons[place] = self.reasons[place] or str(error)
        return tree
