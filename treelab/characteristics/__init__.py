"""Characteristics of data: what they are like, in numbers (vilalta2001 section 7)."""

from treelab.characteristics.describe import FORMULAS, Meta, meta

__all__ = ["FORMULAS", "Meta", "meta"]
