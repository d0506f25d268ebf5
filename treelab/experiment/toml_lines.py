"""On which line of a TOML file something stands: the standard reader does not tell."""

import re
from collections import Counter

_HEADER = re.compile(r"\s*+\[\[?([^\[\]]++)\]\]?\s*+(#.*)?$")
_KEY = re.compile(r"""\s*+([\w-]+|"[^"]*"|'[^']*')\s*=""")
_TRIPLE = re.compile(r'"""|' + "'''")

Path = tuple[str | int, ...]


def line_of(text: str, path: Path, value: object = None) -> int:
    r"""Return the line, from 1, of a key such as ('learner', 0, 'metric').

    Within the lines of the key, the one that names the value is taken if there is one. Where
    the key is not found, the line of its table is told.

    >>> line_of('a = 1\n[b]\nc = [\n "x",\n "y",\n]', ("b", "c"), "y")
    5
    """
    lines = text.splitlines()
    places = _places(lines)
    while path and path not in places:
        inside = [line for place, line in places.items() if place[: len(path)] == path]
        if inside:  # such as [learner.a] for ('learner',)
            return min(inside)
        path = path[:-1]
    start = places.get(path, 1)
    later = [line for line in places.values() if line > start]
    end = min(later, default=len(lines) + 1)
    wanted = None if value is None else f"{value}"
    for number in range(start, end):
        if wanted is not None and wanted in lines[number - 1]:
            return number
    return start


def _places(lines: list[str]) -> dict[Path, int]:
    """Return the line of every table and key."""
    places: dict[Path, int] = {}
    table: Path = ()
    in_text = False
    met: Counter[Path] = Counter()
    for number, line in enumerate(lines, 1):
        if not in_text:
            header, key = _HEADER.match(line), _KEY.match(line)
            if header and not key:
                table = _table(header[1], line.lstrip().startswith("[["), met)
                places[table] = number
            elif key:
                places.setdefault((*table, key[1].strip("\"'")), number)
        in_text ^= len(_TRIPLE.findall(line)) % 2 == 1
    return places


def _table(name: str, is_one_of_many: bool, met: Counter[Path]) -> Path:
    path: Path = tuple(part.strip().strip("\"'") for part in name.split("."))
    if not is_one_of_many:
        return path
    met[path] += 1
    return (*path, met[path] - 1)
