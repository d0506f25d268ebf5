"""metric-or-search: the protocol, the decomposition by naive computation, the rules of verdicts."""

import re
from itertools import permutations, product

import attrs
import numpy as np
import pytest
from made_up import answered, committed_answers, smaller, unanswered

import treelab as tl
from treelab.experiment.runner import run_simulation
from treelab.papers.catalog import paper_study
from treelab.papers.metric_or_search import QUESTIONS, to_article
from treelab.papers.metric_or_search.cells import Cells, cells
from treelab.papers.metric_or_search.drawings import deviations
from treelab.papers.metric_or_search.spread import beside_optimal, range_error, under_searches
from treelab.papers.metric_or_search.trees import capped
from treelab.papers.metric_or_search.variance import (
    SOURCES,
    permutation_p,
    sums_of_squares,
    variance_sources,
)
from treelab.papers.metric_or_search.verdicts import (
    answers_in_words,
    optimal_sentence,
    role,
    search_sentence,
    usual_sentences,
    variance_sentence,
    weight_sentence,
)

METRICS = tuple("abcdefghij")
SEARCHES = ("greedy", "beam", "look-ahead")
PLAIN_PYTHON = pytest.mark.compiled("searches take minutes in plain Python")


@pytest.fixture(scope="module")
def study():
    return paper_study("metric-or-search")


@pytest.fixture(scope="module")
def parts(study):
    return {part.name: part for part in study.parts}


def made(values, optimal=None, metrics=METRICS, measure="accuracy"):
    optimal = np.full(len(values), np.nan) if optimal is None else optimal
    data = tuple(f"set {i}" for i in range(len(values)))
    return Cells(measure, "free", data, metrics, SEARCHES, values, optimal)


def table(effects, noise=0.3, n_data=27, seed=0):
    """Return cells in which metrics differ by an effect that is scaled for each search."""
    rng = np.random.default_rng(seed)
    values = 80 + rng.normal(scale=8, size=(n_data, 1, 1))
    metric = np.linspace(-1, 1, len(METRICS))[None, :, None]
    drawn = rng.normal(scale=noise, size=(n_data, len(METRICS), len(SEARCHES)))
    return values + metric * np.array(effects) + drawn


# The protocol


def test_the_grid_is_ten_metrics_times_three_searches_on_all_bundled_sets(parts):
    over = parts["grid"].over
    large = {name for name in tl.dataset_names() if len(tl.load(name)) >= 50}

    assert len(set(over["metric"])) == 10
    assert tuple(over["search"]) == SEARCHES
    assert set(over["data"]) == large - {"lymphography2", "lymphography3"}
    assert parts["optimal"].over["data"] == over["data"]


def test_all_trees_of_a_depth_have_the_same_candidates_and_objective(parts):
    grid, optimal = (parts[name].settings for name in ("grid", "optimal"))

    assert all(grid[name] == optimal[name] for name in ("folds", "most", "price"))
    assert optimal["learner"] == grid["learner"] | {"pruner": "none"}
    for size, how in optimal["sizes"].items():
        pruner = f"cost-complexity:alpha={grid['price']}"
        assert grid["sizes"][size] == how | {"pruner": pruner}


# The questions


def asked(parts, part, **varied):
    return QUESTIONS[part]({**parts[part].settings, "folds": 3, **varied}, 0)


@PLAIN_PYTHON
def test_a_cell_is_the_mean_over_the_folds(parts):
    found = asked(parts, "grid", data="wine", size="depth 3", search="beam", metric="gini")
    learner = tl.Learner(
        metric="gini", search="beam", width=3, bins=20, missing="branch", max_depth=3,
        probabilities="shares", pruner="cost-complexity:alpha=0.01",
    )  # fmt: skip
    folds = tl.cross_validate(tl.load("wine"), learner, 3)

    assert found["accuracy"] == folds.accuracy
    assert found["log2 leaves"] == pytest.approx(np.log2(folds.of("leaves")).mean(), rel=1e-12)


WINE = {"data": "wine", "size": "depth 3"}


@pytest.fixture(scope="module")
def best(parts):
    # Compiled on first use, which must not count against the limit.
    return asked(parts, "optimal", **WINE, time_limit=300)


@PLAIN_PYTHON
@pytest.mark.parametrize("search", SEARCHES)
def test_no_search_finds_cheaper_trees_than_the_optimal_one(parts, best, search):
    """Of numeric features the candidates are the same for all, so the optimum bounds them."""
    other = asked(parts, "grid", **WINE, search=search, metric="accuracy")

    assert best["proven"] == 1
    assert best["training cost"] <= other["training cost"] + 1e-12  # rounding of a mean


