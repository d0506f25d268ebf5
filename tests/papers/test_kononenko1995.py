"""kononenko1995: means as specified, questions as naive code answers them, verdicts by rule."""

import csv
from itertools import product
from pathlib import Path

import attrs
import numpy as np
import pytest
from made_up import committed_answers
from thinned import thinned

from treelab.experiment.record import Record
from treelab.experiment.report.markdown import article_md
from treelab.experiment.simulation import Answers
from treelab.laboratory.draws import Design
from treelab.metrics.registry import metric_info
from treelab.papers.catalog import paper_study
from treelab.papers.kononenko1995 import to_article
from treelab.papers.kononenko1995.answers import Found
from treelab.papers.kononenko1995.claims import SECTIONS, beside_the_paper, statements
from treelab.papers.kononenko1995.questions import (
    MEASURES,
    ask_bias,
    ask_measures,
    measured,
)

REFERENCE = Path(__file__).parents[1] / "reference" / "kononenko_means.csv"
TRIALS = 1000
SCENARIOS = ("irrelevant", "informative", "informative-2", "slightly")
CORNERS = ((2, 2), (2, 40), (5, 10), (10, 5), (10, 40))


@pytest.fixture(scope="module")
def reference():
    """Means and standard deviations of 1000 trials (SPEC 8.2), by place."""
    cells = {}
    with REFERENCE.open() as lines:
        for row in csv.DictReader(lines):
            place = row["scenario"], int(row["classes"]), int(row["values"])
            cells.setdefault(place, {})[row["measure"]] = (
                float(row["mean"]),
                float(row["deviation"]),
            )
    return cells


# The corners of the figures; the committed report has been checked in all 75 places.
@pytest.mark.parametrize("place", thinned(product(SCENARIOS, CORNERS), 3), ids=str)
def test_means_are_as_specified(reference, place):
    scenario, (classes, values) = place
    settings = {"scenario": scenario, "classes": classes, "values": values, "cases": 600}
    told = ask_measures(settings | {"trials": TRIALS}, 0)
    for measure, (mean, deviation) in reference[scenario, classes, values].items():
        error = np.hypot(told[f"{measure} error"], deviation / np.sqrt(TRIALS))
        # Four standard errors of the difference; P is 1 but for rounding where it saturates.
        assert told[measure] == pytest.approx(mean, abs=4 * error + 1e-9), measure


def test_the_committed_report_agrees_with_the_specification_everywhere(reference):
    found = {
        tuple(q.varied.values()): f
        for q, f in committed_answers(paper_study("kononenko1995"))
        if q.part == "measures"
    }
    assert len(reference) == 75 < len(found) == 135
    for place, cells in reference.items():
        for measure, (mean, deviation) in cells.items():
            error = np.hypot(found[place][f"{measure} error"], deviation / np.sqrt(TRIALS))
            assert found[place][measure] == pytest.approx(mean, abs=4 * error + 1e-9)


def naive_gain(table):
    n = sum(map(sum, table))
    columns = [sum(row[c] for row in table) for c in range(len(table[0]))]
    found = 0.0
    for row in table:
        for c, cell in enumerate(row):
            if cell:
                found += cell / n * np.log2(cell * n / (sum(row) * columns[c]))
    return found


def naive_mdl(table):
    from math import comb, factorial, log2, prod

    def coded(counts):
        sequences = factorial(sum(counts)) // prod(map(factorial, counts))
        return log2(sequences) + log2(comb(sum(counts) + len(counts) - 1, len(counts) - 1))

    whole = [sum(row[c] for row in table) for c in range(len(table[0]))]
    return (coded(whole) - sum(map(coded, table))) / sum(whole)


