"""One tree as one page of HTML that needs nothing else (extra `report`)."""

import re

from treelab.data.dataset import Dataset
from treelab.errors import MissingExtraError
from treelab.evaluate import Assessment
from treelab.experiment.report.article import Article
from treelab.experiment.report.model_article import DRAWN, TREE, model_article
from treelab.tree.model import Tree
from treelab.writers import export

SHEET = (
    '<div style="overflow-x:auto;background:#fff;border-radius:6px;padding:8px" tabindex="0" '
    'role="img" aria-label="decision tree">{}</div>'
)
"""A drawing of Graphviz has colours of its own: it lies on white, and is wide rather than tiny."""


SMALLEST = 0.65
"""A wide tree is drawn smaller down to this, so that it can be read; then it scrolls."""


def model_page(
    tree: Tree, data: Dataset, found: Assessment, on: str, call: str = "", given: str = ""
) -> str:
    """Return the page of a tree.

    Parameters
    ----------
    tree, data
        The tree, and what it was grown from.
    found, on
        How good it is, and on which cases: 'on cases held out in 10 folds'.
    call, given
        The call that makes it again, and the data as they were named there.
    """
    article = model_article(tree, data, found, on, call, given)
    try:
        return _page(article, tree)
    except ImportError as error:
        package = (error.name or "matplotlib").split(".")[0].replace("_", "-")
        raise MissingExtraError("the report", package, "report") from None


def _page(article: Article, tree: Tree) -> str:
    from treelab.experiment.report.figures import drawn, for_page, svg
    from treelab.experiment.report.page import page

    figures = [drawing for section in article.sections for drawing in section.figures]
    images = {
        drawing.name: for_page(svg(drawn(drawing)), drawing.name)
        for drawing in figures
        if drawing.draw is not None
    }
    return page(article, images | {TREE: _sheet(tree)})


def _sheet(tree: Tree) -> str:
    picture = str(export(tree, "svg", max_nodes=DRAWN))
    opened = picture[picture.index("<svg") :]
    found = re.search(r'width="([\d.]+)pt"', opened)
    width = float(found[1]) if found else 0.0
    style = f"width:100%;max-width:{width:.0f}pt;min-width:{SMALLEST * width:.0f}pt;height:auto"
    return SHEET.format(opened.replace("<svg", f'<svg style="{style}"', 1))
