"""Model files as their tests share them."""

import json
import re
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from strategies import random_dataset

import treelab as tl
from treelab.data.dataset import Dataset
from treelab.data.schema import Column, Schema
from treelab.errors import ModelFileError
from treelab.tree import file

SCHEMA = json.loads((Path(file.__file__).parent / "model.schema.json").read_text())


VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


WAYS = {
    "fractional": {"missing": "fractional"},
    "branch": {"missing": "branch", "splits": "multiway"},
    "majority": {"missing": "majority"},
    "subset": {"splits": "subset"},
    "binary": {"splits": "binary", "discretizer": "equal-width:4"},
    "intervals": {"discretizer": "equal-frequency:3", "missing": "branch"},
    "pruned": {"pruner": "pessimistic:cf=0.9", "splits": "multiway"},
    "shares": {"probabilities": "shares"},
    "m-estimate": {"probabilities": {"name": "m-estimate", "m": 3}},
}


def grown(way="fractional", seed=1):
    data = random_dataset(seed, cases=60, missing=0.2, weights="fraction")
    return tl.grow(data, **{"pruner": None, "min_branch": 1, **WAYS[way]})


def exotic():
    """Names with quotes, line breaks, other scripts, and half a surrogate pair."""
    words = ('say "hi"', "a\\b\n\t\x00c", "größe", "温度", "😀", "\u2028", "\ud800", "")
    features = (Column("quote '\"", words), Column("naïve\r\n"))
    schema = Schema(features, Column("класс", ("да", "nein, 'nie'")))
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, len(words), 60), rng.normal(size=60)]
    data = Dataset.of(schema, columns, columns[0] % 2)
    return tl.grow(data, "gini", splits="multiway", pruner=None, min_branch=1)


def valid():
    """A threshold with a branch for missing values below a nominal test, a cut feature below."""
    leaves = [{"counts": [k, 1.5]} for k in range(4)]
    return {
        "format": "treelab-tree",
        "version": 2,
        "learner": {
            "metric": {"name": "relieff", "k": 5}, "discretizer": None, "pruner": {"repr": "mine"},
            "splits": "binary", "bins": 7, "min_cases": 2.5, "seed": -3,
        },
        "missing": "branch",
        "target": {"name": "y", "labels": ["a", "b"]},
        "features": [
            {"name": "x"},
            {"name": "colour", "labels": ["red", "green", "blue"]},
            {"name": "w"},
        ],
        "cuts": {"w": [1.0, 2.5]},
        "nodes": [
            {"counts": [9, 9], "feature": 1, "branches": [0, -1, 1], "score": 1,
             "children": [1, 7]},
            {"counts": [6, 6], "feature": 0, "threshold": 2.5, "missing": 2, "score": 0.5,
             "children": [2, 3, 4]},
            *leaves[:2],
            {"counts": [3, 3], "feature": 2, "branches": [1, 1, -1], "missing": 0, "score": None,
             "children": [5, 6]},
            *leaves[2:],
            {"counts": [3, 0]},
        ],
    }  # fmt: skip


def refused(text):
    """Check that a text is refused in one sentence, and return the sentence."""
    with pytest.raises(ModelFileError) as caught:
        file.loads(text)
    message = str(caught.value)
    assert "\n" not in message
    assert caught.value.__context__ is None or caught.value.__suppress_context__
    assert not re.search(r"(Type|Key|Index|Attribute|Value)Error", message)
    return message
