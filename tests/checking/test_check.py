"""`tl.check`: what is said of columns is true, and nothing odd goes unnoticed."""

import json
import shlex

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import treelab as tl
from treelab.checking.leak import errors_by_label, errors_by_order
from treelab.cli.app import app
from treelab.data.labels import coded
from treelab.errors import ParameterError

N = 400
RNG = np.random.default_rng(0)
CLASSES = RNG.choice(["good", "bad"], N)
NOISE = RNG.normal(size=N).round(3)
REGIONS = np.resize(np.arange(100), N)


def made(classes=CLASSES, **columns):
    """Return a data set whose columns are labels where they are texts, whatever these mean."""
    read = {}
    for name, values in columns.items():
        given = pd.Series(values, dtype=object).tolist()
        if any(isinstance(value, str) for value in given):
            labels, codes = coded(given)
            read[tl.Column(name, labels)] = codes
        else:
            read[tl.Column(name)] = np.array(given, float)
    labels, y = coded(pd.Series(classes, dtype=object).tolist())
    return tl.Dataset.of(tl.Schema(tuple(read), tl.Column("class", labels)), read.values(), y)


def found(classes=CLASSES, **columns):
    """Return the kinds of findings of each column."""
    report = tl.check(made(classes, **columns))
    return {row.name: [f.kind for f in row.findings] for row in report.rows}


def kinds_of(values, classes=CLASSES):
    return found(classes, x=values)["x"]


def finding(values):
    (only,) = tl.check(made(x=values)).rows[0].findings
    return only


COLUMNS = {
    "identifier": [f"C{i}" for i in range(N)],
    "near-unique": [f"C{i % 300}" for i in range(N)],
    "many-labels": [f"R{i}" for i in REGIONS],
    "constant": ["x"] * N,
    "empty": [np.nan] * N,
    "almost-constant": ["x"] * (N - 2) + ["y"] * 2,
    "missing": [*RNG.choice(["a", "b"], 100), *[None] * (N - 100)],
    "almost-numeric": ["n/a" if i % 50 == 0 else f"{NOISE[i]}" for i in range(N)],
    "dates": [f"2023-0{1 + i % 9}-1{i % 7}" for i in range(N)],
    "spelling": RNG.choice(["Yes", "yes ", "no"], N),
    "leak": np.where(CLASSES == "good", "paid", "due"),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_each_odd_column_is_found_and_nothing_else_is_said_of_it(kind):
    assert kinds_of(COLUMNS[kind]) == [kind]


@pytest.mark.parametrize(
    "values", [NOISE, RNG.choice(["a", "b", "c"], N), RNG.integers(0, 50, N), np.arange(N) / 7]
)
def test_usual_columns_are_not_suspected(values):
    assert kinds_of(values) == []


def test_whole_numbers_that_all_differ_may_count_the_cases():
    assert kinds_of(np.random.default_rng(1).permutation(N)) == ["identifier"]


def test_columns_that_tell_the_same_name_the_first():
    twins = found(a=NOISE, b=NOISE, c=RNG.choice(["x", "y"], N))
    assert (twins["a"], twins["b"], twins["c"]) == ([], ["duplicate"], [])
    labels = np.resize(["u", "v", "w"], N)
    renamed = pd.Series(labels).map({"u": "9", "v": "1", "w": "5"}).astype(str)
    assert found(a=labels, b=renamed)["b"] == ["duplicate"]
    assert found(a=["x"] * N, b=["y"] * N)["b"] == ["constant"]


def test_the_text_names_what_is_odd_and_the_option():
    odd = finding(COLUMNS["almost-numeric"])
    assert odd.text.endswith("labels are numbers: 'n/a'")
    assert odd.fix.startswith("--missing-marks usual,n/a, or read it as labels: --nominal x")
    comma = finding([f"{v:.2f}".replace(".", ",") for v in NOISE])
    assert comma.text.startswith("numbers with commas")
    assert comma.fix == "--decimal , or --decimal ."
    assert finding(COLUMNS["identifier"]).fix == "--drop x"


@pytest.mark.filterwarnings("ignore::treelab.errors.DataWarning")  # it says the same
@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([*map(str, NOISE[:-2]), "unknown", "-"], "numeric"),
        ([*(f"{v:.2f}".replace(".", ",") for v in NOISE[:-1]), "a, b"], "numeric"),
        ([*(f"{i % 300 + 1},000" for i in range(N))], "numeric"),
        ([*(f"2023-0{1 + i % 9}-1{i % 7}" for i in range(N - 2)), "unknown", "-"], "date"),
    ],
)
def test_the_option_that_is_named_makes_numbers_or_dates_of_labels(tmp_path, values, kind):
    path = tmp_path / "odd.csv"
    pd.DataFrame({"x": values, "class": CLASSES}).to_csv(path, index=False, sep=";")

    def row(*options):
        said = CliRunner().invoke(app, ["check", str(path), "--json", *options])
        return json.loads(said.stdout)["rows"][0]

    before = row()
    fix = before["findings"][0]["fix"]
    after = row(*shlex.split(fix)[:2]) if "--missing" in fix else row("--decimal", ".")

    assert (before["kind"], after["kind"]) == ("nominal", kind)


