"""kononenko1995: what measures make of attributes that differ in their number of values only."""

from treelab.experiment.inquiry import Ask
from treelab.papers.kononenko1995.questions import ask_measures
from treelab.papers.kononenko1995.telling import tell

__all__ = ["QUESTIONS", "tell"]

QUESTIONS: dict[str, Ask] = {"measures": ask_measures}
