"""Choosing among learners: races over paired folds, and a rule learned from other data."""

from treelab.choosing.race import Race, race
from treelab.choosing.rule import Domain, Rule

__all__ = ["Domain", "Race", "Rule", "race"]
