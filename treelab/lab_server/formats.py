"""The files that a tree is kept in."""

import pickle
from typing import Any

import attrs

from treelab._formats import FORMATS
from treelab.errors import UnknownNameError
from treelab.tree.model import Tree
from treelab.writers import export


@attrs.frozen
class Download:
    """A file for the user: its name, its media type and its bytes."""

    name: str
    media: str
    content: bytes


def exported(tree: Tree, name: str, kind: str, approximate: bool, options: Any) -> Download:
    """Return a tree as a file of a format."""
    if kind not in FORMATS:
        raise UnknownNameError("format", kind, FORMATS)
    content = export(tree, kind, approximate=approximate, **options)
    if isinstance(content, str):
        content = content.encode()
    elif not isinstance(content, bytes):
        content = pickle.dumps(content)
    return Download(f"{name}.{FORMATS[kind].suffix}", FORMATS[kind].media, content)
