"""The lowest versions that are tested are those that are declared; what is claimed was tested."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
MATRIX = ROOT / "experiments" / "matrix"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FILES = sorted(MATRIX.glob("lowest-*.txt"))


def declared():
    """Return the lowest version of all that is asked for, by users and by tests."""
    extras = PROJECT["optional-dependencies"]
    asked, waiting = list(PROJECT["dependencies"]), ["test", "all"]
    while waiting:
        for line in extras[waiting.pop()]:
            own = line.startswith("treelab[")
            waiting += Requirement(line).extras if own else []
            asked += [] if own else [line]
    bounds = [Requirement(line) for line in asked]
    assert all(re.fullmatch(r">=[\d.]+", str(each.specifier)) for each in bounds)
    return {canonicalize_name(each.name): Version(str(each.specifier)[2:]) for each in bounds}


def pinned(file):
    pairs = (line.split("==") for line in file.read_text("utf-8").split())
    return {canonicalize_name(name): Version(version) for name, version in pairs}


def test_the_oldest_python_gets_exactly_what_is_declared():
    oldest = PROJECT["requires-python"].removeprefix(">=")
    pins = pinned(MATRIX / f"lowest-{oldest}.txt")
    assert {name: pins.get(name) for name in declared()} == declared()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_newer_pythons_get_no_less(file):
    pins = pinned(file)
    assert [name for name, least in declared().items() if pins[name] < least] == []


def test_pythons_that_are_named_were_tested():
    lines = (MATRIX / "results.jsonl").read_text("utf-8").splitlines()
    tested = {found["number"] for found in map(json.loads, lines) if found["passed"]}
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert named
    assert set(named) <= tested
    assert {f"lowest-{number}" for number in named} <= {file.stem for file in FILES}
