"""What the study `pi-question` found, as data: portfolios, and the rule.

`rule.json` is written by `experiments/pi-question/rule.py` from the study's answers.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from treelab.choosing.rule import Domain, Rule


@cache
def _document() -> dict[str, Any]:
    text = files("treelab.choosing").joinpath("rule.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


@cache
def portfolios() -> dict[str, tuple[str, ...]]:
    """Return metrics to choose among, by what they are called together."""
    return {name: tuple(metrics) for name, metrics in _document()["portfolios"].items()}


@cache
def shipped_rule() -> Rule:
    """Return the rule learned from the bundled data sets and the generators."""
    return rule_of(_document())


def rule_of(document: dict[str, Any]) -> Rule:
    """Return the rule of a document: names once, numbers a data set."""
    metrics, names = document["metrics"], document["characteristics"]
    return Rule(
        tuple(
            Domain(
                each["name"], each["family"], dict(zip(names, each["meta"], strict=True)),
                dict(zip(metrics, each["accuracy"], strict=True)),
            )
            for each in document["domains"]
        )
    )  # fmt: skip


def document_of(rule: Rule, portfolios: dict[str, list[str]]) -> dict[str, Any]:
    """Return a rule as such a document."""
    return {
        "portfolios": portfolios,
        "metrics": list(rule.metrics),
        "characteristics": list(rule.domains[0].meta),
        "domains": [
            {
                "name": each.name, "family": each.family,
                "meta": [float(f"{value:.5g}") for value in each.meta.values()],
                "accuracy": [round(value, 2) for value in each.accuracy.values()],
            }
            for each in rule.domains
        ],
    }  # fmt: skip
