"""Trees in files: versioned JSON, checked on load, never code.

The format is described by `model.schema.json` beside this file. Nodes are a flat list in
preorder, so a tree of any depth can be written and read without recursion.
"""

import json
import os
from typing import Any, get_args

import attrs
import numpy as np

from treelab._files import named_path, read_text, write_text
from treelab._registry import Spec
from treelab._text import json_text
from treelab._typing import FloatArray
from treelab._zeros import one_zero
from treelab.data.coding import Coding
from treelab.data.moments import SCALES as MOMENTS
from treelab.data.scales import Ordered, Scale
from treelab.data.schema import Column, Schema
from treelab.errors import ModelFileError, TreelabError
from treelab.stats.stores.nodes import Missing
from treelab.tree.edits import edits_of
from treelab.tree.file_checks import check_entries, expect, is_whole, items, number, numbers, whole
from treelab.tree.file_nodes import nodes_in, nodes_out
from treelab.tree.file_v1 import settings_in
from treelab.tree.metric_choice import MetricChoice
from treelab.tree.model import Tree
from treelab.tree.optimal.optimum import Optimum
from treelab.tree.probabilities import probabilities as estimated
from treelab.tree.settings import check_settings

FORMAT = "treelab-tree"
VERSION = 2
_ENTRIES = {"format", "version", "learner", "missing", "target", "features", "cuts", "nodes"}
_MORE = {
    "by_counts", "complete", "optimum", "probabilities", "costs", "monotone", "metric_choice",
    "edits",
}  # fmt: skip


def save(tree: Tree, path: str | os.PathLike[str]) -> None:
    """Write a tree to a file, whole or not at all."""
    write_text(path, dumps(tree))


def load(path: str | os.PathLike[str]) -> Tree:
    """Read a tree from a file."""
    name = named_path(path)
    try:
        text = read_text(name)
    except OSError as error:
        raise ModelFileError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ModelFileError(f"{path} is not a treelab model: it is not text") from None
    except ValueError as error:  # a name with a NUL
        raise ModelFileError(f"cannot read {os.fspath(path)!r}: {error}") from None
    try:
        return loads(text)
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error}") from None


def dumps(tree: Tree) -> str:
    """Return the JSON text of a tree: a line a column and a node, the same for the same tree."""
    document = {
        "format": json_text(FORMAT),
        "version": json_text(VERSION),
        "learner": json_text(dict(tree.settings)),
        "missing": json_text(tree.missing),
        **({} if tree.by_counts else {"by_counts": json_text(False)}),
        **({"complete": json_text(True)} if tree.complete else {}),
        **_probabilities_out(tree),
        **({"optimum": json_text(attrs.asdict(tree.optimum))} if tree.optimum else {}),
        **({} if tree.costs is None else {"costs": json_text(tree.costs.tolist())}),
        **({"monotone": json_text(dict(tree.monotone))} if tree.monotone else {}),
        **_choice_out(tree),
        **({"edits": _lines([edit.plain for edit in tree.edits])} if tree.edits else {}),
        "target": json_text(_column_out(tree.schema.target)),
        "features": _lines([_column_out(column) for column in tree.schema.features]),
        "cuts": json_text({name: cuts.tolist() for name, cuts in tree.coding.cuts.items()}),
        "nodes": _lines(nodes_out(tree)),
    }
    return "{\n" + ",\n".join(f'"{key}": {text}' for key, text in document.items()) + "\n}\n"


def _probabilities_out(tree: Tree) -> dict[str, str]:
    given = tree.probabilities
    given = given if isinstance(given, str) else dict(given)
    return {} if given == "shares" else {"probabilities": json_text(given)}


def _choice_out(tree: Tree) -> dict[str, str]:
    choice = tree.metric_choice
    return {} if choice is None else {"metric_choice": json_text(attrs.asdict(choice))}


def _lines(values: list[Any]) -> str:
    return "[\n  " + ",\n  ".join(map(json_text, values)) + "\n]"


def loads(text: str) -> Tree:
    """Return the tree of a JSON text."""
    try:
        document = json.loads(text, parse_constant=_no_constant, parse_float=_number)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"not a treelab model: {error}") from None
    _check_head(document)
    try:
        return _tree_in(document)
    except ModelFileError:
        raise
    except TreelabError as error:  # from Column, Schema, Coding or the settings
        raise ModelFileError(f"damaged model: {error}") from None


def _number(text: str) -> Any:
    return one_zero(float(text))


def _check_head(document: Any) -> None:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError(f"not a treelab model: there is no 'format': {FORMAT!r}")
    version: Any = document.get("version")
    expect(is_whole(version) and version >= 1, "the version is no whole number from 1 on")
    if version > VERSION:
        raise ModelFileError(
            f"the model has format version {version}, this treelab reads up to {VERSION}: "
            "install a newer treelab"
        )


