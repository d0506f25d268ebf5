"""The long work that a worker process does, by name."""

from collections.abc import Callable
from typing import Any

from treelab.lab_server.asking import why_table
from treelab.lab_server.judging import assess_task, compare_task
from treelab.lab_server.pairs import pi_table
from treelab.lab_server.studying import study_task
from treelab.lab_server.views import plain

Task = Callable[..., dict[str, Any]]


def _in_json(task: Task) -> Task:
    """Return a task whose answer is made ready for JSON by the worker, which has the time."""

    def carried_out(*given: Any, **named: Any) -> dict[str, Any]:
        answer: dict[str, Any] = plain(task(*given, **named))
        return answer

    return carried_out


TASKS = {
    "assess": _in_json(assess_task),
    "compare": _in_json(compare_task),
    "pi": _in_json(pi_table),
    "study": _in_json(study_task),
    "why": _in_json(why_table),
}
