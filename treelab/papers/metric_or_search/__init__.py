"""Does the metric still matter once the search is good?"""

from treelab.experiment.report.article import Article, Section
from treelab.experiment.simulation import Answers, Ask
from treelab.papers.metric_or_search.trees import optimal, searched

QUESTIONS: dict[str, Ask] = {"grid": searched, "optimal": optimal}


def to_article(answers: Answers) -> Article:
    """Return the report."""
    study = answers.study
    sections = (Section("Notes", notes=study.notes),)
    return Article(study.title, study.citation, answers.state, sections)