def _tree_in(document: dict[str, Any]) -> Tree:
    more = {"by_counts"} if document["version"] == 1 else _MORE
    check_entries("the model", document, _ENTRIES, more)
    features = items(document["features"], "'features'")
    schema = Schema(tuple(map(_column_in, features)), _column_in(document["target"]))
    expect(bool(schema.target.labels), "the target has no classes")
    expect(document["missing"] in get_args(Missing), "'missing' is none of the policies")
    settings = _settings_in(document["learner"], document["version"])
    by_counts, complete = _flag(document, "by_counts", True), _flag(document, "complete", False)
    coding = _coding_in(document["cuts"], schema)
    nodes = nodes_in(items(document["nodes"], "'nodes'"), schema, coding)
    return Tree(
        schema, coding, document["missing"], settings=settings, by_counts=by_counts,
        complete=complete,
        probabilities=_probabilities_in(document), optimum=_optimum_in(document.get("optimum")),
        costs=_costs_in(document.get("costs"), schema.target.n_labels),
        monotone=_monotone_in(document.get("monotone", {}), schema),
        metric_choice=_choice_in(document.get("metric_choice")),
        edits=edits_of(items(document.get("edits", []), "'edits'")), **nodes,
    )  # fmt: skip


def _flag(document: dict[str, Any], name: str, default: bool) -> bool:
    given = document.get(name, default)
    expect(isinstance(given, bool), f"{name!r} is neither true nor false")
    return bool(given)


def _probabilities_in(document: dict[str, Any]) -> Spec:
    given: Spec = document.get("probabilities", "shares")
    estimated(given)
    return given


def _settings_in(learner: Any, version: int) -> dict[str, Any]:
    if version == 1:
        expect(isinstance(learner, str), "'learner' is no text")
        learner = settings_in(learner)
    expect(isinstance(learner, dict), "'learner' is no object")
    check_settings(learner)
    return dict(learner)


def _choice_in(choice: Any) -> MetricChoice | None:
    if choice is None:
        return None
    check_entries("'metric_choice'", choice, {f.name for f in attrs.fields(MetricChoice)}, set())
    for name in ("metric", "by", "why"):
        expect(isinstance(choice[name], str), f"{name!r} of 'metric_choice' is no text")
    expect(isinstance(choice["considered"], dict), "'considered' is no object")
    considered = {k: number(v, "'considered'") for k, v in choice["considered"].items()}
    return MetricChoice(choice["metric"], choice["by"], choice["why"], considered)


def _optimum_in(optimum: Any) -> Optimum | None:
    if optimum is None:
        return None
    check_entries("'optimum'", optimum, {field.name for field in attrs.fields(Optimum)}, set())
    expect(isinstance(optimum["proven"], bool), "'proven' is neither true nor false")
    errors, price, bound = (number(optimum[n], f"{n!r}") for n in ("errors", "leaf_price", "bound"))
    return Optimum(errors, whole(optimum["n_leaves"], 1, 2**53), price, bound, optimum["proven"])


def _costs_in(rows: Any, n_classes: int) -> FloatArray | None:
    if rows is None:
        return None
    found = [numbers(row, "costs") for row in items(rows, "'costs'")]
    is_square = len(found) == n_classes and all(len(row) == n_classes for row in found)
    expect(is_square, "'costs' do not have a row and a column for each class")
    expect(all((row >= 0).all() for row in found), "a cost is below 0")
    return np.array(found)


def _monotone_in(given: Any, schema: Schema) -> dict[str, int]:
    expect(isinstance(given, dict), "'monotone' is no object")
    for name, way in given.items():
        expect(not schema.features[schema.index(name)].is_nominal, f"{name!r} has no direction")
        expect(is_whole(way) and way in (-1, 1), "a direction is neither 1 nor -1")
    expect(not given or schema.target.n_labels == 2, "there are directions, but not two classes")
    return dict(given)


def _column_in(column: Any) -> Column:
    check_entries("a column", column, {"name"}, {"labels", "scale"})
    labels = tuple(items(column["labels"], "labels")) if "labels" in column else None
    scale = _scale_in(column["scale"]) if "scale" in column else None
    texts = (column["name"], *(labels or ()), *(scale.labels if scale else ()))
    expect(all(isinstance(text, str) for text in texts), "a column's name or label is no text")
    return Column(column["name"], labels, scale)


def _scale_in(scale: Any) -> Scale:
    if isinstance(scale, list):
        return Ordered(tuple(scale))
    expect(isinstance(scale, str) and scale in MOMENTS, "a column's scale is none of the known")
    return MOMENTS[scale]


def _coding_in(cuts: Any, schema: Schema) -> Coding:
    expect(isinstance(cuts, dict), "'cuts' are no object")
    for name in cuts:
        expect(not schema.features[schema.index(name)].is_nominal, f"{name!r} cannot be cut")
    read = {name: numbers(points, "cut points") for name, points in cuts.items()}
    coding = Coding(read)
    expect(coding.on(schema) == coding, "a cut point is not on the scale of its column")
    return coding.on(schema)


def _column_out(column: Column) -> dict[str, Any]:
    labels = {} if column.labels is None else {"labels": list(column.labels)}
    return {"name": column.name, **labels, **_scale_out(column)}


def _scale_out(column: Column) -> dict[str, Any]:
    scale = column.scale
    if scale is None:
        return {}
    return {"scale": list(scale.labels) if isinstance(scale, Ordered) else scale.name}


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")
