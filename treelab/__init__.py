"""treelab grows decision trees with any split metric, and shows what the metric changes."""

from treelab._current_folder import leave_when_started

leave_when_started()  # before anything else is looked for

from importlib import import_module  # noqa: E402
from threading import RLock  # noqa: E402
from typing import TYPE_CHECKING, Any  # noqa: E402

from treelab._moved import redirect_moved  # noqa: E402

if TYPE_CHECKING:
    import treelab.reduce as reduce
    from treelab._threads import set_threads
    from treelab.characteristics import Meta, meta
    from treelab.checking import DataCheck, check
    from treelab.choosing import Auto
    from treelab.data.bundled import dataset_card, dataset_names, load
    from treelab.data.coding import Coding
    from treelab.data.constraints import Constraints
    from treelab.data.dataset import Dataset
    from treelab.data.readers import read
    from treelab.data.schema import Column, Schema
    from treelab.data.synth import generator_names, make
    from treelab.discretize import discretizer, discretizer_names, smooth
    from treelab.editing import EditAssessment, assess_edits, edit, replay
    from treelab.evaluate import Assessment, assess, cross_validate
    from treelab.experiment import Study, read_study, run_study, write_report
    from treelab.explain import Importances, Why, importances, why
    from treelab.lab_server import lab
    from treelab.laboratory import Bias, bias
    from treelab.learner import Learner, grow
    from treelab.metrics import (
        Normalized,
        Pi,
        formula,
        from_counts,
        from_pairs,
        metric,
        metric_names,
        pi_cases,
        pi_matrices,
    )
    from treelab.multiplicity import Rashomon, TreeStability, rashomon, stability
    from treelab.plots import Regions, regions
    from treelab.presets import c45, j48, preset, preset_names
    from treelab.scale import Scan, scan
    from treelab.selection import Ranking, Rankings, Selection, Wrapper, rank, select
    from treelab.sklearn import (
        ComponentReducer,
        Discretizer,
        FeatureReducer,
        MetricSelector,
        SubsetSelector,
        TreeClassifier,
    )
    from treelab.stats.formulas.sums import sums_of
    from treelab.teaching import MethodSteps, Steps, steps, steps_of
    from treelab.tree.model import Tree
    from treelab.tree.optimal.settings import Optimal
    from treelab.tree.prune import prune, pruner
    from treelab.tuning import Tuned, tune
    from treelab.warming import warmup
    from treelab.widgets import widget
    from treelab.writers import export

__version__ = "0.2.0"

redirect_moved()

