"""What a notebook shows of results: every one something, and no name as markup."""

import numpy as np
import pandas as pd
import pytest

import treelab as tl
from treelab.experiment import Study
from treelab.writers.notebook import LARGE

BAD = "<img src=x onerror=alert(1)>&"


def data(bad=""):
    rng = np.random.default_rng(0)
    x = rng.normal(size=60)
    frame = pd.DataFrame({f"x{bad}": x, f"y{bad}": rng.integers(0, 5, 60).astype(float)})
    frame[f"z{bad}"] = rng.choice([f"a{bad}", "b", None], 60)
    frame[f"class{bad}"] = np.where(x > 0, f"yes{bad}", "no")
    return tl.Dataset.from_frame(frame, target=f"class{bad}")


def results(bad=""):
    """Return every kind of result."""
    cases = data(bad)
    tree = tl.grow(cases, "gini")
    coding = tl.discretizer("equal-width:3").fit(cases)
    return {
        "Dataset": cases,
        "Why": tl.why(tree, metrics=["gain", "gini"], data=cases),
        "Importances": tl.importances(tree),
        "Ranking": tl.rank(cases, "gain"),
        "Rankings": tl.rank(cases, ["gain", "gini"]),
        "CrossValidation": tl.cross_validate(cases, tl.Learner(), folds=3),
        "Assessment": tl.assess(tree, cases),
        "Coding": coding,
        "Intervals": coding.describe(cases),
        "Selection": tl.select(cases, "gain", k=1),
        "DataCheck": tl.check(cases),
        "TreeStability": tl.stability(cases, metrics="gini", samples=2),
        "Rashomon": tl.rashomon(cases, tl.Learner(max_depth=2), "gini"),
        "Tree": tree,
    }


PLAIN, HOSTILE = results(), results(BAD)


@pytest.mark.parametrize("name", PLAIN)
def test_every_result_shows_itself(name):
    html, said = PLAIN[name]._repr_html_(), repr(PLAIN[name])

    assert "<svg" in html if name == "Tree" else "<table>" in html
    assert "\n" not in said
    assert len(said) < 200
    assert said.startswith(("<", "Dataset"))


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_becomes_markup(name):
    html = HOSTILE[name]._repr_html_()

    assert "<img" not in html
    assert ("&lt;img" in html) == (name != "CrossValidation")  # which names nothing


def test_the_figures_are_those_of_the_results():
    found = PLAIN["CrossValidation"]

    assert f"{100 * found.accuracy:.1f} %" in found.heading
    assert found._repr_html_().count("<tr>") == 1 + len(found.folds)
    assert str(found).startswith(found.heading)
    confusion = PLAIN["Assessment"]._repr_html_()
    assert all(f">{cell:.0f}<" in confusion for cell in PLAIN["Assessment"].confusion.ravel())


def test_the_first_cases_are_shown_with_their_weights_and_gaps():
    html = data().reweighted(np.full(60, 2.5))._repr_html_()

    assert "<td>?</td>" in html
    assert html.count(">2.5</td>") == 5
    assert "55 more cases not shown" in html
    assert "<table>" in data().take([])._repr_html_()


def test_results_of_a_study(tmp_path):
    study = Study(name="small", data=["lenses"], learners={f"A{BAD}": tl.Learner()}, folds=2)
    found = tl.run_study(study, tmp_path / "small.db")
    html = found._repr_html_()

    assert "<img" not in html
    assert "lenses" in html
    assert repr(found) == "<Results: 1 data set, 1 learner, 2 trials: accuracy in %>"


def test_bias_shows_its_table():
    found = tl.bias(["gain", "mdl"], values=[2, 5], classes=[2], trials=20)

    assert "<table>" in found._repr_html_()
    assert repr(found).startswith("<Bias of gain, mdl; ")


def test_a_large_tree_is_an_interactive_page():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(400, 3)), columns=list("abc"))
    frame["class"] = rng.choice(["yes", "no"], 400)
    tree = tl.grow(tl.Dataset.from_frame(frame, target="class"), "gini", pruner="none")
    html = tree._repr_html_()

    assert tree.n_nodes > LARGE
    assert html.startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')
    assert "<script" not in html
