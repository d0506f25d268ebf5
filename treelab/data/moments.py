"""Dates and times as numbers: ISO 8601 in, ISO 8601 out.

*date*          days since 1970-01-01.
*datetime*      seconds since 1970-01-01 00:00:00, by a clock whose zone is not known.
*datetime-utc*  the same in UTC, whatever offset a value is given with; written with a Z.
*time*          seconds since midnight.

Seconds are kept to the microsecond, which a float tells apart until the year 2242 (2^33 seconds).
"""

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Sequence

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.errors import shown

DAY, MICRO = 86_400, 10**6
FARTHEST = 10**12
"""So many days or seconds and more, thousands of years, are written as numbers."""

_DATE = r"(?P<day>\d{4}-\d\d-\d\d)"
_CLOCK = r"(?P<clock>\d\d:\d\d(?::\d\d)?)(?P<fraction>(?<=:\d\d:\d\d)\.\d+)?"
_ZONE = r"(?:\ ?(?P<zone>Z|[+-]\d\d(?::?\d\d)?))"
_MOMENT = re.compile(rf"{_DATE}(?:[T ]{_CLOCK}{_ZONE}?)?", re.ASCII)
_TIME = re.compile(_CLOCK, re.ASCII)

Found = tuple["Moments", FloatArray]


@attrs.frozen
class Moments:
    """A scale of dates or times; there are four, `SCALES`."""

    name: str
    unit: str = attrs.field(repr=False)
    example: str = attrs.field(repr=False)
    step: int = attrs.field(repr=False)
    """The numbers of the scale are multiples of one by this."""

    @property
    def labels(self) -> tuple[str, ...]:
        return ()

    def write(self, value: float) -> str:
        """Return a number in words, to the day or the microsecond.

        >>> DATE.write(19783.0), DATETIME.write(1709287200.5), TIME.write(37800.0)
        ('2024-03-01', '2024-03-01 10:00:00.5', '10:30:00')
        """
        if not abs(value) < FARTHEST:
            return f"{value:.12g}"
        if self.name == "date":
            return str(np.datetime64(math.floor(value), "D"))
        seconds, micros = divmod(round(value * MICRO), MICRO)
        fraction = f".{micros:06d}".rstrip("0").rstrip(".")
        if self.name == "time":
            return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{fraction}"
        plain = str(np.datetime64(seconds, "s")).replace("T", " ")
        return f"{plain}{fraction}{'Z' if self.name == 'datetime-utc' else ''}"

    def read(self, text: str) -> float:
        """Return the number of an ISO date or time.

        >>> DATETIME_UTC.read("2024-03-01T10:00:00+01:00"), TIME.read("10:30")
        (1709283600.0, 37800.0)
        """
        found = recognised([text])
        if found is not None:
            convert = conversion(found[0], self)
            if convert is not None:
                return float(convert(found[1])[0])
        raise ValueError(f"{shown(text)} is no {self.name}, such as {self.example}")

    def down(self, limit: float) -> float:
        nearest = self._nearest(limit)
        return nearest if nearest <= limit else (round(limit * self.step) - 1) / self.step

    def up(self, limit: float) -> float:
        nearest = self._nearest(limit)
        return nearest if nearest >= limit else (round(limit * self.step) + 1) / self.step

    def _nearest(self, limit: float) -> float:
        return round(limit * self.step) / self.step if abs(limit) < FARTHEST else limit

    def span(self, low: float, high: float) -> str:
        return f"{self.write(low)}..{self.write(high)}"

    def check(self, values: FloatArray) -> None:
        """Find nothing wrong: any number is some moment."""


DATE = Moments("date", "days since 1970-01-01", "2024-03-01", 1)
DATETIME = Moments("datetime", "seconds since 1970-01-01 00:00:00", "2024-03-01 10:30:00", MICRO)
DATETIME_UTC = Moments(
    "datetime-utc", "seconds since 1970-01-01 00:00:00 UTC", "2024-03-01 10:30:00Z", MICRO
)
TIME = Moments("time", "seconds since midnight", "10:30:00", MICRO)
SCALES = {scale.name: scale for scale in (DATE, DATETIME, DATETIME_UTC, TIME)}


