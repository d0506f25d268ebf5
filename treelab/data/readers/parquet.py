"""Parquet, through pyarrow."""

from pathlib import Path

from treelab.data.dataset import Dataset
from treelab.data.doubts import distinct_names
from treelab.data.readers.source import check_file
from treelab.data.readers.table import Options
from treelab.errors import DataError, FileFormatError, MissingExtraError


def read_parquet(path: Path, options: Options) -> Dataset:
    """Read a Parquet file; the target is its last column unless said otherwise."""
    try:
        from pyarrow import ArrowInvalid, parquet
    except ModuleNotFoundError:
        raise MissingExtraError("reading Parquet", "pyarrow", "parquet") from None
    check_file(path)
    try:
        # The file of one path is read as it is; a data set of several would refuse equal names.
        frame = parquet.ParquetFile(path).read()
    except ArrowInvalid:
        raise FileFormatError(f"{path.name} is not a Parquet file") from None
    except OSError as error:
        raise DataError(f"cannot read {path}: {error}") from None
    names = distinct_names(frame.column_names)
    frame = frame.rename_columns(names)
    kept = [name for name in names if name not in options.drop]
    target = (kept[-1] if kept else "") if options.target is None else options.target
    options.check(names, target, options.weights)
    return Dataset.from_frame(
        frame.select(kept),
        target or None,
        weights=options.weights,
        nominal=options.nominal,
        numeric=options.numeric,
        missing_marks=options.missing_marks,
        decimal=options.decimal,
        name=path.stem,
        target_is_class=options.target_is_class,
    )