def test_a_question_is_answered_as_naive_code_does():
    design = Design("informative", 3, (5,), 40, 7)
    tables = np.concatenate([draw.tables("V5") for draw in design.draws(60)]).astype(int).tolist()
    settings = {"scenario": "informative", "classes": 3, "values": 5, "cases": 40, "trials": 60}
    told = ask_measures(settings, 7)
    gains, mdls = (
        np.array([naive_gain(t) for t in tables]),
        np.array([naive_mdl(t) for t in tables]),
    )
    assert told["Gain"] == pytest.approx(gains.mean(), rel=1e-12)
    assert told["Gain error"] == pytest.approx(gains.std(ddof=1) / np.sqrt(60), rel=1e-9)
    assert told["MDL"] == pytest.approx(mdls.mean(), rel=1e-9)
    assert told["MDL > 0"] == (mdls > 0).mean()
    assert told != ask_measures(settings, 8)


def test_all_measures_are_finite_where_values_are_sparse():
    found = measured(Design("irrelevant", 10, (40,), 60), 5)
    assert set(found) > set(MEASURES)
    assert len(MEASURES) == 14
    assert all(np.isfinite(column).all() for column in found.values())


def answers_of(cells):
    """Answers of given cells only."""
    study = paper_study("kononenko1995")
    questions = tuple(question for question in study.trials() if question.part == "measures")
    records = {}
    for question in questions:
        place = tuple(question.varied[name] for name in ("scenario", "classes", "values"))
        if place in cells:
            records[question.key] = Record(cells[place])
    return Answers(study, questions, records)


@pytest.fixture(scope="module")
def specified(reference):
    """Answers that are exactly those of the specification."""
    cells = {}
    for place, given in reference.items():
        cell = {measure: mean for measure, (mean, _) in given.items()}
        cell |= {f"{m} error": sd / np.sqrt(TRIALS) for m, (_, sd) in given.items()}
        told = place[0].startswith("informative")
        cell |= {"MDL > 0": float(told), "MDL' > 0": float(told), "P(chi2) = 1": 1, "P(G) = 1": 1}
        cells[place] = cell
    return cells


def verdicts(cells):
    return {s.claim: s.verdict for s in statements(Found(answers_of(cells)))}


# What SPEC 8.2 says of its own means, in the words of the rules.
SAID = {
    "Gain, J, Gini and Gini' rise linearly with the number of values": "holds",
    "J has graphs similar to those of Gain": "holds",
    "Gini and Gini' have practically identical graphs": "holds",
    "Gini of informative attributes falls with the number of classes": "partly",
    "Relevance falls with the number of classes": "holds",
    "GainR, 1-D and Relief of informative attributes fall with the number of values": "partly",
    "GainR, 1-D and Relief of informative attributes fall exponentially": "does not hold",
    "GainR and 1-D of irrelevant attributes rise linearly": "holds",
    "Relief of irrelevant attributes rises logarithmically": "does not hold",
    "The bias for irrelevant attributes of many values is lowest for Relief": "holds",
    "MDL' falls with the number of values in all scenarios": "holds",
    "The slope of MDL' is steeper for more classes": "holds",
    "MDL falls with the number of values, as MDL' does": "partly",
    "The slopes of MDL are lower than those of MDL'": "holds",
    "By MDL all informative attributes are compressive": "holds",
    "The weight of evidence of irrelevant attributes rises, as Relief does": "holds",
    "The weight of evidence of informative attributes falls, as MDL does": "holds",
    "The weight of evidence falls faster for more classes": "holds",
    "P(chi2) of irrelevant attributes is unbiased": "holds",
    "P(G) overestimates irrelevant attributes of many values": "holds",
    "In White and Liu's scenario (C = 2, 5; V = 2, 5, 10) P(G) seems unbiased": "holds",
    "P(chi2) and P(G) of informative attributes are 1, whatever the number of values": "holds",
    "With k = 0 equation 15 makes attributes slightly informative, with P below 1": "does not hold",
    "P(chi2) of slightly informative attributes falls with the number of values": "holds",
    "P(G) of slightly informative attributes falls with the number of values": "partly",
}


def test_rules_come_to_the_verdicts_of_the_specification(specified):
    found = verdicts(specified)
    assert {claim: found[claim] for claim in SAID} == SAID


