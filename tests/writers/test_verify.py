"""What was written is run and compared with the tree; see treelab/writers/verify.py."""

import sys
from types import SimpleNamespace

import attrs
import numpy as np
import pytest
from typer.testing import CliRunner

import treelab as tl
from tests.writers.evaluator import Model
from tests.writers.trees import new_cases, random_tree
from treelab.cli import app
from treelab.errors import ParameterError, TreelabError
from treelab.writers.cases import cases_of
from treelab.writers.runners import RUNNABLE, run
from treelab.writers.runners.answers import NoEngineError
from treelab.writers.verify import verify

CLOSE = 1e-12
"""Sums of at most a few dozen parts, added in another order."""
EXACT = ("c", "python")


@pytest.fixture
def pmml_engine(monkeypatch):
    """Put the small evaluator in the place of pypmml, which needs Java."""

    class Engine:
        def __init__(self, text):
            self.model = Model(text)

        fromString = classmethod(lambda cls, text: cls(text))  # noqa: N815

        def predict(self, case):
            fields = self.model.kinds
            found = self.model.probabilities({name: case.get(name) for name in fields})
            return {f"probability({label})": share for label, share in found.items()}

    monkeypatch.setitem(sys.modules, "pypmml", SimpleNamespace(Model=Engine))


def in_single_precision(data):
    """Return the cases as scikit-learn reads them: beside a threshold they are on it."""
    pairs = zip(data.schema.features, data.columns, strict=True)
    columns = [x if c.is_nominal else np.float32(x).astype(float) for c, x in pairs]
    return tl.Dataset.of(data.schema, columns, data.y)


def test_a_number_beside_a_threshold_may_disagree_in_single_precision():
    """What `in_single_precision` is for: verify reports it, and does not call it missing."""
    tree = random_tree(0, missing="fractional", cut=0)
    content = tl.export(tree, "sklearn", approximate=True)
    found = verify(tree, "sklearn", content, new_cases(tree, 0), approximate=True)

    assert not found.holds


@pytest.mark.usefixtures("pmml_engine")
@pytest.mark.parametrize("name", RUNNABLE)
@pytest.mark.parametrize("seed", [0, 4])
def test_mixed_trees_with_missing_values_agree(name, seed):
    """Fractional trees, on cases with missing values and labels never seen."""
    tree = random_tree(seed, missing="fractional", cut=0)
    data = in_single_precision(new_cases(tree, seed))
    content = tl.export(tree, name, approximate=True)
    try:
        found = verify(tree, name, content, data, approximate=True)
    except NoEngineError as error:
        pytest.skip(str(error))

    assert found.cases == 60
    assert found.holds
    assert (found.by_missing == 0) == (name in EXACT)
    if found.largest is not None:
        assert found.largest <= (1e-6 if name == "onnx" else CLOSE)  # ONNX gives single precision


def test_what_disagrees_is_counted():
    tree = tl.grow(tl.load("iris"), missing="majority")
    other = tl.grow(tl.load("iris"), missing="majority", max_depth=1)
    found = verify(tree, "sql", tl.export(other, "sql"), tl.load("iris"))

    assert not found.holds
    same = int((tree.predict(tl.load("iris")) == other.predict(tl.load("iris"))).sum())
    assert 50 <= same < 150
    assert (found.agreeing, found.cases, found.by_missing) == (same, 150, 0)
    assert str(found).endswith(f": {same} of 150 predictions agree")


def test_a_view_gives_probabilities():
    tree = tl.grow(tl.load("heart-cleveland"), missing="majority")
    options = {"table": 'the "table"', "dialect": "sqlite"}
    found = verify(
        tree, "sql", tl.export(tree, "sql", **options), tl.load("heart-cleveland"), **options
    )

    assert found.holds
    assert found.largest <= CLOSE


def test_without_an_engine_it_says_so(monkeypatch):
    tree = tl.grow(tl.load("iris"), missing="majority")
    for name, module in (("pmml", "pypmml"), ("onnx", "onnxruntime")):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(NoEngineError, match="pip install"):
            run(name, tl.export(tree, name), None, [])
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(NoEngineError, match="no C compiler"):
        run("c", "", None, [])
    with pytest.raises(NoEngineError, match="no server of postgresql"):
        run("sql", "", None, [], dialect="postgresql")
    with pytest.raises(ParameterError, match="treelab cannot run svg: verified are"):
        run("svg", "", None, [])


