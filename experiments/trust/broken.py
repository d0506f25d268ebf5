"""Broken files to order: valid ones changed in a few places, alike for the same seed."""

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any

LONGEST = 4000

AWKWARD = (
    b"", b"\0", b"\n", b"\r\n", b"\r", b"\t", b" ", b'"', b"'", b'""', b"\\", b",", b";", b"|",
    b":", b".", b"%", b"#", b"?", b"{", b"}", b"[", b"]", b"-1", b"0", b"1e999", b"-inf", b"nan",
    b"1_0", b"9" * 30, b"1e-400", b"\xff", b"\xef\xbb\xbf", "é".encode(), "\u0661".encode(),
    b"\xed\xa0\x80", "\u2028".encode(), b"\x0b", b"\x1c", b"\xc2\x85", b"true", b"null",
)  # fmt: skip
"""Bytes that readers of text are known to stumble over."""

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 3, 2**31, 2**63, -(2**64), 10**12, 10**400, 0.5, -0.0, 1e308,
    5e-324, "", "a", "\ud800", "\0", [], {}, [[]], [0], {"name": "a"}, [1, 2, 3], ["a", "a"], 1e-9,
)  # fmt: skip

Change = Callable[[Random, bytes, Sequence[bytes]], bytes]


def mutated(rng: Random, seeds: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """Return one of the seeds with one to five changes."""
    data = rng.choice(seeds)
    others = (*words, *AWKWARD)
    for _ in range(rng.choice((1, 1, 2, 3, 5))):
        change = rng.choice(CHANGES)
        data = change(rng, data, seeds if change is _crossed else others)
    return data[: max(LONGEST, 2 * max(map(len, seeds)))]


def mutated_json(rng: Random, seeds: Sequence[bytes], words: Sequence[bytes]) -> bytes:
    """Return a JSON document of another shape, or, one time in four, broken bytes."""
    if rng.random() < 0.25:
        return mutated(rng, seeds, words)
    document = json.loads(rng.choice(seeds))
    for _ in range(rng.choice((1, 1, 2, 4))):
        document = _reshaped(rng, document)
    return json.dumps(document).encode()


def _reshaped(rng: Random, document: Any) -> Any:
    """Change something inside a document, deep places as often as shallow ones."""
    places = list(_places(document))
    if not places:
        return deepcopy(rng.choice(VALUES))
    container, key = rng.choice(places)
    act = rng.randrange(5)
    if act == 0:
        del container[key]
    elif act == 1:
        other, place = rng.choice(places)
        container[key] = deepcopy(other[place])
    elif act == 2 and isinstance(container, list):
        container.insert(key, deepcopy(container[key]))
    elif act == 3 and isinstance(container[key], int | float) and abs(container[key]) < 2**63:
        container[key] += rng.choice((-1, 1, 0.5, 2**31))
    else:
        container[key] = deepcopy(rng.choice(VALUES))
    return document


def _places(value: Any) -> Any:
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in list(keys):
        yield value, key
        yield from _places(value[key])


def _span(rng: Random, data: bytes) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.choice((1, 1, 2, 4, 8, 16, 64)))


def _flipped(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(rng, data)
    return data[:start] + bytes(b ^ (1 << rng.randrange(8)) for b in data[start:end]) + data[end:]


def _cut(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(rng, data)
    return data[:start] + data[end:]


def _ended(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _repeated(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start, end = _span(rng, data)
    return data[:start] + data[start:end] * rng.choice((2, 2, 3, 10)) + data[end:]


def _moved(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    (start, end), (to, _end) = _span(rng, data), _span(rng, data)
    return data[:to] + data[start:end] + data[to:]


def _inserted(rng: Random, data: bytes, words: Sequence[bytes]) -> bytes:
    start, _ = _span(rng, data)
    return data[:start] + rng.choice(words) + data[start:]


def _replaced(rng: Random, data: bytes, words: Sequence[bytes]) -> bytes:
    start, end = _span(rng, data)
    return data[:start] + rng.choice(words) + data[end:]


def _relined(rng: Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Drop, double or move a line."""
    lines = data.splitlines(keepends=True) or [b""]
    line = lines[rng.randrange(len(lines))]
    if rng.random() < 0.5:
        lines.remove(line)
    if rng.random() < 0.7:
        lines.insert(rng.randrange(len(lines) + 1), line)
    return b"".join(lines)


def _crossed(rng: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """Go on with the end of another seed."""
    other = rng.choice(seeds)
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


CHANGES: tuple[Change, ...] = (
    _flipped, _cut, _ended, _repeated, _moved, _inserted, _inserted, _replaced, _replaced, _relined,
    _crossed,
)  # fmt: skip
