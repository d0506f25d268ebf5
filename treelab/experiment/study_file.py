"""Studies in TOML files, checked before anything runs.

name = "mine"                       # and title, citation: what the report is headed
data = ["voting", "cars.arff"]      # or { file = "cars.csv", target = "class", label = "cars" },
                                    # with drop, decimal and the other keywords of `treelab.read`;
                                    # { name = "mushroom", cases = 400 }: a sample of a bundled set
folds = 10
repeats = 5
tests = ["t", "corrected-t", "friedman"]
marking_test = "t"                  # what stars mean; else corrected-t

[metrics]                           # of one's own, in Python files; needs --allow-code
tsallis = "mine.py:tsallis"

[settings]                          # of all treelab learners, as of `treelab.Learner`
discretizer = "equal-width:10"

[[learner]]
name = "Gain"
metric = "gain"                     # or { name = "pi", theta = [1, 0, 0, 1] }

[[learner]]
preset = "j48"                      # with settings of its own that change it

[[learner]]
name = "CART"                       # apart = true: a column that neither wins nor is beaten
estimator = "sklearn.tree:DecisionTreeClassifier(max_depth=3)"
                                    # other packages than scikit-learn need --allow MODULE
[grid]                              # in place of learners: every combination
metric = "pi"
alpha = [0.1, 0.5]                  # or, to vary some parameters together, under any name,
                                    # f = [{ decay = "power", alpha = 2 }, { decay = "radius" }]
[quick]                             # what `--quick` changes: any of data, repeats, folds
data = ["voting"]
"""

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import product
from math import prod
from os import PathLike
from pathlib import Path
from typing import Any

import attrs

from treelab._files import is_file, named_path
from treelab.data.readers import parted
from treelab.data.readers.room import check_max_bytes
from treelab.errors import check_number
from treelab.experiment.competitors import Competitor, TreeFactory
from treelab.experiment.expected import read_paper
from treelab.experiment.sklearn_learner import TRUSTED, SklearnLearner, allowed_modules
from treelab.experiment.sources import Bundled, DataFile, Source, frozen
from treelab.experiment.study import Grid, Note, Paper, Study, check_text
from treelab.experiment.toml_file import TomlFile, Where
from treelab.learner import Learner
from treelab.metrics import metric
from treelab.metrics.own_file import metric_of_file
from treelab.presets import preset
from treelab.protocols import SplitMetric

MOST_LEARNERS = 10_000
"""So many combinations a grid may have."""

_PLAIN = (
    "name", "title", "citation", "folds", "repeats", "seeds", "record", "tests", "marking_test",
    "alpha", "rope",
)  # fmt: skip
_KEYS = (*_PLAIN, "data", "metrics", "settings", "learner", "grid", "quick", "paper", "note")
_NAMING = ("file", "target", "label")
_TEXTS = (*_NAMING, "decimal", "delimiter", "encoding")
_LISTS = ("nominal", "numeric", "drop", "missing_marks")
_TRUTHS = ("header", "target_is_class")
_OF_LEARNER = ("name", "preset", "apart")
_QUICK = ("data", "repeats", "folds")
_METRICS = ("metric", "cut_metric")
_SETTINGS = tuple(f.name for f in attrs.fields(Learner) if f.name != "seed")


def read_study(
    path: str | PathLike[str],
    *,
    quick: bool = False,
    more: Any = (),
    allow_code: bool = False,
    allow: Iterable[str] = (),
    max_bytes: int | None = None,
) -> Study:
    """Read a study file.

    Parameters
    ----------
    path
        The file.
    quick
        Whether what the table `quick` says is to replace the rest.
    more
        Names of metrics to add as further learners with the file's settings.
    allow_code
        Whether Python files that the table `metrics` names may be run.
    allow
        Modules besides scikit-learn's whose classifiers it may name, such as 'lightgbm': they are
        imported, and so run.
    max_bytes
        What each of its data files may hold, as in `treelab.read`.
    """
    check_max_bytes(max_bytes)
    file = _StudyFile(named_path(path), allow_code, allowed_modules(allow), max_bytes)
    return file.study(quick, tuple(more))


