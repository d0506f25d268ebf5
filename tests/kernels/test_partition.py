"""Cases are sent to branches as one by one, and stay sorted."""

import naive
import numpy as np
import pytest
from nodes import AWKWARD, nodes, sorted_keys

from treelab.kernels import partition as kernels

UNIT = 2.0**-40
"""All weights and shares here are multiples of it."""

awkward = pytest.mark.parametrize("how", AWKWARD.values(), ids=AWKWARD.keys())

# Branches


def branches(made, feature, low, side, maps, dtype=np.int8):
    """Return the branch of every id (-9 where there is no case), and the rules."""
    n_codes = made.n_codes[feature]
    joined = np.concatenate([np.empty(0, np.int32), *(m for m in maps if m is not None)])
    first, end = [], 0
    for m in maps:
        first.append(-1 if m is None else end)
        end += 0 if m is None else len(m)
    branch = np.full(len(made.ids) + 5, -9, dtype)
    rules = kernels.Rules(
        feature, n_codes, low, side, joined.astype(np.int32), np.array(first, np.int64)
    )
    kernels.branches_of(made.codes, made.nodes, rules, branch)
    return branch, rules


@pytest.mark.parametrize("side", [-1, 1, 2])
@pytest.mark.parametrize(
    "how", [{}, {"missing": 1.0}, {"n_codes": [255] * 3}, {"sizes": [1, 1, 1]}]
)
def test_cases_go_by_a_cut_or_by_a_map(how, side):
    made = nodes(5, **how)
    feature, low = np.array([0, 1, 2]), np.array([1, 0, 3])
    grouped = (np.arange(made.n_codes[1] + 1, dtype=np.int32) % 4) - 1
    branch, rules = branches(made, feature, low, np.full(3, side), [None, grouped, None])
    most = kernels.most_branches(rules)

    for k in made.numbers:
        expected = {}
        for place in made.places(k):
            code, known = made.code(feature[k], place), int(made.n_codes[feature[k]])
            by_cut = side if code == known else int(code > low[k])
            expected[int(made.ids[place])] = int(grouped[code]) if k == 1 else by_cut
        assert expected == {case: int(branch[case]) for case in expected}
        assert most[k] == (grouped.max() + 1 if k == 1 else max(2, side + 1))
    assert (branch == -9).sum() == len(branch) - sum(len(made.places(k)) for k in made.numbers)


def test_a_node_may_have_more_branches_than_a_byte_has_numbers():
    made = nodes(n_codes=[200], sizes=[300], missing=0.0)
    one = np.array([0])
    branch, rules = branches(made, one, one, one, [np.arange(201, dtype=np.int32)], np.int32)
    n = kernels.divide(made.codes, made.nodes, rules, made.n_classes, branch).first_child[1:]
    codes = {int(made.ids[place]): made.code(0, place) for place in made.places(0)}

    assert n.tolist() == [max(codes.values()) + 1]
    assert n[0] > 128
    assert codes == {case: int(branch[case]) for case in codes}


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("weights", ["one", "fraction"])
def test_dividing_counts_what_goes_to_each_branch(weights, side):
    made = nodes(6, weights=weights, missing=0.3)
    feature, low, sides = np.array([0, 1, 2]), np.array([1, 0, 3]), np.full(3, side)
    grouped = (np.arange(made.n_codes[2] + 1, dtype=np.int32) % 4) - 1
    expected, rules = branches(made, feature, low, sides, [None, None, grouped])
    branch = np.full(len(expected), -9, np.int8)
    n_branches = [max(expected[made.ids[made.places(k)]]) + 1 for k in made.numbers]
    first_child, parent, number, counts, lost, n_cases, n_lost = kernels.divide(
        made.codes, made.nodes, rules, made.n_classes, branch
    )

    assert branch.tolist() == expected.tolist()
    assert first_child.tolist() == [0, *np.cumsum(n_branches)]
    for k in made.numbers:
        gone = [branch[made.ids[place]] for place in made.places(k)]
        for b in range(-1, n_branches[k]):
            cases = [case for case, goes in zip(made.cases(k), gone, strict=True) if goes == b]
            child = first_child[k] + b
            found = (lost[k], n_lost[k]) if b < 0 else (counts[child], n_cases[child])

            assert b < 0 or (parent[child], number[child]) == (k, b)
            # The weights add up exactly, in any order.
            assert found[0].tolist() == naive.class_weights(cases, made.n_classes)
            assert found[1] == len(cases)


