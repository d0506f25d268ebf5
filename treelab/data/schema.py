"""What the columns of a data set are.

*feature*  a column that describes a case.
*target*   the nominal column to be predicted; its labels are the *classes*.
*nominal*  a column with a fixed list of labels, stored as codes 0, 1, ...; -1 is missing.
*numeric*  a column of numbers; NaN is missing.
"""

from collections import Counter
from collections.abc import Sequence

import attrs

from treelab.errors import DataError, UnknownNameError


@attrs.frozen
class Column:
    """A named column: nominal if it has labels, numeric if it has none."""

    name: str
    labels: tuple[str, ...] | None = None

    @property
    def is_nominal(self) -> bool:
        return self.labels is not None

    @property
    def kind(self) -> str:
        return "nominal" if self.is_nominal else "numeric"

    @property
    def n_labels(self) -> int:
        return len(self.labels or ())


@attrs.frozen
class Schema:
    """The features of a data set, in order, and its target."""

    features: tuple[Column, ...]
    target: Column = Column("", ())

    def __attrs_post_init__(self) -> None:
        names = [column.name for column in self.features] + [self.target.name]
        for name, times in Counter(names).items():
            if times > 1:
                raise DataError(f"column names must differ, but {name!r} occurs {times} times")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.features)

    def index(self, name: str) -> int:
        """Return the position of a feature."""
        try:
            return self.names.index(name)
        except ValueError:
            raise UnknownNameError("column", name, self.names) from None

    def select(self, names: Sequence[str]) -> "Schema":
        """Return the schema of the named features only, in the order given."""
        return attrs.evolve(self, features=tuple(self.features[self.index(n)] for n in names))