def title_of(path: Path) -> str:
    """Return the title a study file gives itself."""
    return str(TomlFile(path).values.get("title", path.stem))


class _StudyFile(TomlFile):
    """A study file and the tables in it."""

    def __init__(
        self,
        path: Path,
        allow_code: bool = False,
        allowed: tuple[str, ...] = (TRUSTED,),
        max_bytes: int | None = None,
    ) -> None:
        super().__init__(path)
        self.allowed, self.max_bytes = allowed, max_bytes
        self.own = {name: self._own(name, given, allow_code) for name, given in self._metrics()}

    def _metrics(self) -> Iterable[tuple[str, Any]]:
        return self.table("metrics").items()

    def _own(self, name: str, given: Any, allow_code: bool) -> SplitMetric:
        where = ("metrics", name)
        spec = self.text_of(("metrics",), name, given)
        if not allow_code:
            self.refuse(where, f"{spec} is code, which is run with --allow-code only")
        return self.attempt(where, None, lambda: metric_of_file(spec, self.path.parent))

    def study(self, quick: bool, more: tuple[str, ...]) -> Study:
        if "part" in self.values:
            self.refuse(
                ("part",), "a part is a question, and no package has QUESTIONS to answer it"
            )
        self.check_keys((), self.values, _KEYS)
        plain = {key: self.values[key] for key in _PLAIN if key in self.values}
        quickly = dict(self.table("quick"))
        self.check_keys(("quick",), quickly, _QUICK)
        data = self._data(("data",), self.values.get("data"))
        if "data" in quickly:
            few = self._data(("quick", "data"), quickly.pop("data"))
            data = few if quick else data
        learners = self._learners(more)
        for where, table in (((), plain), (("quick",), quickly)):
            for key, value in table.items():
                self._check_plain((*where, key), key, value, data, learners)
        return Study(
            **{"name": self.path.stem} | plain | (quickly if quick else {}),
            data=data, learners=learners, notes=notes_of(self), paper=self._paper(),
            grid=self._grid_axes(),
        )  # fmt: skip

    def _check_plain(
        self,
        where: Where,
        key: str,
        value: Any,
        data: tuple[Source, ...],
        learners: tuple[Competitor, ...],
    ) -> None:
        """Try a value in a study of its own, so that the line can be told."""
        if key in ("name", "title", "citation") and not isinstance(value, str):
            self.refuse(where, f"{key} must be a text, got {value!r}")
        if key in ("seeds", "record", "tests") and not isinstance(value, list):
            self.refuse(where, f"{key} must be a list, got {value!r}")
        self.attempt(where, None, lambda: Study(data=data, learners=learners, **{key: value}))

    def _data(self, where: Where, names: Any) -> tuple[Source, ...]:
        if not isinstance(names, list) or not names:
            self.refuse(where, "data must be a list of at least one data set")
        return tuple(self._source((*where, i), given) for i, given in enumerate(names))

    def _source(self, where: Where, given: Any) -> Source:
        if isinstance(given, Mapping) and "name" in given:
            return self._sample(where, given)
        if isinstance(given, Mapping):
            self.check_keys(where, given, (*_TEXTS, *_LISTS, *_TRUTHS))
            if "file" not in given:
                self.refuse(where, "a data set needs a file or the name of a bundled one")
            for key, value in given.items():
                self._check_option(where, key, value)
            return self._file(where, given["file"], given)
        if not isinstance(given, str):
            self.refuse(where, f"a data set is a name or a file, got {given!r}", given)
        if is_file(parted(self.path.parent / given)[0]):
            return self._file(where, given, {})
        return self.attempt(where, given, lambda: _bundled(given))

    def _sample(self, where: Where, given: Mapping[str, Any]) -> Source:
        """Return a bundled data set with no more than so many cases."""
        self.check_keys(where, given, ("name", "cases"))
        name, cases = self.text_of(where, "name", given["name"]), given.get("cases")
        if cases is not None:
            self.attempt(
                (*where, "cases"), None, lambda: check_number("cases", cases, 2, whole=True)
            )
        return self.attempt(where, name, lambda: attrs.evolve(_bundled(name), cases=cases))

    def _check_option(self, where: Where, key: str, value: Any) -> None:
        if key in _TEXTS:
            self.text_of(where, key, value)
        elif key in _TRUTHS and not isinstance(value, bool):
            self.refuse((*where, key), f"{key} must be true or false, got {value!r}")
        elif key in _LISTS and not isinstance(value, list):
            self.refuse((*where, key), f"{key} must be a list, got {value!r}")

    def _file(self, where: Where, name: str, given: Mapping[str, Any]) -> DataFile:
        path = self.path.parent / name
        if not is_file(parted(path)[0]):
            self.refuse(where, f"there is no file {path}", name)
        label = {"label": given["label"]} if "label" in given else {}
        options = {key: value for key, value in given.items() if key not in _NAMING}
        options |= {} if self.max_bytes is None else {"max_bytes": self.max_bytes}
        file = DataFile(str(path), given.get("target"), **label, options=frozen(options))
        self.attempt(where, name, lambda: check_text("data set", file.label))
        return file

    def _learners(self, more: tuple[str, ...]) -> tuple[Competitor, ...]:
        settings = self.table("settings")
        shared = self._settings(("settings",), settings)
        tables = self.values.get("learner", [])
        if not isinstance(tables, list):
            self.refuse(("learner",), "learners are written as [[learner]] tables")
        found = [self._learner(("learner", i), table, shared) for i, table in enumerate(tables)]
        found += self._grid(shared)
        if not found:
            self.refuse((), "a study needs a [[learner]] or a [grid]")
        names: set[str] = set()
        for i, each in enumerate(found):
            if each.name in names:
                problem = f"a learner is named {each.name!r} more than once"
                self.refuse(("learner", i), problem, each.name)
            names.add(each.name)
        return (*found, *_others(more, shared, found))

    def _learner(self, where: Where, table: Any, shared: dict[str, Any]) -> Competitor:
        if not isinstance(table, Mapping):
            self.refuse(where, "learners are written as [[learner]] tables")
        if "estimator" in table:
            self.check_keys(where, table, ("name", "estimator", "encoding", "apart"))
            return self._peer(where, table)
        given = {key: value for key, value in table.items() if key not in _OF_LEARNER}
        own = self._preset(where, table) | self._settings(where, given, *_OF_LEARNER)
        default = given.get("metric", table.get("preset", "learner"))
        default = default.get("name") if isinstance(default, Mapping) else default
        name = table.get("name", default)
        learner = self.attempt(where, None, lambda: Learner(**shared | own))
        return Competitor(
            self._name(where, name), TreeFactory(learner), apart=self._apart(where, table)
        )

    def _apart(self, where: Where, table: Mapping[str, Any]) -> bool:
        apart = table.get("apart", False)
        if not isinstance(apart, bool):
            self.refuse((*where, "apart"), f"apart must be true or false, got {apart!r}")
        return apart

    def _preset(self, where: Where, table: Mapping[str, Any]) -> dict[str, Any]:
        if "preset" not in table:
            return {}
        text = self.text_of(where, "preset", table["preset"])
        return self.attempt((*where, "preset"), None, partial(preset, text))

    def _peer(self, where: Where, table: Mapping[str, Any]) -> Competitor:
        text = self.text_of(where, "estimator", table["estimator"])

        def parsed() -> SklearnLearner:
            return SklearnLearner.parse(text, table.get("encoding", "one-hot"), self.allowed)

        peer = self.attempt((*where, "estimator"), None, parsed)
        name = self._name(where, table.get("name", peer.kind.__name__))
        return Competitor(name, peer, apart=self._apart(where, table))

    def _name(self, where: Where, name: Any) -> str:
        if not self.text_of(where, "name", name).strip():
            self.refuse((*where, "name"), f"name must be a text, got {name!r}")
        self.attempt((*where, "name"), None, lambda: check_text("learner", name))
        return str(name)

    def _settings(self, where: Where, table: Mapping[str, Any], *also: str) -> dict[str, Any]:
        """Return the settings of learners, each tried in a learner of its own: none is fitted."""
        self.check_keys(where, table, (*_SETTINGS, *also), "setting")
        return {
            key: self.attempt(
                (*where, key), None, partial(lambda k, v: getattr(Learner(**{k: v}), k), key, given)
            )
            for key, given in self._with_own(table).items()
        }

    def _with_own(self, table: Mapping[str, Any]) -> dict[str, Any]:
        """Return settings with the file's own metrics in place of their names."""
        return {
            key: self.own.get(given, given) if key in _METRICS and isinstance(given, str) else given
            for key, given in table.items()
        }

    def _grid(self, shared: dict[str, Any]) -> list[Competitor]:
        table = self.table("grid")
        if not table:
            return []
        name = table.get("metric")
        if not isinstance(name, str):
            self.refuse(("grid",), "a grid needs the name of a metric")
        axes = self._axes(table)
        size = prod(map(len, axes.values()))
        if size > MOST_LEARNERS:
            self.refuse(("grid",), f"a grid of {size:,} learners is larger than {MOST_LEARNERS:,}")
        competitors = []
        for values in product(*axes.values()):
            given = _parameters(axes, values)
            made = self.attempt(("grid", "metric"), None, partial(metric, name, **given))
            place = tuple(map(_brief, values))
            label = ", ".join(f"{axis}={text}" for axis, text in zip(axes, place, strict=True))
            learner = Learner(**shared | {"metric": made})
            competitors.append(Competitor(label, TreeFactory(learner), place))
        return competitors

    def _axes(self, table: Mapping[str, Any]) -> dict[str, list[Any]]:
        axes = {key: values for key, values in table.items() if key != "metric"}
        if not axes:
            self.refuse(("grid",), "an empty grid: it needs a parameter with a list of values")
        for key, values in axes.items():
            if not isinstance(values, list) or not values:
                self.refuse(("grid", key), f"an empty grid: {key} needs a list of values")
        return axes

    def _grid_axes(self) -> Grid | None:
        table = self.table("grid")
        if not table:
            return None
        axes = self._axes(table)
        return Grid(tuple(axes), tuple(tuple(map(_brief, values)) for values in axes.values()))

    def _paper(self) -> Paper | None:
        table = self.table("paper")
        self.check_keys(("paper",), table, ("citation", "expected", "unavailable", "check"))
        if not table:
            return None
        return self.attempt(("paper",), None, lambda: read_paper(table, self.path.parent))


