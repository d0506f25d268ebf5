"""Simulations whose later questions depend on the answers to the first ones."""

import attrs

from treelab.experiment.record import Record
from treelab.experiment.report.article import Article
from treelab.experiment.runner import run_simulation
from treelab.experiment.simulation import Answers, Part, Simulation

ASKED = []


def squared(settings, seed):
    ASKED.append((settings["x"], seed))
    if settings["x"] == settings.get("bad"):
        raise ValueError("no")
    return {"value": float(settings["x"] ** 2)}


def largest(answers):
    """Ask again, for more seeds, about the largest."""
    best = max(answers.of("first"), key=lambda found: found[1]["value"])[0]
    return [Part("second", squared, {"x": [best.varied["x"]]}, seeds=3)]


def simulation(tmp_path, **settings):
    return Simulation(
        name="halving", title="", citation="", folder=tmp_path, then=largest,
        parts=(Part("first", squared, {"x": [1, 3, 2]}, settings),),
        to_article=lambda answers: Article("", "", answers.state, ()),
    )  # fmt: skip


def test_the_second_stage_follows_from_the_first(tmp_path):
    answers = run_simulation(simulation(tmp_path))

    assert [(q.part, q.varied["x"], q.seed) for q in answers.trials] == [
        ("first", 1, 0), ("first", 3, 0), ("first", 2, 0),
        ("second", 3, 0), ("second", 3, 1), ("second", 3, 2),
    ]  # fmt: skip
    assert answers.figures("second", "value").tolist() == [9.0, 9.0, 9.0]
    assert not answers.is_partial


def test_it_goes_on_where_it_was_stopped(tmp_path):
    store = tmp_path / "trials.sqlite"
    first = attrs.evolve(simulation(tmp_path), then=None)
    run_simulation(first, store)
    ASKED.clear()
    run_simulation(simulation(tmp_path), store)
    assert ASKED == [(3, 0), (3, 1), (3, 2)]
    run_simulation(simulation(tmp_path), store)
    assert len(ASKED) == 3


def test_nothing_follows_from_answers_that_are_not_all_there(tmp_path):
    answers = run_simulation(simulation(tmp_path, bad=2))

    assert [q.part for q in answers.trials] == ["first"] * 3
    assert len(answers.failures) == 1
    study = simulation(tmp_path)
    trials = tuple(study.trials())
    known = {trial.key: Record({"value": 1.0}) for trial in trials[:2]}
    assert Answers(study, trials, known).following is None


def test_without_stages_nothing_follows(tmp_path):
    answers = run_simulation(attrs.evolve(simulation(tmp_path), then=None))

    assert answers.following is None
    assert len(answers.trials) == 3
