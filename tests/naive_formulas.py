"""The metrics as formulas over a table, in plain loops; `FORMULAS` has them by name."""

import itertools
import math

import naive_chance
from naive import TIE, class_margin, entropy, gini_impurity, value_margin


def _drop(table, impurity):
    n = sum(value_margin(table))
    after = sum(sum(row) / n * impurity(row) for row in table if sum(row) > 0)
    return impurity(class_margin(table)) - after


def gain(table):
    return _drop(table, entropy)


def gini(table):
    return _drop(table, gini_impurity)


def gain_ratio(table):
    cost = entropy(value_margin(table))
    return gain(table) / cost if cost > TIE else 0.0


def chi2(table):
    n, of_class = sum(value_margin(table)), class_margin(table)
    result = 0.0
    for row in table:
        for observed, in_class in zip(row, of_class, strict=True):
            expected = sum(row) * in_class / n
            if expected > 0:
                result += (observed - expected) ** 2 / expected
    return result


def _divided(a, b):
    """Return a / b; 0 where b is 0 but for rounding."""
    return a / b if b > TIE else 0.0


def joint_entropy(table):
    return entropy([weight for row in table for weight in row])


def mantaras(table):
    return _divided(gain(table), joint_entropy(table))


def normalized_gain(table):
    return _divided(gain(table), entropy(class_margin(table)))


def symmetrical_uncertainty(table):
    both = entropy(class_margin(table)) + entropy(value_margin(table))
    return _divided(2 * gain(table), both)


def entropy_distance(table):
    """H(C|A) + H(A|C), each as the mean entropy of the rows and of the columns."""
    return _mean_entropy(table) + _mean_entropy(list(zip(*table, strict=True)))


def _mean_entropy(table):
    n = sum(value_margin(table))
    return sum(sum(row) / n * entropy(row) for row in table if sum(row) > 0)


def weighted_information(table, joint=False):
    if not joint:
        return -_mean_entropy(table)
    n = sum(value_margin(table))
    result = 0.0
    for row in table:
        result += sum(row) / n * sum(w / n * math.log2(w / n) for w in row if w > 0)
    return result


def gd(table):
    cost = entropy(value_margin(table))
    return entropy_distance(table) ** 2 / cost if cost > TIE else math.nan


def j_measure(table):
    """Summed over the cells: how many bits a value moves a class, by their joint share."""
    n, of_class = sum(value_margin(table)), class_margin(table)
    result = 0.0
    for row in table:
        for weight, in_class in zip(row, of_class, strict=True):
            if weight > 0:
                result += weight / n * math.log2(weight / sum(row) / (in_class / n))
    return result


def gini_prime(table):
    sizes = value_margin(table)
    squares = sum(size**2 for size in sizes)
    result = 0.0
    for row, size in zip(table, sizes, strict=True):
        if size > 0:
            result += size**2 / squares * (1 - gini_impurity(row))
    return result - (1 - gini_impurity(class_margin(table)))


def _cells(table):
    """Return value, class and weight of each cell."""
    return [(u, c, weight) for u, row in enumerate(table) for c, weight in enumerate(row)]


def relief_myopic(table):
    """Draw two cases: P(values differ | classes differ) - P(values differ | classes agree)."""
    differ, all_pairs = {True: 0.0, False: 0.0}, {True: 0.0, False: 0.0}
    for (u, c, a), (v, d, b) in itertools.product(_cells(table), repeat=2):
        all_pairs[c == d] += a * b
        differ[c == d] += a * b * (u != v)
    if all_pairs[False] == 0:
        return 0.0
    return differ[False] / all_pairs[False] - differ[True] / all_pairs[True]


def concentration(table):
    n = sum(value_margin(table))
    return sum((weight / n) ** 2 for _, _, weight in _cells(table))


def imc(table):
    return sum(max(row) for row in table) / sum(value_margin(table))


def accuracy(table):
    return imc(table) - max(class_margin(table)) / sum(value_margin(table))


def _occurring(weights):
    return [place for place, weight in enumerate(weights) if weight > 0]


