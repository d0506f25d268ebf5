"""What a study comes to, in words: two learners or many, one data set or many, shown or not."""

import attrs
import numpy as np
import pytest
from told import spread, told

import treelab as tl
from treelab.experiment import Study
from treelab.experiment.record import Record
from treelab.experiment.report import table_md
from treelab.experiment.report.conclusion import conclusion
from treelab.experiment.results import Results
from treelab.experiment.summary import Summary


def concluded(accuracies, **changes):
    return conclusion(Summary(told(accuracies, **changes)))


def many(means, leaves=3, **changes):
    """Return a summary of learners a, b, ... with these mean accuracies (data, learner)."""
    means = np.asarray(means, float)
    learners = {chr(97 + i): tl.Learner(min_cases=i + 1) for i in range(means.shape[1])}
    data = list(tl.dataset_names()[: len(means)])
    study = Study(data=data, learners=learners, folds=2, **changes)
    trials, records = tuple(study.trials()), {}
    for trial in trials:
        row, column = data.index(trial.data), list(learners).index(trial.learner)
        value = means[row, column] + (0.01 if trial.fold else -0.01)
        sizes = {"accuracy": value, "leaves": leaves + column}
        records[trial.key] = Record(sizes, None, 0.1, "here")
    return Summary(Results(study, trials, records))


def test_two_learners_on_one_data_set_that_are_told_apart():
    rng = np.random.default_rng(2)
    cube = np.array([0.9, 0.7])[None, :, None, None] + rng.normal(0, 0.01, (1, 2, 3, 10))
    cube[0, 0] += 0.9 - cube[0, 0].mean()
    cube[0, 1] += 0.7 - cube[0, 1].mean()

    assert concluded(cube) == (
        "On lenses, gain is ahead with 90.00 %, 20.00 points more than gini (70.00 %).",
        "By the corrected resampled t-test, gain is better than gini (P = less than 0.0001).",
        "Leaves on average: gain 3.0, gini 3.0.",
    )


def test_two_learners_on_one_data_set_that_are_not():
    """Differences of 1 and -1 point in turn, but for one of 2: mean 0.1, variance 1.2111."""
    d = np.array([1, -1, 1, -1, 1, -1, 1, -1, 2, -1]) / 100
    first, second = 0.8 + d, np.full(10, 0.8)
    sentences = concluded(np.stack([first, second])[None, :, None, :])
    t = 0.1 / np.sqrt(np.var(100 * d, ddof=1) * (1 / 10 + 1 / 9))

    assert (
        sentences[0]
        == "On lenses, gain is ahead with 80.10 %, 0.10 points more than gini (80.00 %)."
    )
    assert sentences[1] == (
        "No difference is shown: the P-value of the corrected resampled t-test is "
        f"{2 * tl.evaluate.student.stdtr(9, -t):.2g}."
    )


@pytest.mark.parametrize("rows", [[[0.9, 0.8]], [[0.9, 0.9]], [[0.9]]])
def test_braces_in_a_name_are_braces(rows):
    name = "RandomForestClassifier(class_weight={}) {0.__class__} {x"
    summary = many(rows)
    first, *others = summary.study.learners
    study = attrs.evolve(summary.study, learners=[attrs.evolve(first, name=name), *others])
    found = Results(study, summary.results.trials, summary.results.records)

    assert name in conclusion(Summary(found))[0]


def test_level_learners_and_equal_results():
    sentences = concluded(np.full((2, 2, 1, 5), 0.8))

    assert sentences[0] == "On average over 2 data sets, gain and gini are level at 80.00 %."
    assert "gain and gini have the same accuracy in every fold." in sentences
    assert "gain has 0 wins, 2 ties and 0 losses against gini." in sentences


def test_a_lead_that_is_the_same_in_every_fold_cannot_be_tested():
    sentences = concluded(np.tile([[[[0.9]], [[0.8]]]], (1, 1, 1, 5)))

    assert sentences[1] == (
        "No difference is shown: all folds differ by the same amount, "
        "so the corrected resampled t-test has no P-value."
    )


