"""Trees in files: versioned JSON, checked on load, never code.

The format is described by `model.schema.json` beside this file. Nodes are a flat list in
preorder, so a tree of any depth can be written and read without recursion.
"""

import json
import math
import os
import sys
from collections.abc import Set
from typing import Any, get_args

import attrs
import numpy as np

from treelab._files import named_path, write_text
from treelab._text import json_text
from treelab._typing import FloatArray
from treelab.data.coding import Coding
from treelab.data.moments import SCALES as MOMENTS
from treelab.data.scales import Ordered, Scale
from treelab.data.schema import Column, Schema
from treelab.errors import ModelFileError, TreelabError
from treelab.tree.draft import Draft, freeze, thaw
from treelab.tree.model import Missing, Tree
from treelab.tree.optimal.optimum import Optimum

FORMAT = "treelab-tree"
VERSION = 1
_ENTRIES = {"format", "version", "learner", "missing", "target", "features", "cuts", "nodes"}


def save(tree: Tree, path: str | os.PathLike[str]) -> None:
    """Write a tree to a file, whole or not at all."""
    write_text(path, dumps(tree))


def load(path: str | os.PathLike[str]) -> Tree:
    """Read a tree from a file."""
    name = named_path(path)
    try:
        text = name.read_text(encoding="utf-8")
    except OSError as error:
        raise ModelFileError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ModelFileError(f"{path} is not a treelab model: it is not text") from None
    except ValueError as error:  # a name with a NUL
        raise ModelFileError(f"cannot read {os.fspath(path)!r}: {error}") from None
    try:
        return loads(text)
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error}") from None


def dumps(tree: Tree) -> str:
    """Return the JSON text of a tree: a line a column and a node, the same for the same tree."""
    drafts = thaw(tree)
    numbers = {id(draft): place for place, draft in enumerate(drafts)}
    document = {
        "format": json_text(FORMAT),
        "version": json_text(VERSION),
        "learner": json_text(tree.learner),
        "missing": json_text(tree.missing),
        **({} if tree.by_counts else {"by_counts": json_text(False)}),
        **({"optimum": json_text(attrs.asdict(tree.optimum))} if tree.optimum else {}),
        "target": json_text(_column_out(tree.schema.target)),
        "features": _lines([_column_out(column) for column in tree.schema.features]),
        "cuts": json_text({name: cuts.tolist() for name, cuts in tree.coding.cuts.items()}),
        "nodes": _lines([_node_out(draft, numbers) for draft in drafts]),
    }
    return "{\n" + ",\n".join(f'"{key}": {text}' for key, text in document.items()) + "\n}\n"


def _lines(values: list[Any]) -> str:
    return "[\n  " + ",\n  ".join(map(json_text, values)) + "\n]"


def loads(text: str) -> Tree:
    """Return the tree of a JSON text."""
    try:
        document = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"not a treelab model: {error}") from None
    _check_head(document)
    try:
        return _tree_in(document)
    except ModelFileError:
        raise
    except TreelabError as error:  # from Column, Schema or Coding
        raise ModelFileError(f"damaged model: {error}") from None


def _check_head(document: Any) -> None:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError(f"not a treelab model: there is no 'format': {FORMAT!r}")
    version: Any = document.get("version")
    _expect(_is_whole(version) and version >= 1, "the version is no whole number from 1 on")
    if version > VERSION:
        raise ModelFileError(
            f"the model has format version {version}, this treelab reads up to {VERSION}: "
            "install a newer treelab"
        )


def _tree_in(document: dict[str, Any]) -> Tree:
    _check_entries("the model", document, _ENTRIES, {"by_counts", "optimum"})
    features = _items(document["features"], "'features'")
    schema = Schema(tuple(map(_column_in, features)), _column_in(document["target"]))
    _expect(bool(schema.target.labels), "the target has no classes")
    _expect(document["missing"] in get_args(Missing), "'missing' is none of the policies")
    _expect(isinstance(document["learner"], str), "'learner' is no text")
    by_counts = document.get("by_counts", True)
    _expect(isinstance(by_counts, bool), "'by_counts' is neither true nor false")
    coding = _coding_in(document["cuts"], schema)
    nodes = _items(document["nodes"], "'nodes'")
    reader = _Reader(schema, coding)
    root = _link([reader.draft(node) for node in nodes], nodes)
    tree = freeze(root, schema, coding, document["missing"], document["learner"], by_counts)
    return attrs.evolve(tree, optimum=_optimum_in(document.get("optimum")))


def _optimum_in(optimum: Any) -> Optimum | None:
    if optimum is None:
        return None
    _check_entries("'optimum'", optimum, {field.name for field in attrs.fields(Optimum)}, set())
    _expect(isinstance(optimum["proven"], bool), "'proven' is neither true nor false")
    numbers = [_number(optimum[name], f"{name!r}") for name in ("errors", "leaf_price", "bound")]
    errors, price, bound = numbers
    return Optimum(errors, _whole(optimum["n_leaves"], 1, 2**53), price, bound, optimum["proven"])


def _column_in(column: Any) -> Column:
    _check_entries("a column", column, {"name"}, {"labels", "scale"})
    labels = tuple(_items(column["labels"], "labels")) if "labels" in column else None
    scale = _scale_in(column["scale"]) if "scale" in column else None
    texts = (column["name"], *(labels or ()), *(scale.labels if scale else ()))
    _expect(all(isinstance(text, str) for text in texts), "a column's name or label is no text")
    return Column(column["name"], labels, scale)


