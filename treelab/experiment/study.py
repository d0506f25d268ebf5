"""A study as a value: data sets x learners x seeds x repetitions x folds, and what to ask of it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from math import prod
from os import PathLike
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from treelab._text import CONTROL
from treelab.data.dataset import Dataset
from treelab.data.folds import check_folds
from treelab.errors import ParameterError, check_choice, check_number, shown
from treelab.experiment.competitors import Competitor, competitor
from treelab.experiment.fingerprint import for_one_run
from treelab.experiment.sources import Source, checksum, folds_of, source, usable
from treelab.experiment.trial import MEASURES, NOISY, Trial

if TYPE_CHECKING:
    from treelab.experiment.report.article import Section, Statement
    from treelab.experiment.summary import Summary

OF_ONE_SET = ("t", "corrected-t", "bayes")
OVER_SETS = ("wilcoxon", "sign", "friedman")
TESTS = (*OF_ONE_SET, *OVER_SETS)
"""Tests for each data set, then tests over all of them."""

MARKING_TESTS = ("corrected-t", "t")
"""Tests that may mark the winners, the better one first."""

MOST_TRIALS = 1_000_000
"""A study is a list of its trials, which must fit in memory."""

LARGEST_SEED = 2**63 - 1
"""A store keeps whole numbers of 64 bits."""

DEFAULT_RECORD = tuple(measure for measure in MEASURES if measure != "memory")


@attrs.frozen
class Note:
    """A paragraph for the report: a deviation, and why it is so."""

    title: str
    text: str


@attrs.frozen
class Check:
    """What a reproduction should show: these cells within so many points of the paper's."""

    learners: tuple[str, ...]
    data: tuple[str, ...]
    within: float


@attrs.frozen(eq=False)
class Paper:
    """The figures of a paper: (data, learner) to mean and deviation in %, as printed."""

    citation: str
    expected: Mapping[tuple[str, str], tuple[float, float | None]]
    marked: frozenset[tuple[str, str]] = frozenset()
    unavailable: Mapping[str, str] = attrs.field(factory=dict)
    checks: tuple[Check, ...] = ()


@attrs.frozen
class Grid:
    """The axes of a grid of learners: names and the labels along each."""

    axes: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]