def changed(cells, scenario, measure, means):
    """The cells, with other means of a measure: a function of classes and values."""
    return {
        place: cell | {measure: means(*place[1:])} if place[0] == scenario else cell
        for place, cell in cells.items()
    }


@pytest.mark.parametrize(
    ("scenario", "measure", "means", "claim", "verdict"),
    [
        ("irrelevant", "Relief", lambda c, v: c * np.log(v),
         "Relief of irrelevant attributes rises logarithmically", "holds"),
        ("irrelevant", "Gain", lambda _, v: np.sqrt(v),
         "Gain, J, Gini and Gini' rise linearly with the number of values", "partly"),
        ("informative", "Relief", lambda c, v: c * np.exp(-v / 9),
         "GainR, 1-D and Relief of informative attributes fall exponentially", "partly"),
        ("irrelevant", "P(chi2)", lambda _, v: 0.5 + v / 90,
         "P(chi2) of irrelevant attributes is unbiased", "partly"),
        ("irrelevant", "P(G)", lambda *_: 0.5,
         "P(G) overestimates irrelevant attributes of many values", "does not hold"),
        ("informative-0", "P(G)", lambda *_: 0.8,
         "With k = 0 equation 15 makes attributes slightly informative, with P below 1", "holds"),
        ("irrelevant", "MDL > 0", lambda *_: 0.0,
         "MDL of irrelevant attributes is always negative", "holds"),
        ("irrelevant", "MDL > 0", lambda *_: 0.2,
         "MDL of irrelevant attributes is always negative", "does not hold"),
        ("irrelevant", "MDL > 0", lambda *_: 0.009,  # always is 99 % of the trials, as all is
         "MDL of irrelevant attributes is always negative", "holds"),
        ("informative-2", "Gini", lambda c, v: np.sqrt(c * v),
         "With k = 2 Gini falls with the number of classes even more, along straight lines",
         "does not hold"),
        ("informative", "1-D", lambda c, v: np.sin(c * v),
         "The performance of 1-D is very similar to that of GainR", "partly"),
        ("irrelevant", "WE", lambda c, v: c + v / 40,
         "The weight of evidence behaves as Relief if irrelevant, as MDL if informative", "partly"),
        ("irrelevant", "MDL", lambda c, v: c + v / 40,
         "The bias of MDL is stable: in no scenario does it rise with the number of values",
         "partly"),
        ("informative", "Gain", lambda *_: 0.2,
         "The gains of informative attributes of two values are as printed", "partly"),
    ],
)  # fmt: skip
def test_verdicts_flip_with_the_figures(specified, scenario, measure, means, claim, verdict):
    assert verdicts(changed(specified, scenario, measure, means))[claim] == verdict


def test_a_bias_is_better_that_changes_the_mean_less(specified):
    claim = (
        "The bias of MDL seems to be better than that of other measures (informative attributes)"
    )
    level = specified
    for scenario in ("informative", "informative-2"):
        level = changed(level, scenario, "MDL", lambda *_: 0.1)
    assert verdicts(specified)[claim] == "partly"
    assert verdicts(level)[claim] == "holds"


def test_k_0_takes_part_where_the_paper_varies_k(specified):
    claim = "The biases are not very sensitive to k (0, 1 and 2)"
    other = changed(specified, "informative-0", "Gain", lambda _, v: -v)
    evidence = [
        next(s.evidence for s in statements(Found(answers_of(cells))) if s.claim == claim)
        for cells in (specified, other)
    ]
    assert "Gain informative-0" not in evidence[0]
    assert "Gain informative-0" in evidence[1]


def test_what_the_paper_does_not_say_does_not_count_among_its_statements(specified):
    found = Found(answers_of(specified))
    ours = {s.claim: s.verdict for s in beside_the_paper(found)}

    assert ours["With m-estimates it falls as well if informative"] == "partly"
    assert len(ours) == 3
    assert not set(ours) & {s.claim for s in statements(found)}
    # The 34 that the first report had of the paper, and five that had no verdict.
    assert sum(len(section.rules) for section in SECTIONS) == 34 + 5
    assert "Beside the paper" in article_md(to_article(answers_of(specified)))


