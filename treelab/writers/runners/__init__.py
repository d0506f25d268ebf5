"""What runs an exported tree on cases, one short module per format: how an export is verified.

A runner takes what was written, its neutral form, the cases as `treelab.writers.cases` gives them,
and the options of the export; it returns what the other program answers.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from treelab.errors import ParameterError, TreelabError
from treelab.writers.runners.answers import Answers

RUNNABLE = ("c", "onnx", "pmml", "python", "sklearn", "sql")
"""The formats that other programs run; the others are for reading and looking at."""

Runner = Callable[..., Answers]


def runner(name: str) -> Runner:
    """Return the runner of a format."""
    if name not in RUNNABLE:
        raise ParameterError(
            f"treelab cannot run {name}: verified are {', '.join(RUNNABLE[:-1])} and {RUNNABLE[-1]}"
        )
    found: Runner = import_module(f"treelab.writers.runners.{name}").run
    return found


def run(name: str, content: Any, *given: Any, **options: Any) -> Answers:
    """Return what an exported tree answers."""
    asked = runner(name)
    try:
        return asked(content, *given, **options)
    except TreelabError:
        raise
    except Exception as error:  # whatever a program of others may say
        problem = f"what was written as {name} cannot be run: {type(error).__name__}: {error}"
        raise TreelabError(problem) from None
