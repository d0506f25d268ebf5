"""What the columns of a data set are.

*feature*  a column that describes a case.
*target*   the nominal column to be predicted; its labels are the *classes*.
*nominal*  a column with a fixed list of labels, stored as codes 0, 1, ...; -1 is missing.
*numeric*  a column of numbers; NaN is missing.
*scale*    what the numbers of a numeric column stand for, if that is not themselves: dates, times,
           or labels that have an order.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

import attrs

from treelab.data.scales import Ordered, Scale
from treelab.errors import DataError, UnknownNameError, shown


def _check_distinct(what: str, words: Sequence[str]) -> None:
    if len(set(words)) == len(words):
        return
    word, times = Counter(words).most_common(1)[0]
    raise DataError(f"{what} must differ, but {shown(word)} occurs {times} times")


@attrs.frozen
class Column:
    """A named column: nominal if it has labels, numeric if it has none.

    The numbers of a numeric column may have a scale.
    """

    name: str
    labels: tuple[str, ...] | None = None
    scale: Scale | None = None

    def __attrs_post_init__(self) -> None:
        _check_distinct(f"labels of column {shown(self.name)}", self.words)
        if self.is_nominal and self.scale is not None:
            raise DataError(f"column {shown(self.name)} cannot have both labels and a scale")

    @property
    def is_nominal(self) -> bool:
        return self.labels is not None

    @property
    def kind(self) -> str:
        return "nominal" if self.is_nominal else "numeric"

    @property
    def words(self) -> tuple[str, ...]:
        """The labels of a nominal column or of an ordered one, in their order."""
        return self.labels or (() if self.scale is None else self.scale.labels)

    @property
    def has_labels(self) -> bool:
        """Whether its values are labels, with an order or without."""
        return self.is_nominal or isinstance(self.scale, Ordered)

    @property
    def n_labels(self) -> int:
        return len(self.labels or ())


@attrs.frozen
class Schema:
    """The features of a data set, in order, and its target."""

    features: tuple[Column, ...]
    target: Column = Column("", ())

    def __attrs_post_init__(self) -> None:
        # A target without a name is no column, so it may not clash with one.
        target = (self.target.name,) if self.target.name else ()
        _check_distinct("column names", (*self.names, *target))

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.features)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The position of each feature, by name."""
        return {name: place for place, name in enumerate(self.names)}

    def index(self, name: str) -> int:
        """Return the position of a feature."""
        try:
            return self.places[name]
        except (KeyError, TypeError):
            raise UnknownNameError("column", name, self.names) from None

    def select(self, names: Sequence[str]) -> "Schema":
        """Return the schema of the named features only, in the order given."""
        return attrs.evolve(self, features=tuple(self.features[self.index(n)] for n in names))
