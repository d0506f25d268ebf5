"""Metrics over pairs of cases, as loops a student could check. Missing is None."""

import math


def difference(a, b, scale):
    """Nominal values (scale None) differ or not; numbers by distance over scale, up to 1."""
    if a is None or b is None:
        return 0.0 if a is None and b is None else 1.0
    if scale is None:
        return float(a != b)
    return min(abs(a - b) / scale, 1.0) if scale > 0 else 0.0


def scales(cases, numeric, ramp):
    """Return ramp times the range of each numeric feature, None for nominal ones."""
    ramps = ramp if isinstance(ramp, tuple) else (ramp,) * len(numeric)
    result = []
    for f, is_numeric in enumerate(numeric):
        known = [case[f] for case in cases if case[f] is not None]
        result.append(ramps[f] * (max(known) - min(known)) if is_numeric and known else None)
    return result


def apart(a, b, scale):
    return [difference(x, y, s) for x, y, s in zip(a, b, scale, strict=True)]


def shares_of_places(distances, k):
    """Return what each case gets of k places: cases tied at the last place share what is left."""
    shares, left = {}, float(k)
    for distance in sorted(set(distances.values())):
        tied = [j for j, d in distances.items() if d == distance]
        for j in tied:
            shares[j] = min(1.0, left / len(tied))
        left = max(left - len(tied), 0.0)
    return {j: share for j, share in shares.items() if share > 0}


def contextual_merit(cases, y, numeric, ramp=0.5, k=None, leave_out=False):
    """CM0, or CM1 where the judged feature is left out of the distance (hong1996)."""
    scale = scales(cases, numeric, ramp)
    merits = [0.0] * len(numeric)
    for i, case in enumerate(cases):
        others = [j for j in range(len(cases)) if y[j] != y[i]]
        if not others:
            continue
        places = k or max(1, math.floor(math.log2(len(others))))
        d = {j: apart(case, cases[j], scale) for j in others}
        for f in range(len(numeric)):
            distance = {j: round(sum(d[j]) - (d[j][f] if leave_out else 0), 12) for j in others}
            for j, share in shares_of_places(distance, places).items():
                below = (1 + distance[j]) ** 2 if leave_out else distance[j] ** 2
                merits[f] += share * d[j][f] / below if below > 0 else 0.0
    return merits


def expected_difference(cases, y, f, scale, i, j):
    """Let a missing value be any known one, as probable as in its class, estimated with m."""

    def stands_for(case):
        if cases[case][f] is not None:
            return {cases[case][f]: 1.0}
        known = [k for k in range(len(y)) if cases[k][f] is not None]
        return {cases[k][f]: probability(cases[k][f], y[case], known) for k in known}

    def probability(v, c, known):
        overall = sum(cases[k][f] == v for k in known) / len(known)
        of_class = [k for k in known if y[k] == c]
        if not of_class:
            return overall
        m = 10 * (y.count(c) - len(of_class)) / len(of_class)
        return (sum(cases[k][f] == v for k in of_class) + m * overall) / (len(of_class) + m)

    return sum(
        p * q * difference(a, b, scale[f])
        for a, p in stands_for(i).items()
        for b, q in stands_for(j).items()
    )


def relieff(cases, y, numeric, k, missing="expected", spread=None):
    """Mean over cases of the misses' mean difference, by prior, less that of the hits.

    With a spread, the neighbour of rank r counts exp(-(r / spread)^2).
    """
    scale = scales(cases, numeric, 1.0)
    n, n_features, classes = len(cases), len(numeric), sorted(set(y))
    prior = {c: y.count(c) / n for c in classes}
    worth = [math.exp(-((r / spread) ** 2)) if spread else 1.0 for r in range(1, k + 1)]
    result = [0.0] * n_features

    def differences(i, j):
        if missing == "value":
            return apart(cases[i], cases[j], scale)
        return [expected_difference(cases, y, f, scale, i, j) for f in range(n_features)]

    for i in range(n):
        for c in classes:
            group = [j for j in range(n) if y[j] == c and j != i]
            if not group:
                continue
            d = {j: differences(i, j) for j in group}
            near = worths({j: round(sum(d[j]), 12) for j in group}, worth)
            weight = -1.0 if c == y[i] else prior[c] / (1 - prior[y[i]])
            for f in range(n_features):
                mean = sum(s * d[j][f] for j, s in near.items()) / sum(near.values())
                result[f] += weight * mean / n
    return result


def worths(distances, worth):
    """Return what each case gets of places of unequal worth: tied cases share alike."""
    shares, taken = {}, 0
    for distance in sorted(set(distances.values())):
        tied = [j for j, d in distances.items() if d == distance]
        for j in tied:
            shares[j] = sum(worth[taken : taken + len(tied)]) / len(tied)
        taken += len(tied)
    return {j: share for j, share in shares.items() if share > 0}