def test_every_rule_tells_its_statement_once():
    texts = [rule.__doc__ for section in SECTIONS for rule in section.rules]
    assert len(set(texts)) == len(texts) > 30
    assert None not in texts


def test_the_article_tells_verdicts_and_means(specified):
    article = to_article(answers_of(specified))
    text = article_md(article)
    assert "PARTIAL: 75 of 135 trials" in text
    assert "| Gain | 10 | 0.0112 | 0.0445 | 0.1020 | 0.2298 | 0.4963 | 0.0010 |" in text
    assert "Relief of irrelevant attributes rises logarithmically" in text
    names = [drawing.name for section in article.sections for drawing in section.figures]
    assert names[:10] == [f"figure-{number}" for number in range(1, 11)]
    assert len(article.headline.rows) > 30


@pytest.mark.parametrize(
    "kept",
    [
        lambda _: False,
        lambda place: place == ("informative", 5, 10),
        lambda place: place[2] in (2, 40),
        lambda place: place[1] == 2 and place[0] == "slightly",
    ],
)
def test_part_of_the_answers_is_told_as_far_as_it_goes(specified, kept):
    answers = answers_of({place: cell for place, cell in specified.items() if kept(place)})
    article = to_article(answers)
    assert article.state.startswith("PARTIAL")
    assert article_md(article)
    for section in article.sections:
        for drawing in section.figures[:1]:
            assert drawing.draw().axes


def test_quick_asks_the_same_questions_with_fewer_trials():
    full, quick = paper_study("kononenko1995"), paper_study("kononenko1995", quick=True)
    assert [len(list(part.combinations())) for part in full.parts] == [9 * 3 * 5, 11 * 8 * 3]
    assert [len(list(part.combinations())) for part in quick.parts] == [9 * 3 * 5, 5 * 4 * 1]
    assert full.parts[0].settings == {"cases": 600, "trials": 1000}
    assert quick.parts[0].settings["trials"] < 500
    assert attrs.evolve(full.parts[0], settings={}) == attrs.evolve(quick.parts[0], settings={})


def test_the_committed_laboratory_is_what_its_questions_answer_and_the_article_shows_it():
    study = paper_study("kononenko1995")
    committed = [(q, f) for q, f in committed_answers(study) if q.part == "bias"]
    for question, told in committed:
        if question.varied["metric"] == "p-chi2" and question.varied["classes"] == 2:
            settings = {**question.settings, **question.varied, "trials": 50}
            again = ask_bias(settings, question.seed)
            # Means of 50 of the trials: four of their standard errors.
            assert told["mean V40"] == pytest.approx(again["mean V40"], abs=4 * again["error V40"])
    answers = Answers(
        study, tuple(q for q, _ in committed), {q.key: Record(f) for q, f in committed}
    )
    section = next(s for s in to_article(answers).sections if s.title.startswith("Beside the"))
    assert len(section.facts) == 11
    assert [table.heads[-1] for table in section.tables].count("signal") == 3


def test_equations_are_cited_by_the_papers_numbers():
    """Gini' 8, Relief 7, chi2 11, P 10 with 11 or 12; the gain to the distance 1 to 3."""
    cited = {
        "gain": "1", "gain-ratio": "2", "mantaras": "3", "j-measure": "4",
        "weight-of-evidence": "5", "gini": "6", "relief-myopic": "7", "gini-prime": "8",
        "relevance": "9", "p-chi2": "10, 11", "chi2": "11", "p-g": "10, 12", "g": "12",
        "mdl-prime": "13", "mdl": "14",
    }  # fmt: skip
    for name, numbers in cited.items():
        plural = "s" if "," in numbers else ""
        assert metric_info(name).source == f"kononenko1995 eq{plural}. {numbers}"
