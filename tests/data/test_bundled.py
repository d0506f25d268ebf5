import csv
import hashlib
import json
from collections import Counter
from pathlib import Path

import attrs
import numpy as np
import pytest

from treelab.data import bundled
from treelab.data.bundled import DatasetCard, dataset_card, dataset_names, load
from treelab.data.labels import natural_order
from treelab.errors import DataError, ParameterError, UnknownNameError

FOLDER = Path(__file__).parents[2] / "datasets"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))

every_set = pytest.mark.parametrize("name", NAMES)


@pytest.fixture
def own_folder(tmp_path, monkeypatch):
    """A folder with a copy of the lenses, in place of the bundled ones."""
    for name in ("lenses.csv", "lenses.json"):
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    monkeypatch.setattr(bundled, "_FOLDERS", (tmp_path / "none", tmp_path))
    forget()
    yield tmp_path
    forget()


def forget():
    for function in (bundled._load, bundled._load_part, bundled._cards, bundled._aliases):
        function.cache_clear()


def table(name):
    """The header and the rows of a CSV file, by the book."""
    with (FOLDER / f"{name}.csv").open(newline="") as lines:
        header, *rows = csv.reader(lines)
    return header, rows


# The names


def test_there_are_thirty_data_sets():
    assert len(dataset_names()) == 30


def test_names_are_the_files_in_order():
    assert dataset_names() == NAMES


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("cancer", "breast-cancer-wisconsin"),
        ("chess-end", "kr-vs-kp"),
        ("credit", "credit-german"),
        ("heart", "heart-cleveland"),
        ("diabetes", "diabetes-pima"),
        ("thyroid-hyper", "thyroid-allhyper"),
        ("thyroid-hypo", "thyroid-allhypo"),
        ("german", "credit-german"),
        ("pima", "diabetes-pima"),
        ("cleveland", "heart-cleveland"),
        ("tictactoe", "tic-tac-toe"),
        ("vote", "voting"),
        ("house-votes-84", "voting"),
        ("breast-cancer", "breast-cancer-ljubljana"),
        ("monk1", "monks-1"),
        ("monk2", "monks-2"),
        ("monk3", "monks-3"),
        ("Iris", "iris"),
        ("tic_tac_toe", "tic-tac-toe"),
    ],
)
def test_data_are_found_by_their_other_names(alias, name):
    assert dataset_card(alias).name == name


def test_no_alias_stands_for_two_data_sets():
    words = Counter(word for name in NAMES for word in (name, *dataset_card(name).aliases))

    assert words.most_common(1)[0][1] == 1


@pytest.mark.parametrize("ask", [load, dataset_card])
def test_an_unknown_name_suggests_the_nearest(ask):
    with pytest.raises(
        UnknownNameError, match=r"^unknown data set 'mushrom': did you mean 'mushroom"
    ):
        ask("mushrom")


def test_an_unknown_name_unlike_any_other_lists_some():
    with pytest.raises(UnknownNameError, match=r"^unknown data set 'xyzzy': known are "):
        load("xyzzy")


def test_an_alias_loads_the_very_same_data():
    assert load("vote") is load("voting")


# The cards


@every_set
def test_the_card_is_complete(name):
    card = dataset_card(name)
    may_be_empty = {"aliases", "numeric", "nominal", "missing", "duplicate_rows", "split", "notes"}
    filled = {field.name for field in attrs.fields(DatasetCard) if getattr(card, field.name)}

    assert {field.name for field in attrs.fields(DatasetCard)} - filled <= may_be_empty


@every_set
def test_the_card_is_named_like_its_file(name):
    assert json.loads((FOLDER / f"{name}.json").read_text("utf-8"))["name"] == name


@every_set
def test_the_card_names_every_column_of_the_file_once(name):
    card = dataset_card(name)

    assert sorted((*card.numeric, *card.nominal, card.target)) == sorted(table(name)[0])


@every_set
def test_the_card_has_the_checksum_of_the_file(name):
    data = (FOLDER / f"{name}.csv").read_bytes()

    assert dataset_card(name).sha256 == hashlib.sha256(data).hexdigest()


@every_set
def test_the_card_counts_equal_rows(name):
    rows = table(name)[1]

    assert dataset_card(name).duplicate_rows == len(rows) - len(set(map(tuple, rows)))


@every_set
def test_a_split_divides_all_cases(name):
    card = dataset_card(name)

    assert card.split is None or card.split.train + card.split.test == card.rows


@every_set
def test_every_origin_says_where_the_file_is(name):
    for origin in dataset_card(name).origin:
        assert all((origin.registry, origin.package, origin.version, origin.path, origin.licence))


@every_set
def test_the_readme_has_the_facts_of_the_card(name):
    card = dataset_card(name)
    numbers = (card.rows, len(card.numeric), len(card.nominal), len(card.classes), card.missing)
    row = f"| {name} | {', '.join(card.aliases)} | {' | '.join(map(str, numbers))} | "

    assert row in (FOLDER / "README.md").read_text("utf-8")