def is_moment(text: str) -> bool:
    """Tell whether a text has the form of an ISO date or time."""
    return bool(_MOMENT.fullmatch(text) or _TIME.fullmatch(text))


def recognised(labels: Sequence[str]) -> Found | None:
    """Return the scale on which all labels lie, and their numbers; None if there is none.

    Date-times that are all midnights are dates, as pandas writes them; a date among date-times is
    its midnight. Times of day with and without a zone do not mix.
    """
    texts = [label.strip() for label in labels]
    if not texts or not is_moment(texts[0]):
        return None
    pattern = _TIME if _TIME.fullmatch(texts[0]) else _MOMENT
    found = [match for match in map(pattern.fullmatch, texts) if match]
    if len(found) < len(texts):
        return None
    try:
        return _times(found) if pattern is _TIME else _moments(found)
    except ValueError:  # a month 13, an hour 24
        return None


def first_problem(labels: Sequence[str]) -> tuple[int, str]:
    """Return the place of the first label that does not go with those before it, and why."""
    sizes = range(1, len(labels) + 1)
    place = bisect_left(sizes, True, key=lambda size: recognised(labels[:size]) is None)
    found = recognised(labels[:place])
    what = "date or time" if found is None else f"{found[0].name}, such as {found[0].example}"
    return place, f"{shown(labels[place])} is no {what}"


def from_micros(micros: IndexArray, has_zone: bool) -> Found:
    """Return the scale and the numbers of microseconds since 1970."""
    if has_zone:
        return DATETIME_UTC, micros / MICRO
    if not (micros % (DAY * MICRO)).any():
        return DATE, (micros // (DAY * MICRO)).astype(np.float64)
    return DATETIME, micros / MICRO


def conversion(scale: Moments, to: Moments) -> Callable[[FloatArray], FloatArray] | None:
    """Return how numbers of one scale become those of another: a date is its midnight.

    A date-time has a day; None where there is no way.
    """
    return np.asarray if scale == to else _CONVERSIONS.get((scale.name, to.name))


_CONVERSIONS: dict[tuple[str, str], Callable[[FloatArray], FloatArray]] = {
    ("date", "datetime"): lambda days: days * DAY,
    ("datetime", "date"): lambda seconds: np.floor(seconds / DAY),
}


def _moments(found: Sequence[re.Match[str]]) -> Found | None:
    has_zone = {match["zone"] is not None for match in found}
    if len(has_zone) > 1:
        return None
    texts = [f"{match['day']}T{match['clock'] or '00:00'}" for match in found]
    micros = _micros(texts, found) - np.array([_offset(match["zone"]) for match in found])
    return from_micros(micros, has_zone.pop())


def _times(found: Sequence[re.Match[str]]) -> Found:
    return TIME, _micros([f"1970-01-01T{match['clock']}" for match in found], found) / MICRO


def _micros(texts: Sequence[str], found: Sequence[re.Match[str]]) -> IndexArray:
    """Return the microseconds since 1970 of texts to the second and what is beyond it."""
    seconds = np.array(texts, dtype="datetime64[s]").astype(np.int64)
    beyond = [round(float(match["fraction"] or 0) * MICRO) for match in found]
    return np.asarray(seconds * MICRO + np.array(beyond, np.int64))


def _offset(zone: str | None) -> int:
    """Return what a clock is ahead of UTC, in microseconds.

    >>> _offset("+01:30") // MICRO, _offset("-08") // MICRO, _offset("Z")
    (5400, -28800, 0)
    """
    if zone in (None, "Z"):
        return 0
    digits = str(zone)[1:].replace(":", "").ljust(4, "0")
    seconds = 3600 * int(digits[:2]) + 60 * int(digits[2:])
    return (-seconds if str(zone)[0] == "-" else seconds) * MICRO
