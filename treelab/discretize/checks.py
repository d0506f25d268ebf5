"""What the parameters of discretizers may be, as attrs validators."""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import attrs

from treelab.errors import LARGEST, ParameterError, check_choice, check_number

Validator: TypeAlias = Callable[[Any, Any, Any], None]


def at_least(least: float, most: float = LARGEST, *, whole: bool = False) -> Validator:
    """Return a validator of finite numbers."""

    def check(_instance: object, field: Any, value: object) -> None:
        check_number(field.name, value, least, most, whole=whole)

    return check


positive: Validator = at_least(1, 2**63 - 1, whole=True)  # kernels count with 64 bits
positive_or_none: Validator = attrs.validators.optional(positive)


def share(_instance: object, field: Any, value: Any) -> None:
    """Raise unless the value lies between 0 and 1."""
    check_number(field.name, value, 0)
    if not 0 < value < 1:
        raise ParameterError(f"{field.name} must lie between 0 and 1, got {value!r}")


def choice(allowed: Iterable[str]) -> Validator:
    """Return a validator of words."""
    words = tuple(allowed)

    def check(_instance: object, field: Any, value: object) -> None:
        check_choice(field.name, value, words)

    return check
