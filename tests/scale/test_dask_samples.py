"""On Dask, samples of nodes and hashed folds are those of this process."""

import pytest
from partitions import dealt, differing, frame_of, in_memory
from strategies import random_dataset

import treelab as tl

distributed = pytest.importorskip("distributed")

FRAME = frame_of(random_dataset(1, cases=60, missing=0.3, weights="whole"))


def test_pairs_and_folds_on_a_worker_are_those_of_this_process():
    dd = pytest.importorskip("dask.dataframe")
    how = {"metric": "relieff:max_cases=15", "bins": 8, "pruner": "none"}
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=":0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        named = {"target": "class", "weights": "w", "engine": "dask", "scheduler": client}
        tree = tl.grow(tl.scan(dealt(FRAME, 3, 0), **named), **how)
        frame = dd.from_pandas(FRAME, npartitions=2, sort=False)
        tested = tl.cross_validate(tl.scan(frame, **named), tl.Learner(bins=8), folds=2)

    here = tl.scan([FRAME], "class", weights="w")
    assert differing(tl.grow(in_memory(FRAME), **how), tree) == []
    assert tested == tl.cross_validate(here, tl.Learner(bins=8), folds=2)
