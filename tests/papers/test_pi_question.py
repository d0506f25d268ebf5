"""pi-question: the protocol, choice that cannot see what it is tested on, the rules of verdicts."""

import re
from pathlib import Path

import attrs
import numpy as np
import pytest
from made_up import answered, unanswered

import treelab as tl
from treelab.characteristics import FORMULAS
from treelab.choosing import Domain
from treelab.experiment.runner import run_simulation
from treelab.papers.catalog import paper_study
from treelab.papers.pi_question import to_article
from treelab.papers.pi_question.halving import (
    DEFAULT,
    family_of,
    leaders,
    portfolios,
    settings_of,
)
from treelab.papers.pi_question.holding_out import (
    ALWAYS,
    INNER_OF_ALL,
    ORACLE,
    RULE,
    SINGLE,
    best_single,
    by_rule,
    contest,
    others,
)
from treelab.papers.pi_question.questions import setting
from treelab.papers.pi_question.shipping import answers_in, rule_document
from treelab.papers.pi_question.singles import best_of_all
from treelab.papers.pi_question.table import Finals, finals_of
from treelab.papers.pi_question.verdicts import (
    choice_sentence,
    promise_sentence,
    short,
    single_sentence,
)

OTHER = "pi:theta=0/0/0/1,decay=power,alpha=2"
PEERS = ("gain", "gain-ratio-c45")


@pytest.fixture(scope="module")
def study():
    return paper_study("pi-question")


@pytest.fixture(scope="module")
def parts(study):
    return {part.name: part for part in study.parts}


# The protocol


def test_there_are_at_least_sixty_settings_that_all_exist(parts):
    over = parts["screen"].over
    names = [setting(theta, decay) for theta in over["theta"] for decay in over["decay"]]

    assert len(set(names)) == len(names) >= 60
    assert DEFAULT in names
    assert len({tl.metric(name) for name in names}) == len(names)
    assert tl.metric(DEFAULT) == tl.metric("pi")


def test_all_bundled_sets_and_the_generators_of_the_question_take_part(parts):
    data = parts["screen"].over["data"]
    large = {name for name in tl.dataset_names() if len(tl.load(name)) >= 50}

    assert {name for name in data if ":" not in name} == large - {"lymphography2", "lymphography3"}
    made = {name.split(":")[1] for name in data if name.startswith("make:")}
    assert {"exor", "parity", "led", "monks", "epistasis", "four-gaussians"} <= made
    assert any("noise" in name for name in data)
    assert all(parts[name].over["data"] == data for name in ("peers", "meta"))


def test_all_grow_the_trees_of_vilalta2001(parts):
    shared = paper_study("vilalta2001").learners[0].factory.learner.settings
    for name in ("screen", "peers"):
        mine = tl.Learner(**parts[name].settings["learner"], metric="gain").settings

        assert mine | {"metric": None} == shared | {"metric": None}


def test_every_member_of_a_family_takes_part_and_only_once(parts):
    families = parts["screen"].settings["families"]
    members = [name for names in families.values() for name in names]

    assert len(set(members)) == len(members)
    assert set(members) <= set(parts["screen"].over["data"])
    assert family_of("iris", families) == "iris"
    assert family_of("monks-2", families) == "monks"


# Halving


def first_stage(study, accuracy):
    """Return the answers of the first stage: accuracy(data, setting)."""

    def figures(question):
        varied = question.varied
        if question.part == "screen":
            name = setting(varied["theta"], varied["decay"])
            return {"accuracy": accuracy(varied["data"], name)}
        return {}

    return answered(study, figures)


def test_the_settings_of_a_data_set_are_chosen_without_a_look_at_its_family(study):
    rng = np.random.default_rng(0)
    drawn = {}

    def accuracy(data, name):
        return drawn.setdefault((data, name), rng.random())

    def spoilt(data, name):
        return 1 - accuracy(data, name) if data.startswith("monks") else accuracy(data, name)

    honest, other = (portfolios(first_stage(study, each)) for each in (accuracy, spoilt))

    # For the monks nothing is changed by what happens on the monks; for others it is.
    assert all(honest[name] == other[name] for name in ("monks-1", "monks-2", "monks-3"))
    assert honest != other
    assert all(DEFAULT in names and len(names) in (6, 7) for names in honest.values())


