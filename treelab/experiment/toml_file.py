"""A TOML file whose mistakes are told with their lines."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from treelab._files import read_text
from treelab.errors import (
    FileFormatError,
    ParameterError,
    TreelabError,
    UnknownNameError,
    shown,
)
from treelab.experiment import toml_lines

Where = toml_lines.Path
Value = TypeVar("Value")


def _check_numbers(value: Any) -> None:
    """Raise for a whole number that TOML does not allow for: it may fill memory further on."""
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError(f"the number {shown(value)} does not fit 64 bits")
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inside:
        _check_numbers(each)


class TomlFile:
    """Text and values of a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.text = read_text(path)
            self.values: dict[str, Any] = tomllib.loads(self.text)
            _check_numbers(self.values)
        except UnicodeDecodeError:
            raise FileFormatError(f"{path} is not text in UTF-8") from None
        except OSError as error:
            raise TreelabError(f"cannot read {path}: {error.strerror}") from None
        except RecursionError:
            raise ParameterError(f"{path} is not a TOML file: it is nested too deeply") from None
        except ValueError as error:  # also Python's, of a number of more than 4300 digits
            raise ParameterError(f"{path} is not a TOML file: {error}") from None

    def table(self, key: str) -> Mapping[str, Any]:
        """Return a table of the file, empty if there is none."""
        table = self.values.get(key, {})
        if not isinstance(table, Mapping):
            self.refuse((key,), f"{key} is written as a table: [{key}]")
        return table

    def check_keys(
        self, where: Where, table: Any, known: tuple[str, ...], kind: str = "key"
    ) -> None:
        """Refuse a table that has a key nobody knows."""
        if not isinstance(table, Mapping):
            self.refuse(where, "expected a table")
        for key in table:
            if key not in known:
                self.refuse((*where, key), str(UnknownNameError(kind, key, known)), key)

    def text_of(self, where: Where, key: str, value: Any) -> str:
        """Return the text that a key must have."""
        if not isinstance(value, str):
            self.refuse((*where, key), f"{key} must be a text, got {shown(value)}")
        return value

    def attempt(self, where: Where, value: object, make: Callable[[], Value]) -> Value:
        """Make something; an error of the user is told with its line."""
        try:
            return make()
        except TreelabError as error:
            self.refuse(where, str(error), value)

    def refuse(self, where: Where, problem: str, value: object = None) -> NoReturn:
        """Say what is wrong, with file and line."""
        line = toml_lines.line_of(self.text, where, value)
        raise ParameterError(f"{self.path}, line {line}: {problem}")
