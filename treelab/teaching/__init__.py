"""For teachers: how trees grow and shrink, and how methods work, step by step."""

from treelab.teaching.regions import Regions, regions
from treelab.teaching.steps import Steps, steps
from treelab.teaching.walk import Walk, walk_names, walk_through

__all__ = ["Regions", "Steps", "Walk", "regions", "steps", "walk_names", "walk_through"]
