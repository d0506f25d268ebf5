"""-0.0 is 0.0: the same number, but written otherwise, and no file is to tell which was given."""

from typing import Any


def one_zero(value: Any) -> Any:
    """Return 0.0 for -0.0, else what was given.

    >>> one_zero(-0.0), one_zero(-2), one_zero(None)
    (0.0, -2, None)
    """
    return value + 0.0 if isinstance(value, float) else value
