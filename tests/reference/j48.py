"""Write j48_trees.json: the trees that Weka's J48 grows of the bundled sets, and of odd ones.

Odd sets are small and made by chance, such that every rule of J48 changes some of their trees:
values that are close together, labels that nobody has, identifiers, missing values, ties.

Run once, as root of a Debian 12; the tests read the trees only:

    apt-get install weka default-jre-headless
    python tests/reference/j48.py
"""

import json
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import treelab as tl

HERE = Path(__file__).parent
JAR = "/usr/share/java/weka.jar"
OPTIONS = {"pruned": [], "unpruned": ["-U"], "binary": ["-B"], "binary unpruned": ["-B", "-U"]}

ODD = (7, 22, 60, 71, 114, 120, 148, 173, 188, 195, 203, 205, 219, 255)
"""The seeds of the odd sets."""


def quoted(word):
    return "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"


def arff(data):
    """Return a data set in Weka's format, its labels declared in treelab's order."""
    columns = [*data.schema.features, data.schema.target]
    kinds = [
        "{" + ",".join(map(quoted, column.labels)) + "}" if column.is_nominal else "numeric"
        for column in columns
    ]
    head = [f"@attribute {quoted(c.name)} {kind}" for c, kind in zip(columns, kinds, strict=True)]
    cells = [written(c, v) for c, v in zip(columns, [*data.columns, data.y], strict=True)]
    rows = map(",".join, zip(*cells, strict=True))
    return "\n".join([f"@relation {data.name}", *head, "@data", *rows, ""])


def written(column, values):
    if column.is_nominal:
        return ["?" if v < 0 else quoted(column.labels[v]) for v in values]
    return ["?" if v != v else repr(float(v)) for v in values]


def j48(file, options):
    """Return the lines of the tree that J48 prints."""
    command = ["java", "-cp", JAR, "weka.classifiers.trees.J48", "-t", str(file), "-no-cv"]
    printed = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    found = re.search(r"-{18}\n(.*?)\n\nNumber of Leaves", printed.stdout, re.DOTALL)
    lines = found[1].strip("\n").split("\n")
    return [line.replace("|   ", "|") for line in lines]


KINDS = ("close", "whole", "real", "label", "unseen", "identifier", "constant", "class", "parity")


def odd(seed):
    """Return a small data set of features of several kinds, some with missing values."""
    rng = np.random.default_rng(seed)
    n, n_classes = rng.integers(8, 160), rng.integers(2, 5)
    y = rng.integers(0, n_classes, n)
    columns, values = [], []
    for i in range(rng.integers(2, 7)):
        labels, drawn = feature(rng, rng.choice(KINDS), y, n_classes)
        missing = rng.random(n) < rng.choice([0, 0, 0.1, 0.4])
        columns.append(tl.Column(f"f{i}", labels))
        values.append(np.where(missing, np.nan if labels is None else -1, drawn))
    target = tl.Column("class", tuple(f"c{k}" for k in range(n_classes)))
    return tl.Dataset.of(tl.Schema(tuple(columns), target), values, y, np.ones(n), f"odd-{seed}")


def feature(rng, kind, y, n_classes):
    """Return the labels of a feature, None for a numeric one, and its values."""
    n = len(y)
    if kind == "close":
        return None, rng.integers(0, 12, n) * rng.choice([1e-5, 4e-6, 1e-3]) + rng.choice(
            [0, 1, 99]
        )
    if kind == "whole":
        return None, rng.integers(0, 6, n) + (y * rng.random(n)).round()
    if kind == "real":
        return None, rng.normal(y * rng.choice([0, 0.5, 2]), 1).round(rng.integers(0, 4)) + 0.0
    n_labels, codes = {
        "label": lambda: (5, rng.integers(0, rng.integers(2, 5), n)),
        "unseen": lambda: (6, rng.choice([1, 3, 4], n)),
        "identifier": lambda: (max(3, int(0.4 * n)), rng.integers(0, max(3, int(0.4 * n)), n)),
        "constant": lambda: (2, np.zeros(n, int)),
        "class": lambda: (
            n_classes,
            np.where(rng.random(n) < 0.7, y, rng.integers(0, n_classes, n)),
        ),
        "parity": lambda: (2, (rng.integers(0, 2, n) + y) % 2),
    }[kind]()
    return tuple(f"v{k}" for k in range(n_labels)), codes


def version(*command):
    printed = subprocess.run(command, capture_output=True, text=True, check=True)
    return (printed.stdout or printed.stderr).strip().split("\n")[0]


def trees_of(data, file):
    """Return the trees of a data set, by kind; a copy in Weka's format is left in a file."""
    file.write_text(arff(data))
    return {kind: j48(file, options) for kind, options in OPTIONS.items()}


def main():
    with TemporaryDirectory() as folder:
        file = Path(folder) / "data.arff"
        bundled = {name: trees_of(tl.load(name), file) for name in tl.dataset_names()}
        found = [(trees_of(odd(seed), file), file.read_text()) for seed in ODD]
    origin = {
        "weka": version("dpkg-query", "-W", "weka"),
        "java": version("java", "-version"),
        "command": f"java -cp {JAR} weka.classifiers.trees.J48 -t data.arff -no-cv OPTIONS",
        "options": {kind: " ".join(options) for kind, options in OPTIONS.items()},
        "notes": "J48's defaults are -C 0.25 -M 2; '|   ' is written '|'",
    }
    odd_sets = [{"arff": text, "trees": trees} for trees, text in found]
    result = {"origin": origin, "bundled": bundled, "odd": odd_sets}
    (HERE / "j48_trees.json").write_text(json.dumps(result, indent=0) + "\n")


if __name__ == "__main__":
    main()
