"""What chance leaves of the class entropy: cells of fixed margins are hypergeometric.

*a*  the cases of a value,  *b*  the cases of a class,  *n*  all cases (hong1996 eqs. 9-13).

Weights may make margins that are no whole numbers. What chance tells of the class is then
interpolated linearly between the whole numbers around b, n and a, and scaled so that a value of
a single case leaves no entropy; a value of all cases leaves all of it.
"""

import numpy as np

from treelab.kernels._arrays import FloatArray
from treelab.kernels._jit import kernel

TINY = 1e-18
"""Cells less likely than this, relative to the likeliest, are left out."""
MANY = 1e7
"""More cases than this are taken to second order: memory grows with them, the error falls."""
NEAR = 1e-9
"""Margins that differ by less are equal: sums of weights are rounded."""


@kernel
def entropy_parts(tables: FloatArray, small: float) -> FloatArray:
    """Return (table, value): the part of each value in the expected entropy, in bits.

    Values of up to `small` cases are summed exactly; the others are taken to second order
    (hong1996 eq. 26). Tables that follow each other with the same class margin share their work:
    the cuts of all features without missing values need each number of cases once.
    """
    n_tables, n_values, n_classes = tables.shape
    parts = np.zeros((n_tables, n_values))
    classes, n, entropy = np.zeros(n_classes), 0.0, 0.0
    done, x_log_x = np.empty(0), np.empty(0)
    for t in range(n_tables):
        if _other_classes(tables[t], classes):
            n = _settled(classes.sum())
            entropy = class_entropy(classes, n)
            whole = np.arange(int(min(n, MANY)) + 3).astype(np.float64)
            done, x_log_x = np.full(len(whole), -1.0), whole * np.log2(np.maximum(whole, 1.0))
        for v in range(n_values):
            a = _settled(tables[t, v].sum())
            if a > 0.0 and a <= small and n <= MANY:
                parts[t, v] = entropy * _kept(a, classes, n, done, x_log_x) / n
            elif a > 0.0:
                parts[t, v] = second_order(a, classes, n, entropy)
    return parts


@kernel
def second_order(a: float, classes: FloatArray, n: float, entropy: float) -> float:
    """Return the part of a value of a cases as eq. 24 has it, in bits."""
    lost = 0.5 / np.log(2.0) * (np.count_nonzero(classes) - 1)
    return float((a * entropy - lost * (1.0 - a / n)) / n)


@kernel
def _settled(margin: float) -> float:
    """Take off the rounding of a sum that should be whole."""
    whole = np.floor(margin + 0.5)
    return float(whole) if abs(margin - whole) < NEAR else margin


@kernel
def _other_classes(table: FloatArray, classes: FloatArray) -> bool:
    """Put the class margin of a table into `classes`; tell whether it is another one."""
    other = False
    for c in range(len(classes)):
        b = _settled(table[:, c].sum())
        if abs(b - classes[c]) > NEAR:
            classes[c] = b
            other = True
    return other


@kernel
def class_entropy(classes: FloatArray, n: float) -> float:
    """Return the entropy of n cases, in bits."""
    bits = 0.0
    for b in classes:
        if b > 0.0:
            bits -= b / n * np.log2(b / n)
    return bits


@kernel
def _kept(a: float, classes: FloatArray, n: float, done: FloatArray, x_log_x: FloatArray) -> float:
    """Return what a value keeps of the class entropy times its cases, a at most."""
    below = int(a)
    if a >= n:
        return n
    if a <= 1.0:
        return 0.0
    kept = _whole_kept(below, classes, n, done, x_log_x)
    if a == below:
        return kept
    # Above the last whole number of cases come all cases.
    above = _whole_kept(below + 1, classes, n, done, x_log_x) if below + 1 <= n else n
    return kept + (above - kept) * (a - below) / (min(below + 1.0, n) - below)


@kernel
def _whole_kept(
    a: int, classes: FloatArray, n: float, done: FloatArray, x_log_x: FloatArray
) -> float:
    """Return a less what chance tells, in units of what a single case tells; once for each a."""
    # Cached in `done`, because tables of the same class margin ask for the same a again and again.
    if a <= 1:
        return 0.0
    if done[a] < 0.0:
        told, most = 0.0, 0.0
        for b in classes:
            told += _told(a, b, n, x_log_x)
            most += _told(1, b, n, x_log_x)
        done[a] = max(a - told / most, 0.0) if most > 0.0 else 0.0
    return float(done[a])


@kernel
def _told(a: int, b: float, n: float, x_log_x: FloatArray) -> float:
    """Return what a cell tells, between the whole numbers around b and n."""
    # A weighted mean over up to four pairs of whole numbers; where b and n are whole, only one of
    # them has a share, and only its sum is computed.
    bits = 0.0
    for more_n in range(2):
        cases = int(n) + more_n
        of_n = n - int(n) if more_n else 1.0 - (n - int(n))
        for more_b in range(2):
            share = of_n * (b - int(b) if more_b else 1.0 - (b - int(b)))
            whole = int(b) + more_b
            if share > 0.0 and whole <= cases and a <= cases:
                bits += share * cell_bits(a, whole, cases, x_log_x)
    return bits


@kernel
def cell_bits(a: int, b: int, n: int, x_log_x: FloatArray) -> float:
    """Return E{k log2(k n / (a b))}, k being how many of b cases are among a drawn from n."""
    return float(bits_of_both(a, b, n, x_log_x)[0])


@kernel
def bits_of_both(a: int, b: int, n: int, x_log_x: FloatArray) -> tuple[float, float]:
    """Return `cell_bits` of the a cases drawn, and of the n - a cases that are left.

    The probabilities start at 1 for the likeliest k, follow their ratios both ways until they
    vanish, and are divided by their sum: nothing underflows, however many cases there are.
    """
    if b == 0 or b == n:
        return 0.0, 0.0
    mode = (a + 1) * (b + 1) // (n + 2)
    neither = float(n - a - b)
    total, bits, rest = 1.0, x_log_x[mode], x_log_x[b - mode]
    p = 1.0
    for k in range(mode + 1, min(a, b) + 1):
        p *= (a - k + 1.0) * (b - k + 1.0) / (k * (neither + k))
        total += p
        bits += p * x_log_x[k]
        rest += p * x_log_x[b - k]
        if p < TINY:
            break
    p = 1.0
    for k in range(mode - 1, max(0, a + b - n) - 1, -1):
        p *= (k + 1.0) * (neither + k + 1.0) / ((a - float(k)) * (b - float(k)))
        total += p
        bits += p * x_log_x[k]
        rest += p * x_log_x[b - k]
        if p < TINY:
            break
    mean = a / n * b
    return (
        float(bits / total - mean * np.log2(mean)),
        float(rest / total - (b - mean) * np.log2(max(b - mean, TINY))),
    )
