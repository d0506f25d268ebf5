"""How commands are told to read files, and how they tell what is doubtful."""

import csv
import io
import json
import os
import sqlite3
import subprocess
import sys
import warnings
from contextlib import closing

import pytest
from typer.testing import CliRunner

import treelab as tl
from treelab.cli import app
from treelab.errors import DataWarning

GERMAN = "Größe;Gewicht;Farbe;Nr;Klasse\n" + "".join(
    f"{150 + n},5;{'-' if n % 7 == 0 else f'1.{100 + n},25'};{('grün', 'weiß')[n % 2]};{n};"
    f"{('ja', 'nein')[n > 9]}\n"
    for n in range(20)
)
LATIN = ("--encoding", "latin-1")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working directory with a file as a German spreadsheet writes it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.csv").write_bytes(GERMAN.encode("latin-1"))
    return tmp_path


def run(*arguments, given=None):
    words = [str(word) for word in arguments]
    return CliRunner().invoke(app, words, prog_name="treelab", input=given)


def done(*arguments, **more):
    result = run(*arguments, **more)

    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


COMMANDS = [
    ("train", "{}", "--json"),
    ("rank", "{}", "--json"),
    ("select", "{}", "--json"),
    ("discretize", "{}", "--json"),
    ("reduce", "cases", "{}", "--json"),
    ("reduce", "features", "{}", "--method", "relief", "--json"),
    ("compare", "{}", "--metric", "gain", "--folds", "2", "--json"),
    ("check", "{}", "--json"),
]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_every_command_takes_the_options_of_reading_and_standard_input(command):
    def words(data):
        return [word.format(data) for word in command]

    assert "--encoding" in run(*words("d.csv")).stderr
    options = (*LATIN, "--drop", "Nr", "--decimal", ",", "--delimiter", ";")
    from_file = json.loads(done(*words("d.csv"), *options))
    from_stream = json.loads(done(*words("-"), *options, given=GERMAN.encode("latin-1")))
    if command[0] != "compare":  # which tells times
        assert str(from_file).replace("'d'", "'stdin'") == str(from_stream)
    assert "Nr" not in str(from_file)


@pytest.mark.usefixtures("folder")
def test_columns_are_read_like_those_of_the_tree():
    done("train", "d.csv", *LATIN, "--drop", "Nr,Farbe", "--pruner", "none", "-o", "m.json")
    tree = tl.Tree.load("m.json")
    assert [column.kind for column in tree.schema.features] == ["numeric"] * 2

    new = "Gewicht;Größe\n-;151,5\n1.234,0;168,5\n"
    told = done("predict", "m.json", "-", given=new)
    assert list(csv.reader(io.StringIO(told))) == [["prediction"], ["ja"], ["nein"]]
    # One column of one row is no evidence for a decimal comma.
    wrong = run("predict", "m.json", "-", given="Gewicht;Größe\n1;168,500\n")
    assert wrong.exit_code == 1
    assert "column 'Größe' is numeric" in wrong.stderr
    assert "--decimal" in wrong.stderr
    assert "nein" in done(
        "predict", "m.json", "-", "--decimal", ",", given="Gewicht;Größe\n1;168,500\n"
    )
    assert json.loads(done("why", "m.json", "d.csv", *LATIN, "--metrics", "gain", "--json"))
    done("render", "m.json", "-o", "t.svg", "--case", "d.csv:1", *LATIN)


@pytest.mark.usefixtures("folder")
def test_marks_for_missing_are_a_list_of_which_the_empty_field_may_be_one():
    text = "a,b,c\n-9,x,u\n,y,v\n1,none,u\n2,x,v\n"
    command = ("reduce", "cases", "-", "--method", "window", "--size", "4")

    found = done(*command, "--missing-marks", ",-9,none", given=text)
    assert found == "a,b,c\n,x,u\n,y,v\n1,,u\n2,x,v\n"
    assert "-9,x" in done(*command, given=text)


@pytest.mark.usefixtures("folder")
def test_there_may_be_no_header():
    assert '"x2"' in done("rank", "-", "--no-header", "--json", given="a,b,u\nc,d,v\n")


