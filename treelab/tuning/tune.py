"""`tune`: search for the learner that does best on data."""

from math import inf
from typing import Any

from treelab.choosing.race import Watch, race, unwatched
from treelab.data.checks import check_target
from treelab.data.dataset import Dataset
from treelab.data.folds import check_folds
from treelab.errors import ParameterError, check_function, check_number, shown
from treelab.learner import Learner
from treelab.reduce.sampling import capped
from treelab.tuning.grid import USUAL, by_name, candidates
from treelab.tuning.tuned import Tuned


def tune(
    data: Dataset,
    learner: Learner | None = None,
    *,
    folds: int = 5,
    within: float = 1.0,
    max_cases: int | None = 1000,
    seed: int = 0,
    watch: Watch = unwatched,
    **options: Any,
) -> Tuned:
    """Return the learner that does best on data, of all combinations of some options.

    All are judged by cross-validation on the same folds. Of those that are `within` so many
    standard errors of the best, the one with the fewest leaves is chosen (the 1-SE rule); see
    `treelab.choosing.Race.smallest_within`. The accuracy of the chosen one is that of the best of
    many, and so a little too good: test it on other cases.

    Parameters
    ----------
    data
        The cases to learn from.
    learner
        What all have in common; the default learner without it.
    folds
        The number of folds.
    within
        Standard errors that a smaller tree may cost; 0: the most accurate.
    max_cases
        Judge by no more than so many cases, a random stratified part; None: by all.
    seed
        For folds and parts; that of the learner is its own.
    watch
        Sees candidates pass by as they are judged, and is given their number, for a progress bar.
    options
        Parameters of `Learner`, each a value or a list of values to choose from. A metric may be
        a portfolio ('auto', 'auto:pi') or a table whose lists are choices:
        `metric={"name": "relieff", "k": [5, 10, 20]}`. Without any, usual metrics, pruners,
        `min_branch` and `splits` are tried.

    Examples
    --------
    >>> import treelab as tl
    >>> found = tl.tune(tl.load("iris"), metric=["gain", "relieff"], min_branch=[2, 10])
    >>> len(found.candidates), found.learner.min_branch
    (4, 10)
    >>> print(found.line)
    tl.Learner(metric='relieff', min_branch=10)
    """
    check_target(data)
    check_function("watch", watch)
    check_number("within", within, 0)
    check_number("seed", seed, -inf, whole=True)
    if learner is not None and not isinstance(learner, Learner):
        raise ParameterError(f"expected a Learner, got {shown(learner)}")
    tried = candidates(learner or Learner(), options or USUAL)
    known = data.usable()
    if max_cases is not None:
        check_number("max_cases", max_cases, 2, whole=True)
        known = capped(known, max_cases, seed)
    check_folds(folds, len(known))
    return Tuned(tried, race(known, by_name(tried), folds, seed, watch), within, len(known))
