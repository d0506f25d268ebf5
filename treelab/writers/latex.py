"""LaTeX: the tree as a `forest` (TikZ), a document of its own that compiles by itself."""

from treelab.writers import look
from treelab.writers.export_tree import ExportNode, ExportTree

HEAD = r"""% A decision tree, written by treelab; lualatex and xelatex read names that are no ASCII.
\documentclass[border=4pt]{standalone}
\usepackage{iftex}
\iftutex\usepackage{fontspec}\else\usepackage[T1]{fontenc}\fi
\usepackage{forest}
\begin{document}
\begin{forest}
  for tree={draw, rounded corners=1pt, align=center, font=\sffamily\small, inner sep=4pt,
    l sep=14mm, s sep=4mm, edge={draw=black!50}},
  word/.style={edge label={node[midway, fill=white, inner sep=1pt, font=\sffamily\scriptsize]{#1}}},
  leaf/.style={rounded corners=6pt, fill=black!6},
  closed/.style={dashed}
"""
TAIL = "\\end{forest}\n\\end{document}\n"

SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    # forest and TikZ read these.
    **{character: f"{{{character}}}" for character in "[],=;:"},
}


def write(form: ExportTree, max_depth: int | None = None, max_nodes: int = 80) -> str:
    """Return the source; subtrees beyond the limits are collapsed."""
    look.check_extent(max_depth, max_nodes)
    opened = look.opened(form, max_depth, max_nodes)
    sizes = look.sizes_below(form)
    lines = []
    waiting: list[tuple[int, int, str] | str] = [(0, 1, "")]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            lines.append(item)
            continue
        number, depth, word = item
        node = form.nodes[number]
        is_open = number in opened
        below = 0 if is_open or node.test is None else sizes[number][0] - 1
        lines.append(f"{'  ' * depth}[{{{_words(form, node, below)}}}{_style(node, below, word)}")
        waiting.append(f"{'  ' * depth}]")
        edges = [_escaped(look.shortened(look.edge_words(node, b))) for b in range(len(node.words))]
        if is_open:
            children = zip(node.children, edges, strict=True)
            waiting += reversed([(child, depth + 1, edge) for child, edge in children])
    return "\n".join([HEAD.rstrip("\n"), *lines, TAIL])


def _words(form: ExportTree, node: ExportNode, below: int) -> str:
    label = _escaped(look.shortened(look.printable(form.classes[node.best])))
    lines = [f"\\textbf{{{label}}}"]
    if node.test is not None:
        feature = _escaped(look.shortened(look.printable(node.test.feature)))
        lines = [f"\\textbf{{{feature}}}", label]
    lines.append(f"\\scriptsize {_escaped(look.cases_in_words(node))}")
    if below:
        lines.append(f"\\scriptsize {below} nodes below")
    return r" \\ ".join(lines)


def _style(node: ExportNode, below: int, word: str) -> str:
    kinds = [f"word={{{word}}}"] if word else []
    kinds += ["leaf"] if node.test is None else []
    kinds += ["closed"] if below else []
    return "".join(f", {kind}" for kind in kinds)


def _escaped(text: str) -> str:
    return "".join(SPECIAL.get(character, character) for character in text)
