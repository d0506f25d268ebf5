"""The bias laboratory: fair draws, scores as trees see them, choices that are counted right."""

import pickle

import numpy as np
import pytest
from scipy.stats import chisquare

import treelab as tl
from treelab.data.synth.multivalued import first_half
from treelab.errors import DataError, ParameterError, UnknownNameError
from treelab.laboratory import SCENARIOS, Curve
from treelab.laboratory.asking import bias_simulation, named
from treelab.laboratory.draws import AT_ONCE, SIGNAL, Design
from treelab.laboratory.judging import (
    FEW_TRIALS,
    TRIALS,
    figures,
    p_equal,
    scores,
    shares_chosen,
    usual_trials,
)

VALUES = (2, 5, 20)


def drawn(scenario, trials=AT_ONCE, classes=3, values=VALUES, cases=200, seed=0):
    return list(Design(scenario, classes, values, cases, seed).draws(trials))


OF_TABLES = [name for name, rule in SCENARIOS.items() if rule.is_of_tables]


@pytest.mark.parametrize("scenario", OF_TABLES)
def test_tables_count_the_cases_of_the_data_sets(scenario):
    (draw,) = drawn(scenario, trials=3)
    for trial, data in enumerate(draw.data()):
        for name in data.features:
            table = np.zeros((draw.design.sizes[name], 3))
            for value, label in zip(data[name], data.y, strict=True):
                table[value, label] += 1
            assert (draw.tables(name)[trial] == table).all()


def shares(scenario, classes, size):
    """The chances (value, class) of a cell, told anew from the paper's words."""
    rule = SCENARIOS[scenario]
    of_class = np.array([1 / i**rule.class_skew for i in range(1, classes + 1)])
    of_value = np.array([1 / j**rule.value_skew for j in range(1, size + 1)])
    table = np.outer(of_value / of_value.sum(), of_class / of_class.sum())
    if rule.attributes == "irrelevant":
        return table
    half = size // 2
    first = first_half(classes, rule.k if rule.attributes == "informative" else None, rule.delta)
    for i in range(classes):
        share = table[:, i].sum()
        table[:half, i] = share * first[i] / half
        table[half:, i] = share * (1 - first[i]) / (size - half)
    return table


@pytest.mark.parametrize("scenario", [name for name in OF_TABLES if name != "signal"])
def test_cells_are_as_frequent_as_the_scenario_says(scenario):
    counts = sum(draw.tables("V5").sum(axis=0) for draw in drawn(scenario, trials=300))
    expected = shares(scenario, 3, 5) * counts.sum()
    assert (counts[expected == 0] == 0).all()
    possible = expected > 0
    # A right one is rejected once in a thousand times; the seed is fixed.
    assert chisquare(counts[possible], expected[possible]).pvalue > 1e-3


