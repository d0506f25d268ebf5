"""ARFF beside CSV, a megabyte of each; CSV beside pyarrow's reader, one thread, processor's time.

pyarrow makes a table of its own, which is no data set yet: it is timed alone, and with what would
have to follow if treelab read files that way.
"""

import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from bench import Peer, Timed, alternating, compare, main, row
from pyarrow import csv

import treelab as tl
from treelab.data.notation import MARKS

COLOURS = ("red", "dark blue", "green", "it is grey")
WANTED = 1 / 3
FEATURES, MISSING = 10, 0.05
ARROW = 1 / 1.5


def rows(quick):
    yield from arff(quick)
    yield from delimited(quick)


def arff(quick):
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


def delimited(quick):
    """Compare with pyarrow on files of numbers, labels, quotes and missing values."""
    tl.set_threads(1)
    pa.set_cpu_count(1)
    n = 2_000 if quick else 200_000
    with tempfile.TemporaryDirectory() as folder:
        for kind, columns in kinds(n).items():
            path = Path(folder) / "cases.csv"
            names = [f"f{place}" for place in range(len(columns))]
            lines = map(",".join, zip(*columns, strict=True))
            path.write_text("\n".join([",".join(names), *lines, ""]), encoding="utf-8")
            yield from compare(
                "reading CSV",
                f"{kind}, {n:,} x {FEATURES}, {path.stat().st_size / 1e6:.0f} MB",
                timed(lambda path=path: tl.read(path, target="")),
                Peer("pyarrow, to a data set", timed(lambda path=path: by_arrow(path)), ARROW),
                Peer("pyarrow", timed(lambda path=path: arrow_table(path)), ARROW),
                runs=1 if quick else 5,
            )


def kinds(n):
    """Return columns of text of some kinds."""
    rng = np.random.default_rng(0)
    long = rng.normal(size=(FEATURES, n))
    numbers = [list(map(repr, column)) for column in long.round(4).tolist()]
    labels = np.array(COLOURS)[rng.integers(0, len(COLOURS), size=(FEATURES // 2, n))].tolist()
    mixed = [*numbers[: FEATURES // 2], *labels]
    return {
        "numbers of 16 digits": [list(map(repr, column)) for column in long.tolist()],
        "numbers of 4 decimals": numbers,
        "half of it labels": mixed,
        "labels in quotes": [*mixed[: FEATURES // 2], *([f'"{w}"' for w in c] for c in labels)],
        f"{MISSING:.0%} missing": [np.where(rng.random(n) < MISSING, "", c) for c in mixed],
    }


def arrow_table(path):
    marks = csv.ConvertOptions(
        null_values=sorted(MARKS), strings_can_be_null=True, auto_dict_encode=True
    )
    return csv.read_csv(path, csv.ReadOptions(use_threads=False), convert_options=marks)


def by_arrow(path):
    return tl.Dataset.from_frame(arrow_table(path))


def timed(function):
    """Return a function that takes the processor's time."""

    def run():
        start = time.process_time()
        result = function()
        return Timed(time.process_time() - start, result)

    return run


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
