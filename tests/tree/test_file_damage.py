"""Files that are no models are refused in a sentence, whatever the damage."""

import copy
import json
import re
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_files import VALIDATOR, exotic, grown, refused, valid
from strategies import steady

import treelab as tl
from treelab.data.dataset import Dataset
from treelab.errors import ModelFileError
from treelab.tree import file


@cache
def document():
    return json.loads(file.dumps(grown("intervals")))


def nested(times):
    """A metric within a metric within a metric."""
    metric = "gain"
    for _ in range(times):
        metric = {"name": "normalized", "metric": metric}
    return metric


def changed(*path, to):
    """Return the valid document with one entry changed."""
    made = valid()
    place = made
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return made


def without(*path):
    made = valid()
    place = made
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    return made


def test_the_document_the_damages_start_from_is_valid():
    VALIDATOR.validate(valid())

    assert file.loads(json.dumps(valid())).n_nodes == 8


DAMAGES = {
    "no features": without("features"),
    "no target": without("target"),
    "no nodes": without("nodes"),
    "no cuts": without("cuts"),
    "no policy": without("missing"),
    "no learner": without("learner"),
    "no counts": without("nodes", 0, "counts"),
    "no feature": without("nodes", 0, "feature"),
    "no threshold": without("nodes", 1, "threshold"),
    "no branches": without("nodes", 0, "branches"),
    "no score": without("nodes", 0, "score"),
    "no children": without("nodes", 0, "children"),
    "no labels of the target": without("target", "labels"),
    "no name": without("features", 0, "name"),
    "no third branch": without("nodes", 1, "missing"),
    "unknown entry": changed("colour", to=1),
    "unknown entry of a node": changed("nodes", 0, "colour", to=1),
    "unknown entry of a leaf": changed("nodes", 2, "score", to=1),
    "unknown entry of a column": changed("features", 0, "kind", to="numeric"),
    "threshold and branches": changed("nodes", 1, "branches", to=[0, 1]),
    "threshold on a cut feature": changed("nodes", 4, to={
        "counts": [3, 3], "feature": 2, "threshold": 1.0, "score": 1, "children": [5, 6]}),
    "threshold on a nominal feature": changed("nodes", 0, to={
        "counts": [9, 9], "feature": 1, "threshold": 1.0, "score": 1, "children": [1, 7]}),
    "branches on a numeric feature": changed("nodes", 1, to={
        "counts": [6, 6], "feature": 0, "branches": [0, 1, 2], "score": 1, "children": [2, 3, 4]}),
    "nodes an object": changed("nodes", to={}),
    "nodes empty": changed("nodes", to=[]),
    "a node a list": changed("nodes", 2, to=[1, 2]),
    "features a text": changed("features", to="xyz"),
    "a column a text": changed("features", 0, to="x"),
    "a name a number": changed("features", 0, "name", to=3),
    "labels a text": changed("features", 1, "labels", to="abc"),
    "labels null": changed("features", 0, "labels", to=None),
    "labels numbers": changed("features", 1, "labels", to=[1, 2, 3]),
    "labels twice": changed("features", 1, "labels", to=["red", "red", "blue"]),
    "names twice": changed("features", 0, "name", to="colour"),
    "target without classes": changed("target", "labels", to=[]),
    "too many classes": changed("target", "labels", to=["a", "b", "c"]),
    "too many values": changed("features", 1, "labels", to=["red", "green"]),
    "cuts a list": changed("cuts", to=[]),
    "cuts a number": changed("cuts", "w", to=1.0),
    "cuts texts": changed("cuts", "w", to=["1", "2"]),
    "cuts nested": changed("cuts", "w", to=[[1.0, 2.5]]),
    "cuts descending": changed("cuts", "w", to=[2.5, 1.0]),
    "cuts of a nominal feature": changed("cuts", "colour", to=[1.0]),
    "cuts of nothing": changed("cuts", "nothing", to=[1.0]),
    "cuts too many": changed("cuts", "w", to=[1.0, 2.5, 3.0]),
    "policy unknown": changed("missing", to="ignore"),
    "policy a list": changed("missing", to=["branch"]),
    "learner a number": changed("learner", to=1),
    "learner a text": changed("learner", to="Learner(metric='gain')"),
    "learner a text in version 1": {**valid(), "version": 1},
    "probabilities in version 1": {
        **valid(), "version": 1, "learner": "", "probabilities": "laplace"},
    "probabilities unknown": changed("probabilities", to="shrnk"),
    "probabilities a number": changed("probabilities", to=0.5),
    "probabilities null": changed("probabilities", to=None),
    "probabilities as written": changed("probabilities", to={"repr": "mine"}),
    "probabilities of a wrong parameter": changed("probabilities", to="shrunk:lambda=-1"),
    "probabilities of a list": changed("probabilities", to={"name": "shrunk", "lambda": [1]}),
    "probabilities of an unknown parameter": changed("probabilities", to="laplace:2"),
    "an unknown setting": changed("learner", "metrik", to="gain"),
    "a setting beside a text": changed("learner", "repr", to="by hand"),
    "no metric": changed("learner", "metric", to=None),
    "a metric of a number": changed("learner", "metric", to=3),
    "a metric without a name": changed("learner", "metric", to={"k": 5}),
    "a metric of a list": changed("learner", "metric", to=["gain"]),
    "a metric named by a number": changed("learner", "metric", to={"name": 3}),
    "a pruner written and named": changed("learner", "pruner", to={"repr": 3}),
    "a metric of metrics without end": changed("learner", "metric", to=nested(30)),
    "splits unknown": changed("learner", "splits", to="awto"),
    "a policy unknown": changed("learner", "missing", to="ignore"),
    "a search unknown": changed("learner", "search", to=None),
    "bins a text": changed("learner", "bins", to="7"),
    "bins of one": changed("learner", "bins", to=1),
    "width of none": changed("learner", "width", to=None),
    "min_cases true": changed("learner", "min_cases", to=True),
    "min_branch negative": changed("learner", "min_branch", to=-1),
    "max_depth a fraction": changed("learner", "max_depth", to=1.5),
    "a seed of a fraction": changed("learner", "seed", to=0.5),
    "counts too few": changed("nodes", 3, "counts", to=[1]),
    "counts too many": changed("nodes", 3, "counts", to=[1, 2, 3]),
    "counts negative": changed("nodes", 3, "counts", to=[-1, 2]),
    "counts zero": changed("nodes", 3, "counts", to=[0, 0]),
    "counts texts": changed("nodes", 3, "counts", to=["1", "2"]),
    "counts truth values": changed("nodes", 3, "counts", to=[True, False]),
    "counts null": changed("nodes", 3, "counts", to=[None, 1]),
    "counts nested": changed("nodes", 3, "counts", to=[[1], [2]]),
    "counts a number": changed("nodes", 3, "counts", to=3),
    "counts huge": changed("nodes", 3, "counts", to=[10**400, 1]),
    "counts that sum to infinity": changed("nodes", 3, "counts", to=[1e308, 1e308]),
    "feature negative": changed("nodes", 0, "feature", to=-1),
    "feature too large": changed("nodes", 0, "feature", to=3),
    "feature huge": changed("nodes", 0, "feature", to=10**40),
    "feature a fraction": changed("nodes", 0, "feature", to=1.5),
    "feature a truth value": changed("nodes", 0, "feature", to=True),
    "threshold a text": changed("nodes", 1, "threshold", to="2.5"),
    "threshold null": changed("nodes", 1, "threshold", to=None),
    "threshold huge": changed("nodes", 1, "threshold", to=10**400),
    "score a text": changed("nodes", 0, "score", to="good"),
    "score a list": changed("nodes", 0, "score", to=[]),
    "branches too few": changed("nodes", 0, "branches", to=[0, 1]),
    "branches too large": changed("nodes", 0, "branches", to=[0, -1, 2]),
    "branches too small": changed("nodes", 0, "branches", to=[0, -2, 1]),
    "branches a number": changed("nodes", 0, "branches", to=1),
    "a branch nothing leads to": changed("nodes", 0, "branches", to=[0, 0, -1]),
    "missing too large": changed("nodes", 1, "missing", to=3),
    "missing negative": changed("nodes", 1, "missing", to=-1),
    "missing null": changed("nodes", 1, "missing", to=None),
    "missing leaves the third branch empty": changed("nodes", 1, "missing", to=0),
    "children a number": changed("nodes", 0, "children", to=2),
    "children fractions": changed("nodes", 0, "children", to=[1.0, 7.5]),
    "an only child": changed("nodes", 0, "children", to=[1]),
    "no child": changed("nodes", 0, "children", to=[]),
    "a child of itself": changed("nodes", 1, "children", to=[1, 3, 4]),
    "a child of its child": changed("nodes", 1, "children", to=[0, 3, 4]),
    "a child twice": changed("nodes", 0, "children", to=[1, 1]),
    "a child of two": changed("nodes", 0, "children", to=[1, 5]),
    "children out of order": changed("nodes", 4, "children", to=[6, 5]),
    "a child beyond the end": changed("nodes", 0, "children", to=[1, 8]),
    "a node nobody wants": changed("nodes", to=[*valid()["nodes"], {"counts": [1, 1]}]),
    "a node gone": changed("nodes", to=valid()["nodes"][:-1]),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damage_is_told_in_one_sentence(damage):
    assert refused(json.dumps(damage)).startswith("damaged model: ")


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_what_the_schema_refuses_the_loader_refuses(damage):
    """The schema sees the shape only; here it must not see more than the loader."""
    if not VALIDATOR.is_valid(damage):
        refused(json.dumps(damage))


def test_a_missing_value_may_go_with_a_side_of_a_threshold():
    """So it does where the policy is 'majority'."""
    node = {"counts": [6, 6], "feature": 0, "threshold": 2.5, "missing": 1, "score": 1}
    made = valid()
    made["nodes"] = [{**node, "children": [1, 2]}, {"counts": [3, 4]}, {"counts": [3, 2]}]

    assert file.loads(json.dumps(made)).root.missing_branch == 1


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
@pytest.mark.parametrize("name", ["threshold", "score", "counts"])
def test_no_number_may_be_infinite_or_nan(name, word):
    text = json.dumps(changed("nodes", 1, name, to="@" if name != "counts" else ["@", 1]))
    refused(text.replace('"@"', word))


NO_MODELS = {
    "empty": "",
    "blank": " \n",
    "words": "this is no model",
    "csv": "a,b\n1,2\n",
    "a number": "3",
    "null": "null",
    "a list": "[1, 2]",
    "foreign": '{"type": "DecisionTree", "nodes": []}',
    "foreign format": '{"format": "pmml"}',
    "format a list": '{"format": ["treelab-tree"]}',
    "deep": "[" * 100_000,
    "deep object": '{"a":' * 100_000,
    "a very long number": "9" * 10_000,
    "byte order mark": "\ufeff" + json.dumps(valid()),
    "two": json.dumps(valid()) * 2,
}


@pytest.mark.parametrize("text", NO_MODELS.values(), ids=NO_MODELS)
def test_what_is_no_model_is_told(text):
    assert refused(text).startswith("not a treelab model: ")


def test_a_newer_version_is_refused_clearly():
    assert refused('{"format": "treelab-tree", "version": 3, "trees": []}') == (
        "the model has format version 3, this treelab reads up to 2: install a newer treelab"
    )


@pytest.mark.parametrize("version", [0, -1, 1.0, True, "1", None, [1]])
def test_a_version_is_a_whole_number(version):
    message = refused(json.dumps(changed("version", to=version)))

    assert message == "damaged model: the version is no whole number from 1 on"


def test_a_file_that_ends_too_early_is_refused(tmp_path):
    path = tmp_path / "m.json"
    exotic().save(path)
    whole = path.read_bytes()
    for end in range(0, len(whole) - 2, 50):
        path.write_bytes(whole[:end])
        with pytest.raises(ModelFileError, match=f"^{re.escape(str(path))}"):
            tl.Tree.load(path)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "m.json"
    path.write_bytes(b"\x89PNG\r\n\xff\xfe")
    with pytest.raises(ModelFileError, match=r"m.json is not a treelab model: it is not text$"):
        tl.Tree.load(path)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(ModelFileError, match=r"^cannot read .*m.json: No such file or directory$"):
        tl.Tree.load(tmp_path / "m.json")


def test_a_name_that_no_file_can_have_is_told():
    with pytest.raises(ModelFileError, match=r"^cannot read 'a\\x00b': embedded null byte$"):
        tl.Tree.load("a\0b")


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(ModelFileError, match=r"^cannot read .*: Is a directory$"):
        tl.Tree.load(tmp_path)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.sampled_from([10**30, 10**400, -0.0, 1e308, 2.5])
    | st.sampled_from(["", "x", "w", "branch", "red"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)


def places(value, path=()):
    """Every place of a document."""
    if path:
        yield path
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in inner:
        yield from places(item, (*path, key))


@st.composite
def mutations(draw):
    """Change, remove or double up to three entries of a valid document."""
    made = copy.deepcopy(draw(st.sampled_from([valid(), document()])))
    for _ in range(draw(st.integers(1, 3))):
        *path, last = draw(st.sampled_from(list(places(made))))
        place = made
        for step in path:
            place = place[step]
        what = draw(st.sampled_from(["change", "remove", "double", "swap"]))
        if what == "remove":
            del place[last]
        elif what == "double" and isinstance(place, list):
            place.insert(last, copy.deepcopy(place[last]))
        elif what == "swap" and isinstance(place, list):
            place[last], place[0] = place[0], place[last]
        else:
            place[last] = draw(JSON)
    return made


@steady(150)
@given(mutations())
def test_a_changed_document_is_refused_or_makes_a_sound_tree(made):
    tree = loaded(json.dumps(made))
    if tree is None:
        return
    VALIDATOR.validate(made)
    assert file.loads(file.dumps(tree)) == tree
    assert str(tree)
    use(tree)


def loaded(text):
    """Return the tree of a text; None where it is refused, in one line."""
    try:
        return file.loads(text)
    except ModelFileError as error:
        problem = str(error)
    assert "\n" not in problem
    return None


def use(tree):
    """Predict cases with known, unknown and missing values of everything."""
    for column in tree.schema.features:
        assert column.name in tree.features
    columns = [
        np.array([-1, 0, column.n_labels - 1], float) if column.is_nominal else [np.nan, -9.0, 9.0]
        for column in tree.schema.features
    ]
    data = Dataset.of(tree.schema, columns, cases=3)
    shares = tree.predict_proba(data)
    assert np.allclose(shares.sum(axis=1), 1)
    assert len(tree.apply(data)) == len(tree.predict(data)) == 3


@steady(200)
@given(st.integers(0, 3000), st.binary(max_size=4))
def test_changed_bytes_never_raise_anything_else(place, patch):
    raw = json.dumps(valid()).encode()
    text = (raw[:place] + patch + raw[place + len(patch) :]).decode("utf-8", "replace")
    loaded(text)
