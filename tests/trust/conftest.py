"""The scripts of `experiments/trust`, whose short forms these tests are."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "experiments" / "trust"


@pytest.fixture
def script(monkeypatch):
    """Return a script by name, its folder being on the path as if it were run."""
    monkeypatch.syspath_prepend(str(FOLDER))
    loaded = ["report", "needs"]

    def load(name):
        loaded.append(name)
        return import_module(name)

    yield load
    for name in loaded:
        sys.modules.pop(name, None)
