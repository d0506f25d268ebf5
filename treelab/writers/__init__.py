"""Trees for other programs: one neutral form (`form`), and one short module per format."""

import os
import pickle
from collections.abc import Callable
from inspect import signature
from typing import Any

from treelab._files import write_bytes, write_text
from treelab._formats import FORMATS, format_names
from treelab.errors import ParameterError, TreelabError, UnknownNameError
from treelab.tree.model import Tree
from treelab.writers.export_tree import ExportTree, along_the_majority, export_tree_of

__all__ = ["FORMATS", "export", "format_names"]


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
            raise UnknownNameError("option", option, known, of=f"format {name!r}")


def _drawing_options() -> list[str]:
    from treelab.writers.dot import Drawing

    return list(signature(Drawing).parameters)


def _write(path: str | os.PathLike[str], content: Any) -> None:
    if isinstance(content, str):
        write_text(path, content)
    else:
        write_bytes(path, content if isinstance(content, bytes) else pickle.dumps(content))
