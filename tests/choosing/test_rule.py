"""The rule: what is near decides, and where nothing is near the best on average."""

import json

import pytest

from treelab.choosing import Domain, Rule
from treelab.choosing.shipped import document_of, rule_of
from treelab.errors import DataError


def domain(name, x, a, b, family=None):
    return Domain(name, family or name, {"cases": 100.0, "x": x}, {"a": a, "b": b})


LIKES_A = [domain(f"low {k}", 0.0 + k / 100, 90, 80) for k in range(3)]
LIKES_B = [domain(f"high {k}", 1.0 + k / 100, 80, 90) for k in range(3)]
RULE = Rule((*LIKES_A, *LIKES_B))


def test_the_metric_that_was_best_nearby_is_taken():
    low, high = (RULE.expected({"cases": 100.0, "x": x}) for x in (0.0, 1.0))

    assert (low.best, high.best) == ("a", "b")
    assert all(name.startswith("low") for name in low.neighbours)
    assert low.leads["a"] == -low.leads["b"]
    assert 0 < low.leads["a"] < 5  # drawn towards the mean of all, 0


def test_far_from_everything_the_plain_mean_decides():
    rule = Rule((*LIKES_A, *LIKES_B, domain("more", 0.5, 95, 80)))

    found = rule.expected({"cases": 100.0, "x": 50.0})
    assert found.best == "a"
    assert found.leads["a"] == pytest.approx((3 * 5 - 3 * 5 + 7.5) / 7)


def test_a_family_counts_as_one():
    alike = [domain(f"copy {k}", 0.5, 80, 90, "copies") for k in range(9)]
    rule = Rule((*alike, domain("one", 0.5, 90, 80), domain("two", 0.5, 90, 80)))

    assert rule.expected({"cases": 100.0, "x": 0.5}).best == "a"


def test_without_a_family_it_knows_nothing_of_it():
    rule = RULE.without("low 0")

    assert [each.name for each in rule.domains] == ["low 1", "low 2", "high 0", "high 1", "high 2"]


def test_only_some_metrics_may_be_asked_for():
    assert RULE.expected({"cases": 100.0, "x": 0.0}, ["b"]).best == "b"


def test_a_rule_of_nothing_is_refused():
    with pytest.raises(DataError, match="at least one data set"):
        Rule(())


def test_one_domain_is_enough():
    assert Rule((LIKES_B[0],)).expected({"cases": 5.0, "x": 3.0}).best == "b"


def test_a_rule_goes_through_its_document():
    document = json.loads(json.dumps(document_of(RULE, {"some": ["a"]})))

    assert document["portfolios"] == {"some": ["a"]}
    assert document_of(rule_of(document), {"some": ["a"]}) == document
