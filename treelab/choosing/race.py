"""`race`: candidates judged by cross-validation on the same folds, and which of them to take."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import attrs
import numpy as np

from treelab._typing import BoolArray, FloatArray
from treelab.data.dataset import Dataset
from treelab.errors import TreelabError
from treelab.evaluate import CrossValidation, cross_validate

Judged = tuple[str, CrossValidation | TreelabError]
Watch = Callable[[Iterable[Judged], int], Iterable[Judged]]
"""Sees candidates pass by as they are judged, and is given their number, for a progress bar."""


def unwatched(judged: Iterable[Judged], _total: int) -> Iterable[Judged]:
    """Show nothing."""
    return judged


@attrs.frozen(eq=False)
class Race:
    """What candidates gave on the same folds.

    `accuracy` and `leaves` are (candidate, fold), NaN for a candidate that failed; `errors` says
    why it did.
    """

    names: tuple[str, ...]
    accuracy: FloatArray
    leaves: FloatArray
    errors: Mapping[str, str]

    @property
    def means(self) -> FloatArray:
        """The mean accuracy of each candidate; below all others where it failed."""
        means = self.accuracy.mean(axis=1)
        return np.where(np.isnan(means), -np.inf, means)

    @property
    def sizes(self) -> FloatArray:
        """The mean number of leaves of each candidate."""
        sizes = self.leaves.mean(axis=1)
        return np.where(np.isnan(sizes), np.inf, sizes)

    @property
    def best(self) -> int:
        """The most accurate candidate; of equal ones the smallest, then the first."""
        return self._first(np.isclose(self.means, self.means.max(), rtol=0, atol=1e-12))

    def smallest_within(self, errors: float) -> int:
        """Return the smallest candidate that is so many standard errors from the best at most.

        The standard error is that of the best, or that of the difference to it fold by fold, if
        that is smaller: neither a candidate that is a little worse on every fold nor one that is
        much worse on some is close.
        """
        return self._first(self.within(errors))

    def within(self, errors: float) -> BoolArray:
        """Tell which candidates are so many standard errors from the best at most."""
        best = self.accuracy[self.best]
        behind = best - self.accuracy
        deviation = np.minimum(behind.std(axis=1, ddof=1), best.std(ddof=1))
        error = deviation / np.sqrt(len(best))
        return np.asarray(behind.mean(axis=1) <= errors * error + 1e-12)  # False for NaN

    def _first(self, among: BoolArray) -> int:
        places = np.arange(len(self.names))
        order = np.lexsort((places, -self.means.round(12), self.sizes.round(12)))
        return int(next(place for place in order if among[place]))


def race(
    data: Dataset,
    candidates: Mapping[str, Any],
    folds: int = 5,
    seed: int = 0,
    watch: Watch = unwatched,
) -> Race:
    """Cross-validate candidates, whatever has a `fit`, on the same folds.

    One that fails is out of the race; where all do, the first error is raised.
    """
    judged = dict(watch(_judged(data, candidates, folds, seed), len(candidates)))
    errors = {name: each for name, each in judged.items() if isinstance(each, TreelabError)}
    if len(errors) == len(judged):
        raise next(iter(errors.values()))
    nothing = np.full(folds, np.nan)
    measured = {
        what: np.stack(
            [
                nothing if isinstance(each, TreelabError) else each.of(what)
                for each in judged.values()
            ]
        )
        for what in ("accuracy", "leaves")
    }
    told = {name: str(error) for name, error in errors.items()}
    return Race(tuple(judged), measured["accuracy"], measured["leaves"], told)


def _judged(
    data: Dataset, candidates: Mapping[str, Any], folds: int, seed: int
) -> Iterator[Judged]:
    for name, candidate in candidates.items():
        try:
            yield name, cross_validate(data, candidate, folds, seed)
        except TreelabError as error:
            yield name, error
