"""Partitions as parts of a store: coded, in memory or in files, and dealt again to pruners."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import attrs
import numpy as np

from treelab._typing import AnyArray
from treelab.data.coded import Coded, code_type, codes_on, fixed
from treelab.data.dataset import Dataset
from treelab.data.readers.table import Options
from treelab.data.schema import Column, Schema
from treelab.scale.pieces import Piece, read_piece
from treelab.stats.stores.context import SplitContext
from treelab.stats.stores.part import Part


def part_of(
    piece: Piece, options: Options, schema: Schema, context: SplitContext, folder: Path | None
) -> Part:
    """Read and code a partition; its codes go to files in a folder, if one is given."""
    data = fitted(piece, options, schema)
    dtype = code_type(max((axis.n_codes for axis in context.axes), default=0))
    codes = np.empty((len(context.axes), len(data)), dtype)
    for row, axis, values in zip(codes, context.axes, data.columns, strict=True):
        row[:] = codes_on(axis, values).astype(dtype)  # -1 (missing) wraps round to the largest
    coded = Coded(fixed(codes), context.axes, data.y, data.weights, context.n_classes, context.cuts)
    part = Part.of(coded, context)
    return part if folder is None else _shelved(part, folder)


def _shelved(part: Part, folder: Path) -> Part:
    """Return the part with codes that are read from files when they are needed."""
    codes = _in_file(part.coded.codes, folder)
    by_case = tuple(_in_file(codes, folder) for codes in part.by_case)
    return Part(attrs.evolve(part.coded, codes=fixed(codes)), part.context, by_case)


def _in_file(array: AnyArray, folder: Path) -> AnyArray:
    if not array.size:
        return array
    path = folder / f"{uuid4().hex}.npy"
    np.save(path, array)
    return np.asarray(np.load(path, mmap_mode="r"))


def fitted(piece: Piece, options: Options, schema: Schema) -> Dataset:
    """Return the cases of a partition with the columns that all partitions have together."""
    data = read_piece(piece, options)
    if data is None:
        empty = [np.empty(0, np.int32 if c.is_nominal else float) for c in schema.features]
        return Dataset.of(schema, empty, np.empty(0, np.int32))
    pairs = zip(schema.features, data.schema.features, data.columns, strict=True)
    columns = [_fit(column, own, values) for column, own, values in pairs]
    y = _fit(schema.target, data.schema.target, data.y)
    return Dataset.of(schema, columns, y, data.weights, data.name, len(data))


def _fit(column: Column, own: Column, values: AnyArray) -> AnyArray:
    if column.labels is None:
        # What is nominal here has no known values.
        return np.full(len(values), np.nan) if own.is_nominal else values
    if own.labels is None:
        return np.full(len(values), -1, np.int32)
    if column.labels == own.labels:
        return values
    place = {label: code for code, label in enumerate(column.labels)}
    recode = np.array([*(place.get(label, -1) for label in own.labels), -1], np.int32)
    return fixed(recode[values])


def joined(schema: Schema, parts: Sequence[Dataset]) -> Dataset:
    """Return the cases of several data sets of the same schema in one."""
    columns: list[Any] = [
        fixed(np.concatenate([data.columns[f] for data in parts]))
        for f in range(len(schema.features))
    ]
    y, weights = (np.concatenate([getattr(d, name) for d in parts]) for name in ("y", "weights"))
    return Dataset.of(schema, columns, y, weights, cases=len(y))
