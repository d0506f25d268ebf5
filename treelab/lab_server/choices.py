"""What there is to choose from: metrics, pruners, data, formats, files, with a line of words."""

from collections.abc import Callable
from functools import cache
from inspect import Parameter, getdoc, signature
from typing import Any, get_args

from treelab import __version__
from treelab._formats import FORMATS
from treelab._registry import Registry
from treelab.data.bundled import dataset_card, dataset_names
from treelab.data.synth import generator_info, generator_names
from treelab.discretize import DISCRETIZERS
from treelab.lab_server.folder import MODELS, STORES, Folder
from treelab.learner import Learner
from treelab.metrics import metric_info, metric_names
from treelab.metrics.registry import metric_parameters
from treelab.presets import preset_names
from treelab.stats.stores.context import SplitStrategy
from treelab.stats.stores.nodes import Missing
from treelab.tree.grow import Unseen
from treelab.tree.probabilities import PROBABILITIES
from treelab.tree.prune import PRUNERS
from treelab.tree.searches import SEARCHES

WORDS = {
    "auto": "two groups of labels; a branch for each interval; numbers are cut in two",
    "multiway": "a branch for each value",
    "binary": "one value against the rest",
    "subset": "two groups of values",
    "fractional": "a case with a missing value goes down every branch, in parts",
    "branch": "missing is a value like any other",
    "majority": "a missing value follows the branch of most cases",
    "stop": "a label that no case had at a test ends there",
    "rest": "a label that no case had at a test goes with the rest",
}
"""What the words of settings mean; one that is not here says it by its name."""


def choices(folder: Folder) -> dict[str, Any]:
    """Return everything there is to choose from; files are looked for anew."""
    return {
        **_steady(),
        "files": folder.data_files(),
        "stores": folder.of_kind(STORES),
        "models": folder.of_kind(MODELS),
        "folder": folder.root.name,
        "version": __version__,
    }


@cache
def _steady() -> dict[str, Any]:
    return {
        "metrics": [_metric(name) for name in metric_names()],
        "auto": ["auto", "auto:pi"],
        "splits": _words(get_args(SplitStrategy)),
        "missing": _words(get_args(Missing)),
        "unseen": _words(get_args(Unseen)),
        "search": _registered(SEARCHES),
        "probabilities": _registered(PROBABILITIES),
        "pruners": _registered(PRUNERS),
        "discretizers": _registered(DISCRETIZERS),
        "presets": preset_names(),
        "defaults": Learner().settings,
        "bundled": [_bundled(name) for name in dataset_names()],
        "generators": [_generator(name) for name in generator_names()],
        "formats": [
            {"name": name, "file": f"tree.{file.suffix}", "words": file.words}
            for name, file in FORMATS.items()
        ],
    }


def _words(names: tuple[str, ...]) -> list[dict[str, str]]:
    return [{"name": name, "words": WORDS.get(name, "")} for name in names]


def _metric(name: str) -> dict[str, Any]:
    info = metric_info(name)
    return {
        "name": name,
        "idea": info.idea,
        "source": info.source,
        "range": info.range,
        "needs": info.needs,
        "parameters": [[key, _default(value)] for key, value in metric_parameters(name).items()],
    }


def _registered(registry: Registry[Any]) -> list[dict[str, Any]]:
    return [_thing(name, registry.factory(name)) for name in registry.names()]


def _thing(name: str, factory: Callable[..., Any]) -> dict[str, Any]:
    parameters = signature(factory).parameters.values()
    return {
        "name": name,
        "words": (getdoc(factory) or "").partition("\n")[0],
        "parameters": [[p.name.removesuffix("_"), _default(p.default)] for p in parameters],
    }


def _default(value: Any) -> Any:
    """Return a default as JSON has it; what it has not is written."""
    if value is Parameter.empty:
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _bundled(name: str) -> dict[str, Any]:
    card = dataset_card(name)
    return {
        "name": name,
        "title": card.title,
        "cases": card.rows,
        "numeric": len(card.numeric),
        "nominal": len(card.nominal),
        "classes": len(card.classes),
        "missing": card.missing,
        "licence": card.licence,
        "notes": card.notes,
    }


def _generator(name: str) -> dict[str, Any]:
    info = generator_info(name)
    parameters = [[key, _default(value)] for key, value in info.parameters.items()]
    return {"name": name, "title": info.title, "parameters": parameters}
