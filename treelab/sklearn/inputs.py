"""What scikit-learn's users give: checked, and read as features, classes and masks."""

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import Any

import attrs
import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import assert_all_finite, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from treelab._typing import AnyArray, BoolArray, IndexArray
from treelab.data.class_weight import unknown_class
from treelab.data.classes import as_given, check_none_missing
from treelab.data.dataset import Dataset
from treelab.data.labels import coded, is_null, label_of
from treelab.data.schema import Column
from treelab.errors import DataError, ParameterError, UnknownNameError, shown

Features = tuple[tuple[Column, ...], tuple[AnyArray, ...]]
"""What the features are, and the values of each."""


def validated(estimator: BaseEstimator, X: Any, **how: Any) -> Any:
    """Return cases as scikit-learn checks them, however large their numbers are."""
    with adding_up_anything():
        return validate_data(estimator, X, **how)


def adding_up_anything() -> np.errstate:
    """Keep numpy silent while scikit-learn adds up all numbers to see whether one is infinite."""
    return np.errstate(over="ignore", invalid="ignore")


class Selector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Keeps some features, whatever the numbers in them."""

    def transform(self, X: Any) -> Any:
        """Return the features that are kept."""
        with adding_up_anything():
            return super().transform(X)

    def inverse_transform(self, X: Any) -> Any:
        """Return the features that are kept at their places, and zeros at the others."""
        with adding_up_anything():
            return super().inverse_transform(X)


def is_from_dtype(categorical_features: object) -> bool:
    """Tell whether the types of a frame's columns say which features are nominal."""
    is_word = isinstance(categorical_features, str) and categorical_features == "from_dtype"
    return categorical_features is None or is_word


def is_frame(X: object) -> bool:
    """Tell whether something is a frame that narwhals knows."""
    import narwhals as nw

    if isinstance(X, np.ndarray):  # which takes longer to find out otherwise
        return False
    is_eager = nw.dependencies.is_into_dataframe(X)
    return is_eager or isinstance(nw.from_native(X, pass_through=True), nw.LazyFrame)


def require_y(who: object, y: Any) -> None:
    """Raise, in the words that scikit-learn's checks look for, where classes are needed."""
    if y is None:
        raise DataError(f"{who} requires y to be passed, but the target y is None")


def checked_y(X: Any, y: Any) -> AnyArray:
    """Return the classes of cases as an array, if they are as many and may be classes."""
    labels: AnyArray = column_or_1d(as_given(y), warn=True)
    check_none_missing(labels)
    assert_all_finite(labels, input_name="y")
    check_consistent_length(X, labels)
    check_classification_targets(labels)
    return labels


def target_name(y: Any, names: Sequence[str]) -> str:
    """Return the name of the target, which is none of the features'."""
    name = getattr(y, "name", None)
    name = name if name and isinstance(name, str) else "class"
    while name in names:
        name += "_"
    return name


def read_array(X: AnyArray, names: Sequence[str], nominal: BoolArray | None) -> Features:
    """Read the features of an array; None: all of them are numbers."""
    is_nominal = np.zeros(len(names), bool) if nominal is None else nominal
    read = list(map(read_column, names, X.T, is_nominal))
    return tuple(column for column, _ in read), tuple(values for _, values in read)


def read_frame(table: Any, names: Sequence[str], nominal: BoolArray | None) -> Features:
    """Read the features of a frame; None: their types say which are nominal."""
    own = [str(name) for name in table.columns]
    as_nominal = [] if nominal is None else list(compress(own, nominal))
    data = Dataset.from_frame(table, nominal=as_nominal)
    if nominal is not None:
        read = np.array([column.is_nominal for column in data.schema.features])
        as_numeric = list(compress(own, read & ~nominal))
        if as_numeric:  # labels that are to be numbers, truth values say
            data = Dataset.from_frame(table, nominal=as_nominal, numeric=as_numeric)
    columns = zip(names, data.schema.features, strict=True)
    return tuple(attrs.evolve(column, name=name) for name, column in columns), data.columns


