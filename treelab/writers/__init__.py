"""Trees for other programs: one neutral form (`form`), and one short module per format."""

import os
import pickle
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from typing import Any

import attrs

from treelab._files import write_bytes, write_text
from treelab.errors import ParameterError, TreelabError, UnknownNameError
from treelab.tree.model import Tree
from treelab.writers.export_tree import ExportTree, along_the_majority, export_tree_of

__all__ = ["FORMATS", "export", "format_names"]


@attrs.frozen
class Format:
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


def export(
    tree: Tree,
    format: str,  # noqa: A002  (the word a user expects)
    path: str | os.PathLike[str] | None = None,
    *,
    approximate: bool = False,
    **options: Any,
) -> Any:
    """Return a tree in another format, and write it to a file if a path is given.

    Parameters
    ----------
    tree
        The tree.
    format
        One of `treelab.writers.format_names()`.
    path
        A file to write, whole or not at all.
    approximate
        Whether a missing value may follow the branch of most cases in a format that cannot send
        it down every branch, or in PMML, some of whose readers cannot. Without it such an export
        is refused, unless no training case lacked a value (`Tree.complete`).
    options
        What the format leaves open: `style`, `max_depth`, `max_nodes`, `legend` and `case` of
        drawings, `dialect`, `table` and `view` of SQL, `max_depth` of text.

    Returns
    -------
    A text, or bytes for formats that are none; for 'sklearn' a fitted `DecisionTreeClassifier` or,
    where features have labels, a `Pipeline` that encodes them, whose file is a pickle.

    Examples
    --------
    >>> import treelab as tl
    >>> print(tl.export(tl.grow(tl.load("lenses"), max_depth=1, probabilities="shares"), "text"))
    class: 24 cases, 2 leaves, depth 1; all: none (24 cases: none 62%, soft 21%, hard 17%)
    tear_rate = normal: soft (12 cases: soft 42%, hard 33%, none 25%)
    tear_rate = reduced: none (12 cases)
    <BLANKLINE>
    """
    if not isinstance(tree, Tree):
        raise ParameterError(f"expected a Tree to export, got {type(tree).__name__}")
    if not isinstance(format, str) or format not in FORMATS:
        raise UnknownNameError("format", format, FORMATS)
    writer = FORMATS[format].writer
    _check_options(format, writer, options)
    taken = next(iter(signature(writer).parameters))
    given = tree if taken == "tree" else form_for(tree, format, approximate)
    try:
        content = writer(given, **options)
        if isinstance(content, str):
            content.encode()
    except RecursionError:
        raise TreelabError(f"{format} cannot nest a tree of depth {tree.depth}") from None
    except UnicodeEncodeError:
        what = "half a surrogate pair, which a name contains"
        raise TreelabError(f"{format} cannot hold {what}") from None
    if path is not None:
        _write(path, content)
    return content


def form_for(tree: Tree, name: str, approximate: bool) -> ExportTree:
    """Return the neutral form of a tree that a format can hold."""
    form, kind = export_tree_of(tree), FORMATS[name]
    is_exact = kind.parts_missing and not (approximate and kind.parts_by_some)
    if is_exact or not form.spreads:
        return form
    if not (approximate or tree.complete):
        raise ParameterError(
            f"{name} cannot send a case with a missing value down every branch, as this tree does; "
            "with --approximate (approximate=True) it follows the branch of most cases"
        )
    return along_the_majority(form)


def _check_options(name: str, writer: Callable[..., Any], options: dict[str, Any]) -> None:
    known = list(signature(writer).parameters)[1:]
    if "options" in known:
        known = _drawing_options()
    for option in options:
        if option not in known:
            raise UnknownNameError(f"option of format {name!r}", option, known)


def _drawing_options() -> list[str]:
    from treelab.writers.dot import Drawing

    return list(signature(Drawing).parameters)


def _write(path: str | os.PathLike[str], content: Any) -> None:
    if isinstance(content, str):
        write_text(path, content)
    else:
        write_bytes(path, content if isinstance(content, bytes) else pickle.dumps(content))
