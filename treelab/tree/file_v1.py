"""Model files of version 1: what they say of the learner is a text, `Learner(metric='gain', ...)`.

Nothing in the text is run: literal values are read, anything else is kept as it is written.
"""

import ast
from typing import Any

from treelab._text import expression
from treelab.tree.settings import KINDS, NAMES


def settings_in(text: str) -> dict[str, Any]:
    """Return the settings in the text of a learner; one that is no learner is kept as it is.

    >>> settings_in("Learner(metric=ReliefF(k=5), splits='binary', bins=None)")
    {'metric': {'repr': 'ReliefF(k=5)'}, 'splits': 'binary', 'bins': None}
    >>> settings_in("by hand")
    {'repr': 'by hand'}
    """
    try:
        call = expression(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _written(text)
    if not isinstance(call, ast.Call) or not call.keywords:
        return _written(text)
    read = {word.arg: _setting(text, word.value) for word in call.keywords if word.arg in NAMES}
    return {k: v for k, v in read.items() if k in KINDS or not isinstance(v, dict)} or _written(
        text
    )


def _written(text: str) -> dict[str, Any]:
    return {"repr": text} if text else {}


def _setting(text: str, value: ast.expr) -> Any:
    """Return a literal value as it is, anything else as it is written."""
    try:
        found = ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        found = ...
    if found is None or isinstance(found, bool | int | float | str):
        return found
    return {"repr": ast.get_source_segment(text, value) or ""}
