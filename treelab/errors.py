"""Every error a user can cause, each told in one sentence."""

import sys
from collections.abc import Iterable
from difflib import get_close_matches
from math import inf
from numbers import Integral, Real
from typing import Any

LARGEST = sys.float_info.max
LONGEST, MANY = 200, 2000
"""No name is longer than this; so many names are compared with one that is not known."""


class TreelabError(ValueError):
    """The base of every error a user can cause; its text is one clear sentence."""


class DataError(TreelabError):
    """The data do not fit what was asked of them."""


class DataWarning(UserWarning):
    """Data that may not be what they seem; the text names the column and the option that helps."""


class FileFormatError(DataError):
    """A data file is broken; the text names file, line and column."""


class NoCasesError(FileFormatError):
    """A data file has columns, perhaps, but not a single case."""


class ModelFileError(TreelabError):
    """A model file is damaged, foreign or from a newer treelab."""


class ParameterError(TreelabError):
    """A parameter has a value outside what it may have."""


class MismatchError(DataError, ParameterError):
    """Data and call do not fit: files that differ, or a column that is asked for and not there."""


class UnknownNameError(TreelabError):
    """A name (of a metric, column, data set, ...) that nothing answers to.

    >>> raise UnknownNameError("parameter", "q", ["k", "ties"], of="metric 'relieff'")
    Traceback (most recent call last):
        ...
    treelab.errors.UnknownNameError: unknown parameter 'q' of metric 'relieff': known are k, ties
    """

    def __init__(self, kind: str, name: object, known: Iterable[str], of: str = "") -> None:
        self.kind, self.name, self.known, self.of = kind, name, tuple(known), of
        whose = f" of {of}" if of else ""
        super().__init__(f"unknown {kind} {shown(name)}{whose}: {suggestion(name, self.known)}")

    def __reduce__(
        self,
    ) -> tuple[type["UnknownNameError"], tuple[str, object, tuple[str, ...], str]]:
        return type(self), (self.kind, self.name, self.known, self.of)


class MissingExtraError(TreelabError):
    """An optional package is needed and not installed."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        self.arguments = (what, package, extra)
        super().__init__(f"{what} needs {package}: pip install 'treelab[{extra}]'")

    def __reduce__(self) -> tuple[type["MissingExtraError"], tuple[str, str, str]]:
        return type(self), self.arguments


def check_choice(parameter: str, value: object, allowed: Iterable[str]) -> None:
    """Raise unless `value` is one of the allowed words.

    >>> check_choice("size", "bigg", ["big"])
    Traceback (most recent call last):
        ...
    treelab.errors.ParameterError: size must be one of 'big', got 'bigg'; did you mean 'big'?
    """
    allowed = tuple(allowed)
    if value in allowed:
        return
    words = ", ".join(map(repr, allowed))
    near = get_close_matches(value, allowed, n=1) if isinstance(value, str) else []
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise ParameterError(f"{parameter} must be one of {words}, got {shown(value)}{hint}")


def check_number(
    parameter: str, value: Any, least: float, most: float = LARGEST, *, whole: bool = False
) -> None:
    """Raise unless a value is a finite number, whole if so asked, from `least` to `most`."""
    is_number = isinstance(value, Integral if whole else Real) and not isinstance(value, bool)
    value = getattr(value, "item", lambda: value)()  # a short float of numpy knows no large limits
    if is_number and max(least, -LARGEST) <= value <= most:
        return
    what = "a whole number" if whole else "a number"
    limit = "" if least == -inf else f" of at least {least}"
    if is_number and most < value < inf and most < LARGEST:
        limit = f" of at most {most}"
    raise ParameterError(f"{parameter} must be {what}{limit}, got {shown(value)}")


def shown(value: object) -> str:
    """Write a value for a sentence, however long it is, in one line.

    >>> shown("a" * 1000), shown(2**20000)
    ("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...", 'a number of more than 4300 digits')
    """
    try:
        text = " ".join(repr(value).splitlines())
    except ValueError:  # Python refuses to write it
        return "a number of more than 4300 digits"
    return text if len(text) <= 200 else f"{text[:40]}..."


def clipped(word: str) -> str:
    """Return a word for a list in a sentence, however long it is."""
    return word if len(word) <= LONGEST else f"{word[:40]}..."


def check_share(parameter: str, value: Any, most: float = 1) -> None:
    """Raise unless a value is a number from 0 to `most`."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not (is_number and 0 <= value <= most):
        raise ParameterError(f"{parameter} must be a number from 0 to {most}, got {shown(value)}")


def check_truth(parameter: str, value: object) -> None:
    """Raise unless a value is True or False."""
    if not isinstance(value, bool):
        raise ParameterError(f"{parameter} must be True or False, got {shown(value)}")


def check_function(parameter: str, value: object) -> None:
    """Raise unless a value can be called."""
    if not callable(value):
        raise ParameterError(f"{parameter} must be a function, got {shown(value)}")


def words(parameter: str, given: Iterable[object]) -> list[str]:
    """Return words as a list; a single one need not be in one.

    >>> words("nominal", "size"), words("missing", ["?", -1])
    (['size'], ['?', '-1'])
    """
    if isinstance(given, str):
        return [given]
    if not isinstance(given, Iterable):
        raise ParameterError(f"{parameter} must be a word or a list of words, got {shown(given)}")
    return [str(word) for word in given]


def suggestion(name: object, known: Iterable[str]) -> str:
    """Return the known name that is nearest to `name` in words, or some that are known."""
    known = tuple(known)
    # Comparing takes time: not with a text that is no name, nor with each of a million names.
    wanted = name.lower() if isinstance(name, str) and len(name) <= LONGEST else ""
    near = get_close_matches(wanted, known[:MANY], n=1, cutoff=0.5) if wanted else []
    if near:
        return f"did you mean {near[0]!r}?"
    if not known:
        return "there are none"
    some = ", ".join(map(clipped, sorted(known)[:12]))
    return f"known are {some}{', ...' if len(known) > 12 else ''}"
