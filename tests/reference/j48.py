"""Write j48_trees.json: the trees that Weka's J48 grows of the bundled data sets.

Run once, as root of a Debian 12 with a JRE; the tests read the trees only:

    apt-get install weka default-jre-headless
    python tests/reference/j48.py
"""

import json
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import treelab as tl

HERE = Path(__file__).parent
JAR = "/usr/share/java/weka.jar"
OPTIONS = {"pruned": [], "unpruned": ["-U"], "binary": ["-B"], "binary unpruned": ["-B", "-U"]}


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
    return found[1].strip("\n").split("\n")


def version(*command):
    printed = subprocess.run(command, capture_output=True, text=True, check=True)
    return (printed.stdout or printed.stderr).strip().split("\n")[0]


def main():
    trees = {}
    with TemporaryDirectory() as folder:
        for name in tl.dataset_names():
            file = Path(folder) / f"{name}.arff"
            file.write_text(arff(tl.load(name)))
            trees[name] = {kind: j48(file, options) for kind, options in OPTIONS.items()}
    origin = {
        "weka": version("dpkg-query", "-W", "weka"),
        "java": version("java", "-version"),
        "command": f"java -cp {JAR} weka.classifiers.trees.J48 -t SET.arff -no-cv OPTIONS",
        "options": {kind: " ".join(options) for kind, options in OPTIONS.items()},
        "arff": "written by j48.py; J48 uses its defaults: -C 0.25 -M 2",
    }
    file = HERE / "j48_trees.json"
    file.write_text(json.dumps({"origin": origin, "trees": trees}, indent=0) + "\n")


if __name__ == "__main__":
    main()
