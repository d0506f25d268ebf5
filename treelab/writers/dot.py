"""The DOT language of Graphviz: the tree as a drawing.

Styles: 'class-bars' colours nodes by class, shaded by purity, with a bar of the class shares;
'plain' has neither bars nor colours; 'print' is black on white with grey bars.
"""

from collections.abc import Mapping
from html import escape
from typing import Any

import attrs

from treelab.errors import ParameterError, check_choice, shown
from treelab.plots.style import COLOURS, colour
from treelab.writers import look
from treelab.writers.export_tree import ExportNode, ExportTree

STYLES = ("class-bars", "plain", "print")
BAR = 96
"""The width of a class bar in points."""
BAR_TABLE = (
    '<table border="0" cellborder="0" cellspacing="0" cellpadding="0" '
    f'fixedsize="true" width="{BAR}" height="7">'
)
MANY_CLASSES = len(COLOURS)
"""A legend explains at most so many."""
FONT = "Helvetica"
INK, FAINT, PATH = "#222222", "#8a8a8a", "#c1121f"


@attrs.frozen
class Drawing:
    """How a tree is drawn.

    Parameters
    ----------
    style
        'class-bars', 'plain' or 'print'.
    max_depth, max_nodes
        What is below, or beyond the heaviest so many nodes, is collapsed.
    legend
        Whether the colours are explained.
    case
        The values of a case, by feature, whose path is shown.
    """

    style: str = "class-bars"
    max_depth: int | None = None
    max_nodes: int = 80
    legend: bool = True
    case: Mapping[str, Any] | None = None

    def __attrs_post_init__(self) -> None:
        check_choice("style", self.style, STYLES)
        look.check_extent(self.max_depth, self.max_nodes)
        if self.case is not None and not _is_case(self.case):
            raise ParameterError(
                f"case must be the values of a case by feature, got {shown(self.case)}"
            )


def _is_case(case: Any) -> bool:
    """Tell whether values are given by feature: in a dictionary or a row of a frame."""
    return hasattr(case, "get") and getattr(case, "ndim", 1) == 1


def write(form: ExportTree, **options: Any) -> str:
    """Return the DOT source of a drawing; the options are those of `Drawing`."""
    return _Artist(form, Drawing(**options)).source()


class _Artist:
    """Draws one tree."""

    def __init__(self, form: ExportTree, drawing: Drawing) -> None:
        self.form, self.drawing = form, drawing
        self.opened = look.opened(form, drawing.max_depth, drawing.max_nodes)
        self.sizes = look.sizes_below(form)
        visited = () if drawing.case is None else form.walk(drawing.case)
        self.path = {number for number, part, _ in visited if part > 0}

    def source(self) -> str:
        from graphviz import Digraph

        graph = Digraph("tree", graph_attr=GRAPH, node_attr=NODE, edge_attr=EDGE)
        for number in self._shown():
            self._draw(graph, number)
        if self.drawing.legend and self.drawing.style != "plain":
            graph.attr(label=f"<{self._legend()}>", labelloc="t", labeljust="l")
        return str(graph.source)

    def _shown(self) -> list[int]:
        children = (child for place in self.opened for child in self.form.nodes[place].children)
        return sorted([0, *children])

    def _draw(self, graph: Any, place: int) -> None:
        node = self.form.nodes[place]
        graph.node(f"n{place}", _table(self._rows(place)), **self._frame(place))
        for branch, child in enumerate(node.children if place in self.opened else ()):
            words = look.shortened(look.edge_words(node, branch))
            graph.edge(
                f"n{place}", f"n{child}", f"<&#160;{_text(words)}>", **self._edge(place, child)
            )

    def _frame(self, place: int) -> dict[str, str]:
        node = self.form.nodes[place]
        on_path = place in self.path
        frame = {"color": PATH if on_path else FAINT, "penwidth": "2.5" if on_path else "0.8"}
        if self.drawing.style == "class-bars":
            strength = 0.06 + 0.34 * look.purity(node)
            frame["fillcolor"] = look.shade(colour(node.best), strength)
        if node.test is None:
            frame["style"] = "filled,rounded"
        elif place not in self.opened:
            frame["style"] = "filled,dashed"
        return frame

    def _edge(self, place: int, child: int) -> dict[str, str]:
        share = self.form.nodes[child].weight / self.form.nodes[0].weight
        on_path = place in self.path and child in self.path
        return {"penwidth": f"{0.6 + 5 * share:.2f}", "color": PATH if on_path else FAINT}

    def _rows(self, place: int) -> list[str]:
        node = self.form.nodes[place]
        label = look.shortened(look.printable(self.form.classes[node.best]), 30)
        rows = [] if node.test is None else [_bold(look.printable(node.test.feature))]
        rows.append(_bold(label) if node.test is None else _text(label))
        rows.append(_small(look.cases_in_words(node)))
        if self.drawing.style != "plain":
            rows.append(self._bar(node))
        if node.test is not None and place not in self.opened:
            nodes, leaves = self.sizes[place]
            rows.append(_small(f"… {nodes - 1:,} nodes below, {leaves:,} leaves"))
        return rows

    def _bar(self, node: ExportNode) -> str:
        widths = _whole_widths(node.shares, BAR)
        cells = "".join(
            f'<td width="{width}" height="7" fixedsize="true" bgcolor="{self._ink(place)}"></td>'
            for place, width in enumerate(widths)
            if width
        )
        return f"{BAR_TABLE}<tr>{cells}</tr></table>"

    def _ink(self, place: int) -> str:
        if self.drawing.style == "print":
            n_classes = max(len(self.form.classes) - 1, 1)
            return look.shade("#000000", 0.15 + 0.75 * place / n_classes)
        return colour(place)

    def _legend(self) -> str:
        head = _bold(look.printable(self.form.target) or "class")
        marks = [self._legend_mark(place) for place in range(len(self.form.classes))]
        more = f"and {len(marks) - MANY_CLASSES} more" if len(marks) > MANY_CLASSES else ""
        rows = ["&#160; ".join(marks[at : at + 4]) for at in range(0, MANY_CLASSES, 4)]
        return '<br align="left"/>'.join(filter(None, [head, *rows, more])) + '<br align="left"/>'

    def _legend_mark(self, place: int) -> str:
        label = look.shortened(look.printable(self.form.classes[place]), 30)
        return f'<font color="{self._ink(place)}">&#9632;</font> {_text(label)}'


TYPE = {"fontname": FONT, "fontsize": "11", "fontcolor": INK}
GRAPH = TYPE | {
    "ranksep": "0.45",
    "nodesep": "0.22",
    "bgcolor": "white",
    "outputorder": "edgesfirst",
}
NODE = TYPE | {"shape": "box", "style": "filled", "fillcolor": "white", "margin": "0.09,0.05"}
EDGE = TYPE | {"fontsize": "10", "arrowhead": "none"}


def _table(rows: list[str]) -> str:
    lines = "".join(f'<tr><td align="center">{row}</td></tr>' for row in rows)
    return f'<<table border="0" cellborder="0" cellpadding="0" cellspacing="1">{lines}</table>>'


def _text(text: str) -> str:
    # An empty text is no label in the eyes of Graphviz.
    return escape(text) or " "


def _bold(text: str) -> str:
    return f"<b>{_text(look.shortened(text, 30))}</b>"


def _small(text: str) -> str:
    return f'<font point-size="9">{_text(text)}</font>'


def _whole_widths(shares: tuple[float, ...], total: int) -> list[int]:
    """Return whole widths of about the shares that sum to the total."""
    ends, above = [], 0.0
    for share in shares:
        above += share
        ends.append(round(above * total))
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]
