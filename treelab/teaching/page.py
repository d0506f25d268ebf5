"""Pages with a slider that need nothing else: no network, no library."""

from typing import TYPE_CHECKING, Any

from treelab.page import page, script, style
from treelab.plots.style import colour, colours
from treelab.writers import look
from treelab.writers.export_tree import ExportNode, export_tree_of

if TYPE_CHECKING:
    from treelab.teaching.method_steps import MethodSteps
    from treelab.teaching.steps import Steps


def steps_page(found: "Steps") -> str:
    """Return the page on which a tree grows and shrinks."""
    target = look.printable(found.tree.schema.target.name) or "class"
    return _page(f"How a tree for {target} grows", "steps", _steps_data(found))


def method_page(found: "MethodSteps") -> str:
    """Return the page on which a method goes on step by step."""
    data = {
        "heading": found.heading,
        "classes": found.classes,
        "colours": colours(len(found.classes)),
        "frames": [frame.to_dict() for frame in found.frames],
    }
    return _page(found.title, "frames", data)


def _page(title: str, name: str, data: dict[str, Any]) -> str:
    return page(title, "steps.html", style("steps"), script(name), data)


def _steps_data(found: "Steps") -> dict[str, Any]:
    form = export_tree_of(found.tree)
    step_of = {step.node: k for k, step in enumerate(found.growth, 1)}
    return {
        "heading": found.heading,
        "metric": found.metric,
        "classes": form.classes,
        "colours": colours(len(form.classes)),
        "lines": {"training": colour(0), "pessimistic": colour(1), "held_out": colour(5)},
        "nodes": [
            _node(node, step_of.get(number), gone)
            for number, (node, gone) in enumerate(zip(form.nodes, found.gone, strict=True))
        ],
        **{name: found.to_dict()[name] for name in ("growth", "pruning", "kept")},
    }


def _node(node: ExportNode, step: int | None, gone: int) -> dict[str, Any]:
    facts: dict[str, Any] = {"counts": node.counts, "best": node.best}
    if node.test is None:
        return facts
    return facts | {
        "feature": node.test.feature,
        "children": node.children,
        "edges": [look.edge_words(node, branch) for branch in range(len(node.children))],
        "step": step,
        "gone": gone,
    }
