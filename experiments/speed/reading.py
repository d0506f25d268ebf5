"""ARFF beside CSV: the same mixed data with missing values, per megabyte of each file."""

import tempfile
from pathlib import Path

import numpy as np
from bench import alternating, main, row

import treelab as tl

COLOURS = ("red", "dark blue", "green", "it is grey")
WANTED = 1 / 3
FEATURES, MISSING = 10, 0.05


def rows(quick):
    n = 2_000 if quick else 100_000
    with tempfile.TemporaryDirectory() as folder:
        files = written(Path(folder), n)
        (csv, read), (arff, again) = alternating(
            [lambda path=path: tl.read(path, "class") for path in files], runs=1 if quick else 5
        )
        assert all(map(np.array_equal, map(known, read.columns), map(known, again.columns)))
        csv_size, arff_size = (path.stat().st_size / 1e6 for path in files)
        case = f"{n:,} x {FEATURES}, half nominal, {MISSING:.0%} missing; a megabyte"
        yield row("reading ARFF", case, arff / arff_size, "CSV", csv / csv_size, WANTED, equal=True)


def known(column):
    """Return a column with numbers for missing values, which do not equal themselves."""
    return np.nan_to_num(column, nan=-1e9)


def written(folder, n):
    """Write the same cases as CSV and as ARFF."""
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(FEATURES // 2, n)).round(4)
    labels = rng.integers(0, len(COLOURS), size=(FEATURES - FEATURES // 2, n))
    unknown = rng.random((FEATURES, n)) < MISSING
    texts = [
        *([repr(x) for x in column] for column in numbers.tolist()),
        *([f"'{COLOURS[code]}'" for code in column] for column in labels.tolist()),
    ]
    columns = [
        np.where(gone, "?", text).tolist() for gone, text in zip(unknown, texts, strict=True)
    ]
    classes = rng.choice(["no", "yes"], n).tolist()
    lines = [",".join(fields) for fields in zip(*columns, classes, strict=True)]
    names = [f"f{place}" for place in range(FEATURES)]
    listed = ",".join(f"'{colour}'" for colour in sorted(COLOURS))
    kinds = ["real"] * (FEATURES // 2) + [f"{{{listed}}}"] * (FEATURES - FEATURES // 2)
    head = [f"@attribute {name} {kind}" for name, kind in zip(names, kinds, strict=True)]
    arff = ["@relation mixed", *head, "@attribute class {no,yes}", "@data", *lines]
    csv = [",".join([*names, "class"]), *lines]
    paths = folder / "mixed.csv", folder / "mixed.arff"
    for path, text in zip(paths, (csv, arff), strict=True):
        path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return paths


if __name__ == "__main__":
    main(rows)
