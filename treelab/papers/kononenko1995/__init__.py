"""kononenko1995: what measures make of attributes that differ in their number of values only."""

from treelab.experiment.simulation import Ask
from treelab.papers.kononenko1995.article import statements, to_article
from treelab.papers.kononenko1995.questions import ask_bias, ask_measures

__all__ = ["QUESTIONS", "statements", "to_article"]

QUESTIONS: dict[str, Ask] = {"measures": ask_measures, "bias": ask_bias}