def relief(cases, y, numeric):
    """Mean of squared difference from the nearest miss less that from the nearest hit."""
    scale, n = scales(cases, numeric, 1.0), len(cases)
    result = [0.0] * len(numeric)
    for i in range(n):
        for sign in (-1, 1):
            group = [j for j in range(n) if (y[j] != y[i]) == (sign > 0) and j != i]
            d = {j: apart(cases[i], cases[j], scale) for j in group}
            distances = {j: round(math.sqrt(sum(x * x for x in d[j])), 12) for j in group}
            for j, share in shares_of_places(distances, 1).items():
                for f in range(len(numeric)):
                    result[f] += sign * share * d[j][f] ** 2 / n
    return result


def all_pairs(cases, y, numeric, weight_of, missing="value", self_pairs=True):
    """Return {(feature, value of i, class of i, differs, other class): weight} of all pairs.

    The value of a number is 0, that of a missing value None.
    """
    scale, n = scales(cases, numeric, 1.0), len(cases)
    tables = {}
    for i in range(n):
        for j in range(n):
            if i == j and not self_pairs:
                continue
            d = apart(cases[i], cases[j], scale)
            if missing == "expected":
                features = range(len(numeric))
                d = [expected_difference(cases, y, f, scale, i, j) for f in features]
            weight = weight_of(round(sum(d), 12))
            for f, is_numeric in enumerate(numeric):
                value = 0 if is_numeric and cases[i][f] is not None else cases[i][f]
                for differs, part in enumerate((1 - d[f], d[f])):
                    key = (f, value, y[i], differs, int(y[i] != y[j]))
                    tables[key] = tables.get(key, 0.0) + weight * part
    return tables


def pi_matrices(cases, y, feature, theta, decay):
    """Algorithm 2 of vilalta2001 over nominal features: R_m[value][class] and R[class], eq. 10."""
    classes = sorted(set(y))
    r_m = {v: {c: [0.0] * 4 for c in classes} for v in {case[feature] for case in cases}}
    r = {c: [0.0] * 4 for c in classes}
    for case, label in zip(cases, y, strict=True):
        for other, theirs in zip(cases, y, strict=True):
            weight = decay(sum(a != b for a, b in zip(case, other, strict=True)))
            in_class = int(label != theirs)
            place = 2 * int(case[feature] != other[feature]) + in_class
            r_m[case[feature]][label][place] += theta[place] * weight
            r[label][in_class] += theta[in_class] * weight
    return r_m, r


def pi(cases, y, alpha=0.1):
    """Eqs. 14 and 15 of vilalta2001 over nominal features, self-pairs included."""
    n = len(cases)
    result = []
    for f in range(len(cases[0])):
        total = 0.0
        for i in range(n):
            share = sum(case[f] == cases[i][f] for case in cases) / n
            for j in range(n):
                distance = sum(a != b for a, b in zip(cases[i], cases[j], strict=True))
                agree = (cases[i][f] == cases[j][f]) == (y[i] == y[j])
                total += share * 2 ** (-alpha * distance) * (1 if agree else -1)
        result.append(total)
    return result


def algorithm_1(cases, y, numeric, update="relief", radius=2.0):
    """Eqs. 8 and 9 of vilalta2001 over all ordered pairs closer than the radius."""
    scale, result = scales(cases, numeric, 1.0), [0.0] * len(numeric)
    for i, case in enumerate(cases):
        for j, other in enumerate(cases):
            d = apart(case, other, scale)
            distance = round(sum(d), 12)
            if radius is not None and distance >= radius:
                continue
            for f in range(len(numeric)):
                if update == "relief":
                    result[f] += d[f] if y[i] != y[j] else -d[f]
                elif y[i] != y[j] and distance > 0:
                    result[f] += d[f] / distance**2
    return result


def left_out(cases, y, f, weight_of, self_pairs=True):
    """Return the four cases of a nominal feature: {(value, class, case): weight}.

    Pairs weigh by the number of other features they differ on (hong1996's CM1).
    """
    found = {}
    for i, one in enumerate(cases):
        for j, two in enumerate(cases):
            if i == j and not self_pairs:
                continue
            differ = [a != b for a, b in zip(one, two, strict=True)]
            key = one[f], y[i], 2 * differ[f] + (y[i] != y[j])
            found[key] = found.get(key, 0.0) + weight_of(sum(differ) - differ[f])
    return found


def pi_1(cases, y, f, theta, weight_of, self_pairs=True):
    """Eqs. 14 and 15 of vilalta2001 with weights that leave the feature out."""
    signs = theta[0], -theta[1], -theta[2], theta[3]
    shares = {case[f]: sum(other[f] == case[f] for other in cases) / len(cases) for case in cases}
    found = left_out(cases, y, f, weight_of, self_pairs)
    return sum(shares[value] * signs[case] * w for (value, _, case), w in found.items())