def test_large_data_are_capped_with_their_class_shares():
    data = tl.load("voting")
    part = capped(data, 100, 0)

    assert len(part) == 100
    shares = np.bincount(data.y) / len(data)
    assert np.abs(np.bincount(part.y) - 100 * shares).max() < 1
    assert capped(data, len(data), 0) is data


# The statistics


def naive_squares(values):
    """Return the sums of squares of a three-way table, effect by effect."""
    D, M, S = values.shape
    g, d, m, s = values.mean(), values.mean((1, 2)), values.mean((0, 2)), values.mean((0, 1))
    dm, ds, ms = values.mean(2), values.mean(1), values.mean(0)
    squares = dict.fromkeys(SOURCES, 0.0)
    for i, j, k in product(range(D), range(M), range(S)):
        effects = {
            "data set": d[i] - g,
            "metric": m[j] - g,
            "search": s[k] - g,
            "data set x metric": dm[i, j] - d[i] - m[j] + g,
            "data set x search": ds[i, k] - d[i] - s[k] + g,
            "metric x search": ms[j, k] - m[j] - s[k] + g,
        }
        effects["residual"] = values[i, j, k] - g - sum(effects.values())
        for name, effect in effects.items():
            squares[name] += effect**2
    return squares


def test_sums_of_squares_are_those_of_the_effects():
    values = np.random.default_rng(0).normal(size=(5, 4, 3))
    found, naive = sums_of_squares(values), naive_squares(values)

    assert found.keys() == naive.keys()
    # 60 squares of order 1: rounding stays far below 1e-12 of them.
    assert all(found[name] == pytest.approx(naive[name], rel=1e-12) for name in SOURCES)
    assert sum(found.values()) == pytest.approx(((values - values.mean()) ** 2).sum(), rel=1e-12)


def test_shares_are_of_all_and_of_what_is_within_data_sets():
    sources = variance_sources(table([1, 1, 1], n_data=6))

    assert sum(source.share for source in sources) == pytest.approx(100)
    assert sum(source.within for source in sources[1:]) == pytest.approx(100)
    assert np.isnan(sources[0].within)


def test_a_table_without_variance_has_no_shares():
    assert {source.share for source in variance_sources(np.ones((3, 4, 3)))} == {0.0}


def test_the_permutation_test_agrees_with_all_permutations():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(3, 3, 2)) + np.array([0.0, 0.5, 1.0])[None, :, None]
    centred = values - values.mean(axis=1, keepdims=True)
    orders = list(permutations(range(3)))
    squares = [
        (np.mean([centred[i][list(o)] for i, o in enumerate(each)], axis=0) ** 2).sum()
        for each in product(orders, repeat=3)
    ]
    exact = np.mean(np.array(squares) >= squares[0] - 1e-12)

    draws = 4000
    error = np.sqrt(exact * (1 - exact) / draws)
    assert permutation_p(values, draws) == pytest.approx(exact, abs=4 * error + 1 / draws)


def test_equal_levels_have_a_p_value_of_one():
    assert permutation_p(np.ones((4, 3, 1)), 99) == 1


@pytest.mark.parametrize("name", ["metric", "search", "metric x search"])
def test_without_an_effect_the_tests_err_as_often_as_they_say(name, monkeypatch):
    monkeypatch.setattr(permutation_p, "__defaults__", (99,))  # draws
    rng = np.random.default_rng(0)
    found = []
    for _ in range(200):
        # The other factors do have effects: a test must not mistake them for its own.
        effects = {"metric": rng.normal(size=(1, 5, 1)), "search": rng.normal(size=(1, 1, 3))}
        effects.pop(name, None)
        values = rng.normal(size=(8, 5, 3)) + sum(effects.values())
        found.append({s.name: s.permutation for s in variance_sources(values)}[name])

    # 200 draws of a chance of 0.05, to four standard deviations.
    assert np.mean(np.array(found) <= 0.05) < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 200)


@pytest.mark.parametrize(
    ("effects", "name"), [([1, 1, 1], "metric"), ([1, 0.5, 0], "metric x search")]
)
def test_planted_effects_are_found(effects, name):
    found = {source.name: source.permutation for source in variance_sources(table(effects))}

    assert found[name] == 1 / 10_000


def test_the_range_has_the_standard_error_of_a_bootstrap():
    """Of two levels far apart the range is the mean difference, whose error has a formula."""
    rng = np.random.default_rng(0)
    values = np.column_stack([np.zeros(200), 10 + rng.normal(size=200)])

    expected = values[:, 1].std() / np.sqrt(200)
    # A deviation estimated from 2,000 draws has a relative error of 1 / sqrt(4000) = 1.6 %.
    assert range_error(values) == pytest.approx(expected, rel=4 * 0.016)


