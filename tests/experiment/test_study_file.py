"""Study files: what they may say, and how a wrong one is refused before anything runs."""

import re
from pathlib import Path

import attrs
import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import treelab as tl
from treelab._files import file_names
from treelab.errors import ParameterError, TreelabError
from treelab.experiment import Store, Study, run_study, write_report
from treelab.experiment.sources import InMemory
from treelab.experiment.study import Grid, Paper
from treelab.experiment.study_file import read_study
from treelab.experiment.toml_lines import line_of

GOOD = """\
name = "mine"
data = [
    "iris",
    "zoo",
]
folds = 4
repeats = 2
tests = ["t", "friedman"]

[settings]
min_cases = 3
missing = "branch"

[[learner]]
metric = "gain"

[[learner]]
name = "Pi"
metric = { name = "pi", theta = [1, 0, 0, 1] }

[[learner]]
name = "CART"
estimator = "sklearn.tree:DecisionTreeClassifier(max_depth=3)"
encoding = "ordinal"

[quick]
data = ["zoo"]
repeats = 1

[[note]]
title = "A note"
text = \"\"\"
data = is not a key here
\"\"\"
"""
GRID = """\
data = ["zoo"]
[grid]
metric = "pi"
theta = [[1, 1, 1, 1], [0, 0, 0, 1]]
alpha = [0.1, 0.5, 1]
"""


def written(tmp_path, text):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    return file


def test_a_study_file_says_all(tmp_path):
    study = read_study(written(tmp_path, GOOD))

    assert [each.label for each in study.data] == ["iris", "zoo"]
    assert [each.name for each in study.learners] == ["gain", "Pi", "CART"]
    assert (study.folds, study.repeats, study.tests) == (4, 2, ("t", "friedman"))
    assert study.learners[0].factory.learner == tl.Learner(
        metric="gain", min_cases=3, missing="branch"
    )
    assert study.learners[1].factory.learner.metric == tl.metric("pi", theta=(1, 0, 0, 1))
    assert str(study.learners[2].factory).endswith(
        "tree:DecisionTreeClassifier(max_depth=3), ordinal"
    )
    assert study.notes[0].text == "data = is not a key here"


PRESET = """
data = ["zoo"]
[settings]
missing = "branch"
max_depth = 4
[[learner]]
preset = "j48"
[[learner]]
name = "C4.5"
preset = "c45:cf=0.1"
min_branch = 3
"""


def test_the_study_of_the_page_is_one(tmp_path):
    text = (Path(__file__).parents[2] / "docs/studies.md").read_text("utf-8")
    files = {
        "study.toml": re.search(r"```toml\n(.*?)```", text, re.DOTALL)[1],
        "mine.py": re.search(r"```python\n(.*?)```", text, re.DOTALL)[1],
        "bikes.arff": "",
        "cars.csv": "",
        "expected.csv": "data,learner,mean,sd,marked\nvoting,CART,95.1,,*\n",
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    study = read_study(tmp_path / "study.toml", allow_code=True)

    assert [each.name for each in study.learners] == ["Tsallis", "pi", "j48", "CART"]
    assert study.paper.expected == {("voting", "CART"): (95.1, None)}
    assert study.paper.checks[0].within == 3.0
    assert [note.title for note in study.notes] == ["What the paper leaves open"]
    assert len(read_study(tmp_path / "study.toml", allow_code=True, quick=True).data) == 1


def test_a_preset_goes_before_the_settings_of_all_and_its_own_before_it(tmp_path):
    study = read_study(written(tmp_path, PRESET))

    assert [each.name for each in study.learners] == ["j48", "C4.5"]
    assert [each.factory.learner for each in study.learners] == [
        attrs.evolve(tl.j48(), max_depth=4),
        attrs.evolve(tl.c45(cf=0.1), max_depth=4, min_branch=3),
    ]


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ('"j48"', '"j84"', "line 7: unknown preset 'j84': did you mean 'j48'?"),
        ('"j48"', "3", "line 7: preset must be a text, got 3"),
        ("preset", "pre_set", "line 7: unknown setting 'pre_set': did you mean 'preset'?"),
    ],
)
def test_a_wrong_preset_is_refused_with_its_line(tmp_path, right, wrong, message):
    with pytest.raises(TreelabError, match=re.escape(message)):
        read_study(written(tmp_path, PRESET.replace(right, wrong)))