def notes_of(file: TomlFile) -> tuple[Note, ...]:
    """Return the paragraphs that a file has for its report."""
    notes = file.values.get("note", [])
    if not isinstance(notes, list):
        file.refuse(("note",), "notes are written as [[note]] tables")
    return tuple(_note(file, ("note", i), note) for i, note in enumerate(notes))


def _note(file: TomlFile, where: Where, note: Any) -> Note:
    file.check_keys(where, note, ("title", "text"))
    for key, value in note.items():
        file.text_of(where, key, value)
    title, text = (" ".join(note.get(key, "").split()) for key in ("title", "text"))
    file.attempt((*where, "title"), None, lambda: check_text("note", title))
    return Note(title, text)


def _parameters(axes: Iterable[str], values: Iterable[Any]) -> dict[str, Any]:
    """Return the parameters at a place of a grid; a table on an axis has several of them."""
    found: dict[str, Any] = {}
    for axis, value in zip(axes, values, strict=True):
        found |= value if isinstance(value, Mapping) else {axis: value}
    return found


def _others(
    names: tuple[str, ...], shared: dict[str, Any], found: list[Competitor]
) -> list[Competitor]:
    """Return learners with further metrics, but for those that take part already."""
    known = {each.factory.fingerprint for each in found}
    others = [Competitor(name, TreeFactory(Learner(**shared | {"metric": name}))) for name in names]
    return [each for each in others if each.factory.fingerprint not in known]


def _bundled(name: str) -> Bundled:
    from treelab.data.bundled import find

    find(name)
    return Bundled(name)


def _brief(value: Any) -> str:
    """Write a parameter for a label: [1, 0, 0, 1] as '1001', a table by its values."""
    if isinstance(value, Mapping):
        return " ".join(map(_brief, value.values()))
    if isinstance(value, list):
        return "".join(f"{each:g}" for each in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
