"""Choosing among learners: races over paired folds, and a rule learned from other data."""

from treelab.choosing.auto import CHOOSERS, Auto
from treelab.choosing.race import Race, race
from treelab.choosing.rule import Domain, Rule
from treelab.choosing.shipped import document_of, portfolios, shipped_rule

__all__ = [
    "CHOOSERS",
    "Auto",
    "Domain",
    "Race",
    "Rule",
    "document_of",
    "portfolios",
    "race",
    "shipped_rule",
]