def _listed(name: str, given: Iterable[Any]) -> tuple[Any, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ParameterError(f"{name} must be a list, got {shown(given)}")
    return tuple(given)


def _whole(given: Any) -> Any:
    """Return a whole number of numpy's as one of Python's, which keys are made of."""
    return given.item() if isinstance(given, np.integer) else given


def _seeds(given: Iterable[int]) -> tuple[int, ...]:
    return tuple(map(_whole, _listed("seeds", given)))


def _record(given: Iterable[str]) -> tuple[str, ...]:
    return _listed("record", given)


def _tests(given: Iterable[str]) -> tuple[str, ...]:
    return _listed("tests", given)


def _sources(given: Iterable[str | PathLike[str] | Source | Dataset]) -> tuple[Source, ...]:
    return tuple(map(source, _listed("data", given)))


def _competitors(given: Mapping[str, Any] | Iterable[Competitor]) -> tuple[Competitor, ...]:
    if isinstance(given, Mapping):
        return tuple(competitor(name, learner) for name, learner in given.items())
    found = tuple(given) if isinstance(given, Iterable) else (given,)
    if not all(isinstance(each, Competitor) for each in found):
        example = "{'gini': Learner(metric='gini')}"
        raise ParameterError(f"learners are given by name, as in {example}, got {shown(given)}")
    return found


@attrs.frozen(kw_only=True)
class Study:
    """An experiment, told completely.

    Parameters
    ----------
    name, title, citation
        What to call it, in file names and in print, and the work it belongs to.
    data
        The data sets: bundled names, files, `Dataset` objects.
    learners
        The learners by name: `Learner` objects, any with `fit` and `predict`, or texts such as
        'preset:j48' and 'sklearn.tree:DecisionTreeClassifier(max_depth=3)'.
    folds, repeats, seeds
        Stratified cross-validation, so often, for each seed; learners share the folds.
    record
        The measures to report, of `treelab.experiment.MEASURES`.
    tests
        The tests to make, of `treelab.experiment.TESTS`.
    marking_test
        The one of them that marks the winners in the tables: 'corrected-t' (if not said
        otherwise and among the tests), or 't', which takes repetitions for independent and so finds
        differences too easily; None for no marks.
    alpha, rope
        The level of significance; the difference in accuracy that does not matter in practice.
    notes, paper, grid
        Paragraphs for the report; a paper's figures to stand beside ours; axes of a grid.
    statements, sections
        From the summary of the results to the paper's statements with verdicts, which open the
        report, and to the further sections that follow them.

    Examples
    --------
    >>> import treelab as tl
    >>> study = Study(data=["iris"], learners={"gini": tl.Learner(metric="gini")}, folds=5)
    >>> len(study.trials())
    5
    """

    name: str = "study"
    title: str = ""
    citation: str = ""
    data: tuple[Source, ...] = attrs.field(converter=_sources)
    learners: tuple[Competitor, ...] = attrs.field(converter=_competitors)
    folds: int = attrs.field(default=10, converter=_whole)
    repeats: int = attrs.field(default=1, converter=_whole)
    seeds: tuple[int, ...] = attrs.field(default=(0,), converter=_seeds)
    record: tuple[str, ...] = attrs.field(default=DEFAULT_RECORD, converter=_record)
    tests: tuple[str, ...] = attrs.field(default=TESTS, converter=_tests)
    marking_test: str | None = attrs.field()
    alpha: float = 0.05
    rope: float = 0.01
    notes: tuple[Note, ...] = ()
    paper: Paper | None = None
    grid: Grid | None = None
    statements: "Callable[[Summary], list[Statement]] | None" = None
    sections: "Callable[[Summary], tuple[Section, ...]] | None" = None

    @marking_test.default
    def _usual_marking_test(self) -> str | None:
        return next((test for test in MARKING_TESTS if test in self.tests), None)

    def __attrs_post_init__(self) -> None:
        _check_labels("data set", [each.label for each in self.data])
        _check_labels("learner", [each.name for each in self.learners if not each.apart])
        _check_labels("learner", [each.name for each in self.learners])
        check_text("study", self.name)
        check_text("study", self.title)
        _check_unicode("citation", self.citation)  # which may have several lines
        check_number("folds", self.folds, 2, whole=True)
        check_number("repeats", self.repeats, 1, whole=True)
        check_number("rope", self.rope, 0)
        if not self.seeds:
            raise ParameterError("a study needs at least one seed")
        for seed in self.seeds:
            check_number("seed", seed, 0, LARGEST_SEED, whole=True)
        seed, times = Counter(self.seeds).most_common(1)[0]
        if times > 1:  # the same trials would count as new evidence
            raise ParameterError(f"the seed {seed} is given more than once")
        check_number("alpha", self.alpha, 0)
        if not 0 < self.alpha < 1:
            raise ParameterError(f"alpha must lie between 0 and 1, got {self.alpha!r}")
        for measure in self.record:
            check_choice("record", measure, MEASURES)
        for test in self.tests:
            check_choice("tests", test, TESTS)
        if self.marking_test is not None:
            allowed = [test for test in MARKING_TESTS if test in self.tests]
            check_choice("marking_test", self.marking_test, allowed)
        if "accuracy" not in self.record:
            raise ParameterError("accuracy is always recorded: record must name it")
        sizes = map(len, (self.data, self.learners, self.seeds))
        trials = prod((*sizes, self.folds, self.repeats))
        if trials > MOST_TRIALS:
            raise ParameterError(f"a study of {trials:,} trials is larger than {MOST_TRIALS:,}")

    @property
    def steady(self) -> tuple[str, ...]:
        """The recorded measures that are the same in every run."""
        return tuple(measure for measure in self.record if measure not in NOISY)

    def trials(self) -> list[Trial]:
        """Return all trials; those of the first repetition, on all data, come first."""
        facts = [(each, self._checksum(each)) for each in self.data]
        prints = for_one_run(each.factory.fingerprint for each in self.learners)
        return [
            Trial(where, digest, who, what, seed, repetition, fold, self.folds, self._memory)
            for seed, repetition in self.rounds()
            for where, digest in facts
            for fold in range(self.folds)
            for who, what in zip(self.learners, prints, strict=True)
        ]

    def rounds(self) -> list[tuple[int, int]]:
        """Return all pairs of a seed and a repetition: what a t-test is paired over."""
        return list(product(self.seeds, range(self.repeats)))

    def folds_table(self) -> Iterator[tuple[str, int, int, int, int]]:
        """Yield data set, seed, repetition, case and fold, counted from 0, of every test case.

        Cases of unknown class or without weight take no part and are not counted.
        """
        for where in self.data:
            digest = self._checksum(where)
            for seed, repetition in self.rounds():
                fold = folds_of(where, digest, self.folds, seed, repetition)
                for case, number in enumerate(fold.tolist()):
                    yield where.label, seed, repetition, case, number

    def _checksum(self, where: Source) -> str:
        data = usable(where)
        check_data(where, data, self.folds)
        return checksum(data)

    @property
    def _memory(self) -> bool:
        return "memory" in self.record


def check_data(where: Source, data: Dataset, folds: int) -> None:
    """Raise unless the data can be learnt from in so many folds."""
    try:
        check_folds(folds, len(data))
    except ParameterError as error:
        raise ParameterError(f"{where.label}: {error}") from None


def _check_labels(what: str, labels: list[str]) -> None:
    if not labels:
        raise ParameterError(f"a study needs at least one {what}")
    for label in labels:
        check_text(what, label)
    label, times = Counter(labels).most_common(1)[0]
    if times > 1:
        raise ParameterError(f"a {what} is named {label!r} more than once")


def check_text(what: str, label: str) -> None:
    """Raise unless a label can be written on a line, and drawn."""
    _check_unicode(what, label)
    if CONTROL.search(label):
        raise ParameterError(f"a {what} is named without control characters, got {shown(label)}")


def _check_unicode(what: str, label: object) -> None:
    """Raise unless a label can be written: the name of a file may hold any bytes."""
    if not isinstance(label, str):
        raise ParameterError(f"a {what} is named by a text, got {shown(label)}")
    try:
        label.encode()
    except UnicodeEncodeError:
        problem = f"a {what} is named by a text of Unicode, got {shown(label)}"
        raise ParameterError(problem) from None