def test_a_text_names_a_preset():
    study = Study(data=["zoo"], learners={"J48": "preset:j48:binary=true"})

    assert study.learners[0].factory.learner == tl.j48(binary=True)


def test_quick_replaces_what_it_names(tmp_path):
    study = read_study(written(tmp_path, GOOD), quick=True)

    assert [each.label for each in study.data] == ["zoo"]
    assert (study.folds, study.repeats) == (4, 1)


def test_further_metrics_join_with_the_settings_of_the_file(tmp_path):
    study = read_study(written(tmp_path, GOOD), more=["gain", "gini", "pi"])

    # pi as it comes is another metric than the file's; gain is there already
    assert [each.name for each in study.learners] == ["gain", "Pi", "CART", "gini", "pi"]
    assert study.learners[3].factory.learner.min_cases == 3


def test_a_grid_is_every_combination(tmp_path):
    study = read_study(written(tmp_path, GRID))

    assert len(study.learners) == 6
    assert study.grid.axes == ("theta", "alpha")
    assert study.grid.labels == (("1111", "0001"), ("0.1", "0.5", "1"))
    assert study.learners[4].place == ("0001", "0.5")
    assert study.learners[4].name == "theta=0001, alpha=0.5"
    assert study.learners[4].factory.learner.metric.alpha == 0.5


def test_files_are_found_beside_the_study(tmp_path):
    (tmp_path / "mine.csv").write_text("kind,a,b\n" + "p,x,1\nq,y,2\n" * 6)
    text = """
data = ["mine.csv", { file = "mine.csv", target = "kind", label = "other" }]
folds = 2
[[learner]]
metric = "gain"
"""
    study = read_study(written(tmp_path, text))

    assert [each.label for each in study.data] == ["mine", "other"]
    assert study.data[1].read().target == "kind"


def test_files_are_read_as_the_study_says(tmp_path):
    text = "id;größe;kind\n1;1,234;a\n2;2,345;-\n".encode("latin-1")
    (tmp_path / "mine.txt").write_bytes(text)
    options = (
        'encoding = "latin-1", decimal = ",", drop = ["id"], header = true, delimiter = ";", '
        'missing_marks = ["usual", "-"], numeric = ["größe"]'
    )
    study = f'data = [{{ file = "mine.txt", {options} }}]\n[[learner]]\nmetric = "gain"\n'
    (tmp_path / "study.toml").write_text(study, encoding="utf-8")
    (source,) = read_study(tmp_path / "study.toml").data
    data = source.read()

    assert (data.features, data["größe"].tolist()) == (("größe",), [1.234, 2.345])
    assert data.y.tolist() == [0, -1]
    assert isinstance(hash(source), int), "sources are looked up"


def test_numbers_are_classes_where_the_study_says_so(tmp_path):
    rows = "".join(f"{n},{n // 3}.5\n" for n in range(80))
    (tmp_path / "mine.csv").write_text(f"a,price\n{rows}")
    study = 'data = [{ file = "mine.csv", target_is_class = true }]\n[[learner]]\nmetric = "gain"\n'
    (tmp_path / "study.toml").write_text(study)

    assert len(read_study(tmp_path / "study.toml").data[0].read().classes) == 27


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('drop = "id"', "drop must be a list, got 'id'"),
        ("header = 1", "header must be true or false, got 1"),
        ('target_is_class = "yes"', "target_is_class must be true or false, got 'yes'"),
        ("decimal = 5", "decimal must be a text, got 5"),
        ("dropp = []", "unknown key 'dropp': did you mean 'drop'?"),
    ],
)
def test_a_wrong_way_to_read_is_refused_with_its_line(tmp_path, entry, message):
    (tmp_path / "mine.csv").write_text("a,b\n1,u\n")
    (tmp_path / "study.toml").write_text(
        f'\ndata = [{{ file = "mine.csv", {entry} }}]\n[[learner]]\nmetric = "gain"\n'
    )
    with pytest.raises(ParameterError, match=rf"line 2: {re.escape(message)}"):
        read_study(tmp_path / "study.toml")


