"""Fits and predictions leave nothing behind; experiments/trust/soak.py does ten thousand."""

import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "experiments" / "trust"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads Linux's /proc")
def test_hundreds_of_fits_do_not_grow_memory_files_or_threads(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import soak

    megabytes, files, threads = soak.soak(200)
    sys.modules.pop("soak")

    # 160 fits after the warm-up; a tree kept by each would be 0.1 MB a fit.
    assert megabytes < 8
    assert files <= 0
    assert threads <= 0
