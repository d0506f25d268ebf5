"""How good a tree is, as `treelab train` prints it."""

from math import isnan
from typing import TYPE_CHECKING, Any

from treelab._text import count
from treelab.cli.output import percent, say, say_facts, say_table

if TYPE_CHECKING:
    from treelab.evaluate import Assessment
    from treelab.tree.model import Tree

FEW_CLASSES = 8
"""So many classes have a confusion matrix; of more, those that are missed most are listed."""

LISTED = 12
"""So many of many classes are listed."""

FEATURES = 8
"""So many features are named with their importances."""


def say_measures(tree: "Tree", found: "Assessment", on: str) -> None:
    """Print what a tree is worth on some cases, class by class."""
    say_facts(_facts(found))
    say(f"\nby class, {on}:")
    heads, rows = _by_class(found)
    say_table(heads, rows)
    hidden = len(found.classes) - len(rows)
    if hidden > 0:
        say(f"(the {len(rows)} classes missed most; {count(hidden, 'other')} not shown: --json)")
    named = importances_in_words(tree)
    if named:
        say(f"\nimportances by gain: {named}")


def importances_in_words(tree: "Tree", most: int = FEATURES) -> str:
    """Return the most important features with their shares."""
    from treelab.explain import importances

    pairs = [(name, value) for name, value in importances(tree).to_dict().items() if value > 0]
    words = [f"{name} {percent(value)}" for name, value in pairs[:most]]
    more = len(pairs) - most
    return ", ".join([*words, *([f"and {more} more"] if more > 0 else [])])


def measured(tree: "Tree", found: "Assessment", on: str) -> dict[str, Any]:
    """Return the same for programs."""
    from treelab.explain import importances

    return {
        "evaluation": {"on": on, "classes": list(found.classes), **found.to_dict()},
        "importances": importances(tree).to_dict(),
    }


def _facts(found: "Assessment") -> list[tuple[str, object]]:
    auc = found.auc(1) if len(found.classes) == 2 and found.probabilities is not None else None
    return [
        ("majority baseline", f"{percent(found.baseline)} (always {found.majority})"),
        ("balanced accuracy", percent(found.balanced_accuracy)),
        ("area under ROC", None if auc is None or isnan(auc) else f"{auc:.3f}"),
        ("mean cost", None if found.mean_cost is None else f"{found.mean_cost:.4g}"),
    ]


def _by_class(found: "Assessment") -> tuple[list[str], list[list[str]]]:
    n = len(found.classes)
    heads = ["class", "cases", "recall", "precision"]
    if n <= FEW_CLASSES:
        rows = [
            [*_row(found, k), *(_amount(cell) for cell in found.confusion[k])] for k in range(n)
        ]
        return [*heads, *(f"as {label}" for label in found.classes)], rows
    missed = found.cases - found.confusion.diagonal()
    worst = sorted(range(n), key=lambda k: -missed[k])[:LISTED]
    return [*heads, "mostly taken for"], [[*_row(found, k), _mistake(found, k)] for k in worst]


def _row(found: "Assessment", k: int) -> list[str]:
    return [
        found.classes[k], _amount(found.cases[k]), _share(found.recall[k]),
        _share(found.precision[k]),
    ]  # fmt: skip


def _mistake(found: "Assessment", k: int) -> str:
    """Return the class that the cases of a class are mostly mistaken for."""
    row = found.confusion[k].copy()
    row[k] = 0.0
    return f"{found.classes[int(row.argmax())]} ({_amount(row.max())})" if row.max() > 0 else ""


def _amount(weight: float) -> str:
    return f"{weight:,.6g}"


def _share(share: float) -> str:
    return "-" if isnan(share) else percent(share)