def _scale_in(scale: Any) -> Scale:
    if isinstance(scale, list):
        return Ordered(tuple(scale))
    _expect(isinstance(scale, str) and scale in MOMENTS, "a column's scale is none of the known")
    return MOMENTS[scale]


def _coding_in(cuts: Any, schema: Schema) -> Coding:
    _expect(isinstance(cuts, dict), "'cuts' are no object")
    for name in cuts:
        _expect(not schema.features[schema.index(name)].is_nominal, f"{name!r} cannot be cut")
    read = {name: _numbers(points, "cut points") for name, points in cuts.items()}
    coding = Coding(read)
    _expect(coding.on(schema) == coding, "a cut point is not on the scale of its column")
    return coding.on(schema)


class _Reader:
    """Reads nodes, checking each against the columns."""

    def __init__(self, schema: Schema, coding: Coding) -> None:
        self.n_classes = schema.target.n_labels
        self.n_codes = [
            len(coding.cuts[column.name]) + 1 if column.name in coding
            else column.n_labels if column.is_nominal else None
            for column in schema.features
        ]  # fmt: skip

    def draft(self, node: Any) -> Draft:
        _expect(isinstance(node, dict), "a node is no object")
        draft = Draft(self._counts(node))
        if "children" in node:
            self._read_test(draft, node)
        else:
            _check_entries("a leaf", node, {"counts"})
        return draft

    def _counts(self, node: dict[str, Any]) -> FloatArray:
        counts = _numbers(node.get("counts"), "class weights")
        _expect(len(counts) == self.n_classes, "a node has the wrong number of classes")
        _expect(bool((counts >= 0).all()), "a class weight is negative")
        _expect(0 < sum(counts.tolist()) < math.inf, "a node has no cases, or far too many")
        return counts

    def _read_test(self, draft: Draft, node: dict[str, Any]) -> None:
        n_branches = len(_items(node["children"], "'children'"))
        _expect(n_branches >= 2, "a test has fewer than two branches")
        draft.feature = _whole(node.get("feature"), 0, len(self.n_codes))
        n_codes = self.n_codes[draft.feature]
        way = "threshold" if n_codes is None else "branches"
        _check_entries("a test", node, {"counts", "feature", way, "score", "children"}, {"missing"})
        if "missing" in node:
            draft.missing_branch = _whole(node["missing"], 0, n_branches)
        if node["score"] is not None:
            draft.score = _number(node["score"], "a score")
        codes = [0, 1]
        if n_codes is None:
            draft.threshold = _number(node["threshold"], "a threshold")
        else:
            codes = [_whole(b, -1, n_branches) for b in _items(node["branches"], "'branches'")]
            _expect(len(codes) == n_codes, "a test does not fit its feature's values")
            draft.branch_of = np.array(codes, dtype=np.int32)
        reached = {*codes, draft.missing_branch}
        _expect(reached >= set(range(n_branches)), "no value leads to one of the branches")


def _link(drafts: list[Draft], nodes: list[dict[str, Any]]) -> Draft:
    """Connect the nodes; preorder makes every child come after its parent, once."""
    expected = [0]
    for number, node in enumerate(nodes):
        _expect(bool(expected) and expected.pop() == number, "the nodes are not in order")
        below = [_whole(child, number + 1, len(drafts)) for child in node.get("children", ())]
        drafts[number].children = [drafts[child] for child in below]
        expected.extend(reversed(below))
    _expect(not expected, "there are no nodes, or one is missing")
    return drafts[0]


def _node_out(draft: Draft, numbers: dict[int, int]) -> dict[str, Any]:
    node: dict[str, Any] = {"counts": draft.counts.tolist()}
    if draft.is_leaf:
        return node
    node["feature"] = draft.feature
    if math.isnan(draft.threshold):
        node["branches"] = draft.branch_of.tolist()
    else:
        node["threshold"] = draft.threshold
    if draft.missing_branch >= 0:
        node["missing"] = draft.missing_branch
    node["score"] = draft.score if math.isfinite(draft.score) else None
    node["children"] = [numbers[id(child)] for child in draft.children]
    return node


def _column_out(column: Column) -> dict[str, Any]:
    labels = {} if column.labels is None else {"labels": list(column.labels)}
    return {"name": column.name, **labels, **_scale_out(column)}


def _scale_out(column: Column) -> dict[str, Any]:
    scale = column.scale
    if scale is None:
        return {}
    return {"scale": list(scale.labels) if isinstance(scale, Ordered) else scale.name}


def _check_entries(
    what: str, value: Any, required: Set[str], optional: Set[str] = frozenset()
) -> None:
    _expect(isinstance(value, dict), f"{what} is no object")
    for name in sorted(required - value.keys()):
        _expect(False, f"{what} has no {name!r}")
    for name in sorted(value.keys() - required - optional):
        _expect(False, f"{what} has an unknown entry {name!r}")


def _items(value: Any, what: str) -> list[Any]:
    _expect(isinstance(value, list), f"{what} are no list")
    return list(value)


def _numbers(values: Any, what: str) -> FloatArray:
    numbers = [_number(value, f"one of the {what}") for value in _items(values, what)]
    return np.array(numbers, dtype=np.float64)


def _number(value: Any, what: str) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    # JSON knows neither NaN nor infinity, but 1e999 is read as one.
    _expect(is_number and abs(value) <= sys.float_info.max, f"{what} is no number")
    return float(value)


def _whole(value: Any, least: int, below: int) -> int:
    fits = _is_whole(value) and least <= value < below
    _expect(fits, f"there is no whole number from {least} to {below - 1} where one is needed")
    return int(value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _expect(holds: bool, problem: str) -> None:
    if not holds:
        raise ModelFileError(f"damaged model: {problem}")


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")
