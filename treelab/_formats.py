"""The formats that a tree can be exported to; a list that costs nothing to read."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple


class Format(NamedTuple):  # not of attrs, which `treelab --help` need not load
    """A format: where its writer is, and whether it can part a missing value among branches.

    `parts_by_some`: some of its readers cannot, so that approximate exports do not.
    """

    module: str
    function: str = "write"
    parts_missing: bool = True
    parts_by_some: bool = False

    @property
    def writer(self) -> Callable[..., Any]:
        writer: Callable[..., Any] = getattr(import_module(self.module), self.function)
        return writer


FORMATS = {
    "c": Format("treelab.writers.c"),
    "dot": Format("treelab.writers.dot"),
    "html": Format("treelab.writers.html"),
    "json": Format("treelab.writers.plain", "json"),
    "latex": Format("treelab.writers.latex"),
    "onnx": Format("treelab.writers.onnx", parts_missing=False),
    "pdf": Format("treelab.writers.picture", "pdf"),
    "pmml": Format("treelab.writers.pmml", parts_by_some=True),
    "png": Format("treelab.writers.picture", "png"),
    "python": Format("treelab.writers.python"),
    "rules": Format("treelab.writers.rules"),
    "sklearn": Format("treelab.writers.sklearn", parts_missing=False),
    "sql": Format("treelab.writers.sql", parts_missing=False),
    "svg": Format("treelab.writers.picture", "svg"),
    "text": Format("treelab.writers.plain", "text"),
}


def format_names() -> list[str]:
    """Return the names of all formats a tree can be exported to."""
    return sorted(FORMATS)
