"""Files from others: they run nothing, open nothing else and ask for no more than they bring."""

import builtins
import gzip
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import tracemalloc
from contextlib import closing, suppress
from pathlib import Path

import attrs
import pytest
from called import run

import treelab as tl
from treelab import _files
from treelab.cli import app
from treelab.data.readers import room
from treelab.errors import (
    DataError,
    FileFormatError,
    ModelFileError,
    ParameterError,
    TreelabError,
)
from treelab.experiment import Store
from treelab.papers import catalog as papers
from treelab.tree.file import dumps, loads

MODEL = json.loads(dumps(tl.grow(tl.load("lenses"), probabilities="shares")))
del MODEL["complete"]  # which the first version does not know
HEAD = 'data = ["lenses"]\n'
LEARNER = '[[learner]]\nmetric = "gain"\n'


@pytest.fixture
def study(tmp_path):
    """Read a study file of some text."""

    def read(text):
        (tmp_path / "s.toml").write_text(text, encoding="utf-8")
        return tl.read_study(tmp_path / "s.toml")

    return read


# Models


def changed(**entries):
    return json.dumps(MODEL | entries)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "not a treelab model"),
        ('{"format":' * 100_000, "not a treelab model"),
        ('{"format": "treelab-tree", "version": ' + "9" * 5000 + "}", "not a treelab model"),
        (changed(version=10**400), "install a newer treelab"),
        (changed(version=1e400), "Infinity is no JSON number|no whole number"),
        (changed(n_nodes=10**12), "unknown entry 'n_nodes'"),
        (changed(nodes=[]), "there are no nodes"),
        (changed(nodes=10**12), "'nodes' are no list"),
        (changed(target={"name": "class", "labels": 10**12}), "labels are no list"),
        (changed(nodes=[{"counts": [1] * 10**6}]), "wrong number of classes"),
        (changed(nodes=[{**MODEL["nodes"][0], "children": [10**12] * 2}]), "no whole number"),
        (changed(nodes=[{**MODEL["nodes"][0], "feature": 10**12}]), "no whole number"),
        (changed(cuts={"nothing": [1.0]}), "unknown column"),
    ],
)  # fmt: skip
def test_a_model_that_claims_more_than_it_holds_is_refused(text, said):
    with pytest.raises(ModelFileError, match=said):
        loads(text)


def test_a_model_of_many_columns_and_cuts_loads_in_seconds():
    features = [{"name": f"c{i}"} for i in range(20_000)]
    cuts = {column["name"]: [0.5] for column in features}
    text = json.dumps(
        {"format": "treelab-tree", "version": 1, "learner": "", "missing": "fractional",
         "target": {"name": "y", "labels": ["a", "b"]}, "features": features, "cuts": cuts,
         "nodes": [{"counts": [1, 2]}]}
    )  # fmt: skip
    assert len(loads(text).coding.cuts) == 20_000


@pytest.fixture
def opened(monkeypatch):
    """The names of all files that are opened."""
    names, real = [], io.open

    def noting(file, *rest, **more):
        names.append(str(file))
        return real(file, *rest, **more)

    monkeypatch.setattr(io, "open", noting)
    monkeypatch.setattr(builtins, "open", noting)
    return names


def test_a_model_is_the_only_file_that_loading_and_using_it_opens(tmp_path, opened):
    (tmp_path / "m.json").write_text(changed(learner={"repr": "/etc/passwd"}), encoding="utf-8")
    opened.clear()
    tree = tl.Tree.load(tmp_path / "m.json")
    assert str(tree)
    assert tree.learner == "/etc/passwd"
    assert opened == [str(tmp_path / "m.json")]


EVIL = "__import__('pathlib').Path('ran').write_text('')"


