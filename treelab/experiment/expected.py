"""The figures of a paper, from `expected.csv`: data, learner, mean, sd, marked."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from treelab._files import is_file
from treelab.errors import DataError, ParameterError, check_number, shown
from treelab.experiment.study import Check, Paper


def read_paper(table: Mapping[str, Any], folder: Path) -> Paper:
    """Return what the table `paper` of a study file says."""
    if not isinstance(table.get("expected"), str):
        raise ParameterError("a paper needs the file of its expected figures")
    cells = _cells(_inside(folder, table["expected"]))
    unavailable, checks = table.get("unavailable", {}), table.get("check", [])
    if not isinstance(unavailable, Mapping) or not isinstance(checks, list):
        raise ParameterError("unavailable data are written as a table, checks as [[paper.check]]")
    return Paper(
        citation=str(table.get("citation", "")),
        expected={place: (mean, sd) for place, (mean, sd, _) in cells.items()},
        marked=frozenset(place for place, (_, _, marked) in cells.items() if marked),
        unavailable={name: str(why) for name, why in unavailable.items()},
        checks=tuple(map(_check, checks)),
    )


def _inside(folder: Path, name: str) -> Path:
    """Return a file of the study's own folder: a study from others opens no other one."""
    path = folder / name
    try:
        is_inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # no name of a file, or a circle of links
        is_inside = False
    if not (is_inside and is_file(path)):
        raise DataError(f"there is no file {name!r} in the folder of the study")
    return path


def _check(table: Any) -> Check:
    if not isinstance(table, Mapping) or set(table) != {"learners", "data", "within"}:
        got = ", ".join(table) if isinstance(table, Mapping) else shown(table)
        raise ParameterError(f"a check names learners, data and within, got {got}")
    check_number("within", table["within"], 0)
    learners, data = _names(table["learners"]), _names(table["data"])
    return Check(learners, data, float(table["within"]))


def _names(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise ParameterError(f"a check lists learners and data by name, got {shown(given)}")
    return tuple(given)


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
    except (KeyError, TypeError, ValueError, csv.Error) as error:
        raise DataError(
            f"{path} is not a table of data, learner, mean, sd, marked: {error}"
        ) from None