# Each name is imported when it is first used: `import treelab` costs next to nothing.
_HOME = {
    "Assessment": "treelab.evaluate",
    "Auto": "treelab.choosing",
    "Bias": "treelab.laboratory",
    "Coding": "treelab.data.coding",
    "Column": "treelab.data.schema",
    "ComponentReducer": "treelab.sklearn",
    "Constraints": "treelab.data.constraints",
    "DataCheck": "treelab.checking",
    "Dataset": "treelab.data.dataset",
    "Discretizer": "treelab.sklearn",
    "EditAssessment": "treelab.editing",
    "FeatureReducer": "treelab.sklearn",
    "Importances": "treelab.explain",
    "Learner": "treelab.learner",
    "Meta": "treelab.characteristics",
    "MethodSteps": "treelab.teaching",
    "MetricSelector": "treelab.sklearn",
    "Normalized": "treelab.metrics",
    "Optimal": "treelab.tree.optimal.settings",
    "Pi": "treelab.metrics",
    "Ranking": "treelab.selection",
    "Rankings": "treelab.selection",
    "Rashomon": "treelab.multiplicity",
    "Regions": "treelab.plots",
    "Scan": "treelab.scale",
    "Schema": "treelab.data.schema",
    "Selection": "treelab.selection",
    "Steps": "treelab.teaching",
    "Study": "treelab.experiment",
    "SubsetSelector": "treelab.sklearn",
    "Tree": "treelab.tree.model",
    "TreeClassifier": "treelab.sklearn",
    "TreeStability": "treelab.multiplicity",
    "Tuned": "treelab.tuning",
    "Why": "treelab.explain",
    "Wrapper": "treelab.selection",
    "assess": "treelab.evaluate",
    "assess_edits": "treelab.editing",
    "bias": "treelab.laboratory",
    "c45": "treelab.presets",
    "check": "treelab.checking",
    "cross_validate": "treelab.evaluate",
    "dataset_card": "treelab.data.bundled",
    "dataset_names": "treelab.data.bundled",
    "discretizer": "treelab.discretize",
    "discretizer_names": "treelab.discretize",
    "edit": "treelab.editing",
    "export": "treelab.writers",
    "formula": "treelab.metrics",
    "from_counts": "treelab.metrics",
    "from_pairs": "treelab.metrics",
    "generator_names": "treelab.data.synth",
    "grow": "treelab.learner",
    "importances": "treelab.explain",
    "j48": "treelab.presets",
    "lab": "treelab.lab_server",
    "load": "treelab.data.bundled",
    "make": "treelab.data.synth",
    "meta": "treelab.characteristics",
    "metric": "treelab.metrics",
    "metric_names": "treelab.metrics",
    "pi_cases": "treelab.metrics",
    "pi_matrices": "treelab.metrics",
    "preset": "treelab.presets",
    "preset_names": "treelab.presets",
    "prune": "treelab.tree.prune",
    "pruner": "treelab.tree.prune",
    "rank": "treelab.selection",
    "rashomon": "treelab.multiplicity",
    "read": "treelab.data.readers",
    "read_study": "treelab.experiment",
    "reduce": "treelab.reduce",
    "regions": "treelab.plots",
    "replay": "treelab.editing",
    "run_study": "treelab.experiment",
    "scan": "treelab.scale",
    "select": "treelab.selection",
    "set_threads": "treelab._threads",
    "smooth": "treelab.discretize",
    "stability": "treelab.multiplicity",
    "steps": "treelab.teaching",
    "steps_of": "treelab.teaching",
    "sums_of": "treelab.stats.formulas.sums",
    "tune": "treelab.tuning",
    "warmup": "treelab.warming",
    "why": "treelab.explain",
    "widget": "treelab.widgets",
    "write_report": "treelab.experiment",
}

__all__ = [
    "Assessment",
    "Auto",
    "Bias",
    "Coding",
    "Column",
    "ComponentReducer",
    "Constraints",
    "DataCheck",
    "Dataset",
    "Discretizer",
    "EditAssessment",
    "FeatureReducer",
    "Importances",
    "Learner",
    "Meta",
    "MethodSteps",
    "MetricSelector",
    "Normalized",
    "Optimal",
    "Pi",
    "Ranking",
    "Rankings",
    "Rashomon",
    "Regions",
    "Scan",
    "Schema",
    "Selection",
    "Steps",
    "Study",
    "SubsetSelector",
    "Tree",
    "TreeClassifier",
    "TreeStability",
    "Tuned",
    "Why",
    "Wrapper",
    "__version__",
    "assess",
    "assess_edits",
    "bias",
    "c45",
    "check",
    "cross_validate",
    "dataset_card",
    "dataset_names",
    "discretizer",
    "discretizer_names",
    "edit",
    "export",
    "formula",
    "from_counts",
    "from_pairs",
    "generator_names",
    "grow",
    "importances",
    "j48",
    "lab",
    "load",
    "make",
    "meta",
    "metric",
    "metric_names",
    "pi_cases",
    "pi_matrices",
    "preset",
    "preset_names",
    "prune",
    "pruner",
    "rank",
    "rashomon",
    "read",
    "read_study",
    "reduce",
    "regions",
    "replay",
    "run_study",
    "scan",
    "select",
    "set_threads",
    "smooth",
    "stability",
    "steps",
    "steps_of",
    "sums_of",
    "tune",
    "warmup",
    "why",
    "widget",
    "write_report",
]


# One thread at a time: two that import a package and a module in it can wait for each other.
_importing = RLock()


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'treelab' has no attribute {name!r}")
    with _importing:
        home = import_module(_HOME[name])
    value = home if home.__name__ == f"treelab.{name}" else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