def test_the_signal_is_slightly_informative_and_the_others_are_noise():
    draws = drawn("signal", trials=300)
    for name, told in ((SIGNAL, True), ("V5", False)):
        counts = sum(draw.tables(name).sum(axis=0) for draw in draws)
        first = counts[: len(counts) // 2].sum(axis=0) / counts.sum(axis=0)
        wanted = np.array([0.55, 0.45, 0.55]) if told else np.full(3, 0.4)
        assert first == pytest.approx(wanted, abs=0.02)  # five standard errors


def test_the_first_trials_are_the_same_however_many_there_are():
    few, many = drawn("informative", AT_ONCE), drawn("informative", 3 * AT_ONCE)
    assert (few[0].tables("V20") == many[0].tables("V20")).all()
    assert (many[0].y != many[1].y).any()
    assert [len(draw.y) for draw in drawn("informative", AT_ONCE + 7)] == [AT_ONCE, 7]


def test_an_attribute_does_not_depend_on_what_stands_beside_it():
    (alone,), (beside,) = drawn("slightly", values=(5,)), drawn("slightly", values=(2, 5, 20))
    assert (alone.columns["V5"] == beside.columns["V5"]).all()
    assert (alone.columns["V5"] != drawn("slightly", values=(5,), seed=1)[0].columns["V5"]).any()


@pytest.mark.parametrize("name", ["gain", "mdl", "p-chi2", "gini-prime", "entropy-distance"])
def test_scores_of_tables_are_those_of_ranking_the_data(name):
    design = Design("informative", 3, VALUES, 60)
    found = scores(tl.metric(name), design, 4)
    for trial, data in enumerate(next(design.draws(4)).data()):
        ranking = tl.rank(data, name)
        assert [ranking[f"V{v}"] for v in VALUES] == pytest.approx(found[trial], rel=1e-12)


@pytest.mark.parametrize(
    "name", ["relieff:k=3", "contextual-merit", "pi", "normalized-contextual-merit:rounds=2"]
)
def test_metrics_of_whole_data_see_the_same_data(name):
    design = Design("informative", 2, VALUES, 40)
    found = scores(tl.metric(name), design, 2)
    for trial, data in enumerate(next(design.draws(2)).data()):
        ranking = tl.rank(data, name)
        assert [ranking[f"V{v}"] for v in VALUES] == pytest.approx(found[trial], rel=1e-12)


def test_an_attribute_of_one_value_is_not_judged():
    found = scores(tl.metric("gain"), Design("skewed-values", 2, (2, 5), 2), 50)
    single = np.array([len(set(row)) == 1 for draw in
                       Design("skewed-values", 2, (2, 5), 2).draws(50)
                       for row in draw.columns["V2"].tolist()])  # fmt: skip
    assert single.any()
    assert (np.isnan(found[:, 0]) == single).all()


def test_choices_are_shared_among_equals_and_never_go_to_what_cannot_be_judged():
    found = np.array([[1.0, 1.0 + 1e-13, 0.0], [np.nan, -5.0, np.nan], [np.nan] * 3])
    assert shares_chosen(found).tolist() == [[0.5, 0.5, 0], [0, 1, 0], [0, 0, 0]]


def test_figures_of_a_few_trials_by_hand():
    found = np.array([[1.0, 3.0, 2.0], [2.0, 1.0, np.nan], [6.0, 5.0, 7.0]])
    told = figures(found, ["V2", "V5", SIGNAL])
    assert told["trials"] == 3
    assert (told["mean V2"], told["error V2"]) == pytest.approx((3.0, np.sqrt(7 / 3)))
    assert (told["mean signal"], told["error signal"]) == pytest.approx((4.5, 2.5))
    assert [told[f"chosen {n}"] for n in ("V2", "V5", SIGNAL)] == pytest.approx([1 / 3] * 3)
    assert (told["above V2"], told["above V5"]) == pytest.approx((1 / 3, 2 / 3))


def test_equal_frequencies_are_tested_as_scipy_does():
    counts = np.array([30, 50, 20])
    assert p_equal(counts / 100, 100) == pytest.approx(chisquare(counts).pvalue, rel=1e-12)
    assert np.isnan(p_equal(np.zeros(3), 100))


def test_gain_takes_the_noise_of_most_values_and_p_chi2_takes_any():
    found = tl.bias(["gain", "p-chi2", "mdl"], classes=2, values=(2, 5, 40), trials=150)
    assert found.chosen("gain", 2)["V40"] > 0.95
    assert found.p_equal("gain", 2) < 1e-50
    assert found.p_equal("p-chi2", 2) > 0.01
    assert found.tendency("p-chi2", "irrelevant", 2) == "level"
    assert found.tendency("gain", "irrelevant", 2) == "rises"
    assert (
        found.chosen("gain", 2, SIGNAL)[SIGNAL]
        < 0.05
        < 0.6
        < found.chosen("mdl", 2, SIGNAL)[SIGNAL]
    )
    assert found.above_signal("gain", 2)["V40"] > 0.9
    assert sum(found.chosen("mdl", 2).values()) == pytest.approx(1)


def test_a_metric_of_ones_own_and_one_that_sees_whole_nodes():
    def most_values(table):
        return (table.sum(-1) > 0).sum(-1).astype(float)

    def first_feature(node):
        return -node.counts.feature.astype(float)

    given = [tl.from_counts(most_values), first_feature]
    found = tl.bias(given, classes=2, values=(2, 5), cases=50, trials=5, scenarios=["irrelevant"])
    own, whole = found.metrics
    assert found.chosen(own, 2) == {"V2": 0.0, "V5": 1.0}
    assert found.chosen(whole, 2) == {"V2": 1.0, "V5": 0.0}
    assert "first_feature" in str(found)


def test_the_order_of_questions_changes_nothing():
    given = {"values": (2, 5), "cases": 60, "trials": 10, "scenarios": ["irrelevant", "slightly"]}
    one = tl.bias(["gain", "gini"], classes=(2, 3), **given)
    two = tl.bias(["gini", "gain"], classes=(3, 2), **given)
    assert one.places == two.places
    assert one.places != tl.bias(["gain", "gini"], classes=(2, 3), seed=1, **given).places


def test_a_question_gives_the_same_in_another_process():
    simulation = bias_simulation(named("relieff"), (2,), (2, 5), 40, 3)
    for question in simulation.trials():
        sent = pickle.loads(pickle.dumps(question))
        assert sent.carry_out().values == question.carry_out().values
        assert sent.key == question.key


def test_trials_are_fewer_where_whole_data_must_be_seen():
    assert usual_trials(tl.metric("gain"), "signal") == TRIALS == 1000
    assert usual_trials(tl.metric("relieff"), "signal") == FEW_TRIALS == 100
    assert usual_trials(tl.metric("gain"), "missing") == FEW_TRIALS
    assert usual_trials(tl.metric("gain"), "numeric") == FEW_TRIALS


def test_the_report_tells_choices_tendencies_and_means(tmp_path):
    scenarios = ["irrelevant", "informative", "slightly", "signal"]
    found = tl.bias(["gain", "mdl"], classes=2, values=(2, 20), trials=60, scenarios=scenarios)
    found.write(tmp_path)
    text = (tmp_path / "report.md").read_text("utf-8")
    assert "| gain | 2 | 0.0 | 100.0 | < 0.0001 |" in text
    assert "gain: irrelevant: chooses unequally (for 2 classes; for 2, V20 in 100.0 %" in text
    assert "rises (0.00" in text
    assert (tmp_path / "bias-1.png").read_bytes()[:4] == b"\x89PNG"
    frame = found.to_frame()
    assert list(frame.columns)[:4] == ["metric", "scenario", "classes", "attribute"]
    assert len(frame) == 2 * (3 * 2 + 3)


def test_the_report_of_a_metric_that_judges_nothing_is_still_written(tmp_path):
    def nothing(table):
        return np.full(table.shape[:-2], np.nan)

    found = tl.bias(tl.from_counts(nothing), classes=2, values=(2, 5), cases=20, trials=3)
    assert set(found.chosen(found.metrics[0], 2).values()) == {0.0}
    found.write(tmp_path)
    assert "unknown" in (tmp_path / "report.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"classes": 1}, "classes must be a whole number of at least 2, got 1"),
        ({"values": (2, 2)}, "values must be at least one number, and none of them twice"),
        ({"values": ()}, "values must be at least one number"),
        ({"cases": 1}, "cases must be a whole number of at least 2, got 1"),
        ({"trials": 0}, "trials must be a whole number of at least 2, got 0"),
        ({"scenarios": ["irelevant"]}, "unknown scenario 'irelevant': did you mean 'irrelevant'?"),
        ({"scenarios": []}, "give at least one scenario"),
        ({"seed": 0.5}, "seed must be a whole number, got 0.5"),
        ({"metrics": []}, "give at least one metric"),
        ({"metrics": ["gain", "gain"]}, "none of them twice"),
        ({"metrics": "gian"}, "unknown metric 'gian': did you mean 'gini'?"),
    ],
)
def test_mistakes_are_told_in_a_sentence(given, told):
    with pytest.raises((ParameterError, UnknownNameError)) as error:
        tl.bias(**{"metrics": "gain"} | given)
    assert told in str(error.value)


