"""A page of trees that are about equally good, drawn side by side."""

from html import escape

from treelab._markup import fragment_of, inline, listed, page_of, table
from treelab._text import count
from treelab.multiplicity.good_trees import FLUSH_RIGHT, HEADS, Rashomon, RashomonTree
from treelab.plots.style import COLOURS, colour
from treelab.writers import export
from treelab.writers.look import printable, shortened

DRAWN, LISTED = 12, 100
"""So many trees are drawn, and so many are rows of the table."""

NODES = 31
"""So many nodes of each are drawn; the lightest subtrees are collapsed."""

MANY_CLASSES = len(COLOURS)
"""So many classes have their colours explained."""


def page(found: Rashomon) -> str:
    """Return a page that needs nothing else."""
    return page_of("Trees that are about as good as the best", fragment(found))


def fragment(found: Rashomon) -> str:
    """Return what the trees have in common, a table of them, and the first ones drawn."""
    drawn = [_figure(place, each) for place, each in enumerate(found.trees[:DRAWN], 1)]
    return fragment_of(
        f"<p>{escape(found.heading)}.</p>",
        listed(found.remarks),
        table(HEADS, found.rows(LISTED), FLUSH_RIGHT),
        _more(found.n - LISTED, "in the table"),
        f"<p>{_legend(found)}</p>",
        f'<div class="trees">{"".join(drawn)}</div>',
        _more(found.n - DRAWN, "drawn"),
    )


def _more(n: int, what: str) -> str:
    return f"<p>{count(n, 'more tree')} not {what}.</p>" if n > 0 else ""


def _figure(place: int, each: RashomonTree) -> str:
    facts = f"price {each.price:.2f}, {count(each.n_leaves, 'leaf', 'leaves')}; met by"
    caption = f"<b>Tree {place}</b>: {facts} {escape(', '.join(each.sources))}"
    picture = inline(export(each.tree, "svg", max_nodes=NODES, legend=False))
    return f"<figure><figcaption>{caption}</figcaption>{picture}</figure>"


def _legend(found: Rashomon) -> str:
    """Explain the colours of the classes, once for all trees."""
    tree = found.best.tree
    marks = (
        f'<span style="color:{colour(place)}">&#9632;</span>&nbsp;{_name(label)}'
        for place, label in enumerate(tree.classes[:MANY_CLASSES])
    )
    more = len(tree.classes) - MANY_CLASSES
    end = f" and {more} more" if more > 0 else ""
    return f"<b>{_name(tree.schema.target.name)}</b> &nbsp; {' &nbsp; '.join(marks)}{end}"


def _name(text: str) -> str:
    return escape(shortened(printable(text), 30))