def read_column(name: str, values: AnyArray, is_nominal: bool) -> tuple[Column, AnyArray]:
    """Read a column of an array."""
    return _read_nominal(name, values) if is_nominal else _read_numeric(name, values)


def _read_numeric(name: str, values: AnyArray) -> tuple[Column, AnyArray]:
    if values.dtype == object:
        values = np.where(np.fromiter(map(is_null, values), bool), np.nan, values)
    try:
        return Column(name), np.asarray(values, np.float64)
    except (ValueError, OverflowError):  # a whole number may have any number of digits
        raise DataError(
            f"feature {name!r} holds values that are not numbers; "
            "name it in categorical_features if it is nominal"
        ) from None


def _read_nominal(name: str, values: AnyArray) -> tuple[Column, AnyArray]:
    try:
        labels, codes = coded(values.tolist())
    except TypeError:
        # The kind of error, and the words, that scikit-learn's checks ask for.
        message = (
            f"feature {name!r} holds lists or records, but an argument must be a string or a number"
        )
        raise TypeError(message) from None
    return Column(name, labels), codes


def _checked_mask(given: BoolArray, n_features: int) -> BoolArray:
    if len(given) != n_features:
        raise ParameterError(
            f"categorical_features must have a truth value for each of {n_features} features, "
            f"got {len(given)}"
        )
    return given


def _mask_of_places(given: IndexArray, n_features: int) -> BoolArray:
    for place in given:
        if not 0 <= place < n_features:
            raise ParameterError(
                f"categorical_features must lie between 0 and {n_features - 1}, got {place}"
            )
    return np.isin(np.arange(n_features), given)


def _mask_of_names(given: AnyArray, names: Sequence[str], n_features: int) -> BoolArray:
    if given.size and not len(names):
        raise ParameterError(
            "categorical_features may be names only where X is a frame with text for names"
        )
    for name in given:
        if name not in names:
            raise UnknownNameError("categorical feature", str(name), names)
    nominal = set(given.tolist())  # numpy's `isin` would take no notice of NULs at the end
    return np.array([name in nominal for name in names] if nominal else [False] * n_features)


def nominal_mask(given: Any, names: Sequence[str], n_features: int) -> BoolArray:
    """Tell which features `categorical_features` calls nominal; names are those of a frame."""
    found = np.asarray(as_given(given))
    is_text = found.ndim == 1 and all(isinstance(name, str) for name in found)
    if found.ndim != 1 or not (is_text or found.dtype.kind in "biu"):
        raise ParameterError(
            "categorical_features must be 'from_dtype', None, or a list of places, names or "
            f"truth values, got {given!r}"
        )
    if found.dtype.kind == "b":
        return _checked_mask(found, n_features)
    if found.dtype.kind in "iu":
        return _mask_of_places(found, n_features)
    return _mask_of_names(found, names, n_features)


def weights_by_label(given: Any, classes: list[Any]) -> Any:
    """Return weights of classes by their labels, as `treelab.Learner` takes them.

    A key is a class as it came in `y`; one that is none is a slip of the pen only where some class
    has no weight, for the training cases of a fold may lack a class.
    """
    if not isinstance(given, Mapping):
        return given
    unknown = [key for key in given if key not in classes]
    if unknown and any(label not in given for label in classes):
        raise _unknown_class(unknown[0], classes)
    return {label_of(key): weight for key, weight in given.items()}


def costs_by_label(given: Any) -> Any:
    """Return costs of mistakes by the labels of the classes."""
    if not isinstance(given, Mapping):
        return given
    return {label_of(actual): weights_by_label(row, []) for actual, row in given.items()}


def _unknown_class(key: object, classes: list[Any]) -> Exception:
    if all(isinstance(word, str) for word in (key, *classes)):
        return unknown_class("class_weight", key, classes)
    known = ", ".join(map(repr, classes[:12])) + (", ..." if len(classes) > 12 else "")
    return ParameterError(f"unknown class in class_weight {shown(key)}: known are {known}")
