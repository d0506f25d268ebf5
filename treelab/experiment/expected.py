"""The figures of a paper, from `expected.csv`: data, learner, mean, sd, marked."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from treelab.errors import DataError, ParameterError
from treelab.experiment.study import Check, Paper


def read_paper(table: Mapping[str, Any], folder: Path) -> Paper:
    """Return what the table `paper` of a study file says."""
    if not isinstance(table.get("expected"), str):
        raise ParameterError("a paper needs the file of its expected figures")
    cells = _cells(folder / table["expected"])
    return Paper(
        citation=str(table.get("citation", "")),
        expected={place: (mean, sd) for place, (mean, sd, _) in cells.items()},
        marked=frozenset(place for place, (_, _, marked) in cells.items() if marked),
        unavailable=dict(table.get("unavailable", {})),
        checks=tuple(map(_check, table.get("check", []))),
    )


def _check(table: Mapping[str, Any]) -> Check:
    if set(table) != {"learners", "data", "within"}:
        raise ParameterError(f"a check names learners, data and within, got {', '.join(table)}")
    return Check(tuple(table["learners"]), tuple(table["data"]), float(table["within"]))


def _cells(path: Path) -> dict[tuple[str, str], tuple[float, float | None, bool]]:
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            return {
                (row["data"], row["learner"]): (
                    float(row["mean"]), float(row["sd"]) if row["sd"] else None, bool(row["marked"])
                )
                for row in csv.DictReader(lines)
            }  # fmt: skip
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from None
    except (KeyError, ValueError) as error:
        raise DataError(
            f"{path} is not a table of data, learner, mean, sd, marked: {error}"
        ) from None
