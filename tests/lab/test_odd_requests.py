"""Whatever a request says, the answer is an answer or one sentence, never a failure of the lab."""

import pytest

ODD = [None, True, -1, 2.5, 10**30, "", "\0", "é" * 300, [], [[]], ["x"], [None], {}, {"a": 1},
       {"__proto__": {"x": 1}}, [{"from": "file"}]]  # fmt: skip
# One or two of each type; the others are asked with `make test-slow`.
USUAL = [None, True, 2.5, 10**30, "\0", [[]], ["x"], {"__proto__": {"x": 1}}]
of_odd_values = pytest.mark.parametrize(
    "values",
    [USUAL, pytest.param([each for each in ODD if each not in USUAL], marks=pytest.mark.slow)],
    ids=["usual", "others"],
)

ARGUMENTS = {
    "open": ["source", "target", "drop", "kinds", "weights", "hold", "reading"],
    "grow": ["settings"],
    "edit": ["edit"],
    "node": ["path", "feature", "metrics"],
    "cases": ["path", "start", "size", "order", "descending"],
    "why": ["path", "metrics", "candidates"],
    "pi": ["path", "feature"],
    "assess": ["folds", "seed", "by"],
    "compare": ["metrics", "folds", "seed", "settings"],
    "study": ["files", "measure", "alpha", "data", "learners"],
    "export": ["format", "options", "approximate"],
    "page": ["title", "kept"],
    "restore": ["upload", "file"],
    "cancel": ["job"],
}
GOOD = {
    "open": {"source": {"from": "bundled", "name": "lenses"}},
    "study": {"files": ["cars.csv"]},
    "export": {"format": "text"},
    "page": {"title": "a", "kept": {}},
}
SOURCES = [
    ("bundled", "name"), ("file", "name"), ("upload", "upload"), ("generator", "name"),
    ("generator", "parameters"),
]  # fmt: skip
SETTINGS = ["metric", "pruner", "discretizer", "splits", "bins", "max_depth", "min_cases", "search",
            "preset", "class_weight", "costs", "constraints", "probabilities", "cuts"]  # fmt: skip


@pytest.fixture(autouse=True)
def _no_jobs(desk, monkeypatch):
    """A job that would be begun is none: what the tasks do is tested elsewhere."""
    monkeypatch.setattr(type(desk), "start", lambda *_given, **_named: {"job": "none"})


def answered(tab, name, **asked):
    answer = tab.post(name, **asked)
    assert answer.status_code < 500, (name, asked, answer.text)
    if answer.status_code >= 400:
        sentence = answer.json()["error"]
        assert sentence
        assert "\n" not in sentence


@of_odd_values
@pytest.mark.parametrize("name", ARGUMENTS)
def test_odd_arguments(tab, name, values):
    tab.open("lenses")
    tab.grow(min_branch=1, pruner=None)
    for argument in ARGUMENTS[name]:
        for value in values:
            answered(tab, name, **GOOD.get(name, {}) | {argument: value})


@pytest.mark.parametrize(("kind", "entry"), SOURCES)
def test_odd_sources(tab, kind, entry):
    for value in ODD:
        source = {"from": kind, "name": "exor"} | {entry: value}
        answered(tab, "open", source=source)


@of_odd_values
@pytest.mark.parametrize("setting", SETTINGS)
def test_odd_settings(tab, setting, values):
    tab.open("lenses")
    for value in values:
        if not (setting == "bins" and value == 10**30):
            answered(tab, "grow", settings={setting: value})


@of_odd_values
@pytest.mark.parametrize("kind", ["split", "prune", "regrow", "relabel", "lock", "unlock"])
def test_odd_edits(tab, kind, values):
    tab.open("lenses")
    tab.grow(min_branch=1, pruner=None)
    good = {"edit": kind, "node": "root"}
    for entry in ("node", "feature", "by", "below", "learner", "label"):
        for value in values:
            answered(tab, "edit", edit=good | {entry: value})
            answered(tab, "edit", edit=good | {"feature": "age", entry: value})


def test_odd_reading(tab):
    for option in (
        "decimal",
        "delimiter",
        "encoding",
        "header",
        "missing_marks",
        "target_is_class",
    ):
        for value in ODD:
            source = {"from": "file", "name": "cars.csv"}
            answered(tab, "open", source=source, reading={option: value})
