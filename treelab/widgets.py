"""The page of a tree inside a notebook, where it can also ask the data (the extra `lab`)."""

from typing import TYPE_CHECKING, Any

from treelab.errors import MissingExtraError, ParameterError, TreelabError
from treelab.explain import why
from treelab.explain.model import why_model
from treelab.metrics.names import Metrics
from treelab.page import script, style
from treelab.tree.model import Tree
from treelab.writers.export_tree import export_tree_of
from treelab.writers.html import page_model

if TYPE_CHECKING:
    from anywidget import AnyWidget


def widget(tree: Tree, data: Any = None, *, metrics: Metrics | None = None) -> "AnyWidget":
    """Return a tree to walk in, in a notebook: drawn, searched, and asked why.

    It is the page of `tl.export(tree, "html")` in a cell. While the data of the tree are alive, or
    where they are given, a test can also be asked what every metric says of its candidates.

    Parameters
    ----------
    tree
        The tree.
    data
        The data it was grown from; they need not be given while they are alive.
    metrics
        The metrics that are asked: names, or 'all'; without any the tree's own and the usual ones.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.widget(tl.grow(tl.load("iris"))).tree["classes"]
    ['Iris-setosa', 'Iris-versicolor', 'Iris-virginica']
    """
    if not isinstance(tree, Tree):
        raise ParameterError(f"expected a Tree to show, got {type(tree).__name__}")
    made: AnyWidget = _kind()(tree=_listed(page_model(export_tree_of(tree))))
    made.on_msg(lambda _, asked, __: made.send(_answer(tree, data, metrics, asked)))
    return made


def _kind() -> Any:
    """Return the class of the widget, which needs anywidget."""
    try:
        from anywidget import AnyWidget
        from traitlets import Dict, Unicode
    except ImportError:
        raise MissingExtraError("tl.widget", "anywidget", "lab") from None

    class TreeWidget(AnyWidget):
        """A tree as a widget: its model travels once, answers when they are asked for."""

        _esm = script("widget")
        look = Unicode(style("viewer")).tag(sync=True)
        tree = Dict().tag(sync=True)

    return TreeWidget


def _answer(tree: Tree, data: Any, metrics: Metrics | None, asked: Any) -> dict[str, Any]:
    """Return the answer to a message of the page: what was asked, and the table or a sentence."""
    try:
        found = why_model(why(tree, asked["path"], metrics, data))
    except TreelabError as error:
        return {"id": asked["id"], "error": str(error)}
    return {"id": asked["id"], "why": found}


def _listed(value: Any) -> Any:
    """Return plain values with lists for tuples, as a notebook sends them."""
    if isinstance(value, dict):
        return {key: _listed(each) for key, each in value.items()}
    return [_listed(each) for each in value] if isinstance(value, list | tuple) else value
