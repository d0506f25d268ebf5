"""How often features occur."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

Name = TypeVar("Name", str, str | None)


def counted(names: Iterable[Name], features: Sequence[str]) -> dict[Name, int]:
    """Count features, the most frequent first, then in the order of the data; None before them.

    >>> counted(["b", "a", "c", "c"], ["a", "b", "c"])
    {'c': 2, 'a': 1, 'b': 1}
    """
    place = {name: place for place, name in enumerate(features)}
    found = Counter(names).items()
    return dict(
        sorted(found, key=lambda item: (-item[1], -1 if item[0] is None else place[item[0]]))
    )
