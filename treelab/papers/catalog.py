"""Papers whose experiments can be repeated: those that come with treelab, and other people's.

A paper is a folder with a study file and, unless that says everything, a package beside or behind
it that answers the questions of the file, or judges the paper's statements. Those of treelab are
`experiments/NAME` and `treelab.papers.NAME`; a package of other people holds its study file itself
and is known by an entry point of the group `treelab.papers`.
"""

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Literal, TypeAlias

import attrs

from treelab import Study, metric_names, read_study
from treelab.errors import DataError, ParameterError, TreelabError, UnknownNameError, check_number
from treelab.experiment import Simulation, read_simulation, title_of

GROUP = "treelab.papers"

_HERE = Path(__file__).resolve()
_FOLDERS = (
    _HERE.parents[1] / "_bundled" / "experiments",  # where the wheel puts them
    _HERE.parents[2] / "experiments",  # where the source checkout has them
)

Which: TypeAlias = Literal["study", "grid", "sensitivity"]
"""A paper's study files: its table, its parameters, and what our own choices do to the table."""


@attrs.frozen
class PaperFiles:
    """Where a paper's study files are, and the package with its rules, if it has one."""

    name: str
    folder: Path
    package: str | None

    def study_file(self, which: Which) -> Path:
        """Return a study file of the paper, which must be there."""
        file = self.folder / f"{which}.toml"
        if not file.is_file():
            where = f": there is no {file}" if which == "study" else ""
            raise ParameterError(f"the paper {self.name!r} has no {which}{where}")
        return file

    def rules(self, which: Which) -> ModuleType | None:
        """Return what answers or judges a study: the package itself, or its part of that name."""
        if self.package is None:
            return None
        package = import_module(self.package)
        if which == "study":
            return package
        part = f"{self.package}.{which}"
        is_there = hasattr(package, "__path__") and find_spec(part) is not None
        return import_module(part) if is_there else None


def paper_titles() -> dict[str, str]:
    """Return the name and the title of every paper that can be reproduced.

    Of a package that cannot be loaded the title is the reason.

    >>> paper_titles()["vilalta2001"]
    'A unified framework for evaluation metrics: Table 1'
    """
    own = sorted(path.parent.name for path in _folder().glob("*/study.toml"))
    return {name: _title(name) for name in dict.fromkeys([*own, *sorted(_points())])}


def _title(name: str) -> str:
    try:
        return title_of(_paper(name).study_file("study"))
    except TreelabError as error:
        return str(error)


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
    paper = _paper(name)
    file = paper.study_file(which)
    if repeats is not None:
        check_number("repeats", repeats, 1, whole=True)
    rules = paper.rules(which)
    if hasattr(rules, "QUESTIONS"):
        if all_metrics:
            raise ParameterError(f"the {which} of {name!r} has no further metrics")
        return read_simulation(file, rules, quick=quick, repeats=repeats)
    if which == "grid" and all_metrics:
        raise ParameterError("--grid is about one metric: it does not go with --all-metrics")
    study = read_study(file, quick=quick, more=metric_names() if all_metrics else ())
    return attrs.evolve(
        study,
        repeats=study.repeats if repeats is None else repeats,
        statements=getattr(rules, "statements", None),
        sections=getattr(rules, "sections", None),
    )


def _paper(name: str) -> PaperFiles:
    folder = _folder() / str(name)
    if (folder / "study.toml").is_file():
        package = f"{__package__}.{name.replace('-', '_')}"
        return PaperFiles(name, folder, package if find_spec(package) else None)
    if name in _points():
        return _of_others(_points()[name])
    raise UnknownNameError("paper", name, paper_titles())


def _of_others(point: EntryPoint) -> PaperFiles:
    """Return what an entry point offers: a package, and the folder that it is in."""
    try:
        package = point.load()
        folder = Path(package.__file__).resolve().parent
    except Exception as error:  # whatever somebody else's package may raise
        problem = f"paper {point.name!r} cannot be loaded from {point.value}: {error}"
        raise ParameterError(problem) from None
    return PaperFiles(point.name, folder, package.__name__)


def _points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}


@cache
def _folder() -> Path:
    for folder in _FOLDERS:
        if folder.is_dir():
            return folder
    raise DataError(f"the experiments are missing: there is no folder {_FOLDERS[0]}")
