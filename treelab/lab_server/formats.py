"""The files that a tree is kept in: what they are called, and what they are."""

import pickle
from typing import Any

import attrs

from treelab.errors import UnknownNameError
from treelab.tree.model import Tree
from treelab.writers import export

TEXT = "text/plain; charset=utf-8"


@attrs.frozen
class FileKind:
    """How the name of a file ends, its media type, and a line on what it is for."""

    suffix: str
    media: str
    words: str


FILES = {
    "c": FileKind("c", TEXT, "a function in C"),
    "dot": FileKind("dot", TEXT, "Graphviz source"),
    "html": FileKind("html", "text/html; charset=utf-8", "an interactive page, one file"),
    "json": FileKind("json", "application/json", "plain values for other programs"),
    "latex": FileKind("tex", TEXT, "TikZ for LaTeX"),
    "onnx": FileKind("onnx", "application/octet-stream", "for ONNX runtimes"),
    "pdf": FileKind("pdf", "application/pdf", "a drawing to print"),
    "pmml": FileKind("pmml", "application/xml", "for PMML engines"),
    "png": FileKind("png", "image/png", "a drawing in pixels"),
    "python": FileKind("py", TEXT, "a function in Python that needs nothing"),
    "rules": FileKind("rules.txt", TEXT, "IF-THEN rules"),
    "sklearn": FileKind("pickle", "application/octet-stream", "a fitted scikit-learn tree"),
    "sql": FileKind("sql", TEXT, "an expression for databases"),
    "svg": FileKind("svg", "image/svg+xml", "a drawing that scales"),
    "text": FileKind("txt", TEXT, "the tree as text"),
}


@attrs.frozen
class Download:
    """A file for the user: its name, its media type and its bytes."""

    name: str
    media: str
    content: bytes


def exported(tree: Tree, name: str, kind: str, approximate: bool, options: Any) -> Download:
    """Return a tree as a file of a format."""
    if kind not in FILES:
        raise UnknownNameError("format", kind, FILES)
    content = export(tree, kind, approximate=approximate, **options)
    if isinstance(content, str):
        content = content.encode()
    elif not isinstance(content, bytes):
        content = pickle.dumps(content)
    return Download(f"{name}.{FILES[kind].suffix}", FILES[kind].media, content)