# The rules


@pytest.mark.parametrize(
    ("effects", "expected"),
    [
        ([1, 1, 1], "as much"),
        ([1, 0.7, 0.5], "less"),
        ([0.5, 0.7, 1], "more"),
        ([1, 0.5, 0], "no longer"),
        ([0, 0.5, 1], "only then"),
        ([0, 0, 0], "never"),
    ],
)
def test_the_role_of_the_metric_follows_its_effects(effects, expected):
    found = under_searches(made(table(effects)))

    assert role(found[0], found[-1]) == expected


def test_ranges_and_their_ends():
    first, *_, last = under_searches(made(table([1, 0, 0.5], noise=1e-6)))

    # The metrics' effects run from -1 to 1, times 1 and 0.5; the noise is a millionth.
    assert (first.lowest, first.highest) == ("a", "j")
    assert first.range == pytest.approx(2, abs=1e-5)
    assert last.range == pytest.approx(1, abs=1e-5)
    assert last.change == pytest.approx(-first.spread / 2, abs=1e-5)


def test_sentences_change_with_the_figures():
    steady, gone = made(table([1, 1, 1])), made(table([1, 0.5, 0]))

    assert answers_in_words([steady]) == (
        "For accuracy, the metric matters to look-ahead as it does to greedy search (free trees).",
    )
    both = answers_in_words([steady, attrs.evolve(gone, size="depth 4")])
    assert both == (
        "For accuracy, the metric matters to look-ahead as it does to greedy search (free trees); "
        "it matters to greedy search, but is not shown to matter to look-ahead (trees of depth 4).",
    )
    assert search_sentence(steady) != search_sentence(gone)
    assert "27 data sets" in search_sentence(steady)


def test_leaves_are_compared_as_factors():
    doubled = table([0.5, 0.5, 0.5], noise=1e-9)
    sentence = search_sentence(made(doubled, measure="log2 leaves"))

    assert "differ by up to 100 ± 0 % with greedy" in sentence


def test_the_larger_of_metric_and_search_is_named_first():
    values = table([1, 1, 1])
    by_search = values + np.array([0.0, 5.0, 10.0])

    def sentence(values):
        return variance_sentence(made(values), variance_sources(values))

    assert "the metric explains" in sentence(values)
    assert "the search explains" in sentence(by_search)


def test_which_weighs_more_is_computed():
    def weighed(*tables):
        return weight_sentence([(made(values), variance_sources(values)) for values in tables])

    metric = table([1, 1, 1])
    search = metric + np.array([0.0, 5.0, 10.0])
    assert ": the metric weighs more." in weighed(metric)
    assert ": the search weighs more." in weighed(search, search)
    assert "depends on the size of the trees" in weighed(metric, search)


def test_optimal_trees_are_set_beside_the_best_search():
    values = table([0, 0, 0]) + np.array([0.0, 1.0, 2.0])
    leaves = made(np.full(values.shape, 3.0), np.full(len(values), 2.0), measure="log2 leaves")
    ahead = made(values, values.mean(axis=(1, 2)) + 3)
    behind = made(values, values.mean(axis=(1, 2)) - 3)

    assert [each.search for each in beside_optimal(ahead)] == list(SEARCHES)
    assert "points more (P < 0.0001) than those of look-ahead" in optimal_sentence(ahead, leaves, 1)
    sentence = optimal_sentence(behind, leaves, 0.5)
    assert "(50 % of them proven)" in sentence
    assert "points less (P < 0.0001) than those of look-ahead" in sentence
    assert "and 4.0 leaves against 8.0" in sentence


def test_a_lead_that_may_be_chance_is_called_so():
    values = table([0, 0, 0])
    optimal = values.mean(axis=(1, 2)) + np.random.default_rng(5).normal(size=len(values))
    leaves = made(np.ones(values.shape), np.ones(len(values)), measure="log2 leaves")

    assert "so no difference is shown" in optimal_sentence(made(values, optimal), leaves, 1)


def test_an_answer_that_rests_on_the_unusual_metrics_is_called_so():
    metrics = ("accuracy", *METRICS[1:9], "relieff")
    values = table([0, 0, 0])
    values[:, 0, 0] -= 5
    resting = made(values, metrics=metrics)

    first, second = usual_sentences([resting])
    assert "changes in 1 of 1 tables (accuracy, free)." in first
    assert second.startswith("Without them, for accuracy, the metric is shown to matter neither")
    (same,) = usual_sentences([made(table([1, 1, 1]), None, metrics)])
    assert same.endswith("is the same in all 1 tables.")


