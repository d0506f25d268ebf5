"""How time grows with cases and with features: each size beside half of it."""

from bench import alternating, classes, dataset, grown, main, numbers, row

CASES, FEATURES = (100_000, 200_000, 400_000, 800_000), (10, 20, 40, 80)
TWICE_THE_CASES, TWICE_THE_FEATURES = 1 / 2.3, 1 / 2.1  # linear, but for what is hard to measure


def rows(quick):
    shrink, runs = (100, 1) if quick else (1, 3)
    cases = [(n // shrink, 20) for n in CASES]
    yield from doubling(cases, "cases", TWICE_THE_CASES, runs)
    features = [(CASES[0] // shrink, f) for f in FEATURES]
    yield from doubling(features, "features", TWICE_THE_FEATURES, runs)


def doubling(sizes, what, wanted, runs):
    """Yield a row for each size but the first; the peer is half the size."""
    trees = [grown(made(n, n_features), max_depth=10) for n, n_features in sizes]
    best = [seconds for seconds, _ in alternating(trees, runs)]
    for (n, n_features), half, whole in zip(sizes[1:], best, best[1:], strict=False):
        case = f"{n:,} x {n_features}, depth 10"
        yield row("scaling", case, whole, f"half the {what}", half, wanted)


def made(n, n_features):
    x = numbers(n, n_features)
    return dataset(x, classes(x))


if __name__ == "__main__":
    main(rows)
