"""For teachers: how trees grow and shrink, and how methods work, step by step."""

from treelab.teaching.steps import Steps, steps

__all__ = ["Steps", "steps"]
