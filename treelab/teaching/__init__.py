"""For teachers: how trees grow and shrink, and how methods work, step by step."""

from treelab.teaching.method_steps import METHODS, MethodSteps, steps_of
from treelab.teaching.steps import Steps, steps

__all__ = ["METHODS", "MethodSteps", "Steps", "steps", "steps_of"]
