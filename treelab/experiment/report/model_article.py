"""What there is to say about one tree: how good it is, what it tests, what it was made of."""

from collections.abc import Callable
from math import isnan
from typing import TYPE_CHECKING

from treelab import __version__
from treelab._text import count, percent
from treelab.checking import check
from treelab.data.dataset import Dataset
from treelab.evaluate import Assessment
from treelab.experiment.report.article import Article, Drawing, Section
from treelab.experiment.report.tables import NONE, Cell, Table
from treelab.explain import importances
from treelab.tree.model import Tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_TESTS = 300
"""Chance is asked about so many tests at most: each is dealt out anew several times."""

DRAWN = 40
"""So many nodes of the tree are drawn; the lightest subtrees are collapsed."""

TREE = "tree"
"""The name of the drawing that Graphviz makes."""

MANY = 40
"""So many columns or classes are rows of a table."""


def model_article(
    tree: Tree, data: Dataset, found: Assessment, on: str, call: str, given: str
) -> Article:
    """Return the article of a tree, measured `on` some cases and made of data `given` by a call."""
    target = tree.schema.target.name
    leaves = count(tree.n_leaves, "leaf", "leaves")
    title = f"Decision tree for {target}"
    summary = f"{leaves}, depth {tree.depth}, grown from {count(len(data), 'case')} of {data.name}."
    sections = (
        _quality(found, on),
        _drawn_tree(tree),
        _curves(found),
        _importances(tree, data),
        _data(data),
        _making(tree, call, given),
    )
    return Article(title, summary, "", tuple(each for each in sections if not each.is_empty))


def _quality(found: Assessment, on: str) -> Section:
    drawing = _drawing("confusion", "Cases by actual and predicted class.", "confusion", found)
    tables = _overall(found), _by_class(found)
    return Section("How good it is", (_verdict(found), f"Measured {on}."), tables, (drawing,))


def _verdict(found: Assessment) -> str:
    """Say how good the tree is beside always predicting the most frequent class."""
    points = 100 * (found.accuracy - found.baseline)
    than = f"{abs(points):.1f} points {'more' if points >= 0 else 'fewer'} than"
    return f"Right in {percent(found.accuracy)} of cases, {than} always saying {found.majority}."


def _overall(found: Assessment) -> Table:
    measures = {
        "log loss": found.log_loss, "Brier score": found.brier, "mean cost": found.mean_cost
    }  # fmt: skip
    facts = [
        ("accuracy", percent(found.accuracy)),
        ("majority baseline", f"{percent(found.baseline)} (always {found.majority})"),
        ("balanced accuracy", percent(found.balanced_accuracy, NONE)),
        *((name, f"{value:.4g}") for name, value in measures.items() if value is not None),
    ]
    rows = tuple((Cell(name), Cell(value)) for name, value in facts)
    return Table(f"All {found.confusion.sum():,.6g} cases.", ("measure", "value"), rows)


def _by_class(found: Assessment) -> Table:
    order = sorted(range(len(found.classes)), key=lambda k: -found.cases[k])[:MANY]
    rows = tuple(
        (
            Cell(found.classes[k]),
            Cell(f"{found.cases[k]:,.6g}"),
            Cell(percent(found.recall[k], NONE)),
            Cell(percent(found.precision[k], NONE)),
            Cell(NONE if found.probabilities is None else _figure(found.auc(k))),
        )
        for k in order
    )
    caption = "Recall, precision and area under the ROC curve of each class against the others."
    return Table(caption, ("class", "cases", "recall", "precision", "area"), rows)


def _drawn_tree(tree: Tree) -> Section:
    caption = "Tests and classes, their cases, and the shares of the classes among them"
    caption += "; subtrees of few cases are left out." if tree.n_nodes > DRAWN else "."
    return Section("The tree", figures=(Drawing(TREE, caption),))


def _curves(found: Assessment) -> Section:
    if found.probabilities is None or (found.cases > 0).sum() < 2:
        return Section("ROC, precision and calibration")
    of = found.classes[1] if len(found.classes) == 2 else "the predicted class"
    figures = (
        _drawing("roc", "ROC: the dashed line is chance.", "roc", found),
        _drawing(
            "precision-recall", "Precision and recall: dotted is the share of the class.",
            "precision_recall", found,
        ),
        _drawing(
            "calibration", f"Calibration: the probability said of {of}, and how often it came "
            "true; larger dots are more cases.", "calibration", found,
        ),
    )  # fmt: skip
    return Section("ROC, precision and calibration", figures=figures)


def _importances(tree: Tree, data: Dataset) -> Section:
    if tree.n_nodes == 1:
        return Section("Importances")
    figures = [_drawing("importances", "By gain.", "bars", importances(tree))]
    if tree.n_nodes - tree.n_leaves <= MOST_TESTS:
        beyond = importances(tree, data, "corrected")
        caption = "Beyond chance: what is left of it where the classes are dealt out at random."
        figures.append(_drawing("importances-corrected", caption, "bars", beyond))
    return Section("Importances", figures=tuple(figures))


def _data(data: Dataset) -> Section:
    found = check(data)
    shown = found.rows if len(found.rows) <= MANY else found.suspicious[:MANY]
    rows = tuple(
        (
            Cell(row.name),
            Cell("target" if row.role == "target" else row.kind),
            Cell(percent(row.missing_share)),
            Cell(f"{row.distinct:,}"),
            Cell(row.values),
            Cell("; ".join(finding.text for finding in row.findings)),
        )
        for row in shown
    )
    caption = f"{count(found.cases, 'case')}, {count(len(found.rows), 'column')}."
    heads = ("column", "kind", "missing", "distinct", "values", "suspicious")
    return Section("The data", tables=(Table(caption, heads, rows, is_prose=True),))


def _making(tree: Tree, call: str, given: str) -> Section:
    facts = [
        ("Command", call),
        ("Data", given),
        ("treelab", __version__),
        *((name, str(value)) for name, value in tree.settings.items()),
    ]
    text = (
        "The same call makes the same tree of the same data, whatever the order of the rows; "
        "Learner.of_settings(tree.settings) is the learner of a model file."
    )
    return Section("Settings, and how to make it again", (text,), facts=tuple(facts))


def _drawing(name: str, caption: str, function: str, given: object) -> Drawing:
    """Return a drawing by a function of `model_figures`, which needs matplotlib only then."""

    def draw() -> "Figure":
        from treelab.experiment.report import model_figures

        make: Callable[[object], Figure] = getattr(model_figures, function)
        return make(given)

    return Drawing(name, caption, draw)


def _figure(value: float) -> str:
    return NONE if isnan(value) else f"{value:.3f}"
