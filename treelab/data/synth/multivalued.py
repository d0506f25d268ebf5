"""Attributes of many values: the same information in 2, 5, 10, 20 and 40 values."""

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.dataset import Dataset
from treelab.data.schema import Column
from treelab.data.synth.draw import Shape, below, chance, chosen, source
from treelab.data.synth.table import Part, counted, several, together
from treelab.errors import ParameterError, check_choice, check_number, check_share

Attributes = Literal["irrelevant", "informative", "slightly"]


def kononenko(
    cases: int = 600,
    classes: int = 2,
    values: int | str | Sequence[int] = (2, 5, 10, 20, 40),
    attributes: Attributes = "informative",
    k: float = 1,
    delta: float = 0.05,
    class_skew: float = 0.0,
    value_skew: float = 0.0,
    seed: int = 0,
) -> Dataset:
    """Attributes that differ only in their number of values (kononenko1995 section 3).

    The values of an attribute fall in two halves. The class decides how likely a value is of the
    first half; inside a half all values are equally likely. So all attributes are worth the same,
    and a metric that says otherwise is biased.

    Parameters
    ----------
    cases
        The number of cases.
    classes
        The number of classes, C.
    values
        An attribute V2, V5, ... for each number of values; as one word '2+5'.
    attributes
        'informative': class i has a value of the first half with probability 1 / (i + k C) if i
        is even and 1 - 1 / (i + k C) if it is odd (eq. 15, corrected); 'slightly': with 1/2 - delta
        if i is even and 1/2 + delta if it is odd; 'irrelevant': the class decides nothing.
    k
        How much an informative attribute tells.
    delta
        How much a slightly informative one tells.
    class_skew
        The share of the i-th class goes with 1 / i^class_skew; 0 is uniform.
    value_skew
        The same for the values of irrelevant attributes.
    seed
        For everything that is left to chance.
    """
    check_number("cases", cases, 1, whole=True)
    check_number("classes", classes, 2, whole=True)
    check_choice("attributes", attributes, get_args(Attributes))
    check_number("k", k, 0)
    check_share("delta", delta, 0.5)
    check_number("class_skew", class_skew, 0)
    check_number("value_skew", value_skew, 0)
    sizes = _sizes(values)
    y = skewed_codes(source(seed, "kononenko", "class"), classes, class_skew, cases)
    if attributes == "irrelevant":
        codes = [skewed_codes(_source(v, seed), v, value_skew, cases) for v in sizes]
    elif value_skew:
        raise ParameterError("value_skew is for irrelevant attributes: others have uniform halves")
    else:
        first = first_half(classes, k if attributes == "informative" else None, delta)[y]
        codes = [halved_codes(_source(v, seed), v, first) for v in sizes]
    parts = [attribute(f"V{v}", v, drawn) for v, drawn in zip(sizes, codes, strict=True)]
    return together("kononenko", parts, y, counted(classes))


def first_half(classes: int, k: float | None, delta: float = 0.05) -> FloatArray:
    """Return how likely a value is of the first half, for each class; slightly without k."""
    i = np.arange(1, classes + 1)
    even = np.full(classes, 0.5 - delta) if k is None else 1 / (i + k * classes)
    return np.where(i % 2 == 0, even, 1 - even)


def _sizes(values: int | str | Sequence[int]) -> list[int]:
    sizes = [int(v) if str(v).isdigit() else v for v in several(values)]
    if not sizes:
        raise ParameterError("values must be at least one number of values, got none")
    for size in sizes:
        check_number("values", size, 2, whole=True)
    return sizes


def _source(size: int, seed: int) -> np.random.Generator:
    return source(seed, "kononenko", size)


def skewed_codes(rng: np.random.Generator, size: int, skew: float, shape: Shape) -> IndexArray:
    """Draw classes or values below `size`, the i-th as likely as 1 / i^skew says."""
    return chosen(rng, np.arange(1.0, size + 1) ** -skew, shape)


def halved_codes(rng: np.random.Generator, size: int, first: FloatArray) -> IndexArray:
    """Draw values below `size`, one for each chance in `first` to be of the first half."""
    half = size // 2
    is_first = chance(rng, first, first.shape)
    low, high = below(rng, half, first.shape), half + below(rng, size - half, first.shape)
    return np.where(is_first, low, high)


def halved_numbers(rng: np.random.Generator, first: FloatArray) -> FloatArray:
    """Draw numbers from 0 to 1, below 1/2 with the chances in `first`, uniform inside a half.

    >>> halved_numbers(np.random.default_rng(0), np.array([1.0, 0.0])).round(2).tolist()
    [0.02, 0.51]
    """
    is_first = chance(rng, first, first.shape)
    return np.asarray(rng.random(first.shape) / 2 + np.where(is_first, 0.0, 0.5))


def attribute(name: str, size: int, codes: IndexArray) -> Part:
    """Return a column of values '1' to `size`."""
    return Column(name, counted(size)), codes
