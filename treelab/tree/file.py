"""Trees in files: versioned JSON, checked on load, never code.

The format is described by `model.schema.json` beside this file. Nodes are a flat list in
preorder, so a tree of any depth can be written and read without recursion.
"""

import json
import math
import os
from pathlib import Path
from typing import Any, get_args

import numpy as np

from treelab._files import write_text
from treelab.data.coding import Coding
from treelab.data.schema import Column, Schema
from treelab.errors import ModelFileError, TreelabError
from treelab.tree.draft import Draft, freeze, thaw
from treelab.tree.model import Missing, Tree

FORMAT = "treelab-tree"
VERSION = 1


def save(tree: Tree, path: str | os.PathLike[str]) -> None:
    """Write a tree to a file, whole or not at all."""
    write_text(path, dumps(tree))


def load(path: str | os.PathLike[str]) -> Tree:
    """Read a tree from a file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise ModelFileError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ModelFileError(f"{path} is not a treelab model: it is not text") from None
    try:
        return loads(text)
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error}") from None


def dumps(tree: Tree) -> str:
    """Return the JSON text of a tree: a line a column and a node, the same for the same tree."""
    drafts = thaw(tree)
    numbers = {id(draft): place for place, draft in enumerate(drafts)}
    document = {
        "format": _line(FORMAT),
        "version": _line(VERSION),
        "learner": _line(tree.learner),
        "missing": _line(tree.missing),
        "target": _line(_column_out(tree.schema.target)),
        "features": _lines([_column_out(column) for column in tree.schema.features]),
        "cuts": _line({name: cuts.tolist() for name, cuts in tree.coding.cuts.items()}),
        "nodes": _lines([_node_out(draft, numbers) for draft in drafts]),
    }
    return "{\n" + ",\n".join(f'"{key}": {text}' for key, text in document.items()) + "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _lines(values: list[Any]) -> str:
    return "[\n  " + ",\n  ".join(map(_line, values)) + "\n]"


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
    except TreelabError as error:
        raise ModelFileError(f"damaged model: {error}") from None
    except (KeyError, TypeError, ValueError, IndexError, OverflowError, AttributeError) as error:
        raise ModelFileError(f"damaged model: {type(error).__name__} {error}") from None


def _check_head(document: Any) -> None:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError("not a treelab model: there is no 'format': 'treelab-tree'")
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ModelFileError(f"damaged model: the version is {version!r}, expected a whole number")
    if version > VERSION:
        raise ModelFileError(
            f"the model has format version {version}, this treelab reads up to {VERSION}: "
            "install a newer treelab"
        )


def _tree_in(document: dict[str, Any]) -> Tree:
    schema = Schema(
        tuple(_column_in(column) for column in document["features"]),
        _column_in(document["target"]),
    )
    coding = Coding(document["cuts"])
    _expect(document["missing"] in get_args(Missing), "'missing' is none of the policies")
    _expect(isinstance(document["learner"], str), "'learner' is no text")
    _expect(bool(schema.target.labels), "the target has no classes")
    for name in coding.cuts:
        _expect(not schema.features[schema.index(name)].is_nominal, f"{name!r} cannot be cut")
    root = _link([_Reader(schema, coding).draft(node) for node in document["nodes"]], document)
    return freeze(root, schema, coding, document["missing"], document["learner"])


class _Reader:
    """Reads nodes, checking each against the columns."""

    def __init__(self, schema: Schema, coding: Coding) -> None:
        self.n_classes = schema.target.n_labels
        columns = [coding.column(column) for column in schema.features]
        self.n_codes = [column.n_labels if column.is_nominal else None for column in columns]

    def draft(self, node: dict[str, Any]) -> Draft:
        counts = np.array(node["counts"], dtype=np.float64)
        _expect(counts.shape == (self.n_classes,), "a node has the wrong number of classes")
        _expect(bool(np.isfinite(counts).all() and (counts >= 0).all()), "a class weight is wrong")
        _expect(counts.sum() > 0, "a node has no cases")
        draft = Draft(counts)
        if "children" in node:
            self._read_test(draft, node)
        return draft

    def _read_test(self, draft: Draft, node: dict[str, Any]) -> None:
        n_branches = len(node["children"])
        _expect(n_branches >= 2, "a test has fewer than two branches")
        draft.feature = _whole(node["feature"], len(self.n_codes))
        draft.missing_branch = _whole(node.get("missing", -1), n_branches, least=-1)
        draft.score = float(node["score"]) if node.get("score") is not None else math.nan
        n_codes = self.n_codes[draft.feature]
        if n_codes is None:
            draft.threshold = float(node["threshold"])
            _expect(math.isfinite(draft.threshold), "a threshold is no number")
            _expect(n_branches <= 3, "a threshold has more than three branches")
        else:
            _expect(len(node["branches"]) == n_codes, "a test does not fit its feature's values")
            codes = [_whole(branch, n_branches, least=-1) for branch in node["branches"]]
            draft.branch_of = np.array(codes, dtype=np.int32)


def _link(drafts: list[Draft], document: dict[str, Any]) -> Draft:
    """Connect the nodes; preorder makes every child come after its parent, once."""
    expected: list[int] = []
    for number, node in enumerate(document["nodes"]):
        _expect(not number or (bool(expected) and expected.pop() == number), "nodes are not in order")
        below = [_whole(child, len(drafts), least=number + 1) for child in node.get("children", ())]
        drafts[number].children = [drafts[child] for child in below]
        expected.extend(reversed(below))
    _expect(bool(drafts) and not expected, "there are no nodes, or one is missing")
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
    return {"name": column.name, **labels}


def _column_in(column: dict[str, Any]) -> Column:
    labels = column.get("labels")
    texts = [column["name"], *(labels or ())]
    _expect(all(isinstance(text, str) for text in texts), "a column's name or label is no text")
    return Column(column["name"], None if labels is None else tuple(labels))


def _whole(value: Any, below: int, least: int = 0) -> int:
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    _expect(is_whole and least <= value < below, f"{value!r} is out of range")
    return int(value)


def _expect(holds: bool, problem: str) -> None:
    if not holds:
        raise ModelFileError(f"damaged model: {problem}")


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")
