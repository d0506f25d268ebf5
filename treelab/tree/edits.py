"""What people change in a tree by hand, as values and as plain data: the lines of an edit log.

*edit*  one change at one node, which is named by its path. It says what was asked for, not what
        came of it: made again on other data, the best split of a feature may be another one.
"""

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import attrs

from treelab._zeros import one_zero
from treelab.errors import (
    ParameterError,
    UnknownNameError,
    check_choice,
    check_number,
    shown,
)
from treelab.tree.path import ROOT, read_path, write_path
from treelab.tree.settings import NAMES, check_settings

Below = Literal["grow", "keep", "leaves"]
"""What comes under another split: new growth, the subtrees there are, or nothing."""

Group: TypeAlias = tuple[str | None, ...]
"""Values that share a branch; None is the missing one."""

BEST, EACH, KNOWN = "best", "each", "known"

OF_THE_WHOLE = (
    "missing", "discretizer", "bins", "probabilities", "class_weight", "costs", "constraints",
)  # fmt: skip
"""Settings that a part of a tree cannot have for itself."""

MOST = 10_000
"""No log is longer."""


def _path(given: str | Sequence[int]) -> str:
    path = read_path(given)
    if any(step < 0 for step in path):
        raise ParameterError(
            f"a node is named by branch numbers such as '0.2.1', or by {ROOT!r}, got {shown(given)}"
        )
    return write_path(path)


def _by(given: Any) -> "str | float | tuple[Group, ...]":
    if isinstance(given, str):
        return given
    if isinstance(given, Real):
        check_number("a threshold", given, float("-inf"))
        return float(one_zero(given))
    if isinstance(given, Sequence) and len(given):
        return tuple(map(_group, given))
    raise ParameterError(
        f"a split is given by a threshold, by groups of values, or by {BEST!r}, {EACH!r} or "
        f"{KNOWN!r}, got {shown(given)}"
    )


def _group(given: Any) -> Group:
    is_list = isinstance(given, Sequence) and not isinstance(given, str)
    if not is_list or not len(given) or not all(v is None or isinstance(v, str) for v in given):
        raise ParameterError(f"a group is a list of values, got {shown(given)}")
    return tuple(given)


def _text(what: str) -> Any:
    def check(_edit: Any, _field: Any, value: Any) -> None:
        if not isinstance(value, str):
            raise ParameterError(f"{what} must be a name, got {shown(value)}")

    return check


@attrs.frozen
class Split:
    """Another split at a node, a leaf or not.

    Parameters
    ----------
    node
        The path of the node.
    feature
        The feature to split by.
    by
        A threshold (a number, or a word on the scale of dates or ordered labels); groups of values,
        a branch each, of which one alone stands against the rest; 'each' for a branch a value;
        'known' for known against missing; 'best' for what the tree's own metric prefers of the
        feature. Where numbers were put into bins or intervals before growing, a threshold is moved
        to the nearest border.
    below
        'grow': what the tree's own learner grows under it; 'keep': the subtrees there are, cases
        dealt again, for the feature that the node tests already; 'leaves': nothing.
    """

    kind: ClassVar[str] = "split"
    node: str = attrs.field(converter=_path)
    feature: str = attrs.field(validator=_text("a feature"))
    by: str | float | tuple[Group, ...] = attrs.field(default=BEST, converter=_by)
    below: Below = "grow"

    def __attrs_post_init__(self) -> None:
        check_choice("below", self.below, get_args(Below))

    @property
    def plain(self) -> dict[str, Any]:
        """The edit as JSON has it."""
        by = self.by if isinstance(self.by, str | float) else [list(group) for group in self.by]
        what = {"feature": self.feature, "by": by, "below": self.below}
        return {"edit": self.kind, "node": self.node, **what}

    def __str__(self) -> str:
        end = "" if self.below == "grow" else f" [{self.below}]"
        return f"{self.node}: {self.feature}{_by_in_words(self.by)}{end}"


def _by_in_words(by: str | float | tuple[Group, ...]) -> str:
    if isinstance(by, tuple):
        return f" in {' | '.join(map(_group_in_words, by))}"
    if isinstance(by, float):
        return f" <= {by!r}"
    return {BEST: "", EACH: " = each", KNOWN: " known"}.get(by, f" <= {by}")


def _group_in_words(group: Group) -> str:
    words = ["missing" if value is None else _quoted(value) for value in group]
    return f"{{{', '.join(words)}}}"


def _quoted(value: str) -> str:
    """Return a value as a list can hold it: in quotes where it could be taken for something else.

    >>> _quoted("red"), _quoted("a, b"), _quoted("missing")
    ('red', '"a, b"', '"missing"')
    """
    is_plain = value.strip() == value != "" and value != "missing" and not set(value) & set('",{}|')
    return value if is_plain else '"' + value.replace('"', '""') + '"'


