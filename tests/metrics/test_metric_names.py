"""Metrics by name: specifications, parameters, packages of other people."""

import pickle
import re
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from formula_tables import FORMULAS, VARIANTS

import treelab as tl
from treelab import _registry
from treelab.errors import ParameterError, UnknownNameError
from treelab.metrics.registry import METRICS, MetricInfo, metric_info

# Equation 24 warns of identifiers.
pytestmark = pytest.mark.filterwarnings("ignore:by expectation 'eq24':treelab.errors.DataWarning")


def test_all_metrics_have_names():
    assert set(FORMULAS) | {"gain-ratio-c45"} <= set(tl.metric_names())
    assert tl.metric_names() == sorted(tl.metric_names())


@pytest.mark.parametrize("name", tl.metric_names())
def test_a_metric_is_described(name):
    info = metric_info(name)

    assert info.name == name
    assert all([info.idea, info.source, info.range])


@pytest.mark.parametrize("name", [n for n in tl.metric_names() if metric_info(n).range == "[0, 1]"])
def test_scores_are_in_the_range_that_is_told(name):
    scores = tl.rank(tl.load("voting"), name).scores

    assert scores.min() >= 0.0
    assert scores.max() <= 1.0


@pytest.mark.parametrize(("name", "parameters"), [*VARIANTS, ("gain-ratio-c45", {"gate": False})])
def test_a_metric_can_be_pasted_and_pickled(name, parameters):
    metric = tl.metric(name, **parameters)

    assert eval(repr(metric), vars(tl.metrics)) == metric
    assert pickle.loads(pickle.dumps(metric)) == metric
    assert all(repr(value) in repr(metric) for value in parameters.values())


def test_the_nearest_name_is_suggested():
    with pytest.raises(UnknownNameError, match=r"^unknown metric 'gaim': did you mean 'gain'\?$"):
        tl.metric("gaim")


def test_an_unknown_formula_is_told():
    with pytest.raises(UnknownNameError, match=r"'gaim': did you mean 'gain'\?$"):
        tl.formula("gaim")


def test_a_metric_of_a_whole_node_is_no_formula():
    with pytest.raises(ParameterError, match=r"^metric 'gain-ratio-c45' judges a whole node"):
        tl.formula("gain-ratio-c45")


def test_an_unknown_parameter_is_told():
    message = "unknown parameter 'gat' of metric 'gain-ratio-c45': did you mean 'gate'?"
    with pytest.raises(UnknownNameError, match=f"^{re.escape(message)}$"):
        tl.metric("gain-ratio-c45", gat=False)
    message = "unknown parameter 'lexicographik' of count formula 'ssv': did you mean 'lexicogr"
    with pytest.raises(UnknownNameError, match=f"^{re.escape(message)}"):
        tl.formula("ssv", lexicographik=True)
    for make, kind in ((tl.metric, "metric"), (tl.formula, "count formula")):
        with pytest.raises(ParameterError, match=rf"^{kind} 'gain' has no parameters, got "):
            make("gain", k=3)


@pytest.mark.parametrize(
    "spec",
    [
        "gain-ratio-c45:false",
        "gain-ratio-c45:gate=false",
        "gain-ratio-c45:gate=False,price=true",
        "gain-ratio-c45: gate = false ",
    ],
)
def test_parameters_may_follow_the_name(spec):
    assert tl.metric(spec) == tl.metric("gain-ratio-c45", gate=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-2", -2),
        ("0.5", 0.5),
        ("1e-3", 0.001),
        ("none", None),
        ("true", True),
        ("x", "x"),
        ("0/0/0/1", (0, 0, 0, 1)),
        ("1/0.5", (1, 0.5)),
        ("folder/file", "folder/file"),
        ("1/x", "1/x"),
        ("/", "/"),
    ],
)
def test_parameters_in_a_text_are_numbers_words_or_truth_values(text, value):
    registry = _registry.Registry("thing", "treelab.things")
    registry.add("pair", lambda first=0, second=0: (first, second))

    for spec in (f"pair:{text}", f"pair:first={text}"):
        made = registry.make(spec)[0]
        assert (type(made), made) == (type(value), value)
    assert registry.make(f"pair:second={text},first=7") == (7, value)


@pytest.mark.parametrize(
    ("spec", "made"),
    [
        ("pair:pair:1", ("pair:1", 0)),
        ("pair:pair:first=1,second=2", ("pair:first=1", 2)),
        ("pair:pair:first=1, third = 3,second=2", ("pair:first=1,third = 3", 2)),
        ("pair:second=2,pair:third=1,fourth=4", ("pair:third=1,fourth=4", 2)),
        ("pair:second=pair:third=1,fourth=4,first=7", (7, "pair:third=1,fourth=4")),
    ],
)
def test_a_text_inside_a_text_keeps_what_only_it_can_have(spec, made):
    registry = _registry.Registry("thing", "treelab.things")
    registry.add("pair", lambda first=0, second=0: (first, second))

    assert registry.make(spec) == made