@pytest.mark.parametrize(
    "entries",
    [
        {"version": 1, "learner": f"Learner(metric={EVIL}, seed={EVIL})"},
        {"learner": {"metric": EVIL, "pruner": {"name": EVIL}, "cut_metric": {"repr": EVIL}}},
        {"learner": {"metric": {"name": "pi", "aggregate": EVIL, "decay": EVIL}}},
        {"learner": {"metric": {"name": "normalized", "metric": {"name": EVIL}}}},
        {"learner": {"repr": EVIL}},
    ],
)
def test_what_a_model_says_of_its_learner_is_never_run(tmp_path, monkeypatch, entries):
    monkeypatch.chdir(tmp_path)
    tree = loads(changed(**entries))
    with suppress(TreelabError):
        tl.Learner.of_settings(tree.settings)
    tl.why(tree, data=tl.load("lenses"))
    for format_ in ("text", "rules", "python", "html"):
        tl.export(tree, format_, **({} if format_ in ("text", "html") else {"approximate": True}))
    assert not (tmp_path / "ran").exists()


# Studies


@pytest.mark.parametrize(
    "estimator",
    [
        "os:system", "builtins:eval", "sklearn.os:system", "sklearn.utils._testing:X", ".sklearn:X",
        "sklearn.conftest:X", "sklearn.tree.tests.test_tree:X", "sklearn.externals:X", "sklearn.:X",
        f"sklearn.tree:DecisionTreeClassifier(max_depth={EVIL})", f"sklearn.tree:{EVIL}", EVIL,
        "sklearn.ensemble:StackingClassifier()", "sklearn.tree:A(a=" + "-" * 9000 + "1)",
        "sklearn.model_selection:GridSearchCV(estimator=1, param_grid=2)",
        "sklearn.tree:DecisionTreeClassifier(max_depth={[]: 1})",
    ],
)  # fmt: skip
def test_a_study_runs_no_code_by_the_name_of_a_classifier(study, tmp_path, monkeypatch, estimator):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ParameterError, match=r"s\.toml, line 3: "):
        study(f'{HEAD}[[learner]]\nestimator = """{estimator}"""\n')
    assert not (tmp_path / "ran").exists()


def test_a_study_imports_no_module_that_it_may_not_name(tmp_path):
    """In a process of its own, where nothing else has been imported."""
    (tmp_path / "evil.py").write_text("open('ran', 'w').close()", encoding="utf-8")
    text = f"{HEAD}[[learner]]\nestimator = 'evil:X()'\n"
    (tmp_path / "s.toml").write_text(text, encoding="utf-8")
    code = "import treelab as tl\ntry: tl.read_study('s.toml')\nexcept ValueError as e: print(e)"
    path = os.pathsep.join([str(Path(tl.__file__).parents[1]), str(tmp_path)])
    call = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=os.environ | {"PYTHONPATH": path},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "may name classifiers of sklearn only" in call.stdout
    assert not (tmp_path / "ran").exists()


def test_the_figures_of_a_paper_come_from_the_folder_of_the_study_only(study, tmp_path):
    figures = "data,learner,mean,sd,marked\nlenses,gain,90,1,\n"
    (tmp_path.parent / "outside.csv").write_text(figures, encoding="utf-8")
    (tmp_path / "link.csv").symlink_to(tmp_path.parent / "outside.csv")
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "e.csv").write_text(figures, encoding="utf-8")
    outside = str(tmp_path.parent / "outside.csv")
    for name in (
        "../outside.csv", outside, "link.csv", "inside", "inside/../../outside.csv", "/etc/passwd",
        "/dev/stdin", "a" * 5000, "",
    ):  # fmt: skip
        with pytest.raises(ParameterError, match="in the folder of the study"):
            study(f'{HEAD}{LEARNER}[paper]\nexpected = "{name}"\n')

    read = study(f'{HEAD}{LEARNER}[paper]\nexpected = "inside/../inside/e.csv"\n')
    assert read.paper.expected == {("lenses", "gain"): (90.0, 1.0)}


