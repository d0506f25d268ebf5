"""The formats that a tree can be exported to; a list that costs nothing to read."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

TEXT = "text/plain; charset=utf-8"
BYTES = "application/octet-stream"


class Format(NamedTuple):  # not of attrs, which `treelab --help` need not load
    """A format: where its writer is, and whether it can part a missing value among branches.

    `parts_by_some`: some of its readers cannot, so that approximate exports do not. Of its files:
    how their names end, their media type, and a line on what they are for.
    """

    module: str
    function: str = "write"
    parts_missing: bool = True
    parts_by_some: bool = False
    suffix: str = "txt"
    media: str = TEXT
    words: str = ""

    @property
    def writer(self) -> Callable[..., Any]:
        writer: Callable[..., Any] = getattr(import_module(self.module), self.function)
        return writer


FORMATS = {
    "c": Format("treelab.writers.c", suffix="c", words="a function in C"),
    "dot": Format("treelab.writers.dot", suffix="dot", words="Graphviz source"),
    "html": Format(
        "treelab.writers.html",
        suffix="html",
        media="text/html; charset=utf-8",
        words="an interactive page, one file",
    ),
    "json": Format(
        "treelab.writers.plain",
        "json",
        suffix="json",
        media="application/json",
        words="plain values for other programs",
    ),
    "latex": Format("treelab.writers.latex", suffix="tex", words="TikZ for LaTeX"),
    "onnx": Format(
        "treelab.writers.onnx",
        parts_missing=False,
        suffix="onnx",
        media=BYTES,
        words="for ONNX runtimes",
    ),
    "pdf": Format(
        "treelab.writers.picture",
        "pdf",
        suffix="pdf",
        media="application/pdf",
        words="a drawing to print",
    ),
    "pmml": Format(
        "treelab.writers.pmml",
        parts_by_some=True,
        suffix="pmml",
        media="application/xml",
        words="for PMML engines",
    ),
    "png": Format(
        "treelab.writers.picture",
        "png",
        suffix="png",
        media="image/png",
        words="a drawing in pixels",
    ),
    "python": Format(
        "treelab.writers.python", suffix="py", words="a function in Python that needs nothing"
    ),
    "rules": Format("treelab.writers.rules", suffix="rules.txt", words="IF-THEN rules"),
    "sklearn": Format(
        "treelab.writers.sklearn",
        parts_missing=False,
        suffix="pickle",
        media=BYTES,
        words="a fitted scikit-learn tree",
    ),
    "sql": Format(
        "treelab.writers.sql",
        parts_missing=False,
        suffix="sql",
        words="an expression for databases",
    ),
    "svg": Format(
        "treelab.writers.picture",
        "svg",
        suffix="svg",
        media="image/svg+xml",
        words="a drawing that scales",
    ),
    "text": Format("treelab.writers.plain", "text", words="the tree as text"),
}


def format_names() -> list[str]:
    """Return the names of all formats a tree can be exported to."""
    return sorted(FORMATS)
