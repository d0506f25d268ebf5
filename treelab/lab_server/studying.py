"""Requests about studies: their stores, running or finished, one or several."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.errors import ParameterError, check_choice, check_number
from treelab.evaluate import Friedman
from treelab.experiment.record import Record
from treelab.experiment.report.conclusion import conclusion
from treelab.experiment.results import Results
from treelab.experiment.stored import StoredResults, read_stores
from treelab.experiment.summary import Summary
from treelab.experiment.trial import MEASURES
from treelab.lab_server.asking import Report
from treelab.lab_server.desk import Desk
from treelab.lab_server.jobs import Job
from treelab.lab_server.sessions import Session
from treelab.lab_server.sources import names_in

QUICK = 5_000_000
"""Stores of so many bytes are read while the page waits."""

MOST_STORES = 20
MOST_FAILURES = 50

SHARES = ("accuracy", "balanced-accuracy", "macro-f1", "auc")
"""Measures from 0 to 1, of which more is better: learners are ranked by these."""


def ask_study(desk: Desk, session: Session, asked: dict[str, Any]) -> dict[str, Any] | Job:
    """Return what stores of studies come to; a job where they are large."""
    files = names_in("files", asked.get("files") or [])
    if not 1 <= len(files) <= MOST_STORES:
        raise ParameterError(f"name 1 to {MOST_STORES} stores of studies")
    paths = {name: desk.folder.file(name) for name in files}
    measure, alpha = asked.get("measure", "accuracy"), asked.get("alpha", 0.05)
    check_choice("measure", measure, MEASURES)
    check_number("alpha", alpha, 0.0001, 0.5)
    given: dict[str, Any] = {
        "paths": paths,
        "measure": measure,
        "alpha": alpha,
        "only_data": _filter(asked, "data"),
        "only_learners": _filter(asked, "learners"),
    }
    if sum(_size(path) for path in paths.values()) > QUICK:
        return desk.start(session, "study", **given)
    return study_task(None, lambda _share, _words: None, **given)


def _filter(asked: dict[str, Any], name: str) -> tuple[str, ...] | None:
    return None if asked.get(name) is None else names_in(name, asked[name])


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0  # reading it will say why


def study_task(
    _data: Any,
    report: Report,
    paths: dict[str, str],
    measure: str,
    alpha: float,
    only_data: tuple[str, ...] | None,
    only_learners: tuple[str, ...] | None,
) -> dict[str, Any]:
    """Read stores, and return what they come to, of some data sets and learners or of all."""
    report(0.1, "reading")
    found = read_stores(paths, alpha)
    about = {"stores": _stores(found, paths), "measures": list(MEASURES), "measure": measure}
    if found.results is None:
        return {**about, "all_data": [], "all_learners": [], "data": [], "learners": []}
    whole = Summary(found.results)
    names = {"all_data": whole.data, "all_learners": whole.learners}
    report(0.4, "testing")
    some = _only(found.results, only_data, only_learners)
    if some is None:
        return {**about, **names, "data": [], "learners": []}
    return {**about, **names, **_summed_up(some, measure)}


def _stores(found: StoredResults, paths: dict[str, str]) -> list[dict[str, Any]]:
    return [_store(name, paths[name], found) for name in found.of_stores]


def _store(name: str, path: str, found: StoredResults) -> dict[str, Any]:
    trials = found.of_stores[name]
    records = [found.results[trial] for trial in trials] if found.results else []  # type: ignore[index]
    failed = sum(1 for record in records if record and record.error is not None)
    folds = found.results.study.folds if found.results else 0
    kinds = ({(t.place.seed, t.place.repetition) for t in trials}, {t.data for t in trials},
             {t.learner for t in trials})  # fmt: skip
    expected = folds * int(np.prod([len(each) for each in kinds]))
    changed = datetime.fromtimestamp(Path(path).stat().st_mtime, UTC)
    return {
        "file": name,
        "done": len(records) - failed,
        "failed": failed,
        "expected": expected,
        "state": "finished" if len(records) == expected else "running",
        "changed": changed.isoformat(timespec="seconds"),
        "environments": sorted({record.environment for record in records if record}),
    }


def _only(
    results: Results, data: Sequence[str] | None, learners: Sequence[str] | None
) -> Results | None:
    """Return the results of some data sets and learners; None where nothing is left."""
    study = results.study
    sets = [each for each in study.data if data is None or each.label in data]
    who = [each for each in study.learners if learners is None or each.name in learners]
    if not sets or not who:
        return None
    labels, names = {each.label for each in sets}, {each.name for each in who}
    trials = tuple(t for t in results.trials if t.data in labels and t.learner in names)
    narrowed = attrs.evolve(study, data=tuple(sets), learners=tuple(who))
    return attrs.evolve(results, study=narrowed, trials=trials)


def _summed_up(results: Results, measure: str) -> dict[str, Any]:
    summary = Summary(results)
    unit = 100.0 if measure in SHARES else 1.0
    rounds = unit * summary.rounds(measure)
    facts = {
        "data": summary.data,
        "learners": summary.learners,
        "means": unit * summary.mean(measure),
        "deviations": _deviations(rounds),
        "folds": results.study.folds,
        "rounds": rounds.shape[2],
        "failures": [
            {"trial": str(trial), "error": error}
            for trial, error in results.failures[:MOST_FAILURES]
        ],
    }
    return {**facts, **(_contest(results, measure) if measure in SHARES else _NO_CONTEST)}


_NO_CONTEST: dict[str, Any] = {
    "best": [], "marked": [], "averages": [], "ranks": None, "differences": [], "conclusion": [],
}  # fmt: skip


def _deviations(rounds: FloatArray) -> FloatArray:
    """Return the standard deviation over the rounds that are known; NaN for fewer than two."""
    known = np.isfinite(rounds)
    n = known.sum(axis=2)
    mean = np.where(known, rounds, 0.0).sum(axis=2) / np.maximum(n, 1)
    squares = np.where(known, (rounds - mean[:, :, None]) ** 2, 0.0).sum(axis=2)
    return np.where(n > 1, np.sqrt(squares / np.maximum(n - 1, 1)), np.nan)


def _contest(results: Results, measure: str) -> dict[str, Any]:
    """Return who is better than whom by a measure, as a summary says it of the accuracy."""
    summary = Summary(_in_place_of_accuracy(results, measure))
    shown = np.round(summary.accuracy, 2)
    pairs = combinations(range(len(summary.learners)), 2)
    return {
        "best": summary.best,
        "marked": summary.marked,
        "averages": summary.averages(),
        "ranks": None if summary.friedman is None else _ranks(summary.friedman, summary),
        "differences": [_difference(summary, shown, i, j) for i, j in pairs],
        "conclusion": list(conclusion(summary)) if measure == "accuracy" else [],
    }


def _in_place_of_accuracy(results: Results, measure: str) -> Results:
    if measure == "accuracy":
        return results
    records = {
        key: attrs.evolve(record, values=_renamed(record, measure))
        for key, record in results.records.items()
    }
    return attrs.evolve(results, records=records)


def _renamed(record: Record, measure: str) -> dict[str, float]:
    return {"accuracy": record.values[measure]} if measure in record.values else {}


def _ranks(found: Friedman, summary: Summary) -> dict[str, Any]:
    """Return what a critical-difference diagram shows (Demsar 2006)."""
    apart = found.critical_difference(summary.study.alpha)
    return {
        "mean_ranks": found.ranks,
        "critical_difference": apart,
        "alpha": summary.study.alpha,
        "p": found.p,
        "data_sets": found.n_data,
        "cliques": cliques(found.ranks, apart),
    }


def cliques(ranks: FloatArray, apart: float) -> list[list[int]]:
    """Return the groups of learners whose mean ranks differ by less than a critical difference.

    >>> cliques(np.array([1.0, 3.0, 1.5, 3.2]), 1.0)
    [[0, 2], [1, 3]]
    """
    order = np.argsort(ranks, kind="stable")
    ends = np.searchsorted(ranks[order], ranks[order] + apart, side="left")
    found, reached = list[list[int]](), 0
    for first, end in enumerate(ends):
        if end > max(reached, first + 1):
            found.append(order[first:end].tolist())
        reached = max(reached, int(end))
    return found


def _difference(summary: Summary, shown: FloatArray, i: int, j: int) -> dict[str, Any]:
    points = shown[:, i] - shown[:, j]
    known = points[np.isfinite(points)]
    return {
        "first": summary.learners[i],
        "second": summary.learners[j],
        "points": points,
        "wins": int((known > 0).sum()),
        "ties": int((known == 0).sum()),
        "losses": int((known < 0).sum()),
    }