def test_what_a_program_refuses_is_a_sentence():
    """SQLite does not tell large letters from small ones in names of columns."""
    schema = tl.Schema((tl.Column("a"), tl.Column("A")), tl.Column("y", ("no", "yes")))
    data = tl.Dataset.of(schema, [[1.0, 2, 3, 4], [0.0, 0, 1, 1]], [0, 0, 1, 1])
    tree = tl.grow(data, missing="majority", min_branch=1)

    with pytest.raises(TreelabError, match="as sql cannot be run: OperationalError: duplicate"):
        verify(tree, "sql", tl.export(tree, "sql"), data)


def command(*words):
    return CliRunner().invoke(app, ["export", *map(str, words)])


@pytest.mark.parametrize("name", ["sql", "python", "onnx", "sklearn"])
def test_the_command_verifies(name, tmp_path):
    tl.grow(tl.load("iris")).save(tmp_path / "m.json")
    done = command(tmp_path / "m.json", "--to", name, "-o", tmp_path / "out", "--verify", "iris")

    assert done.exit_code == 0, done.output
    assert ": 150 of 150 predictions agree" in done.stdout
    warns = "a missing value will follow the branch of most cases" in done.stderr
    assert warns == (name != "python")


def test_the_exit_code_says_that_something_disagrees(tmp_path, monkeypatch):
    tree = tl.grow(tl.load("iris"), missing="majority")
    tree.save(tmp_path / "m.json")
    wrong = tl.export(attrs.evolve(tree, counts=tree.counts[:, ::-1].copy()), "sql")
    monkeypatch.setattr("treelab.writers.export", lambda *_, **__: wrong)
    done = command(tmp_path / "m.json", "--to", "sql", "--verify", "iris")

    assert done.exit_code == 1
    # Mirrored classes: only what is of the one in the middle agrees.
    same = int((tree.predict(tl.load("iris")) == "Iris-versicolor").sum())
    assert f": {same} of 150 predictions agree" in done.stderr
    assert done.stdout == wrong


def test_what_cannot_be_run_is_refused_before_writing(tmp_path):
    tl.grow(tl.load("iris")).save(tmp_path / "m.json")
    done = command(tmp_path / "m.json", "--to", "svg", "-o", tmp_path / "t", "--verify", "iris")

    assert done.exit_code == 2
    assert not (tmp_path / "t").exists()


# Complete training data


def test_without_missing_values_in_training_nothing_is_refused(tmp_path):
    tree = tl.grow(tl.load("iris"))
    tree.save(tmp_path / "m.json")
    back = tl.Tree.load(tmp_path / "m.json")

    assert tree.complete
    assert back.complete
    assert "A missing value follows the branch of most" in tl.export(back, "sql")
    assert "A missing value follows" in tl.export(back, "sklearn").__doc__
    assert b"A missing value follows" in tl.export(back, "onnx")
    assert "follows" not in tl.export(tl.grow(tl.load("iris"), missing="majority"), "sql")


def test_only_the_features_that_are_tested_matter():
    data = tl.load("hepatitis")
    lacking = data.missing()
    tree = tl.grow(data, pruner="none")
    tested = {tree.features[place] for place in tree.tested}

    assert tree.complete == (not tested & set(lacking))
    assert not tree.complete
    assert tl.grow(data.select([n for n in data.features if n not in lacking])).complete


# PMML for readers that know no parts


@pytest.mark.parametrize("seed", range(4))
def test_approximate_pmml_goes_on_with_the_default_child(seed):
    tree = random_tree(seed, missing="fractional")
    text = tl.export(tree, "pmml", approximate=True)
    majority = attrs.evolve(
        tree, missing="majority", missing_branch=np.where(
            tree.feature >= 0, _largest_branch(tree), -1).astype(np.int32),
    )  # fmt: skip
    data = new_cases(tree, seed)
    given = [list(Model(text).probabilities(case).values()) for case in cases_of(tree, data)]
    np.testing.assert_allclose(given, majority.predict_proba(data), rtol=0, atol=CLOSE)
    assert 'missingValueStrategy="defaultChild"' in text
    assert "isMissing" not in text


def _largest_branch(tree):
    weights = [[child.weight for child in node.children] or [0] for node in tree.nodes]
    return [int(np.argmax(row)) for row in weights]
