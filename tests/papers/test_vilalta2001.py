"""The verdicts on vilalta2001 follow the figures: of the table, of the grid, of the sensitivity."""

import csv
from pathlib import Path

import attrs
import numpy as np
import pytest
from made_up import answered, unanswered

import treelab as tl
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.experiment.record import Record
from treelab.experiment.report.tables import NEAR, deviations
from treelab.experiment.results import Results
from treelab.experiment.summary import Summary
from treelab.papers.catalog import paper_study
from treelab.papers.vilalta2001 import grid, table
from treelab.papers.vilalta2001.cells import grid_cells
from treelab.papers.vilalta2001.readings import READINGS, unweighted_pi
from treelab.papers.vilalta2001.sensitivity import to_article
from treelab.papers.vilalta2001.sensitivity.cells import BASE, found_in
from treelab.papers.vilalta2001.sensitivity.questions import cell, changed, prepared, table_learners
from treelab.stats.stores.in_memory import root_node

FOLDER = Path(__file__).parents[2] / "experiments" / "vilalta2001"


def results(study, accuracy):
    """Return results with the accuracies in % that a function gives for trials."""
    trials = tuple(study.trials())
    return Results(study, trials, {t.key: Record({"accuracy": accuracy(t) / 100}) for t in trials})


def verdicts(statements):
    return {s.claim: s.verdict for s in statements}


# Table 1


@pytest.fixture(scope="module")
def short():
    return attrs.evolve(paper_study("vilalta2001"), folds=2, repeats=5)


def printed(study, changes=lambda _data, _learner: 0.0):
    """Return the paper's own figures, the same deviations for all columns; radius 2 has 0."""

    def accuracy(trial):
        mean = study.paper.expected.get((trial.data, trial.learner), (0.0, None))[0]
        noise = 0.01 * ((trial.repetition * 7 + len(trial.learner) * trial.repetition**2) % 5)
        return mean + changes(trial.data, trial.learner) + noise

    return Summary(results(study, accuracy))


def test_by_the_papers_own_figures_its_statements_hold(short):
    found = verdicts(table.statements(printed(short)))

    assert len(found) == 6
    assert found.pop("Pi is comparable to the best of the standard metrics") == "partly"
    # by Wilcoxon's test Pi's lead over Relief is significant, in the paper's own table
    assert found.pop("These differences of Pi's average are not significant") == "partly"
    assert set(found.values()) == {"holds"}


@pytest.mark.parametrize(
    ("change", "claim", "verdict"),
    [
        (lambda _, n: -30.0 * (n == "Pi"), "Pi is best on", "does not hold"),
        (lambda d, n: -30.0 * (n == "Pi" and d != "bupa"), "Pi is best on", "does not hold"),
        (lambda d, n: -9.0 * (n == "Pi" and d == "bupa"), "Pi is best on", "partly"),
        (lambda _, n: -30.0 * (n == "Pi"), "Pi beats the second", "does not hold"),
        (lambda d, n: -30.0 * (n == "Pi" and d != "bupa"), "Pi beats the second", "partly"),
        (lambda _, n: -30.0 * (n == "Pi"), "Pi is, on average", "does not hold"),
        (lambda _, n: 1.0 * (n == "Info Gain"), "Pi is, on average", "partly"),
        (lambda _, n: -30.0 * (n == "Pi"), "These differences", "does not hold"),
        (lambda _, n: 2.2 * (n == "Relief"), "These differences", "holds"),
        (lambda _, n: 30.0 * (n == "Pi"), "Pi is comparable", "holds"),
        (lambda _, n: -30.0 * (n == "Pi"), "Pi is comparable", "does not hold"),
        (lambda _, n: 30.0 * (n in table.DISCRIMINATION), "Purity-based", "does not hold"),
        (lambda _, n: -30.0 * (n == "Gini"), "Purity-based", "partly"),
    ],
)
def test_the_verdicts_on_the_table_follow_the_figures(short, change, claim, verdict):
    found = verdicts(table.statements(printed(short, change)))

    assert next(v for c, v in found.items() if c.startswith(claim)) == verdict