def test_commas_are_settled_by_the_decimal_mark():
    assert finding([f"{i % 300 + 1},000" for i in range(N)]).fix == "--decimal , or --decimal ."


def test_dates_are_shown_as_dates_and_are_no_identifiers():
    frame = pd.DataFrame({"x": pd.date_range("2023-01-01", periods=N), "class": CLASSES})
    row = tl.check(frame, "class").rows[0]

    assert (row.kind, row.values, row.findings) == ("date", "2023-01-01 to 2024-02-04", ())


def test_ordered_labels_are_shown_as_labels():
    sizes = pd.Categorical(np.resize(["S", "M", "L"], N), ["S", "M", "L"], ordered=True)
    row = tl.check(pd.DataFrame({"x": sizes, "class": CLASSES}), "class").rows[0]

    assert (row.kind, row.values) == ("ordered", "S to L")


def test_a_file_or_a_frame_is_read_as_wished(tmp_path):
    frame = pd.DataFrame({"x": COLUMNS["identifier"], "a": np.arange(N) % 5, "class": CLASSES})
    path = tmp_path / "odd.csv"
    frame.to_csv(path, index=False)

    assert [row.name for row in tl.check(path, drop=["x"]).rows] == ["a", "class"]
    assert tl.check(frame, "class", nominal=["a"]).rows[1].kind == "nominal"
    with pytest.raises(ParameterError, match="drop= is for files and frames"):
        tl.check(tl.load("iris"), drop=["petal width"])


def test_standard_input_is_checked():
    said = CliRunner().invoke(app, ["check", "-", "--drop", "k"], input="a;k;c\n1,5;1;u\n2,5;1;v\n")

    assert said.exit_code == 0
    assert "1.5 to 2.5" in said.stdout
    assert "k" not in said.stdout.split()


def test_a_name_with_blanks_or_commas_is_quoted_for_the_shell():
    frame = pd.DataFrame({"a, b": ["x"] * 9, "it is": ["x"] * 9, "c": list("uvuvuvuvu")})
    fixes = [row.findings[0].fix for row in tl.check(frame, "c").rows[:2]]
    assert fixes == ["""--drop '"a, b"'""", "--drop 'it is'"]


# Leaks


@pytest.mark.parametrize("factor", [1, 5])
def test_a_number_that_decides_is_a_leak_in_few_and_many_cases(factor):
    rng = np.random.default_rng(2)
    y = np.tile(CLASSES, factor * 10)
    score = np.where(y == "good", 3, 0) + rng.random(len(y))

    assert kinds_of(score, y) == ["leak"]
    assert kinds_of(np.where(rng.random(len(y)) < 0.1, rng.random(len(y)) * 4, score), y) == []


def test_codes_that_decide_in_no_order_are_a_leak():
    codes = np.resize(np.arange(10), N)
    y = np.where(np.isin(codes, [1, 4, 7, 8]), "a", "b")

    assert kinds_of(codes, y) == ["leak"]
    assert kinds_of([f"c{code}" for code in codes], y) == ["leak"]


def test_a_rare_class_is_not_predicted_by_the_majority():
    rare = np.where(np.arange(N) % 25 == 0, "ill", "well")  # 96 % are well
    assert kinds_of(NOISE, rare) == []
    assert kinds_of(RNG.choice(["a", "b"], N), rare) == []
    assert kinds_of(np.where(rare == "ill", 1.0, 0.0) + NOISE / 100, rare) == ["leak"]


@pytest.mark.parametrize("seed", range(20))
def test_cases_left_out_one_by_one(seed):
    """Every case is predicted by the others of its label; a class that is not ahead is no help."""
    rng = np.random.default_rng(seed)
    labels, y = rng.integers(0, 6, 30), rng.integers(0, 3, 30)
    expected = 0
    for i in range(30):
        own = np.bincount(y[labels == labels[i]], minlength=3)
        rest = np.delete(own, y[i])
        # right if its class leads among all with the label, alone, and somebody else has it
        expected += not (own[y[i]] > rest.max() and own.sum() > 1)
    assert errors_by_label(labels, y, 6, 3) == expected