def test_a_study_may_name_data_anywhere_which_are_read_as_data_only(study, tmp_path):
    (tmp_path.parent / "cars.csv").write_text("a,class\n1,x\n2,y\n", encoding="utf-8")
    read = study(f'data = ["../cars.csv"]\nfolds = 2\n{LEARNER}')
    assert len(read.trials()) == 2
    with pytest.raises(ParameterError, match="unknown data set '/dev/zero'"):
        study(f'data = ["/dev/zero"]\n{LEARNER}')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"repeats = 1000000000000\n{HEAD}{LEARNER}", "trials is larger than 1,000,000"),
        (f"folds = 1000000000\n{HEAD}{LEARNER}", "trials is larger than 1,000,000"),
        (f"seeds = {list(range(1000))}\nrepeats = 1000\n{HEAD}{LEARNER}", "10,000,000 trials"),
        (f"folds = {'9' * 5000}\n{HEAD}{LEARNER}", "not a TOML file"),
        (f"folds = 0x{'f' * 5000}\n{HEAD}{LEARNER}", "does not fit 64 bits"),
        (f"a = {'[' * 5000}", "nested too deeply"),
        (f"a = {'{b = ' * 5000}", "nested too deeply"),
        (f"{HEAD}[grid]\nmetric = 'pi'\nalpha = {[0.5] * 2000}\ntheta = {[1] * 2000}",
         "a grid of 4,000,000 learners"),
        (f"{HEAD}[[learner]]\nmetric.name = 'normalized-contextual-merit'\nmetric.rounds = 99999",
         "rounds must be a whole number of at most 10000"),
        (f"{HEAD}[[learner]]\ndiscretizer = 'equal-width:1000000000'", "bins must be"),
        (f"a = [\n[{' ' * 100_000}1\n]]", "unknown key 'a'"),
    ],
)  # fmt: skip
def test_a_study_that_would_fill_memory_or_time_is_refused(study, text, said):
    with pytest.raises(ParameterError, match=said):
        study(text)


def test_a_study_of_neighbours_without_number_is_one_of_all_neighbours(study):
    read = study(f"{HEAD}[[learner]]\nmetric = {{ name = 'relieff', k = 1000000000000 }}")
    assert len(read.learners) == 1


def test_the_studies_that_come_with_treelab_stay_within_the_limits():
    for name in papers.paper_titles():
        with_more = isinstance(papers.paper_study(name), tl.Study)
        assert papers.paper_study(name, all_metrics=with_more).trials()


# Data