def test_parts_of_the_cases_count_the_same_children_and_sum_up():
    whole = nodes(6, weights="fraction", missing=0.3)
    # No case of a part needs to take the last branch.
    feature, low, sides = np.array([0, 1, 2]), np.array([1, 0, 3]), np.full(3, 2)
    rules = kernels.Rules(
        feature, whole.n_codes[feature], low, sides, np.empty(0, np.int32), np.full(3, -1)
    )
    middle = (whole.starts + whole.stops) // 2
    found = []
    for starts, stops in ((whole.starts, middle), (middle, whole.stops)):
        branch = np.empty(len(whole.ids) + 5, np.int8)
        part = whole.nodes._replace(starts=starts, stops=stops)
        found.append(kernels.count_children(whole.codes, part, rules, whole.n_classes, branch))
    branch = np.empty(len(whole.ids) + 5, np.int8)
    expected = kernels.count_children(whole.codes, whole.nodes, rules, whole.n_classes, branch)

    assert expected.first_child.tolist() == [0, 3, 6, 9]
    for name in ("first_child", "parent", "branch"):
        assert all(np.array_equal(getattr(f, name), getattr(expected, name)) for f in found)
    for name in ("counts", "lost", "n_cases", "n_lost"):
        np.testing.assert_array_equal(
            getattr(found[0], name) + getattr(found[1], name), getattr(expected, name)
        )


def test_branches_behind_the_last_one_taken_are_trimmed():
    first_child, parent, branch = kernels.children_of(np.array([3, 2, 3]))
    n_cases = np.array([2, 0, 0, 0, 1, 0, 4, 0])
    counts = np.stack([n_cases, 10.0 + np.arange(8)], axis=1)
    nothing = np.zeros((3, 2)), n_cases, np.zeros(3, np.int64)
    found = kernels.ChildCounts(first_child, parent, branch, counts, *nothing)
    trimmed = kernels.trim(found, kernels.last_taken(found))

    assert trimmed.first_child.tolist() == [0, 1, 3, 5]
    assert trimmed.parent.tolist() == [0, 1, 1, 2, 2]
    assert trimmed.branch.tolist() == [0, 0, 1, 0, 1]
    assert trimmed.n_cases.tolist() == [2, 0, 1, 0, 4]
    assert trimmed.counts[:, 1].tolist() == [10.0, 13.0, 14.0, 15.0, 16.0]


def test_shares_of_missing_cases_are_multiples_of_the_unit():
    made, branch, n_branches, _, chosen = random_deal(3, {"missing": 0.4}, losing=True)
    share = np.full(len(chosen), 1 / 3)
    shared = Dealt(made, branch, n_branches, share, np.ones(len(chosen), bool)).weights / UNIT

    np.testing.assert_array_equal(shared, np.round(shared))


# Dealing


class Dealt:
    """The children of some nodes by the kernels, called as `stats.stores.partition` does."""

    def __init__(self, made, branch, n_branches, share, chosen, dtype=np.uint32):
        self.first_child = np.concatenate([[0], np.cumsum(n_branches)])
        n_children, n_nodes = int(self.first_child[-1]), len(n_branches)
        self.counts = np.zeros((n_children, made.n_classes))
        self.lost = np.zeros((n_nodes, made.n_classes))
        self.n_cases, self.n_lost = np.zeros(n_children, np.int64), np.zeros(n_nodes, np.int64)
        kernels.count_branches(
            branch, made.nodes, self.first_child, self.counts, self.lost, self.n_cases, self.n_lost
        )
        parent = np.repeat(np.arange(n_nodes), n_branches)
        lengths = self.n_cases + np.where(share > 0, self.n_lost[parent], 0)
        self.stops = np.cumsum(np.where(chosen, lengths, 0))
        n, lost = int(self.stops[-1]), bool(self.n_lost.any())
        self.found = kernels.ChildCounts(
            self.first_child, parent, np.arange(n_children) - self.first_child[parent],
            self.counts, self.lost, self.n_cases, self.n_lost,
        )  # fmt: skip
        numbers = np.flatnonzero(chosen)
        given = share if lost else np.empty(0)
        self.to, to_lost, starts, stops = kernels.places_of(self.found, given, numbers)
        assert starts.tolist() == (self.stops - lengths)[numbers].tolist()
        assert stops.tolist() == self.stops[numbers].tolist()
        self.rows, self.labels, self.ids = (np.full(n, -7, np.int32) for _ in range(3))
        self.weights = np.full(n if lost else 0, np.nan)
        place_of = np.full(len(branch) if lost else 0, -7, np.int32)
        where = made.nodes, self.first_child, self.to, to_lost, share
        kernels.scatter(
            branch, *where, UNIT, self.rows, self.labels, self.ids, self.weights, place_of
        )
        keys, order = sorted_keys(made, dtype)
        self.keys = np.zeros((len(keys), n), dtype)
        self.order = np.full((len(keys), n), -7, np.int32)
        kernels.scatter_sorted(
            keys, order, branch, place_of, *where, (0, len(keys)), self.keys, self.order
        )