def test_leaders_have_the_least_regret_and_families_count_once():
    accuracy = np.array([[90, 80, 85], [90, 80, 85], [80, 90, 88]], float)

    assert leaders(accuracy, ["a", "b", "c"], 2) == [0, 2]
    assert leaders(accuracy, ["a", "a", "c"], 1) == [2]
    assert leaders(accuracy[:2], ["a", "b"], 1) == [0]


def test_the_second_stage_plays_the_union_on_all_data(study):
    found = first_stage(study, lambda data, name: len(name) / 100 + len(data) / 1000)
    longer = {part.name: part for part in found.following.parts}
    chosen = portfolios(found)

    assert set(longer["finals"].over["metric"]) == {n for names in chosen.values() for n in names}
    assert longer["finals"].seeds == 5
    assert longer["finals"].settings["folds"] == 10
    assert longer["nested"].settings["portfolios"]["iris"] == list(chosen["iris"])
    assert set(settings_of(found)) >= set(longer["finals"].over["metric"])


# Holding out


def made(n=8, lead=0.0, seed=0, nested=None):
    """Return finals of made-up accuracies in which OTHER is ahead by `lead`."""
    rng = np.random.default_rng(seed)
    metrics = (*PEERS, DEFAULT, OTHER)
    base = rng.uniform(60, 95, (n, 1, 1, 1))
    accuracy = base + rng.normal(scale=1.0, size=(n, 4, 2, 3))
    accuracy[:, 3] += lead
    data = tuple(f"set {k}" if k < n - 2 else f"make:set {k}" for k in range(n))
    families = tuple(f"family {k // 2}" for k in range(n))
    meta = [
        dict.fromkeys(FORMULAS, 0.0) | {"cases": 100.0 + k, "distance": k / n} for k in range(n)
    ]
    chosen = np.stack([accuracy[:, 2:, 0].max(axis=1)] * 2) if nested is None else nested
    return Finals(
        data, families, metrics, PEERS, accuracy, tuple(meta), tuple((each,) * 3 for each in meta),
        dict.fromkeys(data, (DEFAULT, OTHER)), chosen,
    )  # fmt: skip


def test_choice_is_given_other_families_only():
    domains = made().domains()

    known = others(domains, "family 1")
    assert [each.name for each in known] == [f"set {k}" for k in (0, 1, 4, 5)] + [
        "make:set 6", "make:set 7",
    ]  # fmt: skip


def test_what_is_chosen_does_not_change_with_the_results_of_the_held_out_family():
    """Nonsense in the held-out rows changes what is got there, never what is chosen."""
    finals = made(lead=0.3)
    place = 2
    spoilt_accuracy = finals.accuracy.copy()
    spoilt_accuracy[2:4] = np.random.default_rng(9).uniform(0, 100, spoilt_accuracy[2:4].shape)
    spoilt = attrs.evolve(finals, accuracy=spoilt_accuracy)
    meta = finals.parts[place][0]

    def chosen(table):
        known = others(table.domains(), table.families[place])
        among = (*table.portfolios[table.data[place]], *table.peers)
        return best_single(known, among), by_rule(known, among, meta)

    assert chosen(finals) == chosen(spoilt)
    fine, bad = contest(finals), contest(spoilt)
    assert not np.allclose(fine.of(SINGLE)[place], bad.of(SINGLE)[place])


def test_the_contest_looks_up_what_was_chosen():
    finals = made(lead=5.0)
    found = contest(finals)

    # OTHER is ahead everywhere by far, so everybody who may choose chooses it.
    ahead = finals.accuracy[:, 3, 0].mean(axis=1)
    assert found.of(SINGLE) == pytest.approx(ahead)
    assert found.of(RULE) == pytest.approx(ahead)
    assert found.of(ALWAYS) == pytest.approx(finals.accuracy[:, 2, 0].mean(axis=1))
    assert (found.of(ORACLE) >= found.of(SINGLE) - 1e-9).all()
    assert found.bundled.tolist() == [True] * 6 + [False] * 2


def test_families_count_once_in_the_best_single_setting():
    def domain(name, family, a, b):
        return Domain(name, family, {}, {"a": a, "b": b})

    known = [domain(str(k), "same", 90, 80) for k in range(5)]
    known += [domain("x", "x", 70, 85), domain("y", "y", 70, 85)]
    assert best_single(known, ("a", "b")) == "b"


