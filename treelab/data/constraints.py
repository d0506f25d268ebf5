"""`Constraints`: what a tree has to keep to, apart from what the data say."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from treelab.data.schema import Schema
from treelab.errors import ParameterError, UnknownNameError, check_number, shown, words

Depths = tuple[int, ...]


def _names(given: Any) -> tuple[str, ...]:
    return tuple(words("first", given))


def _never(given: Any) -> tuple[tuple[str, Depths], ...]:
    """Return names with the depths where they are not tested; none stands for all."""
    if not isinstance(given, Mapping):
        return tuple((name, ()) for name in dict.fromkeys(words("never", given)))
    found = []
    for name, depths in given.items():
        listed = depths if isinstance(depths, Sequence) else [depths]
        for depth in listed:
            check_number(f"a depth where {name!r} is never tested", depth, 0, whole=True)
        found.append((str(name), tuple(int(depth) for depth in listed)))
    return tuple(found)


def _pairs(given: Any) -> tuple[tuple[str, Any], ...]:
    if isinstance(given, tuple):
        return given
    if not isinstance(given, Mapping):
        raise ParameterError(
            f"monotone and cost must be dictionaries by feature, got {shown(given)}"
        )
    return tuple((str(name), value) for name, value in given.items())


@attrs.frozen(kw_only=True)
class Constraints:
    """What a tree has to keep to.

    Parameters
    ----------
    first
        The feature that the root tests; of a list the second one is that of the nodes under the
        root, and so on. A node where it has no candidate below the root takes another one, with a
        warning.
    never
        Features that no node tests, or {feature: [depths]}, 0 being the root. A metric that
        compares cases, such as ReliefF, still sees them: `drop` keeps a column from it.
    monotone
        {feature: 1 or -1}: with a numeric feature, the probability of the second of two classes
        never falls (1) or never rises (-1), whatever the values of all others. Holds for every
        probability that the tree gives, pruned or not.
    cost
        {feature: cost}, 1 for all others: candidates are compared by score^2 / cost, as in CS-ID3
        (Tan and Schlimmer 1990; Tan 1993), which does not depend on the unit of the scores; scores
        below 0 by -score^2 cost. What the metric said itself stays in `tree.scores`.

    Examples
    --------
    >>> import treelab as tl
    >>> dear = tl.Constraints(never=["age"], cost={"tear_rate": 100})
    >>> tl.grow(tl.load("lenses"), "gain", constraints=dear, pruner=None).root.feature
    'astigmatic'
    """

    first: tuple[str, ...] = attrs.field(default=(), converter=_names)
    never: tuple[tuple[str, Depths], ...] = attrs.field(default=(), converter=_never)
    monotone: tuple[tuple[str, int], ...] = attrs.field(default=(), converter=_pairs)
    cost: tuple[tuple[str, float], ...] = attrs.field(default=(), converter=_pairs)

    def __attrs_post_init__(self) -> None:
        for name, way in self.monotone:
            if isinstance(way, bool) or way not in (-1, 1):
                raise ParameterError(f"monotone of {name!r} must be 1 or -1, got {shown(way)}")
        for name, cost in self.cost:
            check_number(f"cost of {name!r}", cost, 0)
            if not cost > 0:
                raise ParameterError(f"cost of {name!r} must be above 0, got {shown(cost)}")
        self._check_first()

    def _check_first(self) -> None:
        for depth, name in enumerate(self.first):
            for other, depths in self.never:
                if name == other and (not depths or depth in depths):
                    raise ParameterError(
                        f"{name!r} cannot be the feature of depth {depth} and never be tested there"
                    )

    @property
    def plain(self) -> dict[str, Any]:
        """The same as plain data, as a model file holds it."""
        everywhere = not any(depths for _, depths in self.never)
        never: Any = {name: list(depths) for name, depths in self.never}
        found = {
            "first": list(self.first),
            "never": list(never) if everywhere else never,
            "monotone": dict(self.monotone),
            "cost": dict(self.cost),
        }
        return {name: value for name, value in found.items() if value}

    def check(self, schema: Schema) -> None:
        """Raise unless the features are there, and may be what is asked of them."""
        names = [*self.first, *(name for name, _ in (*self.never, *self.monotone, *self.cost))]
        for name in names:
            if name not in schema.places:
                raise UnknownNameError("feature in constraints", name, schema.names)
        for name, _ in self.monotone:
            if schema.features[schema.places[name]].is_nominal:
                raise ParameterError(f"monotone needs a numeric feature, but {name!r} is nominal")
        if self.monotone and schema.target.n_labels != 2:
            raise ParameterError(
                f"monotone needs two classes, but {schema.target.name!r} has "
                f"{schema.target.n_labels}"
            )


def constraints(given: Any) -> Constraints | None:
    """Return constraints as a value; None where there are none."""
    if isinstance(given, Mapping):
        known = [field.name for field in attrs.fields(Constraints)]
        for name in given:
            if name not in known:
                raise UnknownNameError("constraint", name, known)
        given = Constraints(**given)
    if given is None or given == Constraints():
        return None
    if not isinstance(given, Constraints):
        raise ParameterError(f"constraints must be treelab.Constraints, got {shown(given)}")
    return given