WRONG = [
    ('"iris"', '"irsi"', "line 3: unknown data set 'irsi': did you mean 'iris'?"),
    ('"zoo",\n]', '3,\n]', "line 4: a data set is a name or a file, got 3"),
    (GOOD[GOOD.index("data") : GOOD.index("folds")], "data = []\n", "line 2: data must be a list"),
    ("folds = 4", "fold = 4", "line 6: unknown key 'fold': did you mean 'folds'?"),
    ("folds = 4", "folds = 1", "line 6: folds must be a whole number of at least 2, got 1"),
    ("folds = 4", 'folds = "x"', "line 6: folds must be a whole number of at least 2, got 'x'"),
    ('"friedman"', '"fridman"', "line 8: tests must be one of"),
    ('tests = ["t", "friedman"]', 'tests = "t"', "line 8: tests must be a list, got 't'"),
    ("min_cases", "min_case", "line 11: unknown setting 'min_case': did you mean 'min_cases'?"),
    ("min_cases = 3", "min_cases = 0", "line 11: min_cases must be a number of at least 1, got 0"),
    ('"branch"', '"brunch"', "line 12: missing must be one of"),
    ('metric = "gain"', 'metric = "gaim"', "line 15: unknown metric 'gaim': did you mean 'gain'?"),
    ('metric = "gain"', "metric = 3", "line 15: expected the name of a metric or"),
    ('metric = "gain"', 'name = "Pi"', "line 17: a learner is named 'Pi' more than once"),
    ('"Pi"', "7", "line 18: name must be a text, got 7"),
    ('name = "Pi"', r'name = "P\ni"', "line 18: a learner is named without control"),
    ("theta =", "teta =", "line 19: unknown parameter 'teta' of metric 'pi': did you"),
    ("[1, 0, 0, 1]", "[1, 0]", "line 19: theta must be four numbers, got [1, 0]"),
    ("max_depth", "max_dept", "line 23: unknown parameter 'max_dept' of DecisionTreeClassifier"),
    ("sklearn.tree:", "sklearn.trees:", "line 23: unknown module 'sklearn.trees': did you mean"),
    ("DecisionTreeC", "DecisionTrC", "line 23: unknown classifier 'DecisionTrClassifier' of "),
    ("sklearn.tree:", "os:", "line 23: a study file may name classifiers of sklearn only, got"),
    ("max_depth=3", "max_depth=f()", "line 23: a classifier is written as module:Class("),
    ("DecisionTreeClassifier(", "DecisionTreeRegressor(", "DecisionTreeRegressor is not a class"),
    ('"ordinal"', '"ordnal"', "encoding must be one of 'one-hot', 'ordinal', got 'ordnal'"),
    ("encoding", "encodin", "line 24: unknown key 'encodin': did you mean 'encoding'?"),
    ('["zoo"]', '["zo"]', "line 27: unknown data set 'zo'"),
    ("[quick]", "[quik]", "line 26: unknown key 'quik': did you mean 'quick'?"),
    ("repeats = 1", "repets = 1", "line 28: unknown key 'repets': did you mean 'repeats'?"),
    ("[settings]", "[settings", "is not a TOML file: "),
]  # fmt: skip


@pytest.mark.parametrize(("good", "wrong", "message"), WRONG)
def test_a_wrong_study_is_refused_with_its_line(tmp_path, good, wrong, message):
    assert good in GOOD
    file = written(tmp_path, GOOD.replace(good, wrong, 1))
    with pytest.raises(ParameterError) as refused:
        read_study(file)

    assert message in str(refused.value)
    assert str(refused.value).startswith(str(file))


@pytest.mark.parametrize(
    ("good", "wrong", "message"),
    [
        ("alpha = [0.1, 0.5, 1]", "alpha = []", "line 5: an empty grid: alpha needs a list"),
        ("alpha = [0.1, 0.5, 1]", "alpha = 0.1", "line 5: an empty grid: alpha needs a list"),
        ("alpha =", "alfa =", "unknown parameter 'alfa' of metric 'pi': did you mean 'alpha'?"),
        ('metric = "pi"', "", "line 2: a grid needs the name of a metric"),
        ('"pi"', '"pie"', "line 3: unknown metric 'pie': did you mean 'pi'?"),
        (
            GRID[GRID.index("theta") :],
            "",
            "line 2: an empty grid: it needs a parameter with a list",
        ),
        (GRID[GRID.index("[grid]") :], "", "a study needs a [[learner]] or a [grid]"),
    ],
)
def test_a_wrong_grid_is_refused(tmp_path, good, wrong, message):
    file = written(tmp_path, GRID.replace(good, wrong))
    with pytest.raises(ParameterError) as refused:
        read_study(file)

    assert message in str(refused.value)


