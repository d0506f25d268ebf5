"""What the parameters of discretizers may be, as attrs validators."""

from collections.abc import Callable, Iterable
from typing import Any

from treelab.errors import ParameterError, check_choice, check_number


def whole(_instance: object, field: Any, value: object) -> None:
    """Raise unless the value is a whole number of at least 1."""
    check_number(field.name, value, 1, whole=True)


def whole_or_none(instance: object, field: Any, value: object) -> None:
    """Raise unless the value is a whole number of at least 1, or None."""
    if value is not None:
        whole(instance, field, value)


def at_least(least: float) -> Callable[[object, Any, object], None]:
    """Return a validator of finite numbers."""

    def check(_instance: object, field: Any, value: object) -> None:
        check_number(field.name, value, least)

    return check


def share(_instance: object, field: Any, value: Any) -> None:
    """Raise unless the value lies between 0 and 1."""
    check_number(field.name, value, 0)
    if not 0 < value < 1:
        raise ParameterError(f"{field.name} must lie between 0 and 1, got {value!r}")


def choice(allowed: Iterable[str]) -> Callable[[object, Any, object], None]:
    """Return a validator of words."""
    words = tuple(allowed)

    def check(_instance: object, field: Any, value: object) -> None:
        check_choice(field.name, value, words)

    return check
