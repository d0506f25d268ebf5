"""What a tree predicts of scanned data, a file for each partition."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from os import PathLike
from pathlib import Path
from shutil import rmtree
from uuid import uuid4

import attrs

from treelab._files import named_path, write_bytes
from treelab._typing import AnyArray
from treelab.data.readers.table import Options
from treelab.errors import MissingExtraError, ParameterError
from treelab.scale.pieces import Piece, read_piece
from treelab.tree.model import Tree


def as_in_training(options: Options, tree: Tree) -> Options:
    """Return how partitions are read for a tree: each column as the one of that name in training.

    Whatever has labels is read as labels, also those that have an order.
    """
    nominal = tuple(column.name for column in tree.schema.features if column.has_labels)
    numeric = tuple(column.name for column in tree.schema.features if not column.has_labels)
    return attrs.evolve(options, target="", weights=None, nominal=nominal, numeric=numeric)


@contextmanager
def all_or_none(folder: str | PathLike[str]) -> Iterator[Path]:
    """Give a place to write files to, which are all moved to a folder when all are there.

    Parts of other predictions that the folder holds besides would be taken for some of these.
    """
    place = named_path(folder)
    is_new = not place.exists()
    place.mkdir(parents=True, exist_ok=True)
    aside = place / f".treelab-{uuid4().hex}"
    aside.mkdir()
    try:
        yield aside
        written = [path.name for path in aside.iterdir()]
        for other in sorted(place.glob("part-*.parquet")):
            if other.name not in written:
                raise ParameterError(f"{other} is of other predictions: name another folder")
        for name in written:
            (aside / name).replace(place / name)
    finally:
        rmtree(aside, ignore_errors=True)
        if is_new and not any(place.iterdir()):
            place.rmdir()


def part_path(folder: str | PathLike[str], number: int) -> Path:
    """Return the path of the predictions of a partition."""
    return Path(folder) / f"part-{number:05}.parquet"


def write_predictions(piece: Piece, path: Path, options: Options, tree: Tree, proba: bool) -> Path:
    """Write the predictions of a partition; the file is there as a whole or not at all."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise MissingExtraError("writing Parquet", "pyarrow", "parquet") from None
    data = read_piece(piece, options)
    columns: dict[str, AnyArray | list[str]] = {"prediction": []}
    if data is not None:
        columns["prediction"] = tree.predict(data).tolist()
        if proba:
            shares = tree.predict_proba(data)
            columns |= {f"p({label})": shares[:, k] for k, label in enumerate(tree.classes)}
    schema = pyarrow.schema(
        [
            (name, pyarrow.string() if name == "prediction" else pyarrow.float64())
            for name in columns
        ]
    )
    content = BytesIO()
    parquet.write_table(pyarrow.table(columns, schema=schema), content)
    write_bytes(path, content.getvalue())
    return path
