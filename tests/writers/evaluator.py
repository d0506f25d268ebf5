"""A small PMML evaluator, written from the standard and knowing nothing of treelab.

https://dmg.org/pmml/v4-4-1/TreeModel.html: predicates are true, false or unknown (None); a
CompoundPredicate follows Kleene's logic; missingValueStrategy `weightedConfidence` scores
every child that is not excluded and weighs them by their record counts, `defaultChild` goes on
with the child of that id; noTrueChildStrategy
`returnLastPrediction` ends at the node.
"""

import operator
import re
import xml.etree.ElementTree as ET

SIGNS = {
    "equal": operator.eq, "notEqual": operator.ne, "lessThan": operator.lt,
    "lessOrEqual": operator.le, "greaterThan": operator.gt, "greaterOrEqual": operator.ge,
}  # fmt: skip
PREDICATES = ("True", "False", "SimplePredicate", "SimpleSetPredicate", "CompoundPredicate")


class Model:
    def __init__(self, text):
        root = ET.fromstring(text)
        for element in root.iter():
            element.tag = element.tag.removeprefix("{http://www.dmg.org/PMML-4_4}")
        self.model = root.find("TreeModel")
        self.kinds = {f.get("name"): f.get("dataType") for f in root.iter("DataField")}
        assert self.model.get("noTrueChildStrategy") == "returnLastPrediction"

    def probabilities(self, case):
        return self._below(self.model.find("Node"), case)

    def _below(self, node, case):
        children = [(child, self._chooses(child, case)) for child in node.findall("Node")]
        for child, holds in children:
            if holds:
                return self._below(child, case)
            if holds is None and self.model.get("missingValueStrategy") == "defaultChild":
                return self._below(self._default(node), case)
            if holds is None and self.model.get("missingValueStrategy") == "weightedConfidence":
                return self._weighted([one for one, may in children if may is not False], case)
        scores = node.findall("ScoreDistribution")
        return {s.get("value"): float(s.get("probability")) for s in scores}

    def _default(self, node):
        return next(n for n in node.findall("Node") if n.get("id") == node.get("defaultChild"))

    def _chooses(self, node, case):
        return self._holds(next(part for part in node if part.tag in PREDICATES), case)

    def _weighted(self, children, case):
        weights = [float(child.get("recordCount")) for child in children]
        total = {}
        for child, weight in zip(children, weights, strict=True):
            for label, share in self._below(child, case).items():
                total[label] = total.get(label, 0.0) + share * weight / sum(weights)
        return total

    def _holds(self, predicate, case):
        if predicate.tag in ("True", "False"):
            return predicate.tag == "True"
        if predicate.tag == "CompoundPredicate":
            return self._compound(predicate, case)
        value = case[predicate.get("field")]
        sign = predicate.get("operator")
        if sign in ("isMissing", "isNotMissing"):
            return (value is None) == (sign == "isMissing")
        if value is None:
            return None
        if predicate.tag == "SimpleSetPredicate":
            return (value in array(predicate.find("Array"))) == (
                predicate.get("booleanOperator") == "isIn"
            )
        limit = predicate.get("value")
        if self.kinds[predicate.get("field")] == "double":
            limit = float(limit)
        return SIGNS[sign](value, limit)

    def _compound(self, predicate, case):
        parts = [self._holds(part, case) for part in predicate]
        decisive = predicate.get("booleanOperator") == "or"
        if decisive in parts:
            return decisive
        return None if None in parts else not decisive


def array(element):
    r"""Read words in quotation marks, in which \" is a mark and \\ a backslash."""
    words = re.findall(r'"((?:[^"\\]|\\.)*)"', element.text, re.S)
    assert len(words) == int(element.get("n"))
    return [re.sub(r"\\(.)", r"\1", word, flags=re.S) for word in words]
