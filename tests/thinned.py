"""Parameters of which the default run takes some, and `make test-slow` all."""

import pytest


def thinned(values, every, first=0):
    """Return all values, of which only each so many-th is not marked slow."""
    return [
        value if place % every == first else pytest.param(value, marks=pytest.mark.slow)
        for place, value in enumerate(values)
    ]
