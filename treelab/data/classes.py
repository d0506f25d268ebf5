"""Classes as scikit-learn's users give them: no label shortened, none missing."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from treelab._typing import AnyArray
from treelab.data.continuous import is_continuous
from treelab.data.labels import is_null
from treelab.errors import DataError, shown


def as_given(labels: Any) -> Any:
    """Return a list, or texts of polars, as objects where numpy would make other labels of them.

    It drops NULs at the end of texts, and beside a text it takes NaN for one.
    """
    import narwhals as nw

    if nw.dependencies.is_polars_series(labels):
        return labels.to_numpy()
    if hasattr(labels, "__array__") or not isinstance(labels, Sequence):
        return labels
    texts = [label for label in labels if isinstance(label, str | bytes)]
    is_shortened = any(text[-1:] in ("\0", b"\0") for text in texts)
    if is_shortened or (texts and any(map(is_null, labels))):
        return np.array(labels, dtype=object)
    return labels


def check_none_missing(labels: AnyArray) -> None:
    """Raise if some case has no class; numbers are left to scikit-learn, which tells so, too."""
    if labels.dtype.kind != "O":
        return
    for label in labels:
        if is_null(label):
            raise DataError(f"y holds {shown(label)}, but every case needs a class")


def check_few(labels: AnyArray) -> None:
    """Raise if classes are many numbers; scikit-learn refuses those with fractions by itself."""
    if labels.dtype.kind not in "iuf":
        return
    distinct = np.unique(labels)
    if is_continuous(distinct, len(labels)):
        raise DataError(
            f"y holds {len(distinct):,} different numbers: treelab classifies; cut them into "
            "classes first, or give the classes as text"
        )