def test_the_papers_pi_is_best_on_eight_of_eighteen(short):
    names = {data for data, _ in short.paper.expected}

    assert sum(table.printed_best(short.paper, name) for name in names) == 8


def test_without_results_nothing_is_said(short):
    nothing = Results(short, tuple(short.trials()), {})

    assert table.statements(Summary(nothing)) == []


def committed(which, folder):
    """Return the summary of a committed report."""
    study = paper_study("vilalta2001", which)
    with (FOLDER / folder / "results.csv").open(encoding="utf-8", newline="") as lines:
        places = ("data", "learner", "repetition", "fold")
        found = {
            tuple(row[p] for p in places): 100 * float(row["accuracy"])
            for row in csv.DictReader(lines)
        }

    def accuracy(trial):
        return found[trial.data, trial.learner, str(trial.repetition + 1), str(trial.fold + 1)]

    return Summary(results(study, accuracy))


@pytest.fixture(scope="module")
def table_1():
    return committed("study", "report")


def assert_said(statements, folder):
    text = (FOLDER / folder / "table.md").read_text("utf-8")
    for said in statements:
        verdict = f"**{said.verdict}**" if said.verdict == "holds" else said.verdict
        assert f"| {said.claim} | {said.where} | {verdict} | {said.evidence} |" in text


def test_the_committed_table_has_the_verdicts_of_its_figures(table_1):
    assert_said(table.statements(table_1), "report")


def test_the_committed_grid_has_the_verdicts_of_its_figures():
    assert_said(grid.statements(committed("grid", "report-grid")), "report-grid")


def far_from(summary):
    gaps = deviations(summary, summary.study.paper)
    return {place for place, gap in gaps.items() if abs(gap) > NEAR}, len(gaps)


def test_the_page_of_papers_counts_the_cells_that_are_near(table_1):
    far, n = far_from(table_1)
    counted = f"{n - len(far)} of {n} cells within 3 points"

    assert counted in (FOLDER.parents[1] / "docs" / "papers.md").read_text("utf-8")


def test_every_deviation_is_spoken_of_and_looked_into(table_1):
    far, _ = far_from(table_1)
    notes = " ".join(f"{note.title} {note.text}" for note in table_1.study.notes)
    report = (FOLDER / "report-sensitivity" / "report.md").read_text("utf-8")

    assert all(data in notes for data, _ in far)
    assert all(f"| {data} | {column} | " in report for data, column in far)
    assert f"{len(far)} cells deviate" in report


# The grid


@pytest.fixture(scope="module")
def small_grid():
    study = paper_study("vilalta2001", "grid")
    return attrs.evolve(study, folds=2, repeats=2, data=study.data[:1] + study.data[3:14])


def grid_summary(study, effect):
    """Return made-up results: 70 % + effect(domain, theta, f) + noise that has no pattern."""
    rng = np.random.default_rng(0)
    places = {each.label: row for row, each in enumerate(study.data)}
    return Summary(
        results(
            study,
            lambda t: 70 + effect(places[t.data], *t.competitor.place) + rng.normal(0, 0.05),
        )
    )


def by_theta(row, theta, _f):
    """Domains that like another theta each: 1111, 0111 and so on."""
    return float(int(theta, 2) * (3 + 2 * row) % 16)


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        (by_theta, ["holds", "holds", "does not hold", "holds"]),
        (
            lambda row, theta, _f: float(int(theta, 2) * (row == 0)),
            ["partly", "holds", "does not hold", "does not hold"],
        ),
        (
            lambda row, _theta, f: float((len(f) * (1 + row)) % 7 + 3 * ("radius" in f)),
            ["does not hold", "holds", "holds", "does not hold"],
        ),
        (
            lambda _row, theta, _f: 5.0 * (theta == "1001") + theta.count("1"),
            ["holds", "does not hold", "does not hold", "holds"],
        ),
        (lambda *_: 0.0, ["does not hold", "holds", "does not hold", "does not hold"]),
    ],
)
def test_the_verdicts_on_theta_and_f_follow_the_figures(small_grid, effect, expected):
    found = grid.statements(grid_summary(small_grid, effect))

    assert [said.verdict for said in found] == expected


