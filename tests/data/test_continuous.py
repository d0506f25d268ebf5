"""A target of many numbers is refused wherever it is read, unless it is said to be a class."""

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import treelab as tl
from treelab.cli.app import app
from treelab.data.continuous import is_continuous
from treelab.errors import DataError

PRICES = np.round(np.random.default_rng(0).gamma(3, 100, 500), 1)
FRAME = pd.DataFrame({"size": np.arange(500) % 7, "price": PRICES})
DISTINCT = len(set(PRICES))
SENTENCE = (
    f"the target 'price' holds {DISTINCT} different numbers: treelab classifies; cut it into "
    "classes first, or pass target_is_class=True (--target-is-class)"
)


@pytest.mark.parametrize(
    ("values", "cases", "answer"),
    [
        (np.arange(10), 12, False),  # digits
        (np.arange(26), 100, False),  # letters
        (np.arange(40), 400, False),  # faces of 40 people
        (np.arange(0, 10, 0.5), 20, False),  # 20 marks with halves
        (np.arange(0, 10.5, 0.5), 20_000, False),  # 21 of them, but a thousand cases each
        (np.arange(0, 10.5, 0.5), 1000, True),
        (np.arange(30), 50, True),  # not two cases each
        (np.arange(1000), 20_000, False),  # a thousand codes of 20 cases
        (np.arange(3842) * 100, 20_640, True),  # prices in whole hundreds
    ],
)
def test_classes_and_quantities(values, cases, answer):
    assert is_continuous(values, cases) is answer


def test_files_and_frames_refuse_it_unless_told(tmp_path):
    path = tmp_path / "houses.csv"
    FRAME.to_csv(path, index=False)
    for refuse in (lambda: tl.read(path), lambda: tl.Dataset.from_frame(FRAME, "price")):
        with pytest.raises(DataError) as error:
            refuse()
        assert str(error.value) == SENTENCE
    assert len(tl.read(path, target_is_class=True).classes) == DISTINCT
    assert len(tl.Dataset.from_frame(FRAME, "price", target_is_class=True).classes) == DISTINCT
    assert tl.read(path, "size").classes == tuple("0123456")
    assert tl.read(path, "").features == ("size", "price")


def test_what_is_declared_as_labels_is_believed(tmp_path):
    path = tmp_path / "houses.arff"
    labels = sorted(set(map(str, PRICES)))
    lines = "".join(f"{s},{p}\n" for s, p in zip(FRAME["size"], PRICES, strict=True))
    head = f"@relation r\n@attribute size numeric\n@attribute price {{{','.join(labels)}}}\n@data\n"
    path.write_text(head + lines)
    categories = FRAME.assign(price=FRAME["price"].astype("category"))

    assert len(tl.read(path).classes) == DISTINCT
    assert len(tl.Dataset.from_frame(categories, "price").classes) == DISTINCT


def test_parquet_refuses_it_too(tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "houses.parquet"
    FRAME.to_parquet(path)
    with pytest.raises(DataError, match="treelab classifies"):
        tl.read(path)
    assert len(tl.read(path, target_is_class=True).classes) == DISTINCT


@pytest.mark.parametrize("command", ["train", "rank", "select", "compare"])
def test_commands_refuse_it_in_one_sentence(tmp_path, command):
    path = tmp_path / "houses.csv"
    FRAME.assign(price=(PRICES // 5 * 5).round(1) + 0.5).to_csv(path, index=False)
    said = CliRunner().invoke(app, [command, str(path)])
    assert said.exit_code == 1
    assert said.stderr.startswith("treelab: the target 'price' holds ")
    assert len(said.stderr.splitlines()) == 1


def test_commands_take_it_for_classes_if_told(tmp_path):
    path = tmp_path / "houses.csv"
    FRAME.assign(price=(PRICES // 20 * 20) + 0.5).to_csv(path, index=False)
    assert CliRunner().invoke(app, ["rank", str(path)]).exit_code == 1
    said = CliRunner().invoke(app, ["rank", str(path), "--target-is-class"])
    assert said.exit_code == 0, said.stderr


def test_the_classifier_refuses_many_whole_numbers_but_not_as_text():
    X, y = np.arange(600.0)[:, None], np.arange(600) // 3
    with pytest.raises(DataError, match="y holds 200 different numbers: treelab classifies"):
        tl.TreeClassifier().fit(X, y)
    assert tl.TreeClassifier().fit(X, y.astype(str)).n_classes_ == 200
    assert tl.TreeClassifier().fit(X, np.arange(600) % 26).n_classes_ == 26
    with pytest.raises(ValueError, match="Unknown label type"):
        tl.TreeClassifier().fit(X, X.ravel() + 0.5)


def test_a_tree_is_tested_on_frames_whatever_their_target():
    data = tl.Dataset.from_frame(FRAME.assign(price=PRICES // 50), "price")
    tree = tl.grow(data, max_depth=1)
    assert len(tree.predict(FRAME)) == 500
