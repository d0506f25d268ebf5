"""How trees grow and shrink, step by step."""

import itertools
import json
import re

import numpy as np
import pytest
from teaching.mixed import mixed
from typer.testing import CliRunner

import treelab as tl
from treelab.cli import app
from treelab.errors import DataError, ParameterError, TreelabError
from treelab.teaching.growth import n_tests

IRIS = tl.load("iris")


@pytest.fixture(scope="module")
def of_iris():
    return tl.steps(tl.Learner(metric="gini"), IRIS, held_out=0.3)


def test_each_test_is_the_best_of_its_candidates(of_iris):
    assert len(of_iris.growth) == n_tests(of_iris.tree)
    for step in of_iris.growth:
        chosen = [each for each in step.candidates if each.chosen]

        assert len(chosen) == 1
        assert chosen[0].feature == of_iris.tree.nodes[step.node].feature
        # The tree keeps the score with which it was grown, by the same sums.
        assert chosen[0].score == pytest.approx(of_iris.tree.scores[step.node], rel=1e-9)
        assert max(each.score for each in step.candidates) == chosen[0].score


def test_candidates_are_those_of_why():
    found = tl.steps(tl.Learner(metric="gini"), IRIS)
    step = found.growth[1]
    said = tl.why(found.tree, step.path, ["gini"], candidates="all")
    scores = {option.split: option.verdicts[0].score for option in said.options}

    assert step.n_candidates == said.n_candidates
    assert all(each.score == scores[each.split] for each in step.candidates)


def test_tests_come_level_by_level_and_a_few_candidates_of_each_feature():
    found = tl.steps(tl.grow(mixed(), "gain", pruner="none"), mixed(), most=4, per_feature=2)
    depths = [len(step.path) for step in found.growth]

    assert len(found.growth) == 4
    assert depths == sorted(depths)
    for step in found.growth:
        names = [each.feature for each in step.candidates if not each.chosen]

        assert max(map(names.count, names), default=0) <= 2
    assert found.heading.startswith(f"the first 4 of {n_tests(found.tree)} tests by gain")


def test_pruning_starts_with_the_whole_tree_and_ends_with_its_root(of_iris):
    steps = of_iris.pruning

    assert steps[0].leaves == of_iris.tree.n_leaves
    assert steps[-1].leaves == 1
    assert [each.leaves for each in steps] == sorted({each.leaves for each in steps}, reverse=True)
    assert all(a.training <= b.training for a, b in itertools.pairwise(steps))
    assert all(each.pessimistic > each.training for each in steps)


def test_errors_are_those_of_the_pruned_trees():
    data = mixed()
    train, new = data.take(np.arange(0, 60, 2)), data.take(np.arange(1, 60, 2))
    tree = tl.grow(train, "gini", pruner="none", probabilities="shares", missing="majority")
    for step in tl.steps(tree, train, held_out=new).pruning[1:]:
        pruned = tl.prune(tree, tl.pruner("cost-complexity", alpha=step.alpha))

        assert step.leaves == pruned.n_leaves
        # Sums of the same whole weights, in another order.
        assert step.training == pytest.approx(1 - tl.assess(pruned, train).accuracy, abs=1e-12)
        assert step.held_out == pytest.approx(1 - tl.assess(pruned, new).accuracy, abs=1e-12)


def test_a_learner_says_what_its_pruner_keeps(of_iris):
    assert of_iris.kept < of_iris.tree.n_leaves
    assert f"its pruner keeps {of_iris.kept}" in of_iris.heading
    assert repr(of_iris) == f"<Steps: {of_iris.heading}>"


def test_steps_do_not_depend_on_the_order_of_the_cases():
    data = mixed()
    other = data.take(np.random.default_rng(1).permutation(len(data)))
    found, again = (tl.steps(tl.Learner(), each, held_out=0.25).to_dict() for each in (data, other))

    assert found == again


def test_no_name_becomes_markup(tmp_path):
    bad = "</script><img src=x onerror=alert(1)>"
    data = mixed(hostile=bad)
    for found in (tl.steps(tl.Learner(), data), tl.steps_of("relief", data)):
        found.save(tmp_path / "page.html")
        page = (tmp_path / "page.html").read_text(encoding="utf-8")
        inside = re.search(r'<script id="data" type="\S+">(.*?)</script>', page, re.S)[1]

        assert "<" not in inside
        assert "<img" not in page
        assert page.count("<script") == page.count("</script>") == 2
        assert 'sandbox="allow-scripts"' in found._repr_html_()


def test_the_page_asks_for_nothing_outside(of_iris, tmp_path):
    of_iris.save(tmp_path / "steps.html")
    page = (tmp_path / "steps.html").read_text(encoding="utf-8")
    page = page.replace("http://www.w3.org/2000/svg", "").replace("-src ", "")

    assert not re.search(r"https?:|@import|url\(|src=", page)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: tl.steps("gini", IRIS), ParameterError, "expected a Tree or a Learner, got str"),
        (lambda: tl.steps(tl.Learner()), ParameterError, "a learner needs data"),
        (lambda: tl.steps(tl.Learner(), IRIS, held_out=0.9), ParameterError, "at most 0.5"),
        (lambda: tl.steps(tl.grow(IRIS), IRIS, held_out=0.2), ParameterError, "pass the Learner"),
        (lambda: tl.steps(tl.grow(IRIS), IRIS, most=0), ParameterError, "most"),
        (lambda: tl.steps(tl.grow(IRIS), tl.load("zoo")), TreelabError, "sepal length"),
        (lambda: tl.steps(tl.grow(IRIS), IRIS).save("x.txt"), ParameterError, "ends in .html"),
        (
            lambda: tl.steps(tl.grow(IRIS, tl.from_counts(lambda t: t[..., 0, 0])), IRIS),
            ParameterError,
            "metric is not known here",
        ),
        (
            lambda: tl.steps(tl.Learner(), IRIS, held_out=IRIS.take([]).select(IRIS.features)),
            DataError,
            "held-out",
        ),
    ],
)
def test_wrong_calls_are_one_sentence(call, error, words):
    with pytest.raises(error, match=words):
        call()


def called(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_the_command(tmp_path):
    page = tmp_path / "steps.html"
    done = called("steps", "iris", "--metric", "gini", "--held-out", 0.3, "-o", page)

    assert done.exit_code == 0
    assert "petal length <= 2.45" in done.stdout
    assert done.stdout.endswith(f"saved to {page}\n")
    assert page.stat().st_size > 10_000
    told = json.loads(called("steps", "lenses", "--json").stdout)
    assert told["pruning"][-1]["leaves"] == 1


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("-o", "x.svg"), "a page ends in .html"),
        (("--feature", "petal width"), "--feature goes with --method"),
        (("--method", "relief", "--metric", "gini"), "--metric is for trees"),
        (("--method", "chimerg", "--feature", "petal width"), "chimerge"),
        (("--method", "chimerge"), "name the numeric feature"),
    ],
)
def test_wrong_commands(words, problem):
    failed = called("steps", "iris", *words)

    assert failed.exit_code == 2
    assert problem in failed.output