def test_a_theta_that_wins_with_one_f_only_is_half_an_exception(small_grid):
    def effect(_row, theta, f):
        return 5.0 * (theta == "1001" and f == "radius 2")

    found = verdicts(grid.statements(grid_summary(small_grid, effect)))

    assert found["No theta outperforms other settings consistently"] == "partly"


def test_theta_without_weights_is_no_metric(small_grid):
    """However bad 0000 is, no rule hears of it; the table of means shows it."""
    plain, worse = (
        grid_summary(small_grid, lambda row, t, f, by=by: by_theta(row, t, f) - by * (t == "0000"))
        for by in (0.0, 40.0)
    )

    assert grid.statements(plain) == grid.statements(worse)
    tables = [[t for s in grid.sections(each) for t in s.tables] for each in (plain, worse)]
    assert tables[0][0] != tables[1][0]
    assert tables[0][1] == tables[1][1]


def test_the_best_and_the_worst_are_those_of_the_papers_instance(small_grid):
    summary = grid_summary(small_grid, by_theta)
    cells = grid_cells(summary).metrics
    row = grid.domains_table(cells).rows[2]
    means = {theta: by_theta(2, theta, "") for theta in cells.thetas}

    assert (means[row[1].text], means[row[2].text]) == (max(means.values()), min(means.values()))
    assert float(row[3].text) == pytest.approx(np.ptp(list(means.values())), abs=0.5)


def test_two_domains_are_needed(small_grid):
    one = attrs.evolve(small_grid, data=small_grid.data[:1])

    assert grid.statements(grid_summary(one, by_theta)) == []
    assert grid.sections(grid_summary(one, by_theta)) == ()


# The sensitivity


@pytest.fixture(scope="module")
def sensitivity():
    return paper_study("vilalta2001", "sensitivity")


def told(study, figure):
    """Return answers: the paper's figure, plus `figure(data, learner, variant)`, plus noise."""
    paper = {(r["data"], r["learner"]): float(r["mean"]) for r in study.printed()}

    def accuracy(question):
        at = question.varied
        place = at["data"], at["learner"]
        noise = 0.2 * (question.seed - 2)  # in every variant the same
        return {"accuracy": paper[place] + figure(*place, at["variant"]) + noise}

    return answered(study, accuracy)


PEP = "pruned by the rule of 1987 (PEP)"


def off(data, learner):
    return 5.0 * ((data, learner) == ("bupa", "Gini"))


def test_a_choice_that_brings_a_cell_near_explains_it(sensitivity):
    found = found_in(told(sensitivity, lambda d, n, v: off(d, n) * (v != PEP)))

    assert [p for p in found.deviations() if p[0] == "bupa"] == [("bupa", "Gini")]
    assert found.explaining(("bupa", "Gini")) == [PEP]
    assert found.gap(PEP, ("bupa", "Gini")) == pytest.approx(0.0)


def test_a_choice_that_spoils_other_cells_does_not(sensitivity):
    def figure(data, learner, variant):
        return off(data, learner) if variant != PEP else 9.0 * (data in ("heart", "zoo"))

    found = found_in(told(sensitivity, figure))

    assert found.bringing_near(("bupa", "Gini")) == [PEP]
    assert found.explaining(("bupa", "Gini")) == []
    assert not found.is_plausible(PEP)


def test_what_nothing_explains_is_called_so(sensitivity):
    answers = told(sensitivity, lambda d, n, _: off(d, n))
    article = to_article(answers)
    rows = [r for r in article.headline.rows if r[0].text == "bupa"]

    assert rows[0][5].text == "unexplained"
    assert "Unexplained: Gini on bupa" in article.sections[0].texts[0]
    assert all(len(r) == len(t.heads) for s in article.sections for t in s.tables for r in t.rows)