def laplace(table):
    n, n_classes = sum(value_margin(table)), len(_occurring(class_margin(table)))
    result = 0.0
    for row in table:
        result += sum(row) / n * (max(row) + 1) / (sum(row) + n_classes)
    return result


def ssv(table, lexicographic=False):
    n = sum(value_margin(table))
    pairs = 0.0
    for (u, c, a), (v, d, b) in itertools.combinations(_cells(table), 2):
        if u != v and c != d:
            pairs += a * b
    torn = sum(sum(column) - max(column) for column in zip(*table, strict=True))
    return pairs - torn / (n + 1) if lexicographic else 2 * pairs - torn


def weight_of_evidence(table, m=None):
    n, of_class = sum(value_margin(table)), class_margin(table)
    classes = _occurring(of_class)
    if len(classes) == 1:
        return 0.0
    result = 0.0
    for row in table:
        for c in classes:
            prior = of_class[c] / n
            given = (row[c] + 1) / (sum(row) + len(classes))
            if m is not None:
                given = (row[c] + m * prior) / (sum(row) + m)
            odds = given / (1 - given) / (prior / (1 - prior))
            result += prior * sum(row) / n * abs(math.log2(odds))
    return result


def relevance(table):
    of_class = class_margin(table)
    classes = _occurring(of_class)
    if len(classes) == 1:
        return 0.0
    lost = 0.0
    for row in table:
        shares = [row[c] / of_class[c] for c in classes]
        lost += sum(shares) - max(shares)
    return 1 - lost / (len(classes) - 1)


def orthogonality(table):
    rows = [row for row in table if sum(row) > 0]
    apart = both = 0.0
    for a, b in itertools.combinations(rows, 2):
        apart += sum(a) * sum(b) * (1 - _cosine(a, b))
        both += sum(a) * sum(b)
    return _divided(apart, both)


def _cosine(a, b):
    product = sum(x * y for x, y in zip(a, b, strict=True))
    return product / (math.hypot(*a) * math.hypot(*b))


def dkm(table):
    return _drop(table, _dkm)


def _dkm(weights):
    majority = max(weights) / sum(weights)
    return 2 * math.sqrt(majority * (1 - majority))


def _apart(table, distance, many):
    """Return the mean or largest distance of the value counts of two classes that occur.

    The two are any pair of classes, or a class and all others together.
    """
    which, summary = many.split("-")
    columns = [column for column in zip(*table, strict=True) if sum(column) > 0]
    pairs = list(itertools.combinations(columns, 2))
    if which == "rest" and len(columns) > 1:
        others = [columns[:c] + columns[c + 1 :] for c in range(len(columns))]
        rests = [[sum(row) for row in zip(*rest, strict=True)] for rest in others]
        pairs = list(zip(columns, rests, strict=True))
    found = [distance(a, b) for a, b in pairs] or [0.0]
    return max(found) if summary == "max" else sum(found) / len(found)


def _shares(column):
    return [weight / sum(column) for weight in column]


def hellinger(table, many="pairs-mean"):
    def distance(a, b):
        pairs = zip(_shares(a), _shares(b), strict=True)
        return math.sqrt(sum((math.sqrt(p) - math.sqrt(q)) ** 2 for p, q in pairs))

    return _apart(table, distance, many)


def euclid(table, many="pairs-mean"):
    def distance(a, b):
        return math.dist(_shares(a), _shares(b)) / math.sqrt(2)

    return _apart(table, distance, many)


def auc(table, many="pairs-mean"):
    def area(a, b):
        pairs = zip(_shares(a), _shares(b), strict=True)
        return sum(abs(p * t - s * q) for (p, q), (s, t) in itertools.combinations(pairs, 2))

    return _apart(table, area, many)


def angle(table, many="pairs-mean"):
    def distance(a, b):
        # Rounding of the cosine must not become 1e-8 by the root.
        return math.sqrt(_above(1 - _cosine(a, b)))

    return _apart(table, distance, many)


def _above(x):
    return x if x > 1e-14 else 0.0


def g(table):
    n, of_class = sum(value_margin(table)), class_margin(table)
    result = 0.0
    for row in table:
        for observed, in_class in zip(row, of_class, strict=True):
            if observed > 0:
                result += 2 * observed * math.log(observed * n / (sum(row) * in_class))
    return _above(result)


