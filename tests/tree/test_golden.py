"""The trees of all bundled sets and options stay as they are; see reference/golden_trees.py."""

import json
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "reference"
sys.path.insert(0, str(FOLDER))
try:
    import golden_trees
finally:
    sys.path.remove(str(FOLDER))

SETTINGS = golden_trees.settings()
EXPECTED = json.loads(golden_trees.FILE.read_text())
PARTS = 23
"""The default run checks one setting of so many; no factor of `EACH`, so that all values occur."""


def changed(settings):
    keys = {golden_trees.key(setting): setting for setting in settings}
    return [key for key, setting in keys.items() if golden_trees.outcome(*setting) != EXPECTED[key]]


@pytest.mark.compiled("hundreds of trees take too long in plain Python")
def test_a_part_of_the_trees_is_as_it_was():
    assert changed(SETTINGS[::PARTS]) == []


@pytest.mark.slow
@pytest.mark.compiled("hundreds of trees take too long in plain Python")
def test_all_trees_are_as_they_were():
    assert changed(SETTINGS) == []


def test_every_two_values_of_options_meet():
    """Also in the part that is checked by default every value occurs."""
    assert set(EXPECTED) == {golden_trees.key(setting) for setting in SETTINGS}
    values = [set(column) for column in zip(*SETTINGS, strict=True)]
    for first, second in combinations(range(1, 5), 2):
        met = Counter((setting[first], setting[second]) for setting in SETTINGS)
        assert len(met) == len(values[first]) * len(values[second])
    for place, column in enumerate(zip(*SETTINGS[::PARTS], strict=True)):
        assert set(column) == values[place]


def test_digests_differ():
    """Else the tests above would show nothing: few settings of a set make the same tree."""
    assert len(set(EXPECTED.values())) > len(EXPECTED) / 2
