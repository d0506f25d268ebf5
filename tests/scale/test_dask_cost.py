"""What Dask does besides the work of treelab, which must not grow with the data."""

import numpy as np
import pytest

from treelab._cluster import SETTINGS

dask = pytest.importorskip("dask")
pytest.importorskip("distributed")


class NeverPrinted:
    """Stands for what is common to all parts: axes and counts, thousands of numbers."""

    def __repr__(self):
        raise AssertionError("what is common to all parts was printed")


def test_dask_finds_the_name_of_a_task_without_printing_what_is_common():
    from dask.utils import funcname

    from treelab.scale.dask_engine import Call

    call = Call(np.sum, (NeverPrinted(),))

    assert funcname(call) == repr(call) == call.name == "treelab-sum"


def test_own_workers_keep_their_memory_and_are_not_profiled():
    with dask.config.set(SETTINGS):
        of_workers = dask.config.get("distributed.nanny.pre-spawn-environ")
        # Dask leaves out what is None; its other variables must stay.
        assert [name for name, value in of_workers.items() if value is None] == [
            "MALLOC_TRIM_THRESHOLD_"
        ]
        assert of_workers["OMP_NUM_THREADS"] == 1
        assert dask.config.get("distributed.worker.profile.enabled") is False
