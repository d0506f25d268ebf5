"""How good predictions are: by class, beside the majority, and in costs."""

from collections.abc import Sequence
from functools import cached_property
from math import fsum
from typing import Any

import attrs
import numpy as np

from treelab._markup import Table, notebook_html
from treelab._text import aligned, percent, weight_text
from treelab._typing import FloatArray, IndexArray
from treelab.data.costs import mean_cost
from treelab.data.dataset import Dataset
from treelab.data.weights import summable
from treelab.errors import DataError
from treelab.tree.model import Tree
from treelab.tree.predict import as_dataset


@attrs.frozen(eq=False)
class Assessment:
    """What was predicted for cases of known class, and how good that is; weights count.

    Parameters
    ----------
    classes
        The labels of the classes.
    actual, predicted
        The class of each case, and the one that was predicted.
    weights
        The weight of each case.
    probabilities
        Those of each class (column) for each case, where they are known.
    costs
        What mistakes cost (actual class, predicted class), where that is known.
    """

    classes: tuple[str, ...]
    actual: IndexArray
    predicted: IndexArray
    weights: FloatArray
    probabilities: FloatArray | None = None
    costs: FloatArray | None = None

    @cached_property
    def confusion(self) -> FloatArray:
        """The weight of the cases of each class (row) that are taken for each class (column)."""
        n, weights = len(self.classes), summable(self.weights)
        cells = np.bincount(self.actual * n + self.predicted, weights, minlength=n * n)
        return np.asarray(cells.reshape(n, n))

    @property
    def cases(self) -> FloatArray:
        """The weight of the cases of each class."""
        return np.asarray(self.confusion.sum(axis=1))

    @property
    def accuracy(self) -> float:
        """The share of the cases that are predicted rightly."""
        return float(np.trace(self.confusion) / self.confusion.sum())

    @property
    def majority(self) -> str:
        """The most frequent class of these cases; the first one among equals."""
        return self.classes[int(self.cases.argmax())]

    @property
    def baseline(self) -> float:
        """The accuracy of always predicting the most frequent class of these cases."""
        return float(self.cases.max() / self.cases.sum())

    @property
    def recall(self) -> FloatArray:
        """The share of each class that is predicted rightly; NaN for a class without cases."""
        return _shares(self.confusion.diagonal(), self.cases)

    @property
    def precision(self) -> FloatArray:
        """The share of what is taken for each class that is of it; NaN where nothing is."""
        return _shares(self.confusion.diagonal(), self.confusion.sum(axis=0))

    @property
    def balanced_accuracy(self) -> float:
        """The mean recall of the classes that occur."""
        return float(np.nanmean(self.recall))

    @property
    def f1(self) -> FloatArray:
        """The harmonic mean of recall and precision of each class; NaN for one that never occurs.

        It is 0 of a class that occurs, or is predicted, but never rightly.
        """
        both = self.cases + self.confusion.sum(axis=0)
        return _shares(2 * self.confusion.diagonal(), both)

    @property
    def macro_f1(self) -> float:
        """The mean F1 of the classes that occur or are predicted."""
        return float(np.nanmean(self.f1))

    @property
    def mean_auc(self) -> float:
        """The mean area under the ROC curves of each class against the others.

        Over the classes of which there are cases, and cases of others; NaN without any such class
        or without probabilities.
        """
        if self.probabilities is None:
            return float("nan")
        areas = np.array([self.auc(label) for label in range(len(self.classes))])
        return float(areas[np.isfinite(areas)].mean()) if np.isfinite(areas).any() else float("nan")

    @property
    def mean_cost(self) -> float | None:
        """The cost of a prediction on average; None without costs."""
        return None if self.costs is None else mean_cost(self.costs, self.confusion)

    @property
    def log_loss(self) -> float | None:
        """Minus the mean logarithm of the probability of the actual class, in nats.

        Probabilities below 1e-15 count as that, as in scikit-learn. None without probabilities.
        """
        if self.probabilities is None:
            return None
        given = self.probabilities[np.arange(len(self.actual)), self.actual]
        return self._mean(-np.log(np.maximum(given, 1e-15)))

    @property
    def brier(self) -> float | None:
        """The mean squared distance of the probabilities from what is; None without them."""
        if self.probabilities is None:
            return None
        apart = self.probabilities - np.eye(len(self.classes))[self.actual]
        return self._mean((apart**2).sum(axis=1))

    def _mean(self, of_cases: FloatArray) -> float:
        """Return a mean, the same to the last bit for any order of the cases."""
        return fsum(of_cases * self.weights) / fsum(self.weights)

    def curve(self, label: int) -> tuple[FloatArray, FloatArray]:
        """Return the weight of the cases of a class, and of others, above each probability of it.

        From the highest one that occurs to the lowest, beginning with no case at all.
        """
        if self.probabilities is None:
            raise DataError("there are no probabilities")
        score = self.probabilities[:, label]
        order = np.argsort(-score, kind="stable")
        is_it = (self.actual == label)[order]
        ends = np.append(np.flatnonzero(np.diff(score[order]) != 0), len(order) - 1)
        weights = summable(self.weights)[order]
        found = (np.cumsum(weights * mine)[ends] for mine in (is_it, ~is_it))
        right, wrong = (np.append(0.0, sums) for sums in found)
        return right, wrong

    def auc(self, label: int) -> float:
        """Return the area under the ROC curve of a class against the others; NaN without both."""
        right, wrong = self.curve(label)
        if not right[-1] * wrong[-1] > 0:
            return float("nan")
        area = (np.diff(wrong) * (right[1:] + right[:-1]) / 2).sum()  # np.trapezoid, of numpy 2
        return float(area / (right[-1] * wrong[-1]))

    @classmethod
    def joined(cls, parts: Sequence["Assessment"]) -> "Assessment":
        """Return what several parts of the cases are together, such as the folds of a test."""
        classes = tuple(dict.fromkeys(label for part in parts for label in part.classes))
        parts = [part._among(classes) for part in parts]
        given = [part.probabilities for part in parts if part.probabilities is not None]
        return attrs.evolve(
            parts[0],
            actual=np.concatenate([part.actual for part in parts]),
            predicted=np.concatenate([part.predicted for part in parts]),
            weights=np.concatenate([part.weights for part in parts]),
            probabilities=np.concatenate(given) if len(given) == len(parts) else None,
        )

    def _among(self, classes: tuple[str, ...]) -> "Assessment":
        """Return the same with other classes besides its own, in another order."""
        if classes == self.classes:
            return self
        place = np.array([classes.index(label) for label in self.classes])
        actual, predicted = place[self.actual], place[self.predicted]
        return Assessment(classes, actual, predicted, self.weights)

    def to_dict(self) -> dict[str, Any]:
        """Return the measures as plain values, as of JSON; None for what there is not."""
        aucs = range(len(self.classes)) if self.probabilities is not None else ()
        return {
            "cases": float(self.confusion.sum()),
            "accuracy": self.accuracy,
            "majority": self.majority,
            "baseline": self.baseline,
            "balanced_accuracy": self.balanced_accuracy,
            "recall": _plain(self.recall),
            "precision": _plain(self.precision),
            "auc": _plain(np.array([self.auc(k) for k in aucs])),
            "confusion": self.confusion.tolist(),
            "log_loss": self.log_loss,
            "brier": self.brier,
            "mean_cost": self.mean_cost,
        }

    # For people

    @property
    def heading(self) -> str:
        """How good the predictions are, in a sentence."""
        cases = weight_text(float(self.confusion.sum()))
        return (
            f"accuracy {percent(self.accuracy)} of {cases} cases "
            f"(always {self.majority}: {percent(self.baseline)}); "
            f"balanced {percent(self.balanced_accuracy)}"
        )

    def _by_class(self) -> Table:
        measures = zip(self.classes, self.cases, self.recall, self.precision, strict=True)
        rows = [
            [label, weight_text(cases), percent(recall), percent(precision)]
            for label, cases, recall, precision in measures
        ]
        return ["class", "cases", "recall", "precision"], rows, [False, True, True, True]

    def _confusion(self) -> Table:
        cells = zip(self.classes, self.confusion, strict=True)
        rows = [[label, *map(weight_text, row)] for label, row in cells]
        return ["actual / predicted", *self.classes], rows, [False] + [True] * len(self.classes)

    def __str__(self) -> str:
        tables = (self._by_class(), self._confusion())
        parts = (aligned([heads, *rows], right) for heads, rows, right in tables)
        return "\n\n".join([self.heading, *parts])

    def __repr__(self) -> str:
        return f"<Assessment: {self.heading}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        return notebook_html(self.heading, self._by_class(), self._confusion())