def test_functions_of_the_same_name_are_told_apart():
    ways = [lambda node: node.counts.known, lambda node: -node.counts.known]
    found = tl.bias(ways, classes=2, values=(2, 5), cases=20, trials=2, scenarios=["irrelevant"])

    assert found.metrics == ["<lambda>", "<lambda> (2)"]


def test_a_metric_that_fails_is_named():
    def broken(_node):
        raise ZeroDivisionError("no cases")

    with pytest.raises(DataError, match=r"broken.*failed: ZeroDivisionError: no cases"):
        tl.bias(broken, classes=2, values=(2, 5), cases=20, trials=2)


def test_asking_for_what_was_not_tried_is_an_error():
    found = tl.bias("gain", classes=2, values=(2, 5), cases=20, trials=2, scenarios=["irrelevant"])
    with pytest.raises(UnknownNameError, match="unknown answer 'gain, slightly, 2'"):
        found.curve("gain", "slightly", 2)


V = np.array([2.0, 5.0, 10.0, 20.0, 40.0])


@pytest.mark.parametrize(
    ("means", "way"),
    [
        (0.1 * V, "rises"),
        (-np.log(V), "falls"),
        ([1.0, 1.1, 1.0, 0.95, 1.0], "level"),
        ([1.0, 5.0, 9.0, 8.0, 4.0], "turns"),
        ([1.0, np.nan, 9.0, 8.0, 4.0], "unknown"),
        ([1.0, 1.0, 1.0, 1.0, 1.0], "level"),
    ],
)
def test_the_way_of_a_curve(means, way):
    assert Curve(V, np.array(means), np.full(5, 0.05)).tendency == way


def test_the_shape_of_a_curve():
    zero = np.zeros(5)
    assert Curve(V, 3 * V - 1, zero).fit() == pytest.approx(1)
    assert Curve(V, 3 * V - 1, zero).slope == pytest.approx(3)
    assert Curve(V, np.exp(-V / 7), zero).fit_exponential() == pytest.approx(1)
    assert Curve(V, np.log(V), zero).fit(np.log) == pytest.approx(1)
    assert Curve(V, np.log(V), zero).fit() < 0.9
    assert np.isnan(Curve(V, -V, zero).fit_exponential())
    assert np.isnan(Curve(V, np.ones(5), zero).fit())
    assert Curve(V, V**2, zero).steepness == pytest.approx([7, 15, 30, 60])
