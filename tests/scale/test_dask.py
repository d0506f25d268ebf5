"""Trees on Dask are those of memory."""

import attrs
import pyarrow.parquet as pq
import pytest
from partitions import dealt, differing, frame_of, in_memory
from strategies import random_dataset

import treelab as tl
from treelab import _cluster
from treelab.errors import DataError, ParameterError, TreelabError
from treelab.scale.axes import Sizes

distributed = pytest.importorskip("distributed")

FRAME = frame_of(random_dataset(1, cases=60, missing=0.3, weights="whole"))
ODD = frame_of(random_dataset(2, cases=50, weights="fraction", classes=2, missing=0.2))


@pytest.fixture(scope="module")
def client(cluster):
    with cluster.client() as client:
        yield client


def on_dask(client, source, **settings):
    return tl.scan(source, "class", weights="w", engine="dask", scheduler=client, **settings)


@pytest.mark.parametrize(
    ("missing", "frame", "sizes"),
    [
        ("fractional", ODD, Sizes(cap=6, few_left=9)),
        ("branch", FRAME, Sizes()),
        ("majority", ODD, Sizes()),
    ],
)
def test_workers_grow_the_tree_of_memory(client, missing, frame, sizes):
    scan = attrs.evolve(on_dask(client, dealt(frame, 9, 0)), sizes=sizes)
    how = {"bins": 5, "missing": missing, "min_branch": 1}
    assert differing(tl.grow(in_memory(frame), **how), tl.grow(scan, **how)) == []


def test_a_dask_dataframe_is_read_where_it_lies(client):
    dd = pytest.importorskip("dask.dataframe")
    frame = dd.from_pandas(FRAME, npartitions=4, sort=False)
    wanted = tl.grow(in_memory(FRAME), bins=16)

    assert differing(wanted, tl.grow(on_dask(client, frame), bins=16)) == []
    local = tl.scan(frame, "class", weights="w")
    assert differing(wanted, tl.grow(local, bins=16)) == []


def test_the_classifier_is_fitted_to_a_dask_dataframe(client):
    dd = pytest.importorskip("dask.dataframe")
    frame = FRAME.drop(columns="w")
    lazy = dd.from_pandas(frame, npartitions=3, sort=False)
    with client.as_current():
        model = tl.TreeClassifier(bins=16).fit(lazy.drop(columns="class"), lazy["class"])
    whole = tl.TreeClassifier(bins=16).fit(frame.drop(columns="class"), frame["class"])

    assert model.classes_.tolist() == whole.classes_.tolist()
    assert model.feature_names_in_.tolist() == whole.feature_names_in_.tolist()
    assert (
        model.predict(frame.drop(columns="class")) == whole.predict(frame.drop(columns="class"))
    ).all()
    assert (model.tree_.counts == whole.tree_.counts).all()


@pytest.mark.parametrize(
    ("settings", "more", "text"),
    [
        ({"class_weight": "balanced"}, {}, "class_weight"),
        ({}, {"sample_weight": [1.0]}, "sample_weight"),
    ],
)
def test_weights_beside_a_dask_dataframe_are_refused(settings, more, text):
    dd = pytest.importorskip("dask.dataframe")
    lazy = dd.from_pandas(FRAME, npartitions=2, sort=False)
    with pytest.raises(ParameterError, match=text):
        tl.TreeClassifier(**settings).fit(lazy.drop(columns="class"), lazy["class"], **more)


def test_predictions_are_written_on_workers(client, tmp_path):
    tree = tl.grow(in_memory(FRAME), bins=16)
    parts = dealt(FRAME, 3, 0)
    paths = on_dask(client, parts).predict(tree, tmp_path / "out")
    found = [label for path in paths for label in pq.read_table(path)["prediction"].to_pylist()]

    assert found == [label for part in parts if len(part) for label in tree.predict(part).tolist()]


def test_a_broken_partition_names_its_file_from_afar(client, tmp_path):
    (tmp_path / "good.csv").write_text("x,class,w\n1,a,1\n2,b,1\n")
    (tmp_path / "worse.csv").write_text("x,class,w\n1,a\n")
    with pytest.raises(DataError, match=r"worse\.csv"):
        tl.grow(on_dask(client, tmp_path))


def test_a_metric_that_needs_cases_is_refused_on_dask(client):
    with pytest.raises(ParameterError, match="max_cases says how many cases of a node"):
        tl.grow(on_dask(client, [FRAME]), "relieff", bins=8)


def test_schedulers_that_do_not_answer_are_refused(monkeypatch):
    monkeypatch.setattr(_cluster, "CONNECT", 0.5)
    with pytest.raises(ParameterError, match="no Dask scheduler answers at 'tcp://127"):
        tl.grow(on_dask("tcp://127.0.0.1:1", [FRAME]))
    with pytest.raises(ParameterError, match="must be an address or a Client, got 7"):
        tl.grow(on_dask(7, [FRAME]))


def test_a_worker_of_another_version_is_refused(client, monkeypatch):
    monkeypatch.setattr(_cluster, "__version__", "9.9")
    with pytest.raises(ParameterError, match=r"has treelab .*, but here it is 9\.9"):
        tl.grow(on_dask(client, [FRAME]))


def test_without_workers_nobody_is_waited_for(monkeypatch):
    monkeypatch.setattr(_cluster, "PATIENCE", 0.2)
    with (
        distributed.LocalCluster(
            n_workers=0, processes=False, dashboard_address=":0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
        pytest.raises(TreelabError, match="there has been no Dask worker for"),
    ):
        tl.grow(on_dask(client, [FRAME]))
