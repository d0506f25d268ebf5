"""`treelab compare`: an experiment of one's own: metrics by data sets, cross-validated."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab.cli.completion import complete_metrics
from treelab.cli.inputs import GENERATED, metric_given, split_names, split_specs, training_data
from treelab.cli.learning import (
    DiscretizerSpec,
    MinCases,
    MissingPolicy,
    PrunerSpec,
    SplitsKind,
)
from treelab.cli.output import AsJson
from treelab.cli.reading import Nominal, Numeric, Reading, reads_data
from treelab.cli.scanning import MemoryLimit, Scheduler, Workers
from treelab.cli.studies import (
    Backend,
    ExportFolds,
    Folder,
    Jobs,
    Strict,
    StudyEngine,
    conduct,
    means_of,
)
from treelab.cli.studies import show as show_stored
from treelab.errors import ParameterError

if TYPE_CHECKING:
    from treelab.experiment import Study
    from treelab.experiment.sources import Source

OUTPUT = Path("comparison")


@reads_data
def compare(
    data: Annotated[
        list[str],
        typer.Argument(
            metavar="DATA...", help="Files or bundled data sets; or one study file, STUDY.toml."
        ),
    ],
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B",
            autocompletion=complete_metrics,
            help="The metrics to compare, such as gain,relieff:k=5.",
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODULE:CLASS(...)",
            help="A class with fit and predict to compare with, or preset:j48; may be given again.",
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="The column to predict in files; else the last one.")
    ] = None,
    nominal: Nominal = None,
    numeric: Numeric = None,
    discretizer: DiscretizerSpec = None,
    pruner: PrunerSpec = None,
    missing: MissingPolicy = None,
    splits: SplitsKind = None,
    min_cases: MinCases = None,
    folds: Annotated[int | None, typer.Option(help="Folds of cross-validation; else 10.")] = None,
    repeats: Annotated[
        int | None, typer.Option(help="How often to cross-validate; else once.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="For the folds and all chance; else 0.")] = None,
    memory: Annotated[
        bool, typer.Option("--memory", help="Record the peak of memory, too; slower.")
    ] = False,
    output: Folder = None,
    jobs: Jobs = 1,
    backend: Backend = "loky",
    engine: StudyEngine = "local",
    scheduler: Scheduler = None,
    workers: Workers = None,
    memory_limit: MemoryLimit = None,
    strict: Strict = False,
    export_folds: ExportFolds = False,
    allow_code: Annotated[
        bool, typer.Option("--allow-code", help="Let a study file run the Python files it names.")
    ] = False,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODULE",
            help="Let a study file name classifiers of this module, too; may be given again.",
        ),
    ] = None,
    show: Annotated[
        bool,
        typer.Option("--show", help="Tell what the folder has already; run and write nothing."),
    ] = False,
    json: AsJson = False,
    *,
    reading: Reading,
) -> None:
    """Compare split metrics on data sets, with tests of significance and a report."""
    means = means_of(jobs, backend, engine, scheduler, workers, memory_limit)
    settings = {
        "discretizer": discretizer, "pruner": pruner, "missing": missing, "splits": splits,
        "min_cases": min_cases,
    }  # fmt: skip
    kinds = {"nominal": split_names(nominal), "numeric": split_names(numeric)}
    read = {name: names for name, names in kinds.items() if names} | reading.options
    shape = {"folds": folds, "repeats": repeats, "seeds": None if seed is None else (seed,)}
    if data[0].endswith(".toml"):
        given = [metric, against, target, *settings.values(), *shape.values(), memory or None]
        most = read.pop("max_bytes", None)
        rights = {"allow_code": allow_code, "allow": split_names(allow), "max_bytes": most}
        study = _from_file(data, [*given, read or None], rights)
    else:
        if allow or allow_code:
            raise ParameterError("--allow and --allow-code are for a study file, STUDY.toml")
        sources = _sources(data, target, read)
        study = _from_options(sources, metric, against, _known(settings), _known(shape), memory)
    if show:
        show_stored(study, output or OUTPUT, json)
        return
    conduct(
        [(study, output or OUTPUT)], means, strict=strict, export_folds=export_folds, json=json,
    )  # fmt: skip


def _known(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _from_file(data: list[str], others: list[Any], rights: dict[str, Any]) -> "Study":
    from treelab.experiment.study_file import read_study

    if len(data) > 1 or any(other is not None for other in others):
        raise ParameterError(f"a study file says all: {data[0]} goes without data and settings")
    return read_study(data[0], **rights)


def _from_options(
    sources: list["Source"],
    metrics: list[str] | None,
    against: list[str] | None,
    settings: dict[str, Any],
    shape: dict[str, Any],
    memory: bool,
) -> "Study":
    from treelab.data.bundled import load
    from treelab.experiment import MEASURES, Study
    from treelab.experiment.study import DEFAULT_RECORD
    from treelab.learner import Learner

    specs = split_specs(metrics or [str(Learner().metric)])
    learners: dict[str, Any] = {
        _label(spec): Learner(metric=metric_given(spec), **settings) for spec in specs
    }
    for learner in learners.values():
        learner.fit(load("lenses"))  # a wrong setting is told before anything runs
    learners |= {text.partition(":")[2] or text: text for text in against or []}
    return Study(
        name="comparison", title=f"Comparison of {', '.join(learners)}",
        data=sources, learners=learners,
        record=MEASURES if memory else DEFAULT_RECORD, tests=_tests(shape), **shape,
    )  # fmt: skip


def _label(spec: str) -> str:
    """Return what a metric is called in tables: one of a file by its name there."""
    from treelab.metrics.own_file import names_a_file

    return spec.rpartition(":")[2] if names_a_file(spec) else spec


def _tests(shape: dict[str, Any]) -> tuple[str, ...]:
    """Return all tests; with one repetition there is nothing to pair over but folds."""
    from treelab.experiment import TESTS

    return TESTS if shape.get("repeats", 1) > 1 else tuple(test for test in TESTS if test != "t")


def _sources(data: list[str], target: str | None, read: dict[str, Any]) -> list["Source"]:
    from treelab.experiment.sources import Bundled

    sources = [_source(given, target, read) for given in data]
    if read and all(isinstance(each, Bundled) for each in sources):
        raise ParameterError(f"{', '.join(read)} can be said of files only, and these are none")
    return sources


def _source(given: str, target: str | None, read: dict[str, Any]) -> "Source":
    from treelab.data.readers import is_data_file
    from treelab.data.readers import read as read_file
    from treelab.experiment.sources import Bundled, DataFile, InMemory, frozen

    if given == "-":  # which workers do not have
        return InMemory(read_file(given, target, **read))
    if is_data_file(given):
        return DataFile(given, target, options=frozen(read))
    known = training_data(given)  # says what is wrong with it
    return InMemory(known, given) if given.startswith(GENERATED) else Bundled(given)
