"""Papers whose experiments come with treelab: a folder each, with a study file or several."""

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Literal, TypeAlias

import attrs

from treelab.errors import DataError, ParameterError, UnknownNameError, check_number
from treelab.experiment.simulation import Simulation
from treelab.experiment.study import Study
from treelab.experiment.study_file import read_study, title_of
from treelab.papers.simulation_file import read_simulation

_HERE = Path(__file__).resolve()
_FOLDERS = (
    _HERE.parents[1] / "_bundled" / "experiments",  # where the wheel puts them
    _HERE.parents[2] / "experiments",  # where the source checkout has them
)

SIMULATIONS = {
    name: f"treelab.papers.{name.replace('-', '_')}"
    for name in (
        "duch2004",
        "hong1996",
        "kantardzic2011",
        "kononenko1995",
        "metric-or-search",
        "pi-question",
    )
}
"""Experiments with questions of their own: where these are answered and reported."""

Which: TypeAlias = Literal["study", "grid", "sensitivity"]
"""A paper's study files: its table, its parameters, and what our own choices do to the table."""

_ASKING: dict[tuple[str, Which], str] = {
    **{(name, "study"): package for name, package in SIMULATIONS.items()},
    ("vilalta2001", "sensitivity"): "treelab.papers.vilalta2001.sensitivity",
}
_JUDGING: dict[tuple[str, Which], str] = {
    ("vilalta2001", "study"): "treelab.papers.vilalta2001.table",
    ("vilalta2001", "grid"): "treelab.papers.vilalta2001.grid",
}
"""Modules with the `statements` of a study of learners, and with `sections` for its report."""


def paper_titles() -> dict[str, str]:
    """Return the name and the title of every paper that can be reproduced.

    >>> paper_titles()["vilalta2001"]
    'A unified framework for evaluation metrics: Table 1'
    """
    found = sorted(path.parent for path in _folder().glob("*/study.toml"))
    return {path.name: title_of(path / "study.toml") for path in found}


def paper_study(
    name: str,
    which: Which = "study",
    *,
    quick: bool = False,
    all_metrics: bool = False,
    repeats: int | None = None,
) -> Study | Simulation:
    """Return a study of a paper.

    Parameters
    ----------
    name
        The paper.
    which
        'study': its own; 'grid': of its parameters; 'sensitivity': of what it leaves open.
    quick
        Small data sets and few repetitions, for a look.
    all_metrics
        Whether all other metrics of treelab take part as well.
    repeats
        How often to repeat what is repeated; None: as often as the study file says.
    """
    if name not in paper_titles():
        raise UnknownNameError("paper", name, paper_titles())
    file = _folder() / name / f"{which}.toml"
    if not file.is_file():
        raise ParameterError(f"the paper {name!r} has no {which}")
    if repeats is not None:
        check_number("repeats", repeats, 1, whole=True)
    if (name, which) in _ASKING:
        if all_metrics:
            raise ParameterError(f"the {which} of {name!r} has no further metrics")
        return read_simulation(file, _ASKING[name, which], quick=quick, repeats=repeats)
    if which == "grid" and all_metrics:
        raise ParameterError("--grid is about one metric: it does not go with --all-metrics")
    from treelab.metrics import metric_names

    study = read_study(file, quick=quick, more=metric_names() if all_metrics else ())
    study = study if repeats is None else attrs.evolve(study, repeats=repeats)
    return _with_judge(study, _JUDGING.get((name, which)))


def _with_judge(study: Study, module: str | None) -> Study:
    """Return the study with the rules that judge the paper's statements."""
    if module is None:
        return study
    judge = import_module(module)
    return attrs.evolve(
        study, statements=judge.statements, sections=getattr(judge, "sections", None)
    )


@cache
def _folder() -> Path:
    for folder in _FOLDERS:
        if folder.is_dir():
            return folder
    raise DataError(f"the experiments are missing: there is no folder {_FOLDERS[0]}")
