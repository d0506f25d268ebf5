"""Pictures: DOT drawn by `dot` or, where there is none, by the Graphviz in pygraphviz's wheel."""

import shutil
from typing import Any

from treelab.errors import TreelabError
from treelab.writers import dot
from treelab.writers.export_tree import ExportTree


def svg(form: ExportTree, **options: Any) -> str:
    """Return the drawing as SVG."""
    return drawn(dot.write(form, **options), "svg").decode()


def png(form: ExportTree, **options: Any) -> bytes:
    """Return the drawing as PNG."""
    return drawn(dot.write(form, **options), "png")


def pdf(form: ExportTree, **options: Any) -> bytes:
    """Return the drawing as PDF."""
    return drawn(dot.write(form, **options), "pdf")


def drawn(source: str, kind: str) -> bytes:
    """Return the picture of a DOT source."""
    try:
        return _by_program(source, kind) if shutil.which("dot") else _by_library(source, kind)
    except ImportError as error:  # a system without the libraries that pygraphviz's wheel relies on
        need = "drawing needs Graphviz: the program dot (as of Debian's package graphviz)"
        raise TreelabError(f"{need}, or what pygraphviz lacks here ({error})") from None
    except (ValueError, OSError) as error:
        raise TreelabError(f"Graphviz could not draw the tree: {error}") from None


def _by_program(source: str, kind: str) -> bytes:
    from graphviz import Source

    return bytes(Source(source).pipe(format=kind))


def _by_library(source: str, kind: str) -> bytes:
    from pygraphviz import AGraph

    return bytes(AGraph(string=source).draw(format=kind, prog="dot"))