@attrs.frozen
class _AtNode:
    """An edit that says no more than where it is made."""

    kind: ClassVar[str]
    node: str = attrs.field(converter=_path)

    @property
    def plain(self) -> dict[str, Any]:
        """The edit as JSON has it."""
        return {"edit": self.kind, "node": self.node}

    def __str__(self) -> str:
        return self.node


@attrs.frozen
class Prune(_AtNode):
    """A node becomes a leaf."""

    kind: ClassVar[str] = "prune"


@attrs.frozen
class Lock(_AtNode):
    """A node and what is below it are not changed by any edit, until they are unlocked."""

    kind: ClassVar[str] = "lock"


@attrs.frozen
class Unlock(_AtNode):
    """A lock is taken away."""

    kind: ClassVar[str] = "unlock"


@attrs.frozen
class Regrow:
    """A node and what is below it are grown again, by the tree's learner with other parameters.

    Parameters
    ----------
    node
        The path of the node.
    learner
        What differs from the tree's own learner, as plain data: {'metric': 'relieff'}. `max_depth`
        and `max_leaves` are of the part that grows; those of the tree hold beside them.
    """

    kind: ClassVar[str] = "regrow"
    node: str = attrs.field(converter=_path)
    learner: Mapping[str, Any] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        check_settings(self.learner)
        for name in self.learner:
            if name in OF_THE_WHOLE:
                raise ParameterError(f"{name} is of the whole tree, not of a part that grows again")
            if name not in NAMES:
                raise UnknownNameError("setting", name, NAMES)

    @property
    def plain(self) -> dict[str, Any]:
        """The edit as JSON has it."""
        return {"edit": self.kind, "node": self.node, "learner": dict(self.learner)}

    def __str__(self) -> str:
        given = dict(self.learner)
        metric = given.pop("metric", None) if isinstance(given.get("metric"), str) else None
        words = [*([metric] if metric else []), *(f"{k}={_value(v)}" for k, v in given.items())]
        return f"{self.node}{': ' if words else ''}{'; '.join(words)}"


def _value(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


@attrs.frozen
class Relabel:
    """A leaf predicts another class; see `treelab.tree.relabel`."""

    kind: ClassVar[str] = "relabel"
    node: str = attrs.field(converter=_path)
    label: str = attrs.field(validator=_text("a class"))

    @property
    def plain(self) -> dict[str, Any]:
        """The edit as JSON has it."""
        return {"edit": self.kind, "node": self.node, "label": self.label}

    def __str__(self) -> str:
        return f"{self.node}: {self.label}"


Edit: TypeAlias = Split | Prune | Regrow | Relabel | Lock | Unlock

KINDS: dict[str, type[Edit]] = {
    kind.kind: kind for kind in (Split, Prune, Regrow, Relabel, Lock, Unlock)
}


def edit_of(given: Any) -> Edit:
    """Return an edit of plain data, as JSON has it; or the edit itself.

    >>> edit_of({"edit": "split", "node": "0.1", "feature": "petal width", "by": 0.8})
    Split(node='0.1', feature='petal width', by=0.8, below='grow')
    """
    if isinstance(given, Edit):
        return given
    if not isinstance(given, Mapping):
        raise ParameterError(f"an edit is an object with the entry 'edit', got {shown(given)}")
    kind = given.get("edit")
    check_choice("edit", kind, KINDS)
    known = {field.name: field for field in attrs.fields(KINDS[str(kind)])}
    for name in given:
        if name != "edit" and name not in known:
            raise UnknownNameError("entry", name, known, of=f"a {kind}")
    for name, field in known.items():
        if field.default is attrs.NOTHING and name not in given:
            raise ParameterError(f"a {kind} needs {name!r}")
    return KINDS[str(kind)](**{name: given[name] for name in known if name in given})


def edits_of(given: Any) -> tuple[Edit, ...]:
    """Return an edit log of plain data."""
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise ParameterError(f"edits are a list, got {shown(given)}")
    if len(given) > MOST:
        raise ParameterError(f"an edit log has at most {MOST:,} lines, got {len(given):,}")
    return tuple(map(edit_of, given))


def locked_paths(edits: Sequence[Edit]) -> tuple[str, ...]:
    """Return the paths that a log has locked.

    >>> locked_paths([Lock("0"), Lock("1.0"), Unlock("0")])
    ('1.0',)
    """
    held: dict[str, None] = {}
    for edit in edits:
        if isinstance(edit, Unlock):
            held.pop(edit.node, None)
        elif isinstance(edit, Lock):
            held[edit.node] = None
    return tuple(held)
