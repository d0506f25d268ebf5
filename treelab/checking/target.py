"""What is suspicious about a target."""

import numpy as np

from treelab._text import percent
from treelab.checking.facts import Facts
from treelab.checking.labels import NAMED, spelling
from treelab.checking.report import Finding
from treelab.data.continuous import FEW, is_continuous, numbers_of
from treelab.errors import shown


def suspicious_target(facts: Facts) -> tuple[Finding, ...]:
    """Return all that is suspicious about the classes."""
    crowd = _continuous(facts) or _near_unique(facts) or _single(facts)
    found = [_unknown(facts), _one_class(facts), crowd]
    return tuple(finding for finding in (*found, spelling(facts)) if finding)


def _unknown(facts: Facts) -> Finding | None:
    missing = facts.cases - facts.known
    if not missing:
        return None
    text = f"{missing:,} cases ({percent(missing / facts.cases)}) have no class"
    return Finding("missing", text, "they are left out of learning")


def _one_class(facts: Facts) -> Finding | None:
    if len(facts.distinct) > 1:
        return None
    return Finding("constant", "there is nothing to tell apart", "--target, if it is another")


def _continuous(facts: Facts) -> Finding | None:
    """Return a finding if the classes are numbers of a quantity."""
    n = len(facts.distinct)
    values = numbers_of(tuple(facts.labels)) if n > FEW else None
    if values is None or not (is_continuous(values, facts.known) or (values % 1).any()):
        return None
    text = f"{n:,} different numbers, but treelab classifies"
    return Finding("continuous", text, "cut it into classes, or --target-is-class")


def _near_unique(facts: Facts) -> Finding | None:
    n = len(facts.distinct)
    if n <= FEW or 2 * n <= facts.known:
        return None
    text = f"{n:,} classes for {facts.known:,} cases"
    return Finding("near-unique", text, "--target, if it is another")


def _single(facts: Facts) -> Finding | None:
    single = [facts.labels[place] for place in np.flatnonzero(facts.counts == 1)]
    if not single:
        return None
    named = ", ".join(map(shown, single[:NAMED])) + (", ..." if len(single) > NAMED else "")
    what = "1 class has" if len(single) == 1 else f"{len(single):,} classes have"
    return Finding("single-case", f"{what} a single case: {named}", "join classes in the data")
