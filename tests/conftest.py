"""Being here puts `tests` on the path, so that every test can import `naive` and `strategies`."""

import numba
import pytest


def pytest_collection_modifyitems(items):
    """With NUMBA_DISABLE_JIT=1, leave out what is about machine code or hopeless without it."""
    if numba.config.DISABLE_JIT:
        for item in items:
            for mark in item.iter_markers("compiled"):
                item.add_marker(pytest.mark.skip(reason=f"nothing is compiled: {mark.args[0]}"))
