"""What is suspicious about features: each by itself, beside the others, beside the class."""

from collections.abc import Iterator
from hashlib import blake2b

import numpy as np

from treelab._text import percent
from treelab.checking.facts import Facts
from treelab.checking.labels import almost_numeric, dates, spelling
from treelab.checking.leak import Classes, predicted_share
from treelab.checking.report import Finding, option
from treelab.data.dataset import Dataset
from treelab.errors import shown

LEAST = 10
"""Of fewer cases it means little that all their values differ."""

ALMOST = 0.99
"""The share of a value that makes a column almost constant."""

MANY_LABELS, CASES_A_LABEL = 20, 10
"""With more labels than this there should be so many cases a label."""


class Suspects:
    """Looks at the features of a data set in turn and remembers what it has seen."""

    def __init__(self, data: Dataset) -> None:
        self._classes = Classes.of(data.y, len(data.classes))
        self._seen: dict[bytes, str] = {}

    def findings(self, facts: Facts) -> tuple[Finding, ...]:
        """Return all that is suspicious about a feature."""
        if len(facts.distinct) < 2:
            return (_constant(facts),)
        found = [_mostly_missing(facts), _almost_constant(facts), self._duplicate(facts)]
        found += [*_of_labels(facts)] if facts.column.is_nominal else [_counting(facts)]
        found.append(self._leak(facts))
        return tuple(finding for finding in found if finding)

    def _duplicate(self, facts: Facts) -> Finding | None:
        digest = blake2b(_content(facts)).digest()
        name = self._seen.setdefault(digest, facts.column.name)
        if name == facts.column.name:
            return None
        return Finding("duplicate", f"tells the same as {shown(name)}", _drop(facts))

    def _leak(self, facts: Facts) -> Finding | None:
        share = predicted_share(facts, self._classes)
        if share is None:
            return None
        text = f"a leak? It alone predicts the class of {percent(share)} of the cases"
        return Finding("leak", text, f"{_drop(facts)} if it is not known before the class")


def _content(facts: Facts) -> bytes:
    """Return what two columns have in common that tell the same; labels may be others."""
    values = facts.values
    if not facts.column.is_nominal:
        return b"numbers" + np.where(np.isnan(values), np.nan, values + 0.0).tobytes()
    first = np.full(facts.column.n_labels + 1, len(values))
    first[values[::-1]] = np.arange(len(values))[::-1]  # the last entry is that of code -1
    place = np.empty(len(first), np.int32)
    place[np.argsort(first[:-1], kind="stable")] = np.arange(facts.column.n_labels)
    place[-1] = -1
    return b"labels" + place[values].tobytes()


def _constant(facts: Facts) -> Finding:
    if not len(facts.distinct):
        return Finding("empty", "no value is known", _drop(facts))
    return Finding("constant", "the same value in all cases that have one", _drop(facts))


def _mostly_missing(facts: Facts) -> Finding | None:
    missing = facts.cases - facts.known
    if 2 * missing <= facts.cases:
        return None
    return Finding("missing", f"{percent(missing / facts.cases)} are missing", _drop(facts))


def _almost_constant(facts: Facts) -> Finding | None:
    share = facts.share_of_most
    if share < ALMOST:
        return None
    value = facts.value_text(int(facts.counts.argmax()))
    fix = f"{_drop(facts)} unless the others matter"
    return Finding("almost-constant", f"{percent(share)} are {shown(value)}", fix)


def _of_labels(facts: Facts) -> Iterator[Finding | None]:
    # Dates and numbers have many labels because of what they are, which is to be said.
    yield almost_numeric(facts) or dates(facts) or _too_many(facts)
    yield spelling(facts)


def _too_many(facts: Facts) -> Finding | None:
    n, known = len(facts.distinct), facts.known
    if known < LEAST:
        return None
    if n == known:
        return Finding("identifier", "an identifier: no label occurs twice", _drop(facts))
    if 2 * n > known:
        return Finding("near-unique", f"{n:,} labels for {known:,} cases", _drop(facts))
    if n > MANY_LABELS and known < CASES_A_LABEL * n:
        text = f"many labels: {known / n:.1f} cases each"
        return Finding("many-labels", text, f"join labels in the data, or {_drop(facts)}")
    return None


def _counting(facts: Facts) -> Finding | None:
    """Return a finding if numbers are whole and all different, as those that count the cases."""
    n = len(facts.distinct)
    is_scaled = facts.column.scale is not None  # many a table has a line a day
    if is_scaled or n < max(LEAST, facts.known) or (facts.distinct % 1).any():
        return None
    return Finding("identifier", "an identifier? No whole number occurs twice", _drop(facts))


def _drop(facts: Facts) -> str:
    return option("--drop", facts.column.name)
