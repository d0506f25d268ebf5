"""What commands are given: data by file, name or generator, lists of columns, files to write."""

import csv
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treelab._files import check_writable, is_file
from treelab.errors import (
    DataError,
    ParameterError,
    UnknownNameError,
    suggestion,
)

if TYPE_CHECKING:
    from treelab.data.dataset import Dataset
    from treelab.tree.model import Tree

GENERATED = "make:"

DataName = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="A data file, a bundled data set, or made to order: make:exor,n=3,cases=200,seed=0.",
    ),
]


TargetIsClass = Annotated[
    bool,
    typer.Option("--target-is-class", help="Take a target of many numbers for classes."),
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
    target_is_class: bool = False,
) -> "Dataset":
    """Return the data to train on; a file comes before a data set of the same name."""
    from treelab.data.readers import read

    if is_file(given):  # a folder that happens to be called 'iris' does not hide the data set
        return read(
            given, target, nominal=nominal, numeric=numeric, weights=weights,
            target_is_class=target_is_class,
        )  # fmt: skip
    data = _named(given)
    if target not in (None, data.target) or nominal or numeric or weights is not None:
        raise ParameterError(
            "--target, --nominal, --numeric and --weights are for files, "
            f"but {given!r} is {_kind(given)} data set, whose target is {data.target!r}"
        )
    return data


def new_data(given: str, tree: "Tree", weights: str | None = None) -> "Dataset":
    """Return data for a tree, each column read as the one of that name in training.

    The target is the tree's where the data have it, so that predictions can be checked.
    """
    if not is_file(given):
        return training_data(given, weights=weights)
    target = tree.schema.target.name
    try:
        return _read_like(given, tree, target, weights)
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
        return _read_like(given, tree, "", weights)  # all that is missing is the target


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


def check_output(path: Path | None, *inputs: str | Path) -> None:
    """Raise, before the work begins, if a file cannot be written or should not be."""
    if path is None:
        return
    check_writable(path)
    for given in map(Path, inputs):
        if path.exists() and given.exists() and path.samefile(given):
            raise ParameterError(f"-o {path} would overwrite what is read")


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
    from treelab.data.bundled import dataset_card, load
    from treelab.data.readers.source import check_file

    try:
        card = dataset_card(given)
    except UnknownNameError as error:
        with suppress(OSError):  # a name that is too long for a file
            if given and Path(given).exists():
                check_file(Path(given))  # says what else it is
        hint = suggestion(given, error.known)
        raise ParameterError(
            f"there is no file {given!r} and no bundled data set of that name: {hint}"
        ) from None
    return load(card.name)


def _read_like(path: str, tree: "Tree", target: str, weights: str | None) -> "Dataset":
    from treelab.data.readers import read

    # Whatever has labels is read as labels, also those that have an order.
    nominal = [column.name for column in tree.schema.features if column.has_labels]
    numeric = [column.name for column in tree.schema.features if not column.has_labels]
    return read(
        path, target, nominal=nominal, numeric=numeric, weights=weights, target_is_class=True
    )  # whether the target may be one was settled when the tree was grown