@pytest.mark.parametrize("spec", ["pair:first=1,first=2", "pair:1,2", "pair:1, first = 2"])
def test_a_parameter_is_given_once(spec):
    registry = _registry.Registry("thing", "treelab.things")
    registry.add("pair", lambda first, second=2: (first, second))

    with pytest.raises(ParameterError, match=r"^parameter 'first' is given twice in '"):
        registry.make(spec)


def test_a_value_without_a_name_is_told_whose_it_is():
    registry = _registry.Registry("thing", "treelab.things")
    registry.add("pair", lambda first, second=2: (first, second))

    told = "^parameter 'first' is given twice in 'first=1,2': '2' has no name, and so is 'first'$"
    with pytest.raises(ParameterError, match=told):
        registry.make("pair:first=1,2")


def test_a_metric_itself_is_taken_as_it_is():
    def mine(node):
        return np.zeros(len(node.counts))

    assert tl.metric(mine) is mine
    with pytest.raises(ParameterError, match=r"^parameters go with the name of a metric"):
        tl.metric(mine, k=3)
    with pytest.raises(
        ParameterError, match=r"^expected the name of a metric or a callable, got 7"
    ):
        tl.metric(7)


@pytest.mark.parametrize("given", [(5,), ("gain",), (np.sum, 5), (np.sum, None, "gain")])
def test_a_formula_must_be_a_function(given):
    with pytest.raises(ParameterError, match=r"must be a function, got (5|'gain')$"):
        tl.from_counts(*given)
    with pytest.raises(ParameterError, match=r"^formula must be a function, got 5$"):
        tl.from_pairs(tl.metrics.Nearest(), 5)


def test_a_name_can_be_given_once_only():
    registry = _registry.Registry("thing", "treelab.things")
    registry.add("one", dict)
    with pytest.raises(ParameterError, match=r"^there is already a thing named 'one'$"):
        registry.add("one", dict)


class Point:
    """An entry point of another package."""

    def __init__(self, name, factory):
        self.name, self.factory, self.value = name, factory, "theirs:factory"

    def load(self):
        if self.factory is None:
            raise ImportError("no module named 'theirs'")
        return self.factory


@pytest.fixture
def other_package(monkeypatch):
    """Pretend that a package is installed which brings two metrics, one of a name we have."""

    def points(group):
        found = [
            Point("theirs", lambda power=1: ("theirs", power)),
            Point("gain", lambda: "foreign"),
            Point("broken", None),
        ]
        return found if group == "treelab.metrics" else []

    monkeypatch.setattr(_registry, "entry_points", points)
    monkeypatch.setattr(METRICS, "_factories", dict(METRICS._factories))
    monkeypatch.delitem(METRICS.__dict__, "_points", raising=False)
    yield
    METRICS.__dict__.pop("_points", None)


@pytest.mark.usefixtures("other_package")
def test_metrics_of_other_packages_join_by_entry_points():
    assert tl.metric("theirs:power=2") == ("theirs", 2)
    assert "theirs" in tl.metric_names()
    assert metric_info("theirs") == MetricInfo("theirs", "from another package", "", "")


@pytest.mark.usefixtures("other_package")
def test_threads_that_ask_for_a_metric_of_another_package_at_once_all_get_it(monkeypatch):
    load = Point.load

    def slowly(point):
        time.sleep(0.01)
        return load(point)

    monkeypatch.setattr(Point, "load", slowly)
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(tl.metric, ["theirs"] * 8)) == {("theirs", 1)}


@pytest.mark.usefixtures("other_package")
def test_metrics_of_other_packages_are_loaded_when_they_are_asked_for(monkeypatch):
    loaded, load = [], Point.load
    monkeypatch.setattr(Point, "load", lambda point: loaded.append(point.name) or load(point))

    assert "theirs" in tl.metric_names()
    with pytest.raises(UnknownNameError, match="did you mean 'theirs'"):
        tl.metric("their")
    assert loaded == []
    tl.metric("theirs")
    tl.metric("theirs")
    assert loaded == ["theirs"]


@pytest.mark.usefixtures("other_package")
def test_metrics_of_other_packages_do_not_replace_ours():
    assert "theirs" in tl.metric_names()
    assert tl.metric("gain") != "foreign"


@pytest.mark.usefixtures("other_package")
def test_a_broken_metric_of_another_package_is_told_when_it_is_asked_for():
    assert "broken" in tl.metric_names()
    with pytest.raises(ParameterError, match="'broken' cannot be loaded from theirs:factory: no"):
        tl.metric("broken")