def random_deal(seed, how, losing, dtype=np.int8):
    made = nodes(seed, **how)
    rng = np.random.default_rng(seed)
    n_branches = rng.integers(2, 5, len(made.starts))
    branch = np.full(len(made.ids) + 5, -9, dtype)
    for k in made.numbers:
        ids = made.ids[made.starts[k] : made.stops[k]]
        branch[ids] = rng.integers(-1 if losing else 0, n_branches[k], len(ids))
    n_children = int(n_branches.sum())
    share = rng.choice([0.0, 0.25, 1.0], n_children) if losing else np.zeros(n_children)
    chosen = rng.random(n_children) < 0.8
    return made, branch, n_branches, share, chosen


def naive_children(made, branch, n_branches, share):
    """Yield the cases of each child: place in the parent, and weight."""
    child = 0
    for k in made.numbers:
        for b in range(n_branches[k]):
            cases = []
            for place in made.places(k):
                weight = made.weight(made.ids[place])
                goes = branch[made.ids[place]]
                if goes == b:
                    cases.append((place, weight))
                elif goes < 0 and share[child] > 0:
                    cases.append((place, weight * share[child]))
            yield k, b, cases
            child += 1


@pytest.mark.parametrize("losing", [False, True])
@awkward
def test_every_child_gets_its_cases_in_the_order_of_every_feature(how, losing):
    for seed in range(6):
        given = made, branch, n_branches, share, chosen = random_deal(seed, how, losing)
        if not chosen.any():
            continue
        dealt = Dealt(*given)
        for child, (_, _, cases) in enumerate(naive_children(made, branch, n_branches, share)):
            if not chosen[child]:
                assert dealt.to[child] == -1
                continue
            here = slice(dealt.to[child], dealt.stops[child])
            ids = dealt.ids[here]
            weight = dict(zip(ids, weights_of(dealt, made, ids), strict=True))
            rows = zip(dealt.rows[here], dealt.labels[here], weight.values(), strict=True)

            assert len(weight) == len(cases), "an id stands for one case"
            expected = [(made.rows[place], made.labels[place], w) for place, w in cases]
            assert sorted(expected) == sorted(rows)
            for f in made.features:
                keys = dealt.keys[f, here].tolist()
                codes = [key >> made.bits for key in keys]
                assert codes == sorted(codes)
                row_of = dict(zip(ids, dealt.rows[here], strict=True))
                label_of = dict(zip(ids, dealt.labels[here], strict=True))
                order = dealt.order[f, here]
                assert sorted(order) == sorted(ids)
                assert keys == [
                    min(int(made.codes[f, row_of[i]]), int(made.n_codes[f])) << made.bits
                    | int(label_of[i])
                    for i in order
                ]


def weights_of(dealt, made, ids):
    """Without lost cases the weights stay where they are."""
    if dealt.n_lost.any():
        assert sorted(dealt.ids) == list(range(len(dealt.ids)))
        return dealt.weights[ids].tolist()
    return [made.weight(case) for case in ids]


@pytest.mark.parametrize("losing", [False, True])
@awkward
def test_children_are_counted_without_the_cases_that_have_no_branch(how, losing):
    made, branch, n_branches, share, chosen = random_deal(1, how, losing, np.int32)
    dealt = Dealt(made, branch, n_branches, share, chosen)
    child = 0
    for k in made.numbers:
        cases = list(zip(made.cases(k), branch[made.ids[made.places(k)]], strict=True))
        lost = [case for case, goes in cases if goes < 0]
        assert naive.class_weights(lost, made.n_classes) == dealt.lost[k].tolist()
        assert len(lost) == dealt.n_lost[k]
        for b in range(n_branches[k]):
            mine = [case for case, goes in cases if goes == b]
            assert naive.class_weights(mine, made.n_classes) == dealt.counts[child].tolist()
            assert len(mine) == dealt.n_cases[child]
            child += 1


@awkward
def test_missing_cases_are_shared_out_by_size_or_go_to_one_branch(how):
    made, branch, n_branches, share, chosen = random_deal(2, how, True)
    found = Dealt(made, branch, n_branches, share, chosen).found
    goes = np.arange(len(n_branches)) % 3 - 1
    shares, counts = kernels.share_out(found, goes)
    for child, (k, b) in enumerate(zip(found.parent, found.branch, strict=True)):
        siblings = found.counts[found.parent == k]
        if goes[k] < 0:
            expected = found.counts[child].sum() / max(siblings.sum(), 1e-300)
        else:
            expected = float(b == goes[k])
        if siblings.sum() > 0 or goes[k] >= 0:
            # Sums of few weights, in another order.
            assert shares[child] == pytest.approx(expected, rel=1e-12)
            with_lost = found.counts[child] + shares[child] * found.lost[k]
            np.testing.assert_allclose(counts[child], with_lost, rtol=1e-12)
