"""The laboratory's further axes: missing values, and a numeric attribute among the others."""

import numpy as np
import pytest

import treelab as tl
from treelab.laboratory import SCENARIOS
from treelab.laboratory.asking import LABORATORY, PANEL
from treelab.laboratory.draws import NUMERIC, SIGNAL, Design
from treelab.laboratory.judging import needs_data, scores

NEW = [name for name, rule in SCENARIOS.items() if not rule.is_of_tables]


def drawn(scenario, trials=20, cases=500):
    (draw,) = Design(scenario, 3, (2, 5), cases).draws(trials)
    return draw


@pytest.mark.parametrize("scenario", [name for name in NEW if SCENARIOS[name].missing])
def test_the_share_of_missing_values_is_the_scenarios_and_the_signal_has_none(scenario):
    for name, values in drawn(scenario).columns.items():
        share = (np.isnan(values) if name == NUMERIC else values < 0).mean()
        # Ten thousand values: five standard errors of a share of 0.3.
        assert share == pytest.approx(0.0 if name == SIGNAL else 0.3, abs=0.023)


def test_missing_values_are_missing_whatever_the_class_and_the_value():
    draw, whole = drawn("informative-missing"), drawn("informative-missing")
    gaps = draw.columns["V5"] < 0
    of_class = [gaps[draw.y == c].mean() for c in range(3)]
    # About 3300 values of a class: five standard errors.
    assert of_class == pytest.approx([0.3] * 3, abs=0.04)
    assert (gaps == (whole.columns["V5"] < 0)).all()
    assert (gaps != (draw.columns["V2"] < 0)).any()


@pytest.mark.parametrize("scenario", ["numeric", "informative-numeric", "signal-numeric"])
def test_the_numeric_attribute_tells_as_much_as_the_others(scenario):
    draw = drawn(scenario)
    halves = draw.columns[NUMERIC] < 0.5
    for c in range(3):
        ours = halves[draw.y == c].mean()
        theirs = (draw.columns["V2"][draw.y == c] == 0).mean()
        # Two shares of about 3300 each: five standard errors of their difference.
        assert ours == pytest.approx(theirs, abs=0.062)
    inside = draw.columns[NUMERIC] % 0.5
    assert inside.mean() == pytest.approx(0.25, abs=0.008)  # uniform in a half: five errors


@pytest.mark.parametrize("scenario", ["missing", "informative-numeric", "signal-missing"])
@pytest.mark.parametrize("name", ["gain", "mdl", "relieff:k=3", "pi"])
def test_scores_are_those_of_ranking_the_data(scenario, name):
    design = Design(scenario, 2, (2, 5), 60)
    found = scores(tl.metric(name), design, 2)
    for trial, data in enumerate(next(design.draws(2)).data()):
        ranking = tl.rank(data, name)
        assert list(data.features) == design.names
        assert [ranking[f] for f in design.names] == pytest.approx(found[trial], rel=1e-12)


def test_what_takes_whole_data():
    assert needs_data(tl.metric("gain"), "missing")
    assert needs_data(tl.metric("relieff"), "irrelevant")
    assert not needs_data(tl.metric("gain"), "irrelevant")


def test_the_panel_has_the_metrics_of_all_papers_and_scenarios_with_gaps_and_numbers():
    families = ("pi", "contextual-merit", "relieff", "normalized-")
    assert all(any(name.startswith(family) for name in PANEL) for family in families)
    assert [name for name in LABORATORY if name in NEW] == [
        "missing", "signal-missing", "numeric", "signal-numeric",
    ]  # fmt: skip


def test_missing_values_do_not_make_noise_of_relieff_or_of_normalized_entropy_good():
    """Before missing values shrank scores towards chance, both preferred the gaps (SPEC 12)."""
    metrics = ["normalized-entropy", "relieff"]
    words = {"classes": 2, "values": (2, 5), "cases": 400, "trials": 40}
    found = tl.bias(metrics, scenarios=["signal", "signal-missing"], **words)
    for metric in metrics:
        whole = found.chosen(metric, 2, "signal")[SIGNAL]
        # Two shares of 40 trials: three standard errors of their difference at most.
        assert found.chosen(metric, 2, "signal-missing")[SIGNAL] > whole - 0.34


def test_gain_ratio_prefers_the_cuts_of_a_noise_number():
    found = tl.bias("gain-ratio", classes=2, values=(2, 5), cases=200, trials=20,
                    scenarios=["numeric", "signal-numeric"])  # fmt: skip
    assert found.chosen("gain-ratio", 2, "numeric")[NUMERIC] > 0.9
    assert found.above_signal("gain-ratio", 2, "signal-numeric")[NUMERIC] > 0.5
    assert found.numeric("gain-ratio", "numeric", 2)[0] > 0


def test_the_report_shows_the_new_scenarios(tmp_path):
    found = tl.bias("gini", classes=2, values=(2, 5), cases=60, trials=4,
                    scenarios=["irrelevant", "missing", "numeric", "signal-numeric"])  # fmt: skip
    found.write(tmp_path)
    text = (tmp_path / "report.md").read_text("utf-8")
    assert "| metric | classes | V = 2 | V = 5 | numeric | P equal | signal |" in text
    assert "irrelevant attributes, 30 % missing" in text
    assert "signal-numeric: chooses the informative one in" in text