def test_a_study_file_runs_nobodys_code(tmp_path):
    """Neither by import, nor by a call in an argument, nor by a class that is imported there."""
    module = tmp_path / "harm.py"
    module.write_text("raise SystemExit('ran')")
    for text in ("harm:Class()", "os:system(command='ls')", "sklearn.tree:np(x=__import__('os'))",
                 "sklearn.tree:DecisionTreeClassifier(max_depth=open('x'))",
                 "sklearn.utils.fixes:threading()"):  # fmt: skip
        file = written(tmp_path, f'data = ["zoo"]\n[[learner]]\nestimator = "{text}"\n')
        with pytest.raises(ParameterError, match="line 3"):
            read_study(file)


NAMES = ["a/../../evil", "../../evil", "/../../../evil", "..", "cars/2020", "CARS 2020", "a\0b",
         'x"><img src=x onerror=alert(1)>']  # fmt: skip


def files_in(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("of", ["data", "learners", "grid"])
def test_no_name_in_a_study_leads_out_of_the_folder_of_the_report(tmp_path, of):
    """Of data, learners, axes, the study or its paper: nothing else is written or replaced."""
    names = (
        [*NAMES[:6], NAMES[7]] if of == "data" else NAMES[:4]
    )  # learners are drawn, which takes longer
    few = {f"n={n}": tl.Learner(min_cases=n) for n in (2, 4)}
    evil = "/../../evil"
    study = Study(
        name=evil, title=evil, paper=Paper(evil, {("lenses", ".."): (80, None)}), folds=2, tests=(),
        data=[InMemory(tl.load("lenses"), name) for name in names] if of == "data" else ["lenses"],
        learners={name: tl.Learner() for name in names} if of == "learners" else few,
        grid={"data": Grid((evil,), (("2", "4"),)), "grid": Grid((evil,), ((evil, ".."),))}.get(of),
    )  # fmt: skip
    folder = tmp_path / "deep" / "out"
    (folder / "map-a").mkdir(parents=True)  # a folder to climb from
    for name in ("evil.svg", "evil.png", "evil.csv", "deep/evil.svg"):
        (tmp_path / name).write_text("mine")
    before = files_in(tmp_path)
    write_report(run_study(study), folder)
    page = (folder / "report.html").read_text()

    assert {path: text for path, text in files_in(tmp_path).items() if path.parent != folder} == (
        before
    )
    assert len(list(folder.glob("map-*.svg"))) == (0 if of == "learners" else len(study.data))
    assert "onerror=alert(1)>" not in page


def test_every_label_gets_a_file_name_of_its_own():
    """However long it is, also where capitals do not count, and if it looks like a second name."""
    labels = [*NAMES, "", "cars_2020-2", "cars_2020", r"a\..\b", "a:b", "long" * 99, "long" * 98]
    names = file_names([*labels, "größe"])

    assert len({name.lower() for name in names}) == len(labels) + 1
    assert all(re.fullmatch(r"[\w-][\w.-]{,55}", name) for name in names)
    assert names[-1] == "größe"


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(TreelabError, match=r"^cannot read .*nothing\.toml: No such file"):
        read_study(tmp_path / "nothing.toml")


def test_lines_are_found_in_tables_and_lists():
    text = 'a = 1\n[[x]]\nb = 2\n[[x]]\nb = """\nb = 5\n"""\n[x.y]\nc = [\n  "p",\n  "q",\n]\n'

    assert line_of(text, ("a",)) == 1
    assert line_of(text, ("x", 0, "b")) == 3
    assert line_of(text, ("x", 1, "b")) == 5
    assert line_of(text, ("x", "y", "c", 1), "q") == 11
    assert line_of(text, ("x", 1, "nothing")) == 4
    assert line_of(text, ("nothing",)) == 1
    assert line_of(text, ("x",)) == 2


# Studies built in Python


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"data": []}, "a study needs at least one data set"),
        ({"learners": {}}, "a study needs at least one learner"),
        ({"data": ["iris", "iris"]}, "a data set is named 'iris' more than once"),
        ({"data": ["irsi"]}, "unknown data set 'irsi': did you mean 'iris'?"),
        ({"seeds": []}, "a study needs at least one seed"),
        ({"seeds": [-1]}, "seed must be a whole number of at least 0, got -1"),
        ({"seeds": [3, 0, 3]}, "the seed 3 is given more than once"),
        ({"seeds": [2**63]}, "seed must be a whole number of at most 9223372036854775807, got 9"),
        (
            {"learners": {"a\udcff": tl.Learner()}},
            "a learner is named by a text of Unicode, got 'a",
        ),
        ({"name": "a\udcff"}, "a study is named by a text of Unicode, got 'a"),
        (
            {"learners": {"a\x1b[31m": tl.Learner()}},
            "a learner is named without control characters",
        ),
        ({"learners": {"a\nb": tl.Learner()}}, "a learner is named without control characters"),
        ({"data": [InMemory(tl.load("iris"), "a\tb")]}, "a data set is named without control"),
        ({"name": "a\x00b"}, "a study is named without control characters, got"),
        ({"title": "a\x9bb"}, "a study is named without control characters, got"),
        ({"citation": "a\udcff"}, "a citation is named by a text of Unicode, got 'a"),
        ({"title": 5}, "a study is named by a text, got 5"),
        (
            {"learners": {"x": "sklearn.pipeline:Pipeline(steps='x')"}},
            "Pipeline cannot be made with these parameters: ",
        ),
        ({"alpha": 1}, "alpha must lie between 0 and 1, got 1"),
        ({"record": ["leaves"]}, "accuracy is always recorded: record must name it"),
        ({"record": ["acuracy"]}, "record must be one of 'accuracy'"),
        ({"learners": {"x": "sklearn.tree:DecisionTreeClassifier(3)"}}, "a classifier is written"),
        ({"learners": {"x": "sklearn.svm:SVR"}}, "SVR is not a classifier"),
        ({"learners": {"x": "..:X"}}, "unknown module '..': there are none"),
        ({"learners": {"x": ".tree:X"}}, "unknown module '.tree': there are none"),
        ({"learners": {"x": 5}}, "the learner 'x' must be a Learner, an object with fit"),
        ({"learners": {"x": tl.Learner}}, "the learner 'x' must be a Learner"),
        ({"learners": {"x": DecisionTreeClassifier}}, "the learner 'x' must be a Learner"),
        ({"learners": tl.Learner()}, "learners are given by name, as in {'gini': Learner("),
        ({"learners": ["gain"]}, "learners are given by name, as in {'gini': Learner("),
        ({"data": "iris"}, "data must be a list, got 'iris'"),
        ({"data": tl.load("iris")}, "data must be a list, got Dataset 'iris'"),
        ({"data": [5]}, "data must be bundled names, files or Dataset objects, got int"),
        ({"seeds": 5}, "seeds must be a list, got 5"),
        ({"record": "accuracy"}, "record must be a list, got 'accuracy'"),
        ({"tests": "t"}, "tests must be a list, got 't'"),
    ],
)
def test_a_wrong_study_is_refused(changes, message):
    with pytest.raises(TreelabError) as refused:
        Study(**{"data": ["iris"], "learners": {"gain": tl.Learner()}} | changes)

    assert str(refused.value).startswith(message)


