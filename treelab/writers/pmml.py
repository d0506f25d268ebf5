"""PMML 4.4: a TreeModel, with the class weights of every node as ScoreDistributions.

Missing values: `weightedConfidence` where a case goes down every branch in parts; `defaultChild`
in an approximate export of such a tree, for readers such as JPMML that know no parts; else `none`,
and the branch that takes them says so by `isMissing`. A case that no branch takes ends at its node
(`returnLastPrediction`); labels unseen in training are taken as they are. Labels that have an order
are categories too; dates and times are numbers, whose unit is in the displayName of their field.
"""

import math
import xml.etree.ElementTree as ET
from itertools import pairwise

from treelab import __version__
from treelab.data.moments import Moments
from treelab.errors import ParameterError, TreelabError
from treelab.writers import look
from treelab.writers.export_tree import ExportNode, ExportTree, LabelTest, NumberTest

NAMESPACE = "http://www.dmg.org/PMML-4_4"


def write(form: ExportTree) -> str:
    """Return the document."""
    for name in form.names:
        if look.without_hidden(name) != name:
            raise TreelabError(f"XML has no way to write a character of {name!r}")
    if form.costs and form.spreads:
        raise ParameterError(
            "pmml gives a case with a missing value the most probable class, not the cheapest one, "
            "as this tree with costs does: export it with --approximate (approximate=True), or "
            "grow it with missing='majority' or 'branch'"
        )
    root = ET.Element("PMML", version="4.4", xmlns=NAMESPACE)
    header = ET.SubElement(root, "Header", description="a decision tree")
    ET.SubElement(header, "Application", name="treelab", version=__version__)
    _dictionary(root, form)
    _model(root, form)
    ET.indent(root, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, "unicode")}\n'


def _dictionary(root: ET.Element, form: ExportTree) -> None:
    count = str(len(form.features) + 1)
    dictionary = ET.SubElement(root, "DataDictionary", numberOfFields=count)
    for column in form.features:
        # Without a list of values every label is valid, those unseen in training too.
        labels = () if column.has_labels else None
        field = _field(dictionary, column.name, labels)
        if isinstance(column.scale, Moments):
            field.set("displayName", f"{column.name} ({column.scale.unit})")
    _field(dictionary, _target(form), form.classes)


def _field(parent: ET.Element, name: str, labels: tuple[str, ...] | None) -> ET.Element:
    kinds = ("continuous", "double") if labels is None else ("categorical", "string")
    field = ET.SubElement(parent, "DataField", name=name, optype=kinds[0], dataType=kinds[1])
    for label in labels or ():
        ET.SubElement(field, "Value", value=label)
    return field


def _target(form: ExportTree) -> str:
    return form.target or "class"


def _model(root: ET.Element, form: ExportTree) -> None:
    model = ET.SubElement(
        root,
        "TreeModel",
        modelName="treelab",
        functionName="classification",
        splitCharacteristic="multiSplit",
        missingValueStrategy=_strategy(form),
        noTrueChildStrategy="returnLastPrediction",
    )
    schema = ET.SubElement(model, "MiningSchema")
    for column in form.features:
        ET.SubElement(schema, "MiningField", name=column.name, invalidValueTreatment="asIs")
    ET.SubElement(schema, "MiningField", name=_target(form), usageType="target")
    _outputs(model, form)
    _nodes(model, form)


def _strategy(form: ExportTree) -> str:
    if form.follows_majority:
        return "defaultChild"
    return "weightedConfidence" if form.spreads else "none"


def _outputs(model: ET.Element, form: ExportTree) -> None:
    output = ET.SubElement(model, "Output")
    for label in form.classes:
        ET.SubElement(
            output,
            "OutputField",
            name=f"probability({label})",
            optype="continuous",
            dataType="double",
            feature="probability",
            value=label,
        )


def _nodes(model: ET.Element, form: ExportTree) -> None:
    waiting: list[tuple[ET.Element, int, ExportNode | None, int]] = [(model, 0, None, 0)]
    while waiting:
        parent, number, above, branch = waiting.pop()
        node = form.nodes[number]
        label = form.classes[node.best]
        made = ET.SubElement(
            parent, "Node", id=str(number), score=label, recordCount=repr(node.weight)
        )
        if form.follows_majority and node.test is not None:
            made.set("defaultChild", str(node.children[node.missing]))
        _predicate(made, above, branch, says_missing=not form.follows_majority)
        for name, count, share in zip(form.classes, node.counts, node.probabilities, strict=True):
            ET.SubElement(
                made,
                "ScoreDistribution",
                value=name,
                recordCount=repr(count),
                probability=repr(share),
            )
        # The branch of missing values comes first: the others cannot tell whether they hold.
        order = sorted(range(len(node.children)), key=lambda b: (b != node.missing, b))
        waiting += [(made, node.children[b], node, b) for b in reversed(order)]


def _predicate(
    parent: ET.Element, above: ExportNode | None, branch: int, says_missing: bool
) -> None:
    if above is None or above.test is None:
        ET.SubElement(parent, "True")
        return
    choices = _choices(above.test, branch)
    if branch == above.missing and says_missing:
        missing = ET.Element("SimplePredicate", field=above.test.feature, operator="isMissing")
        choices.append(missing)
    parent.append(_joined("or", choices))


def _choices(test: NumberTest | LabelTest, branch: int) -> list[ET.Element]:
    if isinstance(test, LabelTest):
        return _label_predicates(test.feature, test.labels(branch))
    steps = zip(pairwise((-math.inf, *test.limits, math.inf)), test.branches, strict=True)
    return [_step_predicate(test, low, high) for (low, high), to in steps if to == branch]


def _label_predicates(feature: str, labels: tuple[str, ...]) -> list[ET.Element]:
    # The text of an element, unlike an attribute, loses its carriage returns.
    if len(labels) < 2 or any("\r" in label for label in labels):
        equal = {"field": feature, "operator": "equal"}
        return [ET.Element("SimplePredicate", equal, value=label) for label in labels]
    predicate = ET.Element("SimpleSetPredicate", field=feature, booleanOperator="isIn")
    values = ET.SubElement(predicate, "Array", type="string", n=str(len(labels)))
    values.text = " ".join(f'"{_escaped(label)}"' for label in labels)
    return [predicate]


def _step_predicate(test: NumberTest, low: float, high: float) -> ET.Element:
    above, below = (">", "<=") if test.closed else (">=", "<")
    parts = []
    if low > -math.inf:
        parts.append(_comparison(test.feature, above, low))
    if high < math.inf:
        parts.append(_comparison(test.feature, below, high))
    if not parts:
        return ET.Element("SimplePredicate", field=test.feature, operator="isNotMissing")
    return _joined("and", parts)


OPERATORS = {">": "greaterThan", ">=": "greaterOrEqual", "<=": "lessOrEqual", "<": "lessThan"}


def _comparison(feature: str, sign: str, limit: float) -> ET.Element:
    return ET.Element("SimplePredicate", field=feature, operator=OPERATORS[sign], value=repr(limit))


def _joined(how: str, predicates: list[ET.Element]) -> ET.Element:
    if not predicates:
        return ET.Element("False")
    if len(predicates) == 1:
        return predicates[0]
    compound = ET.Element("CompoundPredicate", booleanOperator=how)
    compound.extend(predicates)
    return compound


def _escaped(label: str) -> str:
    r"""Return a label for an array, in which \ and " are marked by a \."""
    return label.replace("\\", "\\\\").replace('"', '\\"')
