"""Keep the machine code of kernels on disk: as `_cache` does, or as numba's version allows.

`_cache` and `_unique_ids` use parts of numba that are its own affair. Where a version has moved
them, numba keeps the code in its own way; where functions cannot be given numbers of their own
either, nothing is kept, because code of two processes could be taken for each other (see
`_unique_ids`). Nor is anything kept where others could have written it (see `_ownership`).
"""

import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numba

from treelab.kernels._ownership import is_own_folder, report_others

MOVED = (ImportError, AttributeError, TypeError)
"""What Python raises where a part of numba is not where it was."""

_reported: list[str] = []


def keep_code(compiled: Any, function: Callable[..., object]) -> None:
    """Let a compiled function keep its code on disk, if there is a place to keep it."""
    with suppress(RuntimeError):  # a read-only disk, a prompt: every process compiles for itself
        try:
            from treelab.kernels._unique_ids import number_at_random

            number_at_random()
        except MOVED as problem:
            report_moved(problem, "kernels are compiled again in every process")
            return
        try:
            from treelab.kernels._cache import CodeCache

            compiled._cache = CodeCache(compiled, function)
        except MOVED as problem:
            report_moved(problem, "kernels are kept on disk in numba's own way")
            compiled.enable_caching()
            if not is_own_folder(compiled._cache.cache_path):
                report_others(compiled._cache.cache_path)
                compiled._cache.disable()


def report_moved(problem: Exception, outcome: str) -> None:
    """Warn, once in a process, of a numba that treelab does not know yet."""
    if not _reported:
        _reported.append(outcome)
        text = f"treelab does not know numba {numba.__version__} ({problem}): {outcome}"
        warnings.warn(text, RuntimeWarning, stacklevel=2)