def test_whole_numbers_may_be_numpys():
    settings = {"data": ["lenses"], "learners": {"gain": tl.Learner()}}
    one = Study(**settings, folds=np.int64(2), repeats=np.int8(2), seeds=np.arange(2))
    other = Study(**settings, folds=2, repeats=2, seeds=[0, 1])

    assert [trial.key for trial in one.trials()] == [trial.key for trial in other.trials()]
    assert run_study(one).state == ""


def test_files_may_be_paths(tmp_path):
    (tmp_path / "mine.csv").write_text("a,class\nx,p\ny,q\n")
    study = Study(data=[tmp_path / "mine.csv"], learners={"gain": tl.Learner()}, folds=2)

    assert [trial.data for trial in study.trials()] == ["mine", "mine"]


def test_what_is_no_study_is_not_run_nor_reported(tmp_path):
    with pytest.raises(ParameterError, match=r"^expected a Study, got 5$"):
        run_study(5)
    with pytest.raises(ParameterError, match=r"^expected what run_study returns, got 5$"):
        write_report(5, tmp_path)
    study = Study(data=["lenses"], learners={"gain": tl.Learner()}, folds=2)
    with pytest.raises(ParameterError, match=r"^expected the path of a folder, got None$"):
        write_report(run_study(study), None)


