"""Parquet, through pyarrow."""

from pathlib import Path

from treelab.data.dataset import Dataset
from treelab.data.readers.source import check_file
from treelab.data.readers.table import Options, check_distinct
from treelab.errors import DataError, FileFormatError, MissingExtraError


def read_parquet(path: Path, options: Options) -> Dataset:
    """Read a Parquet file; the target is its last column unless said otherwise."""
    try:
        from pyarrow import ArrowInvalid, parquet
    except ModuleNotFoundError:
        raise MissingExtraError("reading Parquet", "pyarrow", "parquet") from None
    check_file(path)
    try:
        check_distinct(path.name, parquet.read_schema(path).names)
        frame = parquet.read_table(path)
    except ArrowInvalid:
        raise FileFormatError(f"{path.name} is not a Parquet file") from None
    except OSError as error:
        raise DataError(f"cannot read {path}: {error}") from None
    names = frame.column_names
    target = (names[-1] if names else "") if options.target is None else options.target
    options.check(names, target, options.weights)
    return Dataset.from_frame(
        frame,
        target or None,
        weights=options.weights,
        nominal=options.nominal,
        numeric=options.numeric,
        name=path.stem,
        target_is_class=options.target_is_class,
    )