def test_a_sensitivity_that_has_not_begun_says_nothing(sensitivity):
    article = to_article(unanswered(sensitivity))

    assert article.state.startswith("PARTIAL")
    assert article.headline is None


def test_as_in_the_table_is_as_in_the_table():
    """The first repetition of the study, recomputed as one cell."""
    settings = {
        "variants": {BASE: {}},
        "variant": BASE,
        "data": "zoo",
        "learner": "Gini",
        "folds": 10,
    }
    with (FOLDER / "report" / "results.csv").open(encoding="utf-8", newline="") as lines:
        rows = [
            float(row["accuracy"])
            for row in csv.DictReader(lines)
            if (row["data"], row["learner"], row["repetition"]) == ("zoo", "Gini", "2")
        ]

    # a mean of ten numbers
    assert cell(settings, 1)["accuracy"] == pytest.approx(100 * np.mean(rows), rel=1e-12)


def test_every_variant_changes_what_it_says(sensitivity):
    """Each is carried out on a small domain, or one cut down, and is not the table's learner."""
    part = next(p for p in sensitivity.parts if p.name == "settings")
    plain, data = table_learners()["Gini"], tl.load("hepatitis")
    made = {
        name: changed(plain, "Gini", change, data)
        for name, change in part.settings["variants"].items()
    }

    assert made.pop(BASE) == plain
    assert made.pop("folds not stratified") == plain  # it is the folds that change
    assert all(learner != plain for learner in made.values())
    cuts = made["intervals fitted to all cases"].discretizer.fit(data.take(range(20))).cuts
    whole = tl.discretizer("equal-width:10").fit(data).cuts
    assert {name: points.tolist() for name, points in cuts.items()} == {
        name: points.tolist() for name, points in whole.items()
    }


def test_domains_are_prepared():
    hypo = prepared("thyroid-hypo", {"classes": 2}, 0)

    assert np.bincount(hypo.y).tolist() == [3481, 291]
    assert len(prepared("thyroid-hypo", {"part": "train"}, 0)) == 2800
    samples = [prepared("chess-end", {"cases": 200}, seed) for seed in (0, 0, 1)]
    assert [len(sample) for sample in samples] == [200] * 3
    assert samples[0].columns[3].tolist() == samples[1].columns[3].tolist()
    assert any((a != b).any() for a, b in zip(samples[0].columns, samples[2].columns, strict=True))


# Equations 1 and 14 as printed


def gini_by_hand(counts):
    n = sum(counts)
    return 1 - sum((c / n) ** 2 for c in counts)


@pytest.mark.parametrize(("how", "divisor"), [("sum", 1), ("mean", 2)])
def test_the_weight_outside_the_sum_is_no_weight(how, divisor):
    table = np.array([[30.0, 10.0], [0.0, 0.0], [5.0, 15.0]])
    expected = gini_by_hand([35, 25]) - (gini_by_hand([30, 10]) + gini_by_hand([5, 15])) / divisor

    assert READINGS[f"gini, {how}"].raw(table) == pytest.approx(expected)


def test_pi_without_weights_is_the_sum_over_the_matrices():
    """Figure 1: the exclusive-or of two of three bits."""
    data = tl.load("lenses")
    node = root_node(Coded.of(data, Coding()), "multiway", seed=0)
    pi = READINGS["pi, sum"]
    of_values, _ = pi.matrices(node)
    signs = np.array([1, -1, -1, 1])
    expected = [(matrices * signs).sum() for matrices in of_values]

    assert pi(node).values == pytest.approx(expected)
    shares = np.array([0.5, 0.5, 0.0])
    two = unweighted_pi(of_values[0], shares[: len(of_values[0])], is_mean=True)
    assert two == pytest.approx(expected[0] / 2)