def test_a_card_cannot_be_changed():
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        dataset_card("iris").rows = 1


def test_the_classes_of_a_card_cannot_be_changed():
    with pytest.raises(TypeError):
        dataset_card("iris").classes["other"] = 1


# The data


@every_set
def test_the_data_have_the_name_of_the_card(name):
    assert load(name).name == name


@every_set
def test_there_are_as_many_cases_as_the_card_says(name):
    assert len(load(name)) == dataset_card(name).rows


@every_set
def test_columns_have_the_kinds_of_the_card(name):
    kinds = {column.name: column.kind for column in load(name).schema.features}
    card = dataset_card(name)

    assert kinds == dict.fromkeys(card.numeric, "numeric") | dict.fromkeys(card.nominal, "nominal")


@every_set
def test_columns_have_the_order_of_the_file(name):
    data = load(name)

    assert [*data.features, data.target] == table(name)[0]


@every_set
def test_classes_are_those_of_the_card_in_order(name):
    data, card = load(name), dataset_card(name)
    counts = np.bincount(data.y, minlength=len(data.classes)).tolist()

    assert list(zip(data.classes, counts, strict=True)) == list(card.classes.items())


@every_set
def test_missing_values_are_as_many_as_the_card_says(name):
    assert sum(load(name).missing().values()) == dataset_card(name).missing


@every_set
def test_labels_are_in_natural_order(name):
    for column in (*load(name).schema.features, load(name).schema.target):
        assert list(column.labels or ()) == sorted(column.labels or (), key=natural_order)


@every_set
def test_every_value_is_the_one_in_the_file(name):
    data = load(name)
    header, rows = table(name)
    written = dict(zip(header, zip(*rows, strict=True), strict=True))

    assert data.labels.tolist() == list(written[data.target])
    for column, values in zip(data.schema.features, data.columns, strict=True):
        if column.labels is None:
            expected = [float(text or "nan") for text in written[column.name]]
            np.testing.assert_array_equal(expected, values)
        else:
            labels = [*column.labels, ""]
            assert [labels[code] for code in values] == list(written[column.name])


# The parts


@every_set
def test_parts_are_as_large_as_the_card_says(name):
    split = dataset_card(name).split
    if split is not None:
        sizes = [len(load(name, part=part)) for part in ("train", "test")]
        assert sizes == [split.train, split.test]


def test_the_thyroid_data_have_the_years_of_their_donors():
    """The counts of classes that duch2004 gives, section 4, and UCI with the two files."""
    whole, train, test = (load("ann-thyroid", part=part) for part in (None, "train", "test"))

    assert np.bincount(train.y).tolist() == [93, 191, 3488]
    assert np.bincount(test.y).tolist() == [73, 177, 3178]
    assert (train.name, train.schema) == ("ann-thyroid:train", whole.schema)
    rows = [set(zip(*data.columns, data.y, strict=True)) for data in (train, test)]
    assert not rows[0] & rows[1]  # no case is of both years


def test_a_part_without_a_file_is_the_first_rows():
    whole, train = load("monks-1"), load("monks-1:train")

    assert np.array_equal(train["a"], whole["a"][:124])
    assert load("MONKS-1:test").labels.tolist() == whole.labels[124:].tolist()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("monks-1", "trian"), "part must be one of 'train', 'test', got 'trian'; did you mean"),
        (("monks-1:tset",), "part must be one of 'train', 'test', got 'tset'; did you mean 'test'"),
        (("zoo", "train"), "the data set 'zoo' has no training and test part"),
        (("zoo:train",), "the data set 'zoo' has no training and test part"),
        (("monks-1:train", "test"), "'monks-1:train' names a part already, got part='test'"),
    ],
)
def test_a_part_that_is_not_there_is_refused(given, message):
    with pytest.raises(ParameterError, match=message):
        load(*given)


def test_a_changed_split_is_refused(tmp_path, monkeypatch):
    for path in FOLDER.glob("ann-thyroid*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    split = tmp_path / "ann-thyroid.split.csv"
    split.write_bytes(split.read_bytes().replace(b"train", b"test", 1))
    monkeypatch.setattr(bundled, "_FOLDERS", (tmp_path,))
    forget()
    with pytest.raises(DataError, match=r"ann-thyroid\.split\.csv was changed"):
        load("ann-thyroid", part="train")
    forget()


def test_a_changed_file_is_refused(own_folder):
    path = own_folder / "lenses.csv"
    path.write_bytes(path.read_bytes().replace(b"soft", b"hard", 1))
    with pytest.raises(DataError, match=r"lenses\.csv was changed: its checksum is not the one on"):
        load("lenses")


def test_data_are_found_in_the_folder_that_exists(own_folder):
    assert (own_folder.is_dir(), dataset_names()) == (True, ["lenses"])


def test_an_installation_without_data_says_so(own_folder, monkeypatch):
    monkeypatch.setattr(bundled, "_FOLDERS", (own_folder / "none",))
    with pytest.raises(DataError, match=r"^the bundled data sets are missing: there is no folder"):
        load("lenses")
