"""Which Pi, and can the data choose it? vilalta2001's open questions, on many data sets."""

from treelab.experiment.report.article import Article, Section
from treelab.experiment.simulation import Answers, Ask
from treelab.papers.pi_question.halving import finals
from treelab.papers.pi_question.questions import described, judged, nested, screened

QUESTIONS: dict[str, Ask] = {
    "screen": screened,
    "peers": judged,
    "meta": described,
    "finals": judged,
    "nested": nested,
}
FOLLOWING = finals


def to_article(answers: Answers) -> Article:
    """Return the report."""
    study = answers.study
    return Article(
        study.title, study.citation, answers.state, (Section("Notes", notes=study.notes),)
    )