def test_more_folds_than_cases_are_refused_before_anything_runs():
    study = Study(data=["lenses"], learners={"gain": tl.Learner()}, folds=25)
    with pytest.raises(
        ParameterError, match=r"^lenses: folds must be from 2 to the number of cases"
    ):
        study.trials()


@pytest.mark.parametrize("encoding", ["one-hot", "ordinal"])
def test_scikit_learn_takes_nominal_features_and_missing_values(encoding):
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    from treelab.experiment.competitors import Competitor
    from treelab.experiment.sklearn_learner import SklearnLearner

    peers = [DecisionTreeClassifier(), LogisticRegression(max_iter=2000), LinearSVC()]
    learners = [
        Competitor(type(peer).__name__, SklearnLearner.of(peer, encoding)) for peer in peers
    ]
    with Store(":memory:") as store:
        results = run_study(Study(data=["voting"], learners=learners, folds=3), store)

    assert results.failures == []
    assert (results.cube("accuracy") > 0.9).all()
    assert np.isfinite(results.cube("leaves")[0]).all(axis=(1, 2)).tolist() == [True, False, False]
    assert np.isfinite(results.cube("log-loss")[0]).all(axis=(1, 2)).tolist() == [True, True, False]


def test_encoding_by_hand():
    from treelab.experiment.peers import encode

    columns = (tl.Column("n"), tl.Column("c", ("x", "y", "z")), tl.Column("b", ("u", "v")))
    data = tl.Dataset.of(
        tl.Schema(columns, tl.Column("class", ("p", "q"))),
        [[1.5, np.nan], [2, -1], [1, -1]],
        [0, 1],
    )
    nan = np.nan

    assert np.array_equal(
        encode(data, "one-hot"), [[1.5, 0, 0, 1, 1], [nan, 0, 0, 0, nan]], equal_nan=True
    )
    assert np.array_equal(encode(data, "ordinal"), [[1.5, 2, 1], [nan] * 3], equal_nan=True)


def test_an_estimator_gets_the_seed_of_the_trial():
    from treelab.experiment.sklearn_learner import SklearnLearner

    peer = SklearnLearner.parse("sklearn.tree:DecisionTreeClassifier(splitter='random')")
    fixed = SklearnLearner.parse("sklearn.tree:DecisionTreeClassifier(random_state=3)")

    assert peer._estimator(7).random_state == 7
    assert fixed._estimator(7).random_state == 3


def chancy():
    """Return a pipeline whose chance is in its steps."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), DecisionTreeClassifier(splitter="random"))


def test_parts_of_an_estimator_get_the_seed_of_the_trial():
    from treelab.experiment.sklearn_learner import SklearnLearner

    given = chancy().set_params(decisiontreeclassifier__random_state=3)

    assert SklearnLearner.of(chancy())._estimator(7)[-1].random_state == 7
    assert SklearnLearner.of(given)._estimator(7)[-1].random_state == 3


def test_trials_share_no_part_of_an_estimator():
    """Else threads fit the same steps, and the next trial goes on where chance ended before."""
    own = np.random.RandomState(0)
    learners = {
        "steps": chancy(), "state": DecisionTreeClassifier(splitter="random", random_state=own),
    }  # fmt: skip
    study = Study(data=["iris", "wine"], learners=learners, folds=3, repeats=2)
    one, other = run_study(study), run_study(study, jobs=4, backend="threading")

    assert other.failures == []
    assert np.array_equal(one.cube("accuracy"), other.cube("accuracy"))
    assert not hasattr(learners["steps"][0], "mean_")
    assert own.get_state()[2] == np.random.RandomState(0).get_state()[2]


def test_a_classifier_is_told_with_the_parameters_that_are_not_the_default():
    from sklearn.naive_bayes import GaussianNB

    from treelab.experiment.sklearn_learner import SklearnLearner

    told = {
        "sklearn.naive_bayes:GaussianNB(priors=array([0.5, 0.5])), one-hot": SklearnLearner.of(
            GaussianNB(priors=np.array([0.5, 0.5]))
        ),
        "sklearn.ensemble:StackingClassifier(estimators=3), one-hot": SklearnLearner.parse(
            "sklearn.ensemble:StackingClassifier(estimators=3)"
        ),
        "sklearn.naive_bayes:GaussianNB(), one-hot": SklearnLearner.of(GaussianNB()),
    }

    assert [str(peer) for peer in told.values()] == list(told)