def test_pictures_show_cells_less_the_mean_of_their_data_set():
    values = table([1, 1, 1])
    apart, optimal = deviations(made(values, values.mean(axis=(1, 2)) + 2))

    assert np.abs(apart.mean(axis=(1, 2))).max() < 1e-12  # 80 is rounded at 1e-14
    assert optimal == pytest.approx(np.full(len(values), 2.0))


# The article


def figures_of(question):
    """Return figures for any question: the metric matters greedily only."""
    place = {"accuracy": 0, "auc": 1}.get(question.varied.get("metric"), 2)
    rng = np.random.default_rng([len(question.key), *question.key.encode()[:8]])
    effect = place if question.varied.get("search") == "greedy" else 0
    return {
        "accuracy": 0.8 + 0.01 * effect + 0.002 * rng.normal(),
        "log2 leaves": 3.0 + 0.1 * rng.normal(),
        "leaves": 8.0,
        "training cost": 0.1,
        "proven": 1.0,
    }


def test_the_protocol_stands_before_the_results(study):
    article = to_article(answered(study, figures_of))
    titles = [section.title for section in article.sections]

    assert titles == [
        "The answer", "Protocol, fixed before the results", "The metrics under each search",
        "Where the variance lies", "Beside the optimal trees", "Without the unusual metrics",
        "Means",
    ]  # fmt: skip
    assert "is not shown to matter to look-ahead" in article.sections[0].texts[0]
    assert len(article.headline.rows) == 2 * 3 * 3


def test_data_sets_that_are_not_complete_are_left_out(study):
    def partly(question):
        return None if question.varied["data"] == "zoo" else figures_of(question)

    assert cells(answered(study, partly), "accuracy", "free").data == (
        tuple(name for name in study.parts[0].over["data"] if name != "zoo")
    )


def test_a_study_that_has_not_begun_says_so(study):
    article = to_article(unanswered(study))

    assert article.sections[0].texts == ("No data set is complete yet.",)
    assert article.headline is None
    assert article.state.startswith("PARTIAL")


def test_two_data_sets_are_enough_for_a_page_with_pictures(study):
    two = {"over": study.parts[0].over | {"data": ["iris", "zoo"], "size": ["depth 3"]}}
    few = {"over": {"data": ["iris", "zoo"], "size": ["depth 3"]}}
    article = to_article(answered(smaller(study, grid=two, optimal=few), figures_of))
    drawings = [drawing for section in article.sections for drawing in section.figures]

    assert [drawing.name for drawing in drawings] == ["accuracy", "leaves"]
    assert [len(drawing.draw().axes) for drawing in drawings] == [1, 1]


@PLAIN_PYTHON
def test_a_study_is_run_to_its_end(tmp_path):
    few = {"over": {"data": ["iris", "zoo"], "size": ["depth 3"]}}
    quick = paper_study("metric-or-search", quick=True)
    grid = {"over": dict(quick.parts[0].over) | few["over"] | {"metric": ["gain", "gini", "mdl"]}}
    study = smaller(quick, grid=grid, optimal=few)
    answers = run_simulation(study, tmp_path / "trials.sqlite")

    assert answers.done == len(answers.trials) == 2 * (3 * 3 + 1)
    found = cells(answers, "accuracy", "depth 3")
    assert found.data == ("iris", "zoo")
    assert found.values.shape == (2, 3, 3)
    assert 60 < found.values.min() < found.values.max() <= 100
    assert run_simulation(study, tmp_path / "trials.sqlite").records == answers.records


def test_the_committed_report_is_that_of_its_figures(study):
    kept = {question.key: figures for question, figures in committed_answers(study)}
    article = to_article(answered(study, lambda question: kept[question.key]))
    text = (study.folder / "report" / "report.md").read_text("utf-8")

    assert all(sentence in text for section in article.sections for sentence in section.texts)


@pytest.mark.parametrize("file", ["docs/papers.md", "experiments/metric-or-search/README.md"])
def test_what_is_said_elsewhere_is_in_the_report(study, file):
    said = (study.folder.parents[1] / file).read_text("utf-8")
    text = (study.folder / "report" / "report.md").read_text("utf-8")
    about = said[said.index("does the metric still matter") :].split("Which metric falls")[0]
    figures = re.findall(r"\d+(?:\.\d+)? ± \d+(?:\.\d+)?", about)

    assert len(figures) > 3
    assert [figure for figure in figures if figure not in text] == []