def test_errors_along_the_order_by_hand():
    y = np.array([0, 0, 0, 1, 1, 1])
    assert errors_by_order(np.arange(6.0), y, 2) == 0, "one border is no error"
    assert errors_by_order(np.array([0.0, 1, 4, 3, 2, 5]), y, 2) == 2, "0 0 1 1 0 1: two more"
    assert errors_by_order(np.zeros(6), y, 2) == 3, "all alike: half of them are wrong"


# Targets


def test_targets_that_are_no_classes():
    def of(target):
        data = made(target, x=np.resize([1.5, 2.5], len(target)))
        return [f.kind for f in tl.check(data).rows[-1].findings]

    assert of(NOISE) == ["continuous"]
    assert of(np.resize(np.arange(26), N)) == []
    assert of(["a"] * 9 + ["b"] * 9 + ["c"]) == ["single-case"]
    assert of(["a"] * 9 + ["A "] * 9) == ["spelling"]
    assert of(["a"] * 9) == ["constant"]
    assert of(["a", "b", None] * 5) == ["missing"]
    assert of([f"n{i}" for i in range(50)]) == ["near-unique"]


# All of it


def test_what_is_said_of_the_bundled_sets():
    said = {
        name: {(r.name, f.kind) for r in tl.check(tl.load(name)).suspicious for f in r.findings}
        for name in tl.dataset_names()
    }
    assert ("veil-type", "constant") in said["mushroom"]
    assert ("TBG", "empty") in said["thyroid-allhypo"]
    assert ("class", "single-case") in said["thyroid-allhyper"]
    assert ("standby-pay", "missing") in said["labor"]
    clean = (
        "iris",
        "wine",
        "zoo",
        "voting",
        "lenses",
        "car",
        "tic-tac-toe",
        "monks-1",
        "promoters",
    )
    assert [name for name in clean if said[name]] == []
    kinds = {kind for findings in said.values() for _, kind in findings}
    assert kinds <= {"constant", "empty", "missing", "almost-constant", "single-case"}


def test_a_table_to_read_and_values_to_compute_with(tmp_path):
    path = tmp_path / "odd.csv"
    names = ("identifier", "constant", "missing", "leak")
    frame = pd.DataFrame({name: COLUMNS[name] for name in names} | {"class": CLASSES})
    frame.to_csv(path, index=False)
    report = tl.check(path)

    assert report == tl.check(tl.read(path))
    assert report.rows == tl.check(frame, "class").rows
    assert [row.name for row in report.rows] == [*names, "class"]
    text = str(report)
    assert text.startswith("odd: 400 cases, 5 columns")
    assert "--drop identifier" in text
    assert text.endswith("suspicious: 4 of 5 columns")
    assert (
        json.loads(json.dumps(report.to_dict()))["rows"][0]["findings"][0]["kind"] == "identifier"
    )
    row = report.rows[2]
    assert (row.missing, row.missing_share, row.distinct) == (300, 0.75, 2)


def test_many_columns_show_the_odd_ones_only():
    frame = pd.DataFrame(
        {f"x{i}": NOISE + i**2 * 0.1 for i in range(70)} | {"k": "x", "c": CLASSES}
    )
    text = str(tl.check(frame, "c"))
    assert "--drop k" in text
    assert text.endswith("suspicious: 1 of 72 columns; 71 other columns not shown")


def test_a_data_set_has_its_own_target():
    with pytest.raises(ParameterError, match="the target of these data is 'class'"):
        tl.check(tl.load("iris"), "petal width")


def test_the_command_prints_it_and_ends_well(tmp_path):
    path = tmp_path / "odd.csv"
    pd.DataFrame({"id": COLUMNS["identifier"], "price": NOISE}).to_csv(path, index=False)
    said = CliRunner().invoke(app, ["check", str(path)])
    assert said.exit_code == 0
    assert "--drop id" in said.stdout
    assert "different numbers, but treelab classifies" in said.stdout
    facts = json.loads(CliRunner().invoke(app, ["check", str(path), "--json"]).stdout)
    assert [row["role"] for row in facts["rows"]] == ["feature", "target"]


def test_what_the_table_says_of_labels_is_no_warning_besides(tmp_path):
    path = tmp_path / "numbers.csv"
    path.write_text("a,y\n" + "".join(f"{n},{'pq'[n % 2]}\n" for n in range(12)) + "abc,q\n")
    printed = CliRunner().invoke(app, ["check", str(path)])
    assert "all but 1 of 13 labels are numbers" in printed.stdout
    assert printed.stderr == ""
    assert tl.check(path, "y").suspicious  # the suite makes errors of warnings
    path.write_text("a,a,y\n1,2,p\n2,3,q\n3,4,q\n")
    twice = CliRunner().invoke(app, ["check", str(path)])
    assert "a name occurs more than once" in twice.stderr  # of which the table says nothing
