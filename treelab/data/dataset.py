"""`Dataset`: immutable, typed, columnar data with classes and weights."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from treelab._text import count
from treelab._typing import AnyArray, FloatArray, IntArray
from treelab.data import frames, frames_out
from treelab.data.notation import Marks, check_decimal
from treelab.data.ordering import in_order
from treelab.data.schema import Column, Schema
from treelab.errors import DataError, shown, words

LIGHTEST, HEAVIEST = 1e-50, 1e50
"""What all cases may weigh together: metrics take powers of it, which must be numbers, too."""

ROOM = 64
"""So many letters of a class label every case has room for."""


@attrs.frozen(eq=False, repr=False)
class Dataset:
    """Cases described by typed columns, with a class and a weight each.

    Parameters
    ----------
    schema
        What the columns are.
    columns
        One array per feature: `float64` for numeric (NaN is missing), `int32` codes into the
        labels for nominal (-1 is missing).
    y
        Class code of each case; -1 where the class is not known.
    weights
        Weight of each case. A case of weight 2 counts as two cases.
    name
        Where the data came from, for people.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.load("lenses").take([0, 1])
    Dataset 'lenses': 2 cases, 4 nominal features, target 'class' (3 classes: none 1, soft 1)
    """

    schema: Schema
    columns: tuple[AnyArray, ...]
    y: IntArray
    weights: FloatArray
    name: str = "data"

    @classmethod
    def of(
        cls,
        schema: Schema,
        columns: Iterable[AnyArray | Sequence[float]],
        y: AnyArray | Sequence[int] | None = None,
        weights: AnyArray | Sequence[float] | None = None,
        name: str = "data",
        cases: int | None = None,
    ) -> "Dataset":
        """Check the parts, make them read-only and put them together.

        `cases` is needed only where neither columns nor classes tell the number of cases.
        """
        columns = tuple(columns)
        if len(columns) != len(schema.features):
            raise DataError(f"expected {len(schema.features)} columns, got {len(columns)}")
        typed = tuple(map(_typed, schema.features, columns))
        if cases is None:
            cases = len(typed[0]) if typed else len(y) if y is not None else 0
        codes = _frozen("the target", np.full(cases, -1) if y is None else y, np.int32)
        weights = _frozen("weights", np.ones(cases) if weights is None else weights, np.float64)
        data = cls(schema, typed, codes, weights, name)
        _check(data)
        return data

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        target: str | None = None,
        *,
        weights: str | Sequence[float] | None = None,
        nominal: Sequence[str] = (),
        numeric: Sequence[str] = (),
        missing_marks: Iterable[object] | None = None,
        decimal: str | None = None,
        name: str = "frame",
        target_is_class: bool = False,
    ) -> "Dataset":
        """Read a pandas, polars or pyarrow frame (anything narwhals knows).

        Parameters
        ----------
        frame
            The frame. Numbers become numeric columns; text, categories and truth values become
            nominal ones. The categories of a categorical column are kept, used or not. A column
            whose name is no string goes by the name it prints.

            Dates and times, as types, objects or ISO text, become numbers that are shown as dates
            and times (`treelab.data.moments`), durations numbers of seconds. Ordered categories
            of pandas and Arrow are cut like numbers and shown as labels; those of a polars `Enum`
            are nominal unless `Dataset.ordered` says otherwise.
        target
            The column to predict; without one the data have no classes.
        weights
            A column of case weights (which is then no feature), or the weights themselves.
        nominal, numeric
            Columns whose kind is to be as said, whatever their type; dates that are to be labels
            are nominal.
        missing_marks, decimal
            What means missing in columns of text, and the decimal mark of numbers that are kept
            as text; as in `treelab.read`. A column of text is numeric where such marks or a
            notation are all that keeps it from being one of numbers.
        name
            What to call the data.
        target_is_class
            Whether a target of many different numbers is taken for classes all the same; else it
            is refused, unless it is categorical.
        """
        check_decimal(decimal)
        marks = Marks.of(missing_marks)
        parts = frames.read_frame(
            frame,
            target,
            weights,
            nominal,
            numeric,
            marks=marks,
            decimal=decimal,
            target_is_class=target_is_class,
        )
        return cls.of(*parts, name=name)

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return a frame of the given library: 'pandas', 'polars' or 'pyarrow'.

        Nominal columns become categories, ordered ones ordered categories (in polars an `Enum`),
        dates and times what the library has for them; the target comes last; weights stay behind.
        """
        return frames_out.write_frame(self.schema, self.columns, self.y, backend)

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features."""
        return self.schema.names

    @property
    def target(self) -> str:
        """The name of the target."""
        return self.schema.target.name

    @property
    def classes(self) -> tuple[str, ...]:
        """The class labels."""
        return self.schema.target.labels or ()

    @property
    def labels(self) -> AnyArray:
        """The class label of each case; the empty string where it is not known."""
        return label_array([*self.classes, ""])[self.y]

    def __len__(self) -> int:
        return len(self.y)

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickled arrays come back writable; putting the parts together again freezes them.
        parts = (self.schema, self.columns, self.y, self.weights, self.name, len(self))
        return Dataset.of, parts

    def __getitem__(self, feature: str) -> AnyArray:
        """Return the values of a feature: numbers or codes."""
        return self.columns[self.schema.index(feature)]

    def take(self, rows: AnyArray | Sequence[int] | Sequence[bool]) -> "Dataset":
        """Return the cases at the given positions (or where a mask is true), in that order."""
        rows = _positions(np.asarray(rows), len(self))
        return attrs.evolve(
            self,
            columns=tuple(_taken(values, rows) for values in self.columns),
            y=_taken(self.y, rows),
            weights=_taken(self.weights, rows),
        )

    def usable(self) -> "Dataset":
        """Return the cases that one can learn from: of known class, and of weight above 0."""
        known = (self.y >= 0) & (self.weights > 0)
        return self if known.all() else self.take(known)

    def select(self, features: Sequence[str]) -> "Dataset":
        """Return the same cases described by the named features only."""
        features = words("features", features)
        schema = self.schema.select(features)
        return attrs.evolve(self, schema=schema, columns=tuple(self[f] for f in features))

    def ordered(self, feature: str, labels: Sequence[str] | None = None) -> "Dataset":
        """Return the same cases with a nominal feature whose labels have an order.

        Such a feature is cut like a number, not grouped, and still shown by its labels. The order
        is that of `labels`, ascending, or the one in which the column lists them.

        Examples
        --------
        >>> import treelab as tl
        >>> lenses = tl.load("lenses").ordered("tear_rate", ["reduced", "normal"])
        >>> tl.grow(lenses, max_depth=1).root.branch_labels
        ('tear_rate <= reduced', 'tear_rate > reduced')
        """
        place = self.schema.index(feature)
        column, values = in_order(self.schema.features[place], self.columns[place], labels)
        features, columns = [*self.schema.features], [*self.columns]
        features[place], columns[place] = column, values
        schema = attrs.evolve(self.schema, features=tuple(features))
        return Dataset.of(schema, columns, self.y, self.weights, self.name, len(self))

    def reweighted(self, weights: AnyArray | Sequence[float]) -> "Dataset":
        """Return the same cases with other weights."""
        data = attrs.evolve(self, weights=_frozen("weights", weights, np.float64))
        _check(data)
        return data

    def missing(self) -> Mapping[str, int]:
        """Return the number of missing values of each feature that has any."""
        counts = {
            name: int(is_missing(values).sum())
            for name, values in zip(self.features, self.columns, strict=True)
        }
        return {name: n for name, n in counts.items() if n}

    def __repr__(self) -> str:
        kinds = Counter(column.kind for column in self.schema.features)
        parts = " + ".join(f"{kinds[k]} {k}" for k in ("numeric", "nominal") if kinds[k])
        text = f"Dataset {self.name!r}: {count(len(self), 'case')}, "
        text += f"{parts or 'no'} {'feature' if len(self.features) == 1 else 'features'}"
        if self.target:
            text += f", target {self.target!r} ({_class_summary(self)})"
        holes = sum(self.missing().values())
        return text + (f", {count(holes, 'missing value')}" if holes else "")

    def _repr_html_(self) -> str:
        """Show itself in a notebook: the first cases."""
        from treelab.data.preview import preview

        return preview(self)


def is_missing(values: AnyArray) -> AnyArray:
    """Tell which values of a column are missing."""
    return np.isnan(values) if values.dtype.kind == "f" else values < 0


def label_array(labels: Sequence[str]) -> AnyArray:
    """Return labels as an array of text, or of objects where text would waste or lose some of it.

    numpy gives every text the room of the longest, and drops NULs at the end.
    """
    is_plain = all(len(label) <= ROOM and not label.endswith("\0") for label in labels)
    return np.array(labels, dtype=str if is_plain else object)


def _typed(column: Column, values: AnyArray | Sequence[float]) -> AnyArray:
    dtype = np.int32 if column.is_nominal else np.float64
    return _frozen(f"column {shown(column.name)}", values, dtype)


def _frozen(what: str, values: AnyArray | Sequence[float], dtype: type[np.generic]) -> AnyArray:
    """Return the values as a read-only vector that nobody else can write to."""
    given = np.asarray(values)
    if given.ndim != 1:
        raise DataError(f"{what} must be one row of values, got shape {given.shape}")
    if given is values and given.dtype == dtype and _is_frozen(given) and _has_one_zero(given):
        return given
    with np.errstate(invalid="ignore", over="ignore"):
        array = _converted(what, given, dtype)
    if dtype is np.int32 and not np.array_equal(array, given):
        raise DataError(f"{what} must hold codes, which are whole numbers")
    if dtype is np.float64:
        array += 0.0  # the one place where -0.0 becomes 0.0
    array.flags.writeable = False
    return array


def _has_one_zero(values: AnyArray) -> bool:
    """Tell whether no number is -0.0.

    It equals 0.0, so the order of the cases would decide which of the two is written into a model.
    """
    return values.dtype.kind != "f" or not np.signbit(values[values == 0]).any()


def _is_frozen(array: AnyArray) -> bool:
    # A view may be read-only and still change, when the array below it is written to.
    return bool(array.flags.owndata and array.flags.c_contiguous and not array.flags.writeable)


def _converted(what: str, given: AnyArray, dtype: type[np.generic]) -> AnyArray:
    if given.dtype.kind in "biufO":
        try:
            return np.array(given, dtype=dtype, order="C")
        except (TypeError, ValueError, OverflowError):
            pass
    raise DataError(f"{what} must hold numbers")


def _taken(values: AnyArray, rows: AnyArray) -> AnyArray:
    array = values[rows]
    array.flags.writeable = False
    return array


def _positions(rows: AnyArray, cases: int) -> AnyArray:
    if rows.dtype == bool and rows.shape == (cases,):
        return np.flatnonzero(rows)
    if rows.size == 0:
        return np.empty(0, dtype=np.int64)
    if rows.dtype.kind not in "iu" or rows.ndim != 1:
        raise DataError(f"rows must be positions or a mask of {count(cases, 'truth value')}")
    if rows.min() < -cases or rows.max() >= cases:
        raise DataError(f"rows must lie below {cases}, the number of cases")
    return rows


def _check(data: Dataset) -> None:
    for column, values in zip(data.schema.features, data.columns, strict=True):
        _check_column(column, values, len(data))
    _check_codes("the target", data.schema.target, data.y)
    if len(data.weights) != len(data):
        raise DataError(f"expected {len(data)} weights, got {len(data.weights)}")
    if not np.all(np.isfinite(data.weights)) or np.any(data.weights < 0):
        raise DataError("weights must be finite numbers of at least 0")
    with np.errstate(over="ignore"):
        total = data.weights.sum()
    if total and not LIGHTEST <= total <= HEAVIEST:
        raise DataError(
            f"weights must sum to a number from {LIGHTEST} to {HEAVIEST}, or to 0, got {total}"
        )


def _check_column(column: Column, values: AnyArray, cases: int) -> None:
    if len(values) != cases:
        raise DataError(f"column {shown(column.name)} has {len(values)} values, expected {cases}")
    if column.is_nominal:
        _check_codes(f"column {shown(column.name)}", column, values)
    elif np.isinf(values).any():
        raise infinite(column.name)
    elif column.scale is not None:
        _check_scale(column, values)


def infinite(name: str) -> DataError:
    """Return the error of a column that holds an infinite number."""
    return DataError(f"column {shown(name)} holds an infinite number; use NaN for missing")


def _check_scale(column: Column, values: AnyArray) -> None:
    assert column.scale is not None
    problem = column.scale.check(values)
    if problem is not None:
        raise DataError(f"column {shown(column.name)} {problem}")


def _check_codes(what: str, column: Column, codes: AnyArray) -> None:
    if len(codes) and (codes.min() < -1 or codes.max() >= column.n_labels):
        raise DataError(f"{what} has codes outside -1 to {column.n_labels - 1}")


def _class_summary(data: Dataset) -> str:
    counts = np.bincount(data.y[data.y >= 0], minlength=len(data.classes))
    shown = [f"{label} {n}" for label, n in zip(data.classes, counts, strict=True) if n]
    counted = ", ".join(shown[:6]) + (", ..." if len(shown) > 6 else "")
    text = count(len(data.classes), "class", "classes")
    return f"{text}: {counted}" if counted else text