@pytest.mark.usefixtures("folder")
def test_tables_of_databases_are_data():
    with closing(sqlite3.connect("shop.db")) as database, database:
        database.execute("CREATE TABLE cars (age REAL, class TEXT)")
        database.execute("CREATE TABLE other (age REAL)")
        rows = [(n, "old" if n > 5 else "new") for n in range(10)]
        database.executemany("INSERT INTO cars VALUES (?, ?)", rows)
    database.close()

    assert json.loads(done("train", "shop.db::cars", "--json"))["data"] == "cars"
    assert "cars" in done("compare", "shop.db::cars", "--metric", "gain", "--folds", "2", "--json")
    result = run("train", "shop.db::carz")
    assert (result.exit_code, result.stderr) == (
        2,
        "treelab: unknown table 'carz': did you mean 'cars'?\n",
    )
    assert run("train", "shop.db").exit_code == 2
    result = run("train", "shop.db::cars", "-o", "shop.db")
    assert "would overwrite what is read" in result.stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--encoding", "utf8x"), "unknown encoding 'utf8x': did you mean 'utf_8'?"),
        (("--decimal", ";"), "decimal must be '.' or ',', got ';'"),
        (("--delimiter", "xy"), "delimiter must be one character such as ';', or tab"),
        ((*LATIN, "--drop", "Farb"), "unknown column 'Farb': did you mean 'Farbe'?"),
        ((*LATIN, "--drop", "Klasse", "--target", "Klasse"), "cannot be both dropped and used"),
    ],
)
def test_wrong_values_are_wrong_calls(options, message):
    result = run("train", "d.csv", *options)

    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.usefixtures("folder")
def test_of_data_sets_with_a_name_columns_can_be_left_out_but_nothing_else_said():
    assert "petal width" not in done("rank", "iris", "--drop", "petal width")
    assert run("rank", "iris", "--drop", "petal").exit_code == 2
    for name in ("iris", "make:exor"):
        result = run("rank", name, "--no-header")
        assert (result.exit_code, "--no-header is for files, but" in result.stderr) == (2, True)
    assert run("compare", "iris", "--decimal", ",").exit_code == 2


def test_doubts_are_told_in_one_line_on_standard_error_and_change_nothing_else(folder):
    rows = "".join(f"{n},{n},{'uv'[n % 2]}\n" for n in range(60))
    (folder / "e.csv").write_text(f"a,a,class\n{rows}much,3,u\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = run("compare", "e.csv", "--metric", "gain", "--folds", "2", "--json")

    first, second = result.stderr.splitlines()[:2]
    assert first.startswith("warning: a name occurs more than once; columns after the first are")
    assert second.startswith("warning: column 'a' is read as labels although 98.4 % of it")
    assert result.stderr.count("warning") == 2
    assert (result.exit_code, bool(json.loads(result.stdout))) == (0, True)
    quiet = ("--nominal", "a", "--drop", "a (2)")
    assert run("train", "e.csv", *quiet).stderr.startswith("warning: a name occurs")


@pytest.mark.usefixtures("folder")
def test_doubts_are_told_so_by_the_program_itself():
    call = [sys.executable, "-m", "treelab", "train", "-", "--json", "--folds", "2"]
    text = "a;b\n" + "1,234;u\n2,345;v\n" * 5
    paths = os.pathsep.join(filter(None, sys.path))
    result = subprocess.run(
        call, input=text, capture_output=True, text=True, timeout=60, check=True,
        env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip

    assert result.stderr.startswith(
        "warning: column 'a' is read as labels because '1,234' may have"
    )
    assert result.stderr.count("\n") == 1
    assert json.loads(result.stdout)["cases"] == 10


def test_other_warnings_are_left_to_python(capsys):
    from treelab.cli.output import warnings_noted

    with pytest.warns(UserWarning, match="other"), warnings_noted():
        warnings.warn("other", UserWarning, stacklevel=1)
    with warnings_noted():
        for _ in range(2):
            warnings.warn("twice", DataWarning, stacklevel=1)
    assert capsys.readouterr().err == "warning: twice\n"


@pytest.mark.parametrize("command", COMMANDS[:-1], ids=lambda words: " ".join(words[:2]))
def test_every_command_may_take_numbers_for_classes(command, folder):
    """`check` needs not be asked to: a target of numbers is what it looks for."""
    rows = "".join(f"{n},{n % 5},{n // 5}.5\n" for n in range(200))
    (folder / "prices.csv").write_text(f"a,b,price\n{rows}")
    words = [word.format("prices.csv") for word in command]

    assert "--target-is-class" in run(*words).stderr
    assert json.loads(done(*words, "--target-is-class"))


@pytest.mark.usefixtures("folder")
def test_the_classes_of_new_data_are_settled_by_the_tree():
    rows = "".join(f"{n},{n // 2}.5\n" for n in range(80))
    done("train", "-", "--target-is-class", "-o", "m.json", given=f"a,price\n{rows}")

    said = run("predict", "m.json", "-", given=f"a,price\n{rows}")
    assert (said.exit_code, said.stderr.split()[0]) == (0, "accuracy")


def test_warnings_of_metrics_are_notes_too():
    said = run("rank", "lenses", "--metric", "normalized-entropy:expectation=eq24")

    assert said.exit_code == 0
    assert said.stderr.startswith("warning: by expectation 'eq24' a column with a value for every")
    assert said.stderr.count("\n") == 1
