"""The Python module, imported by an interpreter of its own that sees nothing else."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from treelab.errors import TreelabError
from treelab.writers.cases import UNSEEN
from treelab.writers.export_tree import ExportTree
from treelab.writers.runners.answers import Answers, Cases, unseen_label

ASK = """
import json, runpy, sys
tree = runpy.run_path(sys.argv[1])
cases = json.load(sys.stdin)
shares = [[*tree["predict_proba"](case).values()] for case in cases]
json.dump([[tree["predict"](case) for case in cases], shares], sys.stdout)
"""


def run(content: str, form: ExportTree, cases: Cases) -> Answers:
    """Return what `predict` and `predict_proba` of the module give."""
    unseen = {column.name: unseen_label(column) for column in form.features}
    given = [{k: unseen[k] if v == UNSEEN else v for k, v in case.items()} for case in cases]
    with TemporaryDirectory(prefix="treelab-") as folder:
        path = Path(folder) / "tree.py"
        path.write_text(content, encoding="utf-8")
        done = subprocess.run(  # noqa: S603  (what treelab wrote itself)
            [sys.executable, "-I", "-c", ASK, str(path)],
            input=json.dumps(given), capture_output=True, text=True, check=False,
        )  # fmt: skip
    if done.returncode:
        raise TreelabError(f"Python refuses what was written: {done.stderr.strip()}")
    labels, shares = json.loads(done.stdout)
    size = (len(cases), len(form.classes))
    engine = f"Python {sys.version.split()[0]}"
    return Answers(engine, labels, np.array(shares, dtype=float).reshape(size))