def freedom(table):
    return (len(_occurring(value_margin(table))) - 1) * (len(_occurring(class_margin(table))) - 1)


def survival(x, dof):
    """Return the chance of a chi-square above x, by the finite sums for whole degrees."""
    if dof == 0:
        return 1.0
    z = x / 2
    first = 1 if dof % 2 else 0
    result = math.erfc(math.sqrt(z)) if first else 0.0
    for k in range(first, dof // 2 + first):
        power = k - first / 2
        result += z**power * math.exp(-z) / math.gamma(power + 1)
    return result


def log_p(statistic):
    """Make a formula: log10 of the chance of a larger statistic."""
    return lambda table: math.log10(survival(statistic(table), freedom(table)))


def confidence(statistic):
    """Make a formula: the chance of a smaller statistic."""
    return lambda table: 1 - survival(statistic(table), freedom(table))


def mdl_prime(table):
    return gain(table) + _decoder(table) / sum(value_margin(table))


def mdl(table):
    before = _log_multinomial(class_margin(table))
    after = sum(_log_multinomial(row) for row in table)
    return (before - after + _decoder(table)) / sum(value_margin(table))


def _decoder(table):
    sizes, n_classes = value_margin(table), len(table[0])
    after = sum(_log_binomial(size + n_classes - 1, n_classes - 1) for size in sizes)
    return _log_binomial(sum(sizes) + n_classes - 1, n_classes - 1) - after


def _log_binomial(n, k):
    return _log_multinomial([k, n - k])


def _log_multinomial(weights):
    logs = math.lgamma(sum(weights) + 1) - sum(math.lgamma(weight + 1) for weight in weights)
    return logs / math.log(2)


def normalized_gini(table):
    margins = value_margin(table), class_margin(table)
    left = gini_impurity(margins[1]) - gini(table)
    return naive_chance.over_chance(left, naive_chance.expected_gini(*margins))


def normalized_entropy(table, expectation="exact"):
    small = {"exact": math.inf, "eq24": 0, "eq26": 20}[expectation]
    expected = naive_chance.expected_entropy(value_margin(table), class_margin(table), small)
    return naive_chance.over_chance(_mean_entropy(table), expected)


FORMULAS = {
    "accuracy": accuracy,
    "angle": angle,
    "auc": auc,
    "chi2": chi2,
    "concentration": concentration,
    "dkm": dkm,
    "entropy-distance": entropy_distance,
    "euclid": euclid,
    "g": g,
    "gain": gain,
    "gain-ratio": gain_ratio,
    "gd": gd,
    "gini": gini,
    "gini-prime": gini_prime,
    "hellinger": hellinger,
    "imc": imc,
    "j-measure": j_measure,
    "joint-information": joint_entropy,
    "laplace": laplace,
    "log-p-chi2": log_p(chi2),
    "log-p-g": log_p(g),
    "mantaras": mantaras,
    "mdl": mdl,
    "mdl-prime": mdl_prime,
    "normalized-entropy": normalized_entropy,
    "normalized-gain": normalized_gain,
    "normalized-gini": normalized_gini,
    "orthogonality": orthogonality,
    "p-chi2": confidence(chi2),
    "p-g": confidence(g),
    "relevance": relevance,
    "relief-myopic": relief_myopic,
    "ssv": ssv,
    "symmetrical-uncertainty": symmetrical_uncertainty,
    "weight-of-evidence": weight_of_evidence,
    "weighted-information": weighted_information,
}
LOWER_IS_BETTER = (
    "entropy-distance",
    "gd",
    "joint-information",
    "log-p-chi2",
    "log-p-g",
    "normalized-entropy",
    "normalized-gini",
)
# P rounds to 1; what ranks is how unlikely a larger statistic is.
RANKED_BY = {"p-chi2": "log-p-chi2", "p-g": "log-p-g"}


def score(metric, table):
    """Return what a metric ranks a table by, larger being better; None where it cannot judge."""
    metric = RANKED_BY.get(metric, metric)
    value = FORMULAS[metric](table)
    if math.isnan(value):
        return None
    return -value if metric in LOWER_IS_BETTER else value
