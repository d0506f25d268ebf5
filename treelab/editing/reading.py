"""Edits as people write them: '0.1: petal width <= 0.8', '0: color in {red, blue} | {green}'."""

import re
from collections.abc import Callable
from typing import Any, get_args

from treelab.errors import ParameterError, UnknownNameError, check_choice, shown
from treelab.tree.edits import (
    BEST,
    EACH,
    KNOWN,
    Below,
    Edit,
    Group,
    Regrow,
    Relabel,
    Split,
    edit_of,
)
from treelab.tree.model import Tree

GROUP = re.compile(r'\s*\{((?:[^{}"]|"(?:[^"]|"")*")*)\}\s*(?:\||$)')
"""Values in braces, in quotes where they hold what would end them."""

VALUE = re.compile(r'"(?:[^"]|"")*"|[^,"]+')


def read_edit(kind: str, text: str, tree: Tree) -> Edit:
    """Return an edit as `str` writes it; the names of its features are those of a tree.

    >>> import treelab as tl
    >>> tree = tl.grow(tl.load("iris"))
    >>> read_edit("split", "1: petal width <= 1.7 [keep]", tree)
    Split(node='1', feature='petal width', by=1.7, below='keep')
    """
    check_choice("edit", kind, _READERS)
    return _READERS[kind](text, tree)


def _split(text: str, tree: Tree) -> Split:
    node, what = _parts(text, "1: petal width <= 0.8")
    what, below = _below(what)
    feature = _feature(what, tree)
    rest = what[len(feature) :].strip()
    return Split(node, feature, _by(rest, text), below)


def _parts(text: str, example: str) -> tuple[str, str]:
    node, colon, what = text.partition(":")
    if not colon or not what.strip():
        raise ParameterError(f"expected a node and what to do there, as {example!r}: {shown(text)}")
    return node.strip(), what.strip()


def _below(what: str) -> tuple[str, Any]:
    """Return the text without what is said in brackets of the part below, and that."""
    found = re.search(r"\s*\[(\w+)\]$", what)
    if found is None:
        return what, "grow"
    if found[1] not in get_args(Below):
        check_choice("what is below", found[1], get_args(Below))
    return what[: found.start()], found[1]


def _feature(what: str, tree: Tree) -> str:
    """Return the longest name of a feature that a text begins with."""
    ends = ("", " ", "<", "=")
    known = [
        name for name in tree.features
        if what.startswith(name) and what[len(name) : len(name) + 1] in ends
    ]  # fmt: skip
    if known:
        return max(known, key=len)
    raise UnknownNameError("feature", re.split(r" *<=| in \{| = | known$", what)[0], tree.features)


def _by(rest: str, text: str) -> Any:
    if not rest:
        return BEST
    if rest == "known":
        return KNOWN
    if re.fullmatch(r"= ?each", rest):
        return EACH
    if rest.startswith("<="):
        return _number(rest[2:].strip())
    if rest.startswith("in "):
        return _groups(rest[3:])
    if rest.startswith("="):
        return (_values(rest[1:]),)
    raise ParameterError(
        "expected a feature, alone or followed by '<= threshold', 'in {a, b} | {c}', '= a', "
        f"'= each' or 'known': {shown(text)}"
    )


def _number(word: str) -> str | float:
    """Return a threshold: a number, else a word on the scale of its feature."""
    try:
        return float(word)
    except ValueError:
        return word


def _groups(text: str) -> tuple[Group, ...]:
    found, place = list[Group](), 0
    while place < len(text):
        match = GROUP.match(text, place)
        if match is None:
            raise ParameterError(f"expected groups such as '{{a, b}} | {{c}}', got {shown(text)}")
        found.append(_values(match[1]))
        place = match.end()
    return tuple(found)


def _values(text: str) -> Group:
    """Return the values of a list; one in quotes is never the missing one."""
    words = (word.strip() for word in VALUE.findall(text))
    return tuple(_value(word) for word in words if word)


def _value(word: str) -> str | None:
    if word.startswith('"'):
        return word[1:-1].replace('""', '"')
    return None if word == "missing" else word


def _regrow(text: str, _tree: Tree) -> Regrow:
    node, _, what = text.partition(":")
    given: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in what.split(";"))):
        name, equals, value = part.partition("=")
        is_setting = bool(equals) and ":" not in name
        given |= {name.strip(): _setting(value.strip())} if is_setting else {"metric": part}
    return Regrow(node.strip(), given)


def _setting(word: str) -> Any:
    if word.lower() == "none":
        return None
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


def _relabel(text: str, _tree: Tree) -> Relabel:
    node, label = _parts(text, "0.1: Iris-setosa")
    return Relabel(node, label)


def _reads_node(kind: str) -> Callable[[str, Tree], Edit]:
    return lambda text, _tree: edit_of({"edit": kind, "node": text.strip()})


_READERS: dict[str, Callable[[str, Tree], Edit]] = {
    "split": _split,
    "regrow": _regrow,
    "relabel": _relabel,
    **{kind: _reads_node(kind) for kind in ("prune", "lock", "unlock")},
}
