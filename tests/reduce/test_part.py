"""Features chosen on a part P that is enlarged until another part agrees."""

from itertools import pairwise

import numpy as np
import pytest

import treelab as tl
from treelab.errors import ParameterError
from treelab.reduce import features, on_part
from treelab.reduce.judged import Reduction


def best_three(data):
    return features(data, "relief", k=3)


def test_parts_grow_until_two_of_them_agree_and_hold_the_smaller_ones():
    data = tl.load("credit-german")
    seen = []

    def judge(cases):
        seen.append(len(cases))
        names = cases.features
        # Disagree until there are 60 cases.
        kept = names[:2] if len(cases) >= 60 else names[len(seen) : len(seen) + 2]
        return Reduction(dict.fromkeys(names, 1.0), kept)

    found = on_part(data, judge, 20, growth=2, seed=3)
    assert seen == [20, 20, 40, 40, 80, 80]
    assert found.cases == 80
    assert [step.is_consistent for step in found.steps] == [False, False, True]


def test_the_two_parts_have_no_case_in_common_and_a_larger_one_holds_the_smaller():
    data = tl.load("iris")
    numbered = tl.Dataset.of(
        data.schema, [np.arange(150.0), *data.columns[1:]], data.y, data.weights, data.name
    )
    parts = []

    def judge(cases):
        parts.append(set(cases[data.features[0]].tolist()))
        return Reduction({}, (str(len(parts)),))

    on_part(numbered, judge, 10, seed=1)
    firsts, others = parts[:-1:2], parts[1::2]
    assert all(not one & other for one, other in zip(firsts, others, strict=True))
    assert all(small < large for small, large in pairwise(firsts))
    assert len(parts[-1]) == 150  # no two parts agreed, so all cases decided


def test_real_data_choose_as_all_cases_do_and_the_order_of_rows_does_not_matter():
    data = tl.load("kr-vs-kp")
    found = on_part(data, best_three, 0.1, seed=2)
    assert found.cases is not None
    assert found.reduction.kept == best_three(data).kept
    shuffled = data.take(np.random.default_rng(0).permutation(len(data)))
    assert on_part(shuffled, best_three, 0.1, seed=2).steps == found.steps


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"part": 100}, "a part of 100 of 150 cases leaves too few for a test on others"),
        ({"growth": 1}, "growth must exceed 1"),
        ({"growth": 0.5}, "growth must be a number of at least 1"),
        ({"part": 0}, "size must be a whole number of cases"),
    ],
)
def test_mistakes_are_told_in_a_sentence(words, said):
    with pytest.raises(ParameterError, match=said):
        on_part(tl.load("iris"), best_three, **words)