def assess(tree: Tree, data: Any) -> Assessment:
    """Return how good a tree is on data with the target, a `Dataset` or a frame.

    Parameters
    ----------
    tree
        The tree.
    data
        Cases that the tree has not seen, unless one wants to know how well it fits those it has.
        Those of unknown class or without weight are left out.

    Examples
    --------
    >>> import treelab as tl
    >>> found = tl.assess(tl.grow(tl.load("iris")), tl.load("iris"))
    >>> round(found.accuracy, 2), round(found.baseline, 2)
    (0.97, 0.33)
    """
    cases = as_dataset(tree, data, tree.schema.target.name)
    if cases.target != tree.schema.target.name:
        raise DataError(f"the data need the target {tree.schema.target.name!r} of the tree")
    known = cases.usable()
    if not len(known):
        raise DataError("there is no case of known class and weight above 0 to test the tree by")
    return assessed(tree, known)


def assessed(tree: Any, known: Dataset) -> Assessment:
    """Return how good anything with `predict` is on cases of known class.

    Labels that the data do not have are classes, too: a tree may know more than its test cases.
    """
    labels = [str(label) for label in tree.predict(known)]
    of_tree = tuple(getattr(tree, "classes", ()))
    classes = tuple(dict.fromkeys((*of_tree, *known.classes, *labels)))
    place = {label: code for code, label in enumerate(classes)}
    given = tree.predict_proba(known) if hasattr(tree, "predict_proba") and of_tree else None
    costs = getattr(tree, "costs", None)
    return Assessment(
        classes,
        np.array([place[label] for label in known.classes], np.int64)[known.y],
        np.array([place[label] for label in labels], np.int64),
        known.weights,
        None if given is None else _widened(given, len(classes)),
        costs if costs is not None and len(costs) == len(classes) else None,
    )


def _widened(probabilities: FloatArray, n: int) -> FloatArray:
    """Return probabilities with those of classes that the tree does not know: 0."""
    more = n - probabilities.shape[1]
    return np.pad(probabilities, ((0, 0), (0, more))) if more else probabilities


def _shares(part: FloatArray, whole: FloatArray) -> FloatArray:
    nothing = np.full(len(whole), np.nan)
    return np.asarray(np.divide(part, whole, out=nothing, where=whole > 0))


def _plain(values: FloatArray) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]
