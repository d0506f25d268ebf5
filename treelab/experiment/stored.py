"""Results read from stores alone: of studies that run elsewhere, or whose files are gone.

A store says of every trial which data, learner, seed, repetition and fold it had. What has been
seen of each makes up the study: all its data sets, learners and rounds, each with each.
"""

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any, ClassVar, NamedTuple

import attrs

from treelab.data.dataset import Dataset
from treelab.errors import TreelabError
from treelab.experiment.competitors import Competitor
from treelab.experiment.models import Model
from treelab.experiment.record import Record
from treelab.experiment.results import Results
from treelab.experiment.sources import Bundled
from treelab.experiment.store import copied, opened, sound_record
from treelab.experiment.study import Study


class Place(NamedTuple):
    """Where a trial stands in its study."""

    data: str
    learner: str
    seed: int
    repetition: int
    fold: int


@attrs.frozen
class StoredTrial:
    """A trial as a store tells of it; the key is that of its place."""

    table: ClassVar[str] = "trials"
    place: Place

    @property
    def key(self) -> str:
        """The name of the result."""
        return repr(tuple(self.place))

    @property
    def data(self) -> str:
        """The name of the data."""
        return self.place.data

    @property
    def learner(self) -> str:
        """The name of the learner."""
        return self.place.learner

    def __str__(self) -> str:
        place = self.place
        where = f"repetition {place.repetition + 1}, fold {place.fold + 1}, seed {place.seed}"
        return f"{place.learner} on {place.data} ({where})"


@attrs.frozen
class _Unknown:
    """A learner of which only the name is known."""

    fingerprint: str = ""

    def fit(self, _data: Dataset, _seed: int) -> Model:
        raise TreelabError("a store has results, and not the learner that had them")


class _Row(NamedTuple):
    place: Place
    folds: int
    fingerprint: str
    version: str
    record: Record


@attrs.frozen(eq=False)
class StoredResults:
    """What several stores hold together, and what each of them has of it.

    `results` is None where there are no trials at all yet.
    """

    results: Results | None
    of_stores: Mapping[str, Sequence[StoredTrial]]


def read_stores(paths: Mapping[str, str], alpha: float = 0.05) -> StoredResults:
    """Return the results in the stores of studies, by the names that people know them by.

    Copies of them are read, while others may write to them. Learners of the same name
    that are not the same in two stores are told apart by the names of these.
    """
    rows = {name: _rows(name, path) for name, path in paths.items()}
    folds = Counter(row.folds for some in rows.values() for row in some)
    if not folds:
        return StoredResults(None, dict.fromkeys(paths, ()))
    most = folds.most_common(1)[0][0]
    kept = {name: [row for row in some if row.folds == most] for name, some in rows.items()}
    named = _told_apart(kept)
    records: dict[Place, Record] = {}
    for some in named.values():
        records |= {row.place: row.record for row in some}
    results = _results([*records], records, most, alpha)
    of_stores = {name: [StoredTrial(row.place) for row in some] for name, some in named.items()}
    return StoredResults(results, of_stores)


def _results(
    places: Sequence[Place], records: Mapping[Place, Record], folds: int, alpha: float
) -> Results:
    data = list(dict.fromkeys(place.data for place in places))
    learners = list(dict.fromkeys(place.learner for place in places))
    study = Study(
        name="stored",
        data=[Bundled(name) for name in data],
        learners=[Competitor(name, _Unknown()) for name in learners],
        folds=folds,
        repeats=1 + max(place.repetition for place in places),
        seeds=sorted({place.seed for place in places}),
        alpha=alpha,
    )
    trials = [
        StoredTrial(Place(name, learner, seed, repetition, fold))
        for seed, repetition in study.rounds()
        for name in data
        for fold in range(folds)
        for learner in learners
    ]
    found = {StoredTrial(place).key: record for place, record in records.items()}
    return Results(study, tuple(trials), found)  # type: ignore[arg-type]


def _told_apart(rows: Mapping[str, list[_Row]]) -> dict[str, list[_Row]]:
    """Return rows in which learners of one name, but of several kinds, have several names."""
    kinds: dict[str, dict[str, str]] = {}
    for name, some in rows.items():
        for row in some:
            kinds.setdefault(row.place.learner, {}).setdefault(row.fingerprint, name)
    found: dict[str, list[_Row]] = {}
    for name, some in rows.items():
        found[name] = []
        for row in some:
            of_name = kinds[row.place.learner]
            firsts = dict.fromkeys(of_name.values())
            learner = row.place.learner
            if len(firsts) > 1:
                learner = f"{learner} ({of_name[row.fingerprint]})"
            found[name].append(row._replace(place=row.place._replace(learner=learner)))
    return found


def _rows(name: str, path: str) -> list[_Row]:
    """Return the sound trials of a store, by data and learner; the latest of several versions.

    They lie in the order of their keys there, which says nothing.
    """
    try:
        with copied(path, name) as copy, closing(opened(copy, name)) as store:
            store.row_factory = sqlite3.Row
            rows = [_row(row) for row in store.execute("SELECT * FROM trials")]
    except sqlite3.Error as error:
        raise TreelabError(f"cannot read {name} as a store of results: {error}") from None
    sound = sorted((row for row in rows if row is not None), key=lambda row: row.version)
    latest = {row.place: row for row in sound}
    return [latest[place] for place in sorted(latest)]


def _row(row: Any) -> _Row | None:
    record = sound_record(row)
    place = Place(*(row[field] for field in Place._fields))
    if record is None or not _is_told(row, place):
        return None
    return _Row(place, row["folds"], row["fingerprint"], row["version"], record)


def _is_told(row: Any, place: Place) -> bool:
    """Tell whether texts are texts and numbers numbers: no seal covers where a trial stands."""
    numbers = (row["folds"], *place[2:])
    texts = (row["fingerprint"], row["version"], *place[:2])
    return all(isinstance(n, int) for n in numbers) and all(isinstance(t, str) for t in texts)