def test_memory_grows_with_the_file_and_not_with_what_it_claims(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(b"," * 20_000 + b"\n" * 200_000)  # as a table: 4,000,000,000 fields
    with pytest.raises(FileFormatError, match="column 1 has no name"):
        tl.read(path)
    path = tmp_path / "x.arff"
    path.write_bytes(b"@attribute b real\n" * 20_000 + b"@data\n" + b"{}\n" * 10_000)
    with pytest.raises(FileFormatError, match="its sparse rows stand for 200,000,000 fields"):
        tl.read(path)


def test_one_long_label_takes_no_room_in_every_case(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("x,y\n" + "0,a\n1,b\n" * 200 + f"2,{'c' * 300_000}\n" * 2)
    data = tl.read(path)
    tree = tl.grow(data)
    tree.predict(data.take([0]))  # compiles, which takes room of its own
    tracemalloc.start()
    assert (tree.predict(data) == data.labels).all()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 100 * path.stat().st_size  # with room for it everywhere: 800 times


def test_a_packed_file_that_unpacks_to_far_more_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(room, "ROOM", 10_000)
    text = b"a,class\n" + b"1,x\n" * 10_000
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress(text))
    with pytest.raises(FileFormatError, match="bytes when it is unpacked"):
        tl.read(tmp_path / "x.csv.gz")
    monkeypatch.undo()
    assert len(tl.read(tmp_path / "x.csv.gz")) == 10_000


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.arff", "@attribute a string\n@attribute b string\n@data\na" + " " * 200_000 + "b,c\n"),
        ("x.arff", "@attribute a string\n@attribute b string\n@data\n'" + "a" * 200_000 + "\n"),
        ("x.arff", "@attribute a {" + "} " * 200_000 + "x\n@data\n"),
        ("x.names", " " * 200_000 + "\\"),
        ("x.csv", "'" * 200_000 + "\n"),
        ("x.csv", " " * 200_000 + "\n"),
    ],
)  # fmt: skip
def test_no_line_takes_more_time_than_its_length(tmp_path, name, text):
    """Each of these takes minutes where a pattern goes back over what it has read."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "x.data").write_text("1\n", encoding="utf-8")
    with suppress(DataError):
        assert len(tl.read(tmp_path / name)) == 1


@pytest.mark.parametrize("name", ["a" * 5000, "a\0b", "a/b\0.csv"])
def test_a_name_that_no_file_can_have_is_told_so(name):
    with pytest.raises(DataError):
        tl.read(f"{name}.csv")
    with pytest.raises(ValueError, match="unknown data set"):
        tl.Study(data=[name], learners={"gain": tl.Learner()})


def logged(folder):
    """Make a database in WAL mode whose last cases are in its log only."""
    (folder / "made").mkdir()
    with closing(sqlite3.connect(folder / "made" / "x.db")) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE t (a, y)")
        database.executemany("INSERT INTO t VALUES (?, ?)", [(1, "p"), (2, "q")])
        database.commit()
        for name in ("x.db", "x.db-wal"):
            shutil.copy(folder / "made" / name, folder)
    return folder / "x.db"


def test_reading_a_database_leaves_nothing_beside_it(tmp_path):
    path = logged(tmp_path)
    before = {each.name: each.stat() for each in tmp_path.iterdir()}
    assert len(tl.read(path)) == 2
    assert {each.name: each.stat() for each in tmp_path.iterdir()}.keys() == before.keys()
    assert path.stat().st_mtime_ns == before["x.db"].st_mtime_ns
    (tmp_path / "link.db").symlink_to(path)
    assert len(tl.read(tmp_path / "link.db")) == 2
    closed = tmp_path / "made" / "x.db"
    assert len(tl.read(closed)) == 2
    assert [each.name for each in closed.parent.iterdir()] == ["x.db"]


def test_what_lies_beside_a_file_is_an_ordinary_one(tmp_path):
    """A device has no end, and a pipe keeps whoever reads it waiting."""
    (tmp_path / "x.data").write_text("1,p\n2,q\n")
    (tmp_path / "x.names").symlink_to("/dev/zero")
    with pytest.raises(DataError, match=r"x\.names is not an ordinary file"):
        tl.read(tmp_path / "x.data", max_bytes=1000)
    (tmp_path / "x.names").unlink()
    os.mkfifo(tmp_path / "x.names")
    with pytest.raises(DataError, match=r"x\.names is not an ordinary file"):
        tl.read(tmp_path / "x.data")
    path = logged(tmp_path)
    (tmp_path / "x.db-wal").unlink()
    os.mkfifo(tmp_path / "x.db-wal")
    with pytest.raises(DataError, match=r"x\.db-wal is not an ordinary file"):
        tl.read(path)


def test_a_device_that_is_named_is_read_as_far_as_there_is_room():
    for form in ("csv", "arff"):
        with pytest.raises(FileFormatError, match="more than 1,000 bytes"):
            tl.read("/dev/zero", format=form, max_bytes=1000)


def test_a_pipe_that_is_named_is_read(tmp_path):
    texts = {"csv": "a,y\n1,p\n2,q\n", "tab": "a\ty\nd\td\n\tclass\n1\tp\n2\tq\n"}
    for form, text in texts.items():
        os.mkfifo(tmp_path / form)
        writer = threading.Thread(target=(tmp_path / form).write_text, args=[text], daemon=True)
        writer.start()
        assert len(tl.read(tmp_path / form, format=form)) == 2
        writer.join(10)


# Stores


def stored(folder):
    """Run a small study; return it, and the command that would show it."""
    text = f"{HEAD}folds = 2\n{LEARNER}"
    (folder / "s.toml").write_text(text, encoding="utf-8")
    study = tl.read_study(folder / "s.toml")
    (folder / "out").mkdir()
    tl.run_study(study, folder / "out" / "trials.sqlite")
    return study


def state_of(folder):
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}


def test_a_store_that_is_only_shown_is_not_written_to(tmp_path, capsys):
    study = stored(tmp_path)
    path = tmp_path / "out" / "trials.sqlite"
    before = state_of(tmp_path / "out")
    with Store(path, read_only=True) as store:
        assert len(store.records(trial.key for trial in study.trials())) == 2
        with pytest.raises(TreelabError, match="opened for reading only"):
            store.add(
                study.trials()[0], next(iter(store.records([study.trials()[0].key]).values()))
            )
    with pytest.raises(SystemExit) as ended:
        app(["compare", str(tmp_path / "s.toml"), "-o", str(tmp_path / "out"), "--show"])
    assert ended.value.code == 0
    assert "gain" in capsys.readouterr().out
    assert state_of(tmp_path / "out") == before
    with pytest.raises(SystemExit) as ended:
        app(["compare", str(tmp_path / "s.toml"), "-o", str(tmp_path / "none"), "--show"])
    assert ended.value.code == 1
    assert not (tmp_path / "none").exists()


def test_a_store_that_is_shown_has_what_is_still_in_its_log(tmp_path):
    study = stored(tmp_path)
    path = tmp_path / "out" / "trials.sqlite"
    with Store(path) as writer:  # whose log is not yet in the file
        trial = study.trials()[0]
        record = writer.records([trial.key])[trial.key]
        writer.add(trial, attrs.evolve(record, error="changed"))
        with Store(path, read_only=True) as reader:
            assert reader.records([trial.key])[trial.key].error == "changed"


@pytest.mark.parametrize(
    "schema",
    ["CREATE TRIGGER evil AFTER INSERT ON trials BEGIN DELETE FROM trials; END",
     "CREATE VIEW evil AS SELECT 1"],
)  # fmt: skip
@pytest.mark.parametrize("read_only", [True, False])
def test_a_store_with_more_than_tables_is_none(tmp_path, schema, read_only):
    stored(tmp_path)
    path = tmp_path / "out" / "trials.sqlite"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(schema)
    with pytest.raises(TreelabError, match="it holds something else"):
        Store(path, read_only=read_only)


# What is no plain file


@pytest.fixture
def small_limit(monkeypatch):
    """Let little be read, so that a device without end comes to one in no time."""
    monkeypatch.setattr(_files, "LARGEST", 2**20)


DEVICES = pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a system without devices")


@DEVICES
@pytest.mark.usefixtures("small_limit")
def test_a_model_or_study_without_end_is_refused(tmp_path):
    (tmp_path / "s.toml").symlink_to("/dev/zero")
    for words in (["compare", str(tmp_path / "s.toml")], ["show", str(tmp_path / "s.toml")]):
        ended = run(*words)
        assert ended.exit_code != 0
        assert "s.toml: it holds more than 1,048,576 characters" in ended.stderr
        assert len(ended.stderr.splitlines()) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without named pipes")
def test_a_model_and_a_study_may_come_from_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for text, read in ((changed(), tl.Tree.load), (f"{HEAD}{LEARNER}", tl.read_study)):
        writer = threading.Thread(target=pipe.write_text, args=(text,))
        writer.start()
        assert read(pipe)
        writer.join()


@DEVICES
@pytest.mark.parametrize("ending", ["", "-wal"])
def test_a_store_that_is_a_device_is_not_copied(tmp_path, ending):
    stored(tmp_path)
    path = tmp_path / "out" / f"trials.sqlite{ending}"
    path.unlink(missing_ok=True)
    path.symlink_to("/dev/zero")
    shown = ["compare", str(tmp_path / "s.toml"), "-o", str(tmp_path / "out"), "--show"]
    for words in (shown, shown[:-1]) if not ending else (shown,):
        ended = run(*words)
        assert ended.exit_code == 1
        assert "it is not a plain file" in ended.stderr


def test_a_store_of_holes_is_not_copied(tmp_path):
    with (tmp_path / "trials.sqlite").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(TreelabError, match=r"trials\.sqlite holds more than 1,073,741,824 bytes"):
        Store(tmp_path / "trials.sqlite", read_only=True)
