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
    """Return the JSON text of a tree: a line a node, the same bytes for the same tree."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "learner": tree.learner,
        "missing": tree.missing,
        "target": _column_out(tree.schema.target),
        "features": [_column_out(column) for column in tree.schema.features],
        "cuts": {name: cuts.tolist() for name, cuts in tree.coding.cuts.items()},
    }
    numbers = {id(draft): place for place, draft in enumerate(drafts := thaw(tree))}
    nodes = [json.dumps(_node_out(draft, numbers), ensure_ascii=False) for draft in drafts]
    text = json.dumps(head, ensure_ascii=False, indent=1)
    return text[:-2] + ',\n "nodes": [\n  ' + ",\n  ".join(nodes) + "\n ]\n}\n"


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
