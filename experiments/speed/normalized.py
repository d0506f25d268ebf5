"""What it costs to compare with chance: the normalized-entropy tree beside the gain tree."""

from bench import Peer, classes, compare, dataset, grown, main, numbers


def rows(quick):
    for n in (1_000,) if quick else (10_000, 100_000):
        x = numbers(n)
        data = dataset(x, classes(x))
        yield from compare(
            "normalized-entropy tree",
            f"{n:,} x 20, depth 10",
            grown(data, "normalized-entropy", max_depth=10),
            Peer("gain tree", grown(data, max_depth=10), 1 / 3),
            runs=1 if quick else 3,
        )


if __name__ == "__main__":
    main(rows)
