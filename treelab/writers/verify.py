"""Verify an export: what was written is run on data, and compared with what the tree says."""

from typing import Any

import attrs
import numpy as np

from treelab._text import count
from treelab._typing import BoolArray, FloatArray
from treelab.tree.model import Tree
from treelab.tree.predict import as_dataset
from treelab.writers import form_for
from treelab.writers.cases import cases_of
from treelab.writers.export_tree import ExportTree
from treelab.writers.runners import run
from treelab.writers.runners.answers import Answers, Cases


@attrs.frozen
class Agreement:
    """How far a written tree agrees with the tree.

    Parameters
    ----------
    engine
        What ran it.
    cases, agreeing
        How many predictions there are, and how many are those of the tree.
    by_missing
        How many of the others are as they must be where a missing value follows the branch of most
        cases, for the format cannot send it down every branch.
    largest
        The largest difference of probabilities, apart from cases whose missing values follow most
        cases; None of a format that gives none.
    """

    engine: str
    cases: int
    agreeing: int
    by_missing: int = 0
    largest: float | None = None

    @property
    def holds(self) -> bool:
        """Whether nothing disagrees but what had to."""
        return self.agreeing + self.by_missing == self.cases

    def __str__(self) -> str:
        text = f"{self.engine}: {self.agreeing:,} of {count(self.cases, 'prediction')} agree"
        if self.by_missing:
            whose = "whose missing values follow the branch of most cases"
            text += f", {count(self.by_missing, 'differs', 'differ')} {whose}"
        if self.largest is not None:
            text += f"; largest difference of probabilities {self.largest:.1g}"
        return text


def verify(
    tree: Tree, name: str, content: Any, data: Any, *, approximate: bool = False, **options: Any
) -> Agreement:
    """Run what `export` returned on data, and compare it with the tree.

    Parameters
    ----------
    tree, name, approximate, options
        What was exported, to which format, and how.
    content
        What `export` returned.
    data
        Cases, as `Tree.predict` takes them.

    Examples
    --------
    >>> import treelab as tl
    >>> iris = tl.load("iris")
    >>> tree = tl.grow(iris)
    >>> verify(tree, "python", tl.export(tree, "python"), iris).agreeing
    150
    """
    data = as_dataset(tree, data)
    form, cases = form_for(tree, name, approximate), cases_of(tree, data)
    return compared(tree, data, form, cases, run(name, content, form, cases, **options))


def compared(tree: Tree, data: Any, form: ExportTree, cases: Cases, given: Answers) -> Agreement:
    """Compare answers with those of the tree; `form` is what was written."""
    same = np.array(given.labels) == np.array(tree.predict(data).tolist())
    shares = tree.predict_proba(data)
    moved = _moved(form, cases, shares)
    as_written = [label == _written(form, case) for label, case in _where(moved, given, cases)]
    return Agreement(
        given.engine,
        len(cases),
        int(same.sum()),
        int((np.array(as_written, dtype=bool) & ~same[moved]).sum()),
        _largest(given.shares, shares, ~moved),
    )


def _moved(form: ExportTree, cases: Cases, shares: FloatArray) -> BoolArray:
    """Return which cases what was written must give other probabilities than the tree."""
    written = np.array([form.probabilities(case) for case in cases]).reshape(shares.shape)
    # Sums of at most a few dozen parts, added in another order.
    return np.asarray((np.abs(written - shares) > 1e-9).any(axis=1))


def _where(moved: BoolArray, given: Answers, cases: Cases) -> list[tuple[str, Any]]:
    return [(given.labels[place], cases[place]) for place in np.flatnonzero(moved).tolist()]


def _written(form: ExportTree, case: Any) -> str:
    """Return the class of the only node where a case ends that is not sent down every branch."""
    ends = [number for number, _, ended in form.walk(case) if ended]
    return form.classes[form.nodes[ends[0]].best]


def _largest(given: FloatArray | None, shares: FloatArray, kept: BoolArray) -> float | None:
    if given is None:
        return None
    return float(np.abs(given - shares)[kept].max(initial=0.0))
