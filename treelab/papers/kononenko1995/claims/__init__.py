"""Every statement of the paper about its figures, and the rule that judges it (SPEC 8.2)."""

from treelab.experiment.report.article import Statement
from treelab.papers.kononenko1995.answers import Found
from treelab.papers.kononenko1995.claims.compression import beside, compression
from treelab.papers.kononenko1995.claims.conclusions import conclusions
from treelab.papers.kononenko1995.claims.linear import linear
from treelab.papers.kononenko1995.claims.normalized import normalized
from treelab.papers.kononenko1995.claims.scenarios import scenarios
from treelab.papers.kononenko1995.claims.tests import tests

SECTIONS = (scenarios, linear, normalized, compression, tests, conclusions)


def statements(found: Found) -> list[Statement]:
    """Return a verdict on every statement that the answers allow to judge."""
    return [statement for section in SECTIONS for statement in section.statements(found)]


def beside_the_paper(found: Found) -> list[Statement]:
    """Return the verdicts on what the paper does not say; they do not count among its own."""
    return list(beside.statements(found))
