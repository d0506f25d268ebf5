"""Machine code and the same kernels as plain Python grow the same trees.

What machine code reads beside an array, plain Python refuses. The long form runs all tests without
the compiler: experiments/trust/lines.py.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from treelab.tree.file import dumps

FOLDER = Path(__file__).parents[2] / "experiments" / "trust"
sys.path.insert(0, str(FOLDER))
try:
    import determinism
finally:
    sys.path.remove(str(FOLDER))

PROCESS = """
import json, sys
sys.path.insert(0, sys.argv[1])
import determinism
from treelab.tree.file import dumps
data, learners = determinism.mixed(60), determinism.learners()
print(json.dumps([json.loads(dumps(learners[key].fit(data))) for key in sys.argv[2:]]))
"""
LEARNERS = determinism.learners()
IN_A_MOMENT = [key for key in LEARNERS if "normalized-contextual" not in key][::6]
"""Every sixth learner, without those that shuffle their features ten times a node."""


def grown_here():
    data = determinism.mixed(60)
    return {key: json.loads(dumps(LEARNERS[key].fit(data))) for key in IN_A_MOMENT}


def grown_without_compiler():
    """Return the models of a process of its own."""
    paths = os.pathsep.join(filter(None, sys.path))
    environment = os.environ | {"PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1"}
    call = [sys.executable, "-c", PROCESS, str(FOLDER), *IN_A_MOMENT]
    done = subprocess.run(call, env=environment, stdout=subprocess.PIPE, check=True)
    return dict(zip(IN_A_MOMENT, json.loads(done.stdout), strict=True))


def scores_of(model):
    """Take the scores out of a model and return them."""
    return [node.pop("score", 0.0) for node in model["nodes"]]


@pytest.mark.compiled("there would be nothing to compare with")
def test_plain_python_grows_the_trees_of_machine_code():
    compiled, plain = grown_here(), grown_without_compiler()
    for key, model in compiled.items():
        # numpy adds an array in pairs, machine code from left to right: the last digit may differ.
        assert scores_of(model) == pytest.approx(scores_of(plain[key]), rel=1e-12, abs=1e-15), key
        assert model == plain[key], key
