"""Labels that are something else: numbers but for a few, dates, one word in two spellings."""

import re
from collections.abc import Sequence

from treelab.checking.facts import Facts
from treelab.checking.report import Finding, option
from treelab.data.moments import is_moment
from treelab.data.notation import is_number, is_written_number
from treelab.errors import shown

MOST = 0.9
"""The share of the labels that must be dates."""

LEAST = 5
"""Fewer numbers are labels, as of a column with 2, 3, 4 and '5more'."""

NAMED = 4
"""So many labels are named one by one."""

_DATE = re.compile(
    r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2}))"
    r"([T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?"
)


def almost_numeric(facts: Facts) -> Finding | None:
    """Return a finding if most cases have labels that are numbers, but not all."""
    is_known = [is_written_number(label) for label in facts.labels]
    words = [word for word, number in zip(facts.labels, is_known, strict=True) if not number]
    if not words:
        return _written_otherwise(facts)
    n_numbers = len(is_known) - len(words)
    if n_numbers < LEAST or facts.counts[is_known].sum() <= 0.5 * facts.known:
        return None
    text = f"all but {len(words):,} of {len(is_known):,} labels are numbers: {_named(words)}"
    return Finding("almost-numeric", text, _missing(facts, words))


def _written_otherwise(facts: Facts) -> Finding | None:
    """Return a finding if numbers are labels because of commas or blanks in them."""
    marked = [label for label in facts.labels if not is_number(label)]
    if not marked:
        return None
    text = f"numbers with commas or blanks in them, such as {shown(marked[0])}"
    return Finding("almost-numeric", text, "--decimal , or --decimal .")


def dates(facts: Facts) -> Finding | None:
    """Return a finding if nearly all labels are dates."""
    found = [label for label in facts.labels if _DATE.fullmatch(label)]
    if len(found) < 2 or len(found) < MOST * len(facts.labels):
        return None
    text = f"dates kept as labels, such as {shown(found[0])}"
    words = [label for label in facts.labels if not is_moment(label)]
    if words and len(words) == len(facts.labels) - len(found):
        return Finding("dates", f"{text}, because of {_named(words)}", _missing(facts, words))
    drop = option("--drop", facts.column.name)
    return Finding("dates", text, f"write them as 2024-05-31, or {drop}")


def _missing(facts: Facts, words: Sequence[str]) -> str:
    """Return the options that make words missing, or keep them."""
    missing = option("--missing-marks", "usual", *words[:NAMED])
    return f"{missing}, or read it as labels: {option('--nominal', facts.column.name)}"


def spelling(facts: Facts) -> Finding | None:
    """Return a finding if labels differ only in case or blanks."""
    alike: dict[str, list[str]] = {}
    for label in facts.labels:
        alike.setdefault(" ".join(label.split()).casefold(), []).append(label)
    twins = [labels for labels in alike.values() if len(labels) > 1]
    if not twins:
        return None
    text = f"{' and '.join(map(shown, twins[0][:3]))} differ only in case or blanks"
    if len(twins) > 1:
        text += f", and {len(twins) - 1:,} more such labels"
    return Finding("spelling", text, "write them alike in the data")


def _named(words: Sequence[str]) -> str:
    return ", ".join(map(shown, words[:NAMED])) + (", ..." if len(words) > NAMED else "")
