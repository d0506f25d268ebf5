"""Papers whose experiments come with treelab: a folder each, with a study file."""

from functools import cache
from pathlib import Path

from treelab.errors import DataError, ParameterError, UnknownNameError
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


def paper_titles() -> dict[str, str]:
    """Return the name and the title of every paper that can be reproduced.

    >>> paper_titles()["vilalta2001"]
    'A unified framework for evaluation metrics: Table 1'
    """
    found = sorted(path.parent for path in _folder().glob("*/study.toml"))
    return {path.name: title_of(path / "study.toml") for path in found}


def paper_study(
    name: str, *, quick: bool = False, all_metrics: bool = False, grid: bool = False
) -> Study | Simulation:
    """Return the study of a paper.

    Parameters
    ----------
    name
        The paper.
    quick
        Small data sets and few repetitions, for a look.
    all_metrics
        Whether all other metrics of treelab take part as well.
    grid
        The study of the paper's parameters in place of its table.
    """
    if name not in paper_titles():
        raise UnknownNameError("paper", name, paper_titles())
    if name in SIMULATIONS:
        if grid or all_metrics:
            raise ParameterError(f"the paper {name!r} has neither a grid nor further metrics")
        return read_simulation(_folder() / name / "study.toml", SIMULATIONS[name], quick=quick)
    file = _folder() / name / ("grid.toml" if grid else "study.toml")
    if not file.is_file():
        raise ParameterError(f"the paper {name!r} has no grid")
    if grid and all_metrics:
        raise ParameterError("--grid is about one metric: it does not go with --all-metrics")
    from treelab.metrics import metric_names

    return read_study(file, quick=quick, more=metric_names() if all_metrics else ())


@cache
def _folder() -> Path:
    for folder in _FOLDERS:
        if folder.is_dir():
            return folder
    raise DataError(f"the experiments are missing: there is no folder {_FOLDERS[0]}")
