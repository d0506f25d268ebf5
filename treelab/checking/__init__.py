"""`check`: columns that are not what they seem, before anything is learnt from them."""

from os import PathLike
from typing import Any

from treelab.checking.facts import facts_of
from treelab.checking.features import Suspects
from treelab.checking.report import ColumnReport, DataCheck, Finding
from treelab.checking.target import suspicious_target
from treelab.data.dataset import Dataset
from treelab.data.doubts import without_doubts
from treelab.data.readers import read
from treelab.errors import ParameterError

__all__ = ["ColumnReport", "DataCheck", "Finding", "check"]


def check(data: Any, target: str | None = None, **reading: Any) -> DataCheck:
    """Look for columns that are not what they seem.

    Every case counts once, whatever its weight.

    Parameters
    ----------
    data
        A `Dataset`, a frame, or the path of a file.
    target
        The column of classes of a frame or a file; a `Dataset` has its own.
    reading
        How to read a file or a frame: the keywords of `treelab.read` or `Dataset.from_frame`.

    Returns
    -------
    DataCheck
        A line for each column: kind, missing and distinct values, what is suspicious, and the
        option that settles it. It prints as a table.

    Examples
    --------
    >>> import treelab as tl
    >>> odd = tl.check(tl.load("lenses"))
    >>> odd.suspicious
    ()
    """
    cases = _dataset(data, target, reading)
    suspects = Suspects(cases)
    rows = [
        ColumnReport.of(facts, "feature", suspects.findings(facts))
        for facts in map(facts_of, cases.schema.features, cases.columns)
    ]
    if cases.target:
        facts = facts_of(cases.schema.target, cases.y)
        rows.append(ColumnReport.of(facts, "target", suspicious_target(facts)))
    return DataCheck(cases.name, len(cases), cases.target, tuple(rows))


def _dataset(data: Any, target: str | None, reading: dict[str, Any]) -> Dataset:
    if isinstance(data, Dataset):
        if reading:
            raise ParameterError(f"{next(iter(reading))}= is for files and frames, not a Dataset")
        if target not in (None, data.target):
            raise ParameterError(
                f"target= is for files and frames, but the target of these data is {data.target!r}"
            )
        return data
    # A target of numbers is what is looked for here, and reported.
    reading = reading | {"target_is_class": True}
    with without_doubts():
        if isinstance(data, str | PathLike):
            return read(data, target, **reading)
        return Dataset.from_frame(data, target, **reading)