def test_few_data_sets_cannot_show_a_difference():
    """Five sets: P of Wilcoxon's and of the sign test is at least 2 / 32, for 3 pairs 6 / 32."""
    means = [[0.9, 0.8, 0.7]] * 5
    sentences = concluded(spread(means, 0.01), tests=["wilcoxon"])

    assert sentences[1] == (
        "Over all data sets no difference is shown: they are too few, for Wilcoxon's test with "
        "Holm's correction for 3 pairs cannot give less than P = 0.19."
    )


def test_three_learners_on_many_data_sets():
    """A is always best, b and c in turn: on 8 sets P is 2 / 256 for a against each, times 3."""
    means = [[0.9, 0.8, 0.7] if i % 2 else [0.9, 0.6, 0.8] for i in range(8)]
    sentences = conclusion(many(means))

    assert sentences[0] == (
        "On average over 8 data sets, a is ahead with 90.00 %, 15.00 points more than c (75.00 %); "
        "b comes last (70.00 %)."
    )
    assert sentences[1] == (
        "By Wilcoxon's test with Holm's correction for 3 pairs, a is better than b (P = 0.023) and "
        "a is better than c (P = 0.023); 1 other pair differs not significantly."
    )
    assert "a has 8 wins, 0 ties and 0 losses against c and b." in sentences
    assert sentences[-1] == "Leaves on average: a 3.0, b 4.0, c 5.0."


def test_many_learners_are_counted_not_listed():
    means = np.linspace(0.9, 0.6, 8)[None, :] + np.zeros((12, 1))
    sentences = conclusion(many(means))

    assert sentences[0] == (
        "On average over 12 data sets, a is ahead with 90.00 %, 4.29 points more than b (85.71 %); "
        "h comes last (60.00 %)."
    )
    assert sentences[1] == (
        "By Wilcoxon's test with Holm's correction for 28 pairs, 28 of 28 pairs of learners differ "
        "(P < 0.05)."
    )
    assert "a has 12 wins, 0 ties and 0 losses against b." in sentences
    assert sentences[-1] == "Trees have from 3.0 (a) to 10.0 leaves (h) on average."


@pytest.mark.parametrize(
    ("test", "sentence"),
    [
        ("sign", "By the sign test, b is better than a (P = 0.031)."),
        ("wilcoxon", "By Wilcoxon's test, b is better than a (P = 0.031)."),
    ],
)
def test_the_better_one_is_named_first(test, sentence):
    assert conclusion(many([[0.7, 0.8]] * 6, tests=[test]))[1] == sentence


def test_nemenyis_test_is_corrected_by_itself():
    sentences = conclusion(many([[0.9, 0.8, 0.7]] * 8, tests=["friedman"]))

    assert sentences[1].startswith("By Nemenyi's test, a is better than c (P = ")
    assert "Holm" not in sentences[1]


def test_single_data_sets_on_which_learners_differ():
    rng = np.random.default_rng(3)
    cube = np.full((2, 2, 1, 10), 0.7) + rng.normal(0, 0.01, (2, 2, 1, 10))
    cube[0, 1] += 0.2
    sentences = concluded(cube)

    by = "By the corrected resampled t-test"
    assert f"{by}, gain is better on 0 and gini is better on 1 of 2 data sets." in sentences


def test_without_tests_nothing_is_shown():
    assert "No test of pairs of learners was made" in concluded(spread([[0.9, 0.8]]), tests=[])[1]


def test_one_learner_or_no_results():
    assert concluded(np.full((1, 1, 1, 5), 0.8)) == (
        "On lenses, gain has an accuracy of 80.00 %.",
        "Leaves on average: gain 3.0.",
    )
    results = told(np.full((1, 2, 1, 5), 0.8))
    nothing = Summary(attrs.evolve(results, records={}))
    assert conclusion(nothing) == (
        "Nothing can be concluded yet: no data set has results of all learners.",
    )


def test_learners_without_leaves_have_no_size():
    sentences = concluded(spread([[0.9, 0.8]]), record=("accuracy",))

    assert not any("eaves" in sentence for sentence in sentences)


def test_the_report_opens_with_the_conclusion():
    summary = Summary(told(spread([[0.9, 0.8]])))

    assert table_md(summary).split("\n")[2] == " ".join(conclusion(summary))