# Words


def test_the_best_single_setting_is_told_with_its_confidence():
    clear, even = made(lead=5.0), made(lead=0.0, n=20)
    sentence = single_sentence(clear, best_of_all(clear))

    assert "Yes, and better than the paper's: theta 0001, power, alpha 2" in sentence
    assert "100 % of bootstrap samples" in sentence
    single = best_of_all(even)
    assert single.low <= 0 or single.name == DEFAULT
    assert single.share < 1


def test_the_second_answer_goes_by_wilcoxons_test():
    finals = made(n=20, lead=5.0)
    assert "Not shown: the rule" in choice_sentence(contest(finals))
    better = np.stack([finals.accuracy[:, 3, 0] + 3.0] * 2)
    assert "By inner folds: yes" in choice_sentence(contest(made(n=20, lead=5.0, nested=better)))
    worse = np.stack([finals.accuracy[:, 3, 0] - 3.0] * 2)
    assert "no, it loses by it" in choice_sentence(contest(made(n=20, lead=5.0, nested=worse)))


@pytest.mark.parametrize(("behind", "verdict"), [(0.9, "holds"), (1.1, "FAILED"), (-2.0, "holds")])
def test_the_promise_is_computed_over_the_bundled_sets(behind, verdict):
    finals = made(lead=5.0)
    tuned = np.stack([finals.accuracy[:, 3, 0] - behind] * 2)
    tuned[:, 6:] = 0.0  # generated data have no part in it
    finals = attrs.evolve(finals, nested=tuned)
    sentence = promise_sentence(finals, contest(finals))

    assert f"data sets {verdict}: " in sentence
    assert f"{abs(behind):.2f} points {'below' if behind > 0 else 'above'}" in sentence


def test_settings_are_written_for_people():
    assert short("pi:theta=0/0/1/1,decay=radius,alpha=4") == "theta 0011, radius, alpha 4"
    assert short("gain") == "gain"


# All of it, quickly


@pytest.fixture(scope="module")
def quick():
    return run_simulation(paper_study("pi-question", quick=True))


@pytest.mark.compiled("two minutes in plain Python")
def test_the_quick_form_answers_everything(quick):
    article = to_article(quick)

    assert not quick.failures
    assert not article.state
    titles = [section.title for section in article.sections]
    assert titles[0] == "The answer"
    assert "Maps of regret" in titles
    text = " ".join(article.sections[0].texts)
    assert re.search(r"The promise .* (holds|FAILED): ", text)
    assert article.headline.heads[0] == "contestant"
    assert {row[0].text for row in article.headline.rows} >= {ALWAYS, RULE, SINGLE, INNER_OF_ALL}
    for section in article.sections:
        for drawing in section.figures:
            assert drawing.draw().axes


@pytest.mark.compiled("two minutes in plain Python")
def test_a_rule_is_made_of_the_answers(quick):
    document = rule_document(quick)

    assert len(document["domains"]) == 5
    assert document["portfolios"]["metrics"][0] == "gain-ratio-c45"
    assert set(document["portfolios"]["pi"]) <= set(document["metrics"])
    assert document["characteristics"] == list(FORMULAS)
    finals = finals_of(quick)
    first = dict(zip(document["metrics"], document["domains"][0]["accuracy"], strict=True))
    assert first["gain"] == pytest.approx(finals.means[0, finals.metrics.index("gain")], abs=0.01)


def test_a_study_that_has_not_begun_says_so(study):
    article = to_article(unanswered(study))

    assert article.sections[0].texts == ("No three data sets are complete yet.",)
    assert article.headline is None


# What is committed

REPORT = Path(__file__).parents[2] / "experiments" / "pi-question" / "report"


@pytest.fixture(scope="module")
def committed(study):
    assert "PARTIAL" not in (REPORT / "report.md").read_text("utf-8")
    return answers_in(REPORT, study)


def test_the_committed_page_is_that_of_the_committed_answers(committed):
    page = (REPORT / "report.md").read_text("utf-8")
    for sentence in to_article(committed).sections[0].texts:
        assert sentence in page


def test_the_rule_that_is_shipped_is_made_of_the_committed_answers(committed):
    from treelab.choosing.shipped import _document

    assert rule_document(committed) == _document()
