"""What commands are given: data by file, name or generator, lists of columns, files to write."""

import csv
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab._files import check_writable
from treelab.cli.completion import complete_data
from treelab.errors import (
    DataError,
    ParameterError,
    UnknownNameError,
    suggestion,
)

if TYPE_CHECKING:
    from treelab.cli.reading import Reading
    from treelab.data.dataset import Dataset
    from treelab.tree.model import Tree

GENERATED = "make:"

DataName = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        autocompletion=complete_data,
        help="A data file (file.db::table for tables, - for standard input), a bundled data set "
        "(ann-thyroid:train for a part), or made to order: make:exor,n=3,cases=200,seed=0.",
    ),
]


def _there(model: Path) -> Path:
    """Return the name of a model file, unless there is none: a wrong call, as for data."""
    try:
        exists = model.exists()
    except OSError:
        return model  # reading it will tell why
    if not exists:
        raise ParameterError(f"cannot read {model}: there is no such file")
    return model


ModelName = Annotated[
    Path,
    typer.Argument(metavar="MODEL", callback=_there, help="A file that `treelab train -o` wrote."),
]


def training_data(
    given: str,
    target: str | None = None,
    nominal: Sequence[str] = (),
    numeric: Sequence[str] = (),
    weights: str | None = None,
    reading: "Reading | None" = None,
) -> "Dataset":
    """Return the data to train on; a file comes before a data set of the same name."""
    from treelab.data.readers import is_data_file, read

    if is_data_file(given):  # a folder called 'iris' does not hide the data set
        said = {} if reading is None else reading.options
        return read(given, target, nominal=nominal, numeric=numeric, weights=weights, **said)
    data = _named(given)
    if reading is not None:
        reading.check_only_drops(given, _kind(given))
        data = _without(data, reading.drop)
    if target not in (None, data.target) or nominal or numeric or weights is not None:
        raise ParameterError(
            "--target, --nominal, --numeric and --weights are for files, "
            f"but {given!r} is {_kind(given)} data set, whose target is {data.target!r}"
        )
    return data


def new_data(
    given: str,
    tree: "Tree",
    weights: str | None = None,
    reading: "Reading | None" = None,
    as_labels: Sequence[str] = (),
) -> "Dataset":
    """Return data for a tree, each column read as the one of that name in training.

    The target is the tree's where the data have it, so that predictions can be checked. Columns
    that the tree has no use for are read `as_labels` where that is asked for: '007' stays '007'.
    """
    from treelab.data.readers import is_data_file

    if not is_data_file(given):
        return training_data(given, weights=weights, reading=reading)
    target = tree.schema.target.name
    said = {} if reading is None else reading.options
    try:
        return _read_like(given, tree, target, weights, said, as_labels)
    except UnknownNameError as error:
        if error.kind != "column":
            raise
        for name in tree.features:
            if name not in error.known:
                hint = suggestion(name, error.known)
                raise DataError(
                    f"the tree needs a column {name!r}, which {given} does not have: {hint}"
                ) from None
        if weights not in (None, *error.known):
            raise
        return _read_like(
            given, tree, "", weights, said, as_labels
        )  # all that is missing is the target


def split_names(words: Sequence[str] | None) -> list[str]:
    """Return the names in lists such as 'a,b' or '"a, b",c'."""
    fields = csv.reader(words or (), skipinitialspace=True)
    return [name.strip() for line in fields for name in line if name.strip()]


def split_specs(words: Sequence[str] | None) -> list[str]:
    """Return the specifications in lists such as 'gain,relieff:k=5,ties=first', each once.

    What holds a '=' but no ':' before it, such as 'ties=first', goes on with the one before it.
    """
    specs: list[str] = []
    for name in split_names(words):
        if "=" in name.partition(":")[0] and specs:
            specs[-1] += f",{name}"
        else:
            specs.append(name)
    return list(dict.fromkeys(specs))


def metric_given(spec: str) -> Any:
    """Return a metric as it is asked for: its name, or what a file of one's own holds."""
    from treelab.metrics.own_file import metric_of_file, names_a_file

    return metric_of_file(spec) if names_a_file(spec) else spec


def metrics_given(words: Sequence[str] | None) -> list[Any]:
    """Return the metrics of lists such as 'gain,mine.py:tsallis'."""
    return [metric_given(spec) for spec in split_specs(words)]


def check_output(path: Path | None, *inputs: str | Path) -> None:
    """Raise, before the work begins, if a file cannot be written or should not be."""
    if path is None:
        return
    from treelab.data.readers import parted

    check_writable(path)
    for given, _ in map(parted, inputs):
        if path.exists() and given.exists() and path.samefile(given):
            raise ParameterError(f"-o {path} would overwrite what is read")


def _without(data: "Dataset", names: Sequence[str]) -> "Dataset":
    for name in names:
        data.schema.index(name)
    return data.select([name for name in data.features if name not in names])


def _kind(given: str) -> str:
    return "a generated" if given.startswith(GENERATED) else "a bundled"


def _named(given: str) -> "Dataset":
    return _generated(given) if given.startswith(GENERATED) else _bundled(given)


def _generated(given: str) -> "Dataset":
    """Return the data of 'make:exor,n=3'; the library writes 'exor:n=3', which will do too."""
    from treelab.data.synth import make

    spec = given.removeprefix(GENERATED)
    return make(spec if ":" in spec else spec.replace(",", ":", 1))


def _bundled(given: str) -> "Dataset":
    from treelab.data.bundled import load
    from treelab.data.readers.source import check_file

    try:
        return load(given)
    except UnknownNameError as error:
        with suppress(OSError):  # a name that is too long for a file
            if given and Path(given).exists():
                check_file(Path(given))  # says what else it is
        hint = suggestion(given, error.known)
        raise ParameterError(
            f"there is no file {given!r} and no bundled data set of that name: {hint}"
        ) from None


def _read_like(
    path: str,
    tree: "Tree",
    target: str,
    weights: str | None,
    said: dict[str, Any],
    as_labels: Sequence[str],
) -> "Dataset":
    from treelab.data.readers import read

    # Whatever has labels is read as labels, also those that have an order.
    nominal = [column.name for column in tree.schema.features if column.has_labels]
    nominal += [name for name in as_labels if name not in (*tree.features, target)]
    numeric = [column.name for column in tree.schema.features if not column.has_labels]
    # Whether the target may be one was settled when the tree was grown.
    said = said | {"target_is_class": True}
    return read(path, target, nominal=nominal, numeric=numeric, weights=weights, **said)
